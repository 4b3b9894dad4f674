/** How long one answer of the hot store may take before it counts as away. */
export const HOT_TIMEOUT_MS = 250;

/** Rejects when a promise is not settled in time; its own late outcome is then ignored. */
export async function withinTime<T>(promise: Promise<T>, timeoutMs: number | undefined = HOT_TIMEOUT_MS): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
  promise.catch(() => undefined);
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
