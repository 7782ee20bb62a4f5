// A sentence as a card: source, references, each system's rewrite with its differences and figures. Texts are only ever
// put in as text.

const TAGS = { 1: "del", 2: "ins", 3: "span" };

function element(tag, className = "", text = "") {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text) made.textContent = text;
  return made;
}

function reading(tag, className, language) {
  const made = element(tag, className);
  made.dir = "auto";
  if (language) made.lang = language;
  return made;
}

// view: figures, systems (indexes of those that are shown), language.
export function card(sentence, data, view) {
  const made = element("article", "card");
  made.tabIndex = -1;
  const title = element("h3", "", `Sentence ${sentence.id}`);
  title.id = `sentence-${sentence.n}`;
  made.setAttribute("aria-labelledby", title.id);
  made.append(title);
  if (sentence.s.trim()) {
    title.append(element("span", "note", ` ${sentence.w} ${sentence.w === 1 ? "word" : "words"}`));
    const source = reading("p", "text source", data.language);
    source.textContent = sentence.s;
    made.append(source);
  }
  if (sentence.r.length) made.append(references(sentence, data.language));
  const row = element("div", "rewrites");
  const marks = marksOf(sentence, data, view);
  for (const index of view.systems) row.append(rewrite(sentence.o[index], index, data, view, marks));
  made.append(row);
  return made;
}

function references(sentence, language) {
  const made = element("details", "references");
  const number = sentence.r.length;
  made.append(element("summary", "", number === 1 ? "1 reference" : `${number} references`));
  const list = element("ol");
  for (const text of sentence.r) {
    const item = reading("li", "", language);
    item.textContent = text;
    list.append(item);
  }
  made.append(list);
  return made;
}

function rewrite(one, index, data, view, marks) {
  const made = element("div", "rewrite");
  const name = element("h4", "", data.systems[index]);
  made.append(name);
  if (!one) {
    made.append(element("p", "empty", "not rewritten"));
    return made;
  }
  const changed = one.p.some(([, kind]) => kind);
  const about = one.c ? (changed ? "copy but for capitals" : "exact copy") : one.s === 1 ? "" : `${one.s} sentences`;
  if (about) name.append(element("span", "tag", about));
  const text = reading("p", "text", data.language);
  for (const [piece, kind] of one.p) text.append(kind ? element(TAGS[kind], kind === 3 ? "gap" : "", piece) : piece);
  if (!one.p.length) text.append(element("em", "note", "empty"));
  made.append(text, figures(one, index, data, view, marks));
  return made;
}

function figures(one, index, data, view, marks) {
  const list = element("dl", "figures");
  for (const number of view.figures) {
    const figure = data.figures[number];
    const pair = element("div");
    const value = one.v[number];
    const shown = element("dd", "", value === null ? "–" : value.toFixed(figure.digits));
    const mark = marks[number]?.[index];
    if (mark) {
      pair.className = mark;
      shown.append(" ", element("span", "mark", mark));
    }
    pair.append(element("dt", "", figure.title), shown);
    list.append(pair);
  }
  return list;
}

// By figure and system, "best" or "worst" among the systems shown: where a figure judges and they are not all equal.
function marksOf(sentence, data, view) {
  const found = {};
  for (const number of view.figures) {
    const { better } = data.figures[number];
    const values = view.systems.map((index) => sentence.o[index]?.v[number] ?? null);
    const known = values.filter((value) => value !== null);
    const [low, high] = [Math.min(...known), Math.max(...known)];
    if (better === "neither" || known.length < 2 || low === high) continue;
    const [best, worst] = better === "higher" ? [high, low] : [low, high];
    found[number] = {};
    view.systems.forEach((index, place) => {
      if (values[place] === best) found[number][index] = "best";
      if (values[place] === worst) found[number][index] = "worst";
    });
  }
  return found;
}
