/** A wait of half to all of a time, so that processes that lost the same server do not all come back at once. Milliseconds. */
export function withJitter(ms: number): number {
  return ms * (0.5 + Math.random() / 2);
}
