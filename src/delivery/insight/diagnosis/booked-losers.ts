import type { Kysely } from 'kysely';
import type { ExplainedDecision, ExplainedLineItem, ExplainedSlot } from '../../../domain/booking/delivery-insight.ts';
import { textOf, writeEnglish } from '../../../domain/booking/delivery-text.ts';
import type { Database } from '../../../storage/sql/schema.ts';
import { listBookedCauses } from './booked-causes.ts';
import { readBookedStates } from './booked-state.sql.ts';
import type { BookedState } from './booked-state.sql.ts';
import { describeReason } from './reason-texts.ts';

/** The reasons that a decision has for line items that its snapshot does not serve; bookings say which of their states it is. */
const STATE_REASONS: ReadonlySet<string> = new Set(['paused', 'not_in_flight', 'size']);

/**
 * Says of line items that cannot serve which state of their bookings it is, in the words of a diagnosis. Delivery's snapshot has forgotten some of them.
 * @param asked the only line item that was asked for: it is told of also where the snapshot does not have it; null: all
 */
export async function nameBookedStates(
  sql: Kysely<Database>,
  { workspaceId, asked, atMs }: { readonly workspaceId: number; readonly asked: string | null; readonly atMs: number },
  decision: ExplainedDecision,
): Promise<ExplainedDecision> {
  const idle = decision.slots.flatMap(({ losers }) =>
    losers.filter(({ reason }) => STATE_REASONS.has(reason)).map(({ lineItemId }) => lineItemId),
  );
  const ids = [...new Set([...idle, ...(asked === null ? [] : [asked])])];
  if (ids.length === 0) return decision;
  const booked = await readBookedStates(sql, workspaceId, ids);
  return { ...decision, slots: decision.slots.map((slot) => nameInSlot(slot, booked, { asked, atMs })) };
}

function nameInSlot(
  slot: ExplainedSlot,
  booked: ReadonlyMap<string, BookedState>,
  { asked, atMs }: { readonly asked: string | null; readonly atMs: number },
): ExplainedSlot {
  const named = slot.losers.map((loser) => {
    const state = STATE_REASONS.has(loser.reason) ? booked.get(loser.lineItemId) : undefined;
    return (state === undefined ? null : stateLoser(state, atMs)) ?? loser;
  });
  const state = asked === null ? undefined : booked.get(asked);
  const isKnown = slot.winner?.lineItemId === asked || slot.losers.some(({ lineItemId }) => lineItemId === asked);
  const forgotten = state === undefined || isKnown ? null : stateLoser(state, atMs);
  return { ...slot, losers: forgotten === null ? named : [...named, forgotten] };
}

/** Null where its bookings let it serve. */
function stateLoser(state: BookedState, atMs: number): ExplainedLineItem | null {
  const [first] = listBookedCauses(state, atMs);
  if (first === undefined) return null;
  const texts = [textOf('did_not_serve'), first.text ?? describeReason(first.code)];
  return {
    lineItemId: String(state.lineItem.id),
    name: state.lineItem.name,
    reason: first.code,
    sentence: writeEnglish(texts),
    texts,
    goalBidMicros: null,
  };
}
