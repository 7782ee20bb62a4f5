// Which questions are asked, given the answers so far. The same rules as core/conditions.py, on the same data.

export function holds(condition, answers) {
  if (condition.all) return condition.all.every((part) => holds(part, answers));
  if (condition.any) return condition.any.some((part) => holds(part, answers));
  if (condition.not) return !holds(condition.not, answers);
  const value = answers[condition.question];
  if (condition.answered) return value !== undefined;
  if (condition.includes) return Array.isArray(value) && condition.includes.some((option) => value.includes(option));
  return value !== undefined && condition.is.some((wanted) => JSON.stringify(wanted) === JSON.stringify(value));
}

// Shows and hides the questions of a block. A hidden question keeps no answer, which may hide others in turn.
export function settle(block) {
  let changed = true;
  let any = false;
  while (changed) {
    changed = false;
    const answers = block.seen();
    for (const question of block.questions) {
      if (!question.when) continue;
      const hide = !holds(question.when, answers);
      if (hide === question.hidden && !(hide && question.value !== undefined)) continue;
      question.element.hidden = hide;
      if (hide) question.value = undefined;
      changed = any = true;
    }
  }
  return any;
}

// Does something to the page while what the person is at stays where it is on the screen.
export function steadily(anchor, change) {
  const before = anchor?.isConnected ? anchor.getBoundingClientRect().top : null;
  const result = change();
  if (before !== null && anchor.isConnected && anchor.getClientRects().length) {
    const moved = anchor.getBoundingClientRect().top - before;
    if (Math.abs(moved) >= 1) scrollBy({ top: moved, behavior: "instant" });
  }
  return result;
}
