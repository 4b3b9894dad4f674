/**
 * Shards of the hot store have lost what they held, and their counters are being rebuilt: no call that depends on them is done. Calls that
 * need only other shards are.
 */
export class HotStoreLostError extends Error {
  override readonly name = 'HotStoreLostError';
  /** Of a read of counters: the values of whole shards, in the order of the keys; null for those that are lost. */
  readonly found: readonly (bigint | null)[];

  constructor(found: readonly (bigint | null)[] = []) {
    super('A shard of the hot store has lost its counters; they are being rebuilt');
    this.found = found;
  }
}
