/** Repeats until `accept` returns true or `timeoutMs` have passed; returns the last value. */
export async function eventually<T>(
  ask: () => Promise<T>,
  accept: (value: T) => boolean,
  timeoutMs = 60_000,
): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  let value = await ask();
  while (!accept(value) && performance.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    value = await ask();
  }
  return value;
}
