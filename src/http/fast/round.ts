/** So many answers wait for each other at most: the first must not wait for long. */
const TOGETHER_MAX = 32;

/** Steps that requests wait for: to be answered, to be written. None of them may throw. */
let answers: (() => void)[] = [];
let writes: (() => void)[] = [];
let isScheduled = false;

/**
 * Answers a request after all requests that have come in together are read, and `writeTogether` writes after they are answered:
 * reading, deciding and writing are each a lot of code, and doing one of them for a whole round keeps its code at hand. Writing also
 * wakes up whoever waits for it, which costs more than to decide on the next one first.
 */
export function answerTogether(answer: () => void): void {
  answers.push(answer);
  schedule();
}

/** Writes an answer when the requests of its round are answered. */
export function writeTogether(write: () => void): void {
  writes.push(write);
  if (writes.length >= TOGETHER_MAX) writeAll();
  else schedule();
}

function schedule(): void {
  if (isScheduled) return;
  isScheduled = true;
  setImmediate(finishRound);
}

function finishRound(): void {
  isScheduled = false;
  const all = answers;
  answers = [];
  for (const answer of all) answer();
  writeAll();
}

function writeAll(): void {
  const all = writes;
  writes = [];
  for (const write of all) write();
}
