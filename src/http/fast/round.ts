/** Most responses that wait for each other: the first must not wait long. */
const TOGETHER_MAX = 32;

/** Steps that requests wait for: the response, the write. None of them may throw. */
let responses: (() => void)[] = [];
let writes: (() => void)[] = [];
let isScheduled = false;

/**
 * Runs a request's handler after all requests that came in together are read; `writeTogether` writes after all handlers ran:
 * reading, deciding and writing are each a lot of code, and doing one of them for a whole round keeps its code at hand. Writing also wakes
 * the waiting client, which costs more than deciding on the next one first.
 */
export function respondTogether(respond: () => void): void {
  responses.push(respond);
  schedule();
}

/** Writes a response once all handlers of its round have run. */
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
  const all = responses;
  responses = [];
  for (const respond of all) respond();
  writeAll();
}

function writeAll(): void {
  const all = writes;
  writes = [];
  for (const write of all) write();
}
