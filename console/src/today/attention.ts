import type { UsedLimit, Watched, WatchedItem } from '../api/bookings/attention.ts';
import type { DeliveryStatus, GoalStatus } from '../api/bookings/desk-list.ts';
import type { DeliveryChange, TroubleCause } from '../api/bookings/diagnosis.ts';
import { isApplicable } from '../changes/change-preview.ts';
import { describeDelivery } from '../delivery/delivery-sentence.ts';
import { flightOf, formatDay, formatPercent, lastInstant } from '../format/desk-format.ts';
import { say } from '../messages/say.ts';
import type { DeskMoment } from '../session/desk-scope.ts';

/** Why something needs a person; of equal money, the most urgent first. */
export const ATTENTION_KINDS = ['AT_RISK', 'SILENT', 'REJECTED', 'BEHIND', 'NO_CREATIVE', 'PENDING', 'ENDING'] as const;
export type AttentionKind = (typeof ATTENTION_KINDS)[number];

/** One line item that needs a person. */
export interface AttentionEntry {
  readonly kind: AttentionKind;
  readonly item: WatchedItem;
  /** Money that it may miss, in the network's currency. */
  readonly atRisk: number;
  /** The end of its flight, ISO 8601; null: it has none. */
  readonly endsAt: string | null;
  /** What is known without a diagnosis. */
  readonly sentence: string;
  /** A colleague looks after it. */
  readonly isWithOther: boolean;
}

/** What needs a person in one campaign. */
export interface AttentionGroup {
  readonly id: string;
  readonly name: string;
  readonly advertiser: string | null;
  readonly status: DeliveryStatus | null;
  readonly atRisk: number;
  readonly entries: readonly AttentionEntry[];
}

/** What one button does about an entry. */
export type Remedy =
  | { readonly kind: 'change'; readonly change: DeliveryChange }
  | { readonly kind: 'creatives'; readonly campaignId: string }
  | { readonly kind: 'advertiser'; readonly advertiserId: string }
  | { readonly kind: 'review' | 'resume' | 'extend' | 'open' };

const LATE: readonly GoalStatus[] = ['AT_RISK', 'BEHIND', 'MISSED'];
const SOON_MS = 3 * 86_400_000;
/** From this part of a limit on, somebody has to look. */
const LIMIT_PART = 0.85;

/** What needs a person, by campaign: the most money at risk first, in and between campaigns; behind it what a colleague looks after. */
export function groupAttention(
  lineItems: Watched['lineItems'],
  moment: DeskMoment & { readonly userId: string },
): AttentionGroup[] {
  const entries = lineItems.flatMap((item) => entryOf(item, moment) ?? []).toSorted(byUrgency);
  const groups = Map.groupBy(entries, ({ item }) => item.campaign?.id ?? '');
  return [...groups]
    .map(([id, own]): AttentionGroup => {
      const campaign = own[0]?.item.campaign ?? null;
      return {
        id,
        name: campaign?.name ?? '',
        advertiser: campaign?.advertiser?.name ?? null,
        status: campaign?.status ?? null,
        atRisk: own.reduce((sum, { atRisk, isWithOther }) => sum + (isWithOther ? 0 : atRisk), 0),
        entries: own,
      };
    })
    .toSorted((one, other) => other.atRisk - one.atRisk || compare(one.entries[0], other.entries[0]));
}

function compare(one: AttentionEntry | undefined, other: AttentionEntry | undefined): number {
  return one === undefined || other === undefined ? 0 : byUrgency(one, other);
}

function byUrgency(one: AttentionEntry, other: AttentionEntry): number {
  return (
    Number(one.isWithOther) - Number(other.isWithOther) ||
    other.atRisk - one.atRisk ||
    ATTENTION_KINDS.indexOf(one.kind) - ATTENTION_KINDS.indexOf(other.kind) ||
    one.item.name.localeCompare(other.item.name)
  );
}

function entryOf(item: WatchedItem, moment: DeskMoment & { readonly userId: string }): AttentionEntry | null {
  const found = kindOf(item, moment);
  if (found === null) return null;
  const { handedTo } = item.attention;
  return {
    ...found,
    item,
    atRisk: Number(item.standing?.atRisk ?? 0),
    endsAt: flightOf(item).endsAt,
    isWithOther: handedTo !== null && handedTo.id !== moment.userId,
  };
}

function kindOf(item: WatchedItem, moment: DeskMoment): Pick<AttentionEntry, 'kind' | 'sentence'> | null {
  const status = item.delivery?.progress?.status ?? null;
  const day = endDay(item, moment);
  switch (item.standing?.reason) {
    case 'AT_RISK':
    case 'BEHIND':
      // The table says how it was some minutes ago; where it has caught up since, nobody needs to look.
      if (status !== null && !LATE.includes(status)) return null;
      if (item.delivery?.progress?.isHistoryLoading === true) return null;
      return {
        kind: status === 'AT_RISK' || status === 'BEHIND' ? status : item.standing.reason,
        sentence: describeDelivery(item, moment),
      };
    case 'QUIET':
      return { kind: 'SILENT', sentence: say('attention.silent') };
    case 'NO_CREATIVE':
      return { kind: 'NO_CREATIVE', sentence: say('attention.no_creative') };
    case 'REVIEW_PENDING':
      return { kind: 'PENDING', sentence: say('attention.all_pending') };
    case 'REVIEW_REJECTED':
      return { kind: 'REJECTED', sentence: say('attention.all_rejected') };
    case 'PAUSED':
      return isSoon(item, moment) ? { kind: 'ENDING', sentence: say('attention.paused_ending', { day }) } : null;
    case 'SERVING':
      return status !== 'REACHED' && isSoon(item, moment)
        ? { kind: 'ENDING', sentence: say('attention.ending', { day }) }
        : null;
    default:
      return null;
  }
}

function isSoon(item: WatchedItem, { nowMs }: DeskMoment): boolean {
  const { endsAt } = flightOf(item);
  return endsAt !== null && Date.parse(endsAt) > nowMs && Date.parse(endsAt) - nowMs < SOON_MS;
}

function endDay(item: WatchedItem, { nowMs, timezone }: DeskMoment): string {
  const { endsAt } = flightOf(item);
  return endsAt === null ? '' : formatDay(lastInstant(endsAt), item.timezone ?? timezone, nowMs);
}

/** What mends the cause of an entry: the first change of the diagnosis that can be made as it is, else what its kind asks for. */
export function remedyOf(
  { kind, item }: Pick<AttentionEntry, 'kind' | 'item'>,
  cause: Pick<TroubleCause, 'changes'> | null,
): Remedy {
  const { campaign } = item;
  if (kind === 'PENDING') return { kind: 'review' };
  if ((kind === 'NO_CREATIVE' || kind === 'REJECTED') && campaign !== null)
    return { kind: 'creatives', campaignId: campaign.id };
  if (item.standing?.reason === 'PAUSED') return { kind: 'resume' };
  const [first] = cause?.changes ?? [];
  const change = cause?.changes.find(isApplicable);
  if (change !== undefined) return { kind: 'change', change };
  // What only a person can add is added on a page of its own.
  if (first?.mutation === 'createCreative' && campaign !== null) return { kind: 'creatives', campaignId: campaign.id };
  const advertiserId = first?.variables?.id;
  if (first?.mutation === 'updateAdvertiser' && advertiserId !== undefined) return { kind: 'advertiser', advertiserId };
  return item.endsAt !== null && kind !== 'SILENT' ? { kind: 'extend' } : { kind: 'open' };
}

/** Whether the cause of an entry is worth a diagnosis: others say it already. */
export function needsDiagnosis({ kind }: Pick<AttentionEntry, 'kind'>): boolean {
  return kind === 'AT_RISK' || kind === 'BEHIND' || kind === 'SILENT';
}

/** A limit that is nearly used up. */
export interface NearLimit {
  readonly title: string;
  readonly sentence: string;
}

/** The limits that are nearly used up. */
export function nearLimits(limits: readonly UsedLimit[]): NearLimit[] {
  return limits
    .filter(({ used, limit }) => limit > 0 && used >= LIMIT_PART * limit)
    .map(({ title, used, limit, sentence }) => ({
      title,
      sentence: sentence ?? say('attention.limit', { percent: formatPercent((100 * used) / limit) }),
    }));
}
