import type { LineItem } from '../api/desk-list.ts';
import { say } from '../messages/say.ts';
import { deliveryStateOf, describeDelivery, type DeskMoment } from './delivery-sentence.ts';
import { flightOf, formatDay, lastInstant } from './desk-format.ts';

/** Why something needs a person, the most urgent first. */
export const ATTENTION_KINDS = ['AT_RISK', 'BEHIND', 'SILENT', 'REJECTED', 'PENDING', 'ENDING'] as const;
export type AttentionKind = (typeof ATTENTION_KINDS)[number];

/** One thing that needs a person. */
export interface AttentionEntry {
  readonly kind: AttentionKind;
  readonly lineItemId: string;
  readonly name: string;
  readonly campaign: string | null;
  readonly sentence: string;
}

/** A creative that does not pass review, with its line item. */
export interface ReviewedCreative {
  readonly id: string;
  readonly name: string;
  readonly reviewState: 'PENDING' | 'REJECTED';
  readonly lineItem: { readonly id: string; readonly name: string; readonly status: LineItem['status'] } | null;
}

const SOON_MS = 3 * 86_400_000;
/** A line item that began a moment ago, or a day that did, shows nothing yet. */
const QUIET_MS = 2 * 3_600_000;

/** What needs a person among active line items and unreviewed creatives. Each line item has its most urgent reason only, creatives apart. */
export function listAttention(
  lineItems: readonly LineItem[],
  creatives: readonly ReviewedCreative[],
  moment: DeskMoment,
): AttentionEntry[] {
  const entries = [
    ...lineItems.flatMap((item) => findReason(item, moment) ?? []),
    ...creatives.flatMap((creative) => toEntry(creative)),
  ];
  return entries.toSorted(
    (one, other) =>
      ATTENTION_KINDS.indexOf(one.kind) - ATTENTION_KINDS.indexOf(other.kind) || one.name.localeCompare(other.name),
  );
}

function findReason(item: LineItem, moment: DeskMoment): AttentionEntry | null {
  const state = deliveryStateOf(item, moment.nowMs);
  const entry = (kind: AttentionKind, sentence: string): AttentionEntry => ({
    kind,
    lineItemId: item.id,
    name: item.name,
    campaign: item.campaign?.name ?? null,
    sentence,
  });
  if (state === 'AT_RISK' || state === 'BEHIND') return entry(state, describeDelivery(item, moment));
  if (isServing(state) && isSilent(item, moment)) return entry('SILENT', say('attention.silent'));
  const { endsAt } = flightOf(item);
  const isSoon = endsAt !== null && Date.parse(endsAt) - moment.nowMs < SOON_MS;
  if (!isServing(state) || !isSoon || state === 'REACHED') return null;
  const day = formatDay(lastInstant(endsAt), item.timezone ?? moment.timezone, moment.nowMs);
  return entry('ENDING', say('attention.ending', { day }));
}

function isServing(state: ReturnType<typeof deliveryStateOf>): boolean {
  return ['ON_TRACK', 'AHEAD', 'NO_GOAL', 'NO_PLAN', 'REACHED'].includes(state);
}

/** Nothing today, although it could serve for two hours of this day. */
function isSilent(item: LineItem, { nowMs, timezone }: DeskMoment): boolean {
  const { startsAt } = flightOf(item);
  const begun = startsAt === null ? 0 : Date.parse(startsAt);
  if (item.delivery === null || item.delivery.today.impressions > 0) return false;
  return nowMs - Math.max(begun, Date.parse(item.createdAt), startOfDay(item.timezone ?? timezone, nowMs)) >= QUIET_MS;
}

function startOfDay(timezone: string | undefined, nowMs: number): number {
  const parts = new Intl.DateTimeFormat('en-GB', {
    hour: 'numeric',
    minute: 'numeric',
    hourCycle: 'h23',
    ...(timezone === undefined ? {} : { timeZone: timezone }),
  }).formatToParts(nowMs);
  const part = (type: string): number => Number(parts.find((one) => one.type === type)?.value ?? 0);
  return nowMs - (part('hour') * 60 + part('minute')) * 60_000;
}

function toEntry({ name, reviewState, lineItem }: ReviewedCreative): AttentionEntry[] {
  if (lineItem === null || lineItem.status !== 'ACTIVE') return [];
  const sentence = say(reviewState === 'REJECTED' ? 'attention.rejected' : 'attention.pending', { name });
  return [{ kind: reviewState, lineItemId: lineItem.id, name: lineItem.name, campaign: null, sentence }];
}
