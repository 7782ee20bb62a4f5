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

// Shows and hides the questions of a block. Which are asked is found out first, answer by answer; only then do those that
// are not lose their answers, so that a chain of questions filled in at once (undo, another tab) keeps its end.
export function settle(block) {
  const visible = asked(block.questions, (ids) => block.seen(ids));
  for (const question of block.questions) {
    const hide = !visible.has(question.id);
    if (hide === question.hidden && !(hide && question.value !== undefined)) continue;
    question.element.hidden = hide;
    if (hide) question.value = undefined;
  }
}

// The ids of the questions that are asked; `seen(ids)` gives the answers that conditions look at if those are.
export function asked(questions, seen) {
  let found = new Set();
  for (let round = 0; round <= questions.length; round += 1) {
    const answers = seen(found);
    const now = questions.filter(({ when }) => !when || holds(when, answers)).map(({ id }) => id);
    if (now.length === found.size && now.every((id) => found.has(id))) break;
    found = new Set(now);
  }
  return found;
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
