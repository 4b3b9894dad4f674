import { isMainThread } from 'node:worker_threads';

/** How long an orderly stop may take, in milliseconds. */
const STOP_MS = 60_000;

/**
 * Loaded before the program that a test starts, with a pipe from the test as standard input: when the test's process ends, however it ends,
 * the program stops as on SIGTERM. Threads and child processes of the program load this too and ignore it.
 */
if (isMainThread && process.send === undefined) {
  const { stdin } = process;
  stdin.on('error', () => undefined);
  stdin.once('close', () => {
    process.kill(process.pid, 'SIGTERM');
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), STOP_MS).unref();
  });
  stdin.resume();
  if ('unref' in stdin && typeof stdin.unref === 'function') stdin.unref();
}
