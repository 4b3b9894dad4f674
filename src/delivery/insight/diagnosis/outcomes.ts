/** The outcome of a decision that a line item won. */
export const WON = 'won';
/** The line item id of counts that concern all line items of a workspace. */
export const ALL_LINE_ITEMS = '';

/** The tests that a line item failed, and who has the slot. */
export interface Outcome {
  /** Sorted; empty = it won. */
  readonly failed: readonly string[];
  readonly winnerId: string | null;
  readonly quantity: number;
}

/** An outcome as it is stored: `size:728x90+targeting.country`, `lost.price>17`. The winner is stored where the line item lost to it. */
export function writeOutcome(failed: readonly string[], winnerId: string | null): string {
  const set = [...new Set(failed)].sort().join('+');
  return winnerId !== null && failed.some((test) => test.startsWith('lost.')) ? `${set}>${winnerId}` : set;
}

/** Reads a stored outcome; a single reason, as earlier versions stored it, is a set of one. */
export function readOutcome(stored: string, quantity: number): Outcome {
  const [set = '', winnerId] = stored.split('>');
  return { failed: set === WON ? [] : set.split('+'), winnerId: winnerId ?? null, quantity };
}
