// The lane of each mark under one text: the first in which it shares no words with another. As core/edit_marks.py.

export function lanes(marks) {
  const taken = [];
  const found = new Map();
  const first = ({ spans }) => Math.min(...spans.map(([start]) => start));
  const last = ({ spans }) => Math.max(...spans.map(([, end]) => end));
  const order = marks.filter(({ spans }) => spans.length).sort((a, b) => first(a) - first(b) || last(b) - last(a));
  for (const mark of order) {
    let lane = taken.findIndex((there) => !share(mark.spans, there));
    if (lane < 0) lane = taken.push([]) - 1;
    taken[lane].push(...mark.spans);
    found.set(mark, lane);
  }
  return { found, count: taken.length };
}

export function share(some, others) {
  return some.some(([start, end]) => others.some(([from, to]) => start < to && from < end));
}
