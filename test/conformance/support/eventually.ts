import { inspect } from 'node:util';

/** Repeats until `accept` holds. @throws Error with the last value when it does not hold within `timeoutMs` */
export async function eventually<T>(
  ask: () => Promise<T>,
  accept: (value: T) => boolean,
  timeoutMs = 60_000,
): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  let value = await ask();
  while (!accept(value)) {
    if (performance.now() > deadline) {
      throw new Error(`not so after ${timeoutMs} ms: ${accept.toString()}; last: ${inspect(value).slice(0, 2_000)}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
    value = await ask();
  }
  return value;
}
