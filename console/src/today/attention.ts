import type { GoalStatus, LineItem } from '../api/bookings/desk-list.ts';
import { say } from '../messages/say.ts';
import { describeDelivery } from '../delivery/delivery-sentence.ts';
import type { DeskMoment } from '../session/desk-scope.ts';
import { flightOf, formatDay, formatPercent, lastInstant } from '../format/desk-format.ts';
import type { ReviewedCreative, UsedLimit, Watched } from '../api/bookings/attention.ts';

/** Why something needs a person, the most urgent first. */
export const ATTENTION_KINDS = [
  'AT_RISK',
  'SILENT',
  'REJECTED',
  'LIMIT',
  'BEHIND',
  'NO_CREATIVE',
  'PENDING',
  'ENDING',
] as const;
export type AttentionKind = (typeof ATTENTION_KINDS)[number];

/** What one button does about it. */
export type AttentionAction =
  | { readonly kind: 'open' | 'extend' | 'resume'; readonly item: LineItem }
  | { readonly kind: 'approve'; readonly creativeId: string; readonly version: number }
  | { readonly kind: 'limits' };

/** One thing that needs a person. */
export interface AttentionEntry {
  readonly kind: AttentionKind;
  /** Null: it is about the network. */
  readonly lineItemId: string | null;
  readonly name: string;
  readonly campaign: string | null;
  readonly sentence: string;
  readonly actions: readonly AttentionAction[];
}

const LATE: readonly GoalStatus[] = ['AT_RISK', 'BEHIND', 'MISSED'];
const SOON_MS = 3 * 86_400_000;
/** From this part of a limit on, somebody has to look. */
const LIMIT_PART = 0.85;

/** What needs a person among line items, unreviewed creatives and limits. Each line item has its most urgent reason only, creatives apart. */
export function listAttention({ lineItems, creatives, limits }: Watched, moment: DeskMoment): AttentionEntry[] {
  const entries = [
    ...lineItems.flatMap((item) => reasonOf(item, moment) ?? []),
    ...creatives.flatMap(ofCreative),
    ...limits.flatMap(ofLimit),
  ];
  return entries.toSorted(
    (one, other) =>
      ATTENTION_KINDS.indexOf(one.kind) - ATTENTION_KINDS.indexOf(other.kind) || one.name.localeCompare(other.name),
  );
}

function reasonOf(item: LineItem, moment: DeskMoment): AttentionEntry | null {
  const reason = item.standing?.reason;
  const open = { kind: 'open', item } as const;
  const extend = { kind: 'extend', item } as const;
  const canExtend = item.endsAt !== null ? [extend] : [];
  const entry = (kind: AttentionKind, sentence: string, actions: readonly AttentionAction[]): AttentionEntry => ({
    kind,
    lineItemId: item.id,
    name: item.name,
    campaign: item.campaign?.name ?? null,
    sentence,
    actions,
  });
  const status = item.delivery?.progress?.status ?? null;
  // The table says how it was some minutes ago; where it has caught up since, nobody needs to look.
  if ((reason === 'AT_RISK' || reason === 'BEHIND') && (status === null || LATE.includes(status)))
    return entry(status === 'AT_RISK' || status === 'BEHIND' ? status : reason, describeDelivery(item, moment), [
      ...canExtend,
      open,
    ]);
  if (reason === 'QUIET') return entry('SILENT', say('attention.silent'), [open]);
  if (reason === 'NO_CREATIVE') return entry('NO_CREATIVE', say('attention.no_creative'), [open]);
  if (reason === 'PAUSED' && isSoon(item, moment)) {
    return entry('ENDING', say('attention.paused_ending', { day: endDay(item, moment) }), [
      { kind: 'resume', item },
      open,
    ]);
  }
  if (reason !== 'SERVING' || status === 'REACHED' || !isSoon(item, moment)) return null;
  return entry('ENDING', say('attention.ending', { day: endDay(item, moment) }), [...canExtend, open]);
}

function isSoon(item: LineItem, { nowMs }: DeskMoment): boolean {
  const { endsAt } = flightOf(item);
  return endsAt !== null && Date.parse(endsAt) > nowMs && Date.parse(endsAt) - nowMs < SOON_MS;
}

function endDay(item: LineItem, { nowMs, timezone }: DeskMoment): string {
  const { endsAt } = flightOf(item);
  return endsAt === null ? '' : formatDay(lastInstant(endsAt), item.timezone ?? timezone, nowMs);
}

function ofCreative({ id, name, version, reviewState, lineItem }: ReviewedCreative): AttentionEntry[] {
  if (lineItem === null || lineItem.status !== 'ACTIVE') return [];
  const isRejected = reviewState === 'REJECTED';
  const sentence = say(isRejected ? 'attention.rejected' : 'attention.pending', { name });
  const actions = isRejected ? [] : [{ kind: 'approve', creativeId: id, version } as const];
  return [{ kind: reviewState, lineItemId: lineItem.id, name: lineItem.name, campaign: null, sentence, actions }];
}

function ofLimit({ title, used, limit, sentence: own }: UsedLimit): AttentionEntry[] {
  if (limit <= 0 || used < LIMIT_PART * limit) return [];
  const sentence = own ?? say('attention.limit', { percent: formatPercent((100 * used) / limit) });
  return [{ kind: 'LIMIT', lineItemId: null, name: title, campaign: null, sentence, actions: [{ kind: 'limits' }] }];
}
