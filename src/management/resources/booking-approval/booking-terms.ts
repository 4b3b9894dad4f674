import { createHash } from 'node:crypto';
import type { Goal, LineItemType } from '../../../domain/booking/line-item.ts';
import type { FieldProblem } from '../../../domain/errors.ts';
import type { StoredRow } from '../../kernel/field.ts';

/** Tiers whose bookings are guaranteed. */
const IS_GUARANTEED: Readonly<Record<LineItemType, boolean>> = {
  SPONSORSHIP: true,
  STANDARD: true,
  PRICE: false,
  HOUSE: false,
};

/** The names of the guaranteed tiers. */
export const GUARANTEED_TYPES = (Object.keys(IS_GUARANTEED) as LineItemType[]).filter((type) => IS_GUARANTEED[type]);

/** What an approval covers, beside the flight: a change of any of these needs another one. */
const TERMS = ['campaign_id', 'type', 'goal', 'share_percent', 'pricing_model', 'price_micros'] as const;

/** The columns of a line item that its terms are made of. */
export const TERM_COLUMNS = [...TERMS, 'starts_at', 'ends_at'] as const;

/** The columns of a row; a part of a line item or of a campaign. */
type Columns = Readonly<Record<string, unknown>>;

/** The flight of a campaign, which a line item without dates of its own has; null: unknown. */
export type CampaignFlight = Columns | null;

/** Whether a line item is a guaranteed booking. */
export function isGuaranteed(row: Columns): boolean {
  return IS_GUARANTEED[row['type'] as LineItemType];
}

/**
 * A digest of the terms of a line item. Its flight is its own dates, and that of its campaign where it has none: dates of its own bound what a
 * change of the campaign can add.
 */
export function termsOf(row: Columns, campaign: CampaignFlight): string {
  const values = [...TERMS.map((name) => row[name]), ...flightOf(row, campaign)].map(termText);
  return createHash('sha256').update(JSON.stringify(values)).digest('hex');
}

function flightOf(row: Columns, campaign: CampaignFlight): [unknown, unknown] {
  return [row['starts_at'] ?? campaign?.['starts_at'], row['ends_at'] ?? campaign?.['ends_at']];
}

function termText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint') return `${value}`;
  const { kind, amount, period } = value as { kind?: unknown; amount?: unknown; period?: unknown };
  return `${String(kind)} ${String(amount)} ${String(period)}`;
}

/** Whether the flight of a campaign is within another one. */
export function isWithin(flight: Columns, bounds: Columns): boolean {
  const msOf = (value: unknown, open: number): number => (value instanceof Date ? value.getTime() : open);
  return (
    msOf(flight['starts_at'], -Infinity) >= msOf(bounds['starts_at'], -Infinity) &&
    msOf(flight['ends_at'], Infinity) <= msOf(bounds['ends_at'], Infinity)
  );
}

/** Whether a line item promises at most what it did before: a smaller goal or share, or a shorter flight, and nothing else. */
export function isNoWider(row: Columns, before: Columns, campaign: CampaignFlight): boolean {
  const flight = (of: Columns): Columns => {
    const [starts_at, ends_at] = flightOf(of, campaign);
    return { starts_at, ends_at };
  };
  const same = (['campaign_id', 'type', 'pricing_model', 'price_micros'] as const).every(
    (name) => termText(row[name]) === termText(before[name]),
  );
  const [goal, goalBefore] = [row['goal'], before['goal']] as [Goal | null, Goal | null];
  const sameGoal = goal?.kind === goalBefore?.kind && goal?.period === goalBefore?.period;
  return (
    same &&
    sameGoal &&
    (goal?.amount ?? 0) <= (goalBefore?.amount ?? 0) &&
    (row['share_percent'] === null) === (before['share_percent'] === null) &&
    Number(row['share_percent']) <= Number(before['share_percent']) &&
    isWithin(flight(row), flight(before))
  );
}

/** Whether a row is a guaranteed booking that is to be live. */
export function isLiveBooking(row: Columns): boolean {
  return row['status'] === 'ACTIVE' && isGuaranteed(row);
}

/** What the rules know of an approval. */
export interface KnownApproval {
  readonly campaign: CampaignFlight;
  /** null: the network asks for no approval; '': none was given. */
  readonly approvedTerms: string | null;
}

/** Refuses a guaranteed booking that goes live, or changes its terms while it is, without the approval of another member. */
export function checkApproval(row: StoredRow, before: StoredRow | null, known: KnownApproval): FieldProblem[] {
  const { campaign, approvedTerms } = known;
  if (approvedTerms === null || !isLiveBooking(row)) return [];
  const terms = termsOf(row, campaign);
  const wasLive = before?.['status'] === 'ACTIVE';
  if (approvedTerms === terms || (wasLive && terms === termsOf(before, campaign))) return [];
  const message = wasLive
    ? 'These are other terms than those that were approved: pause it, change it, and ask for approval again.'
    : 'Another member has to approve this booking first: save it as DRAFT or RESERVED, and ask for approval.';
  return [{ path: 'status', code: 'approval_required', message }];
}

/** The facts that the rules of a campaign use. */
export interface CampaignFacts {
  /** Live guaranteed line items that have a date of the campaign; empty where the network asks for no approval. */
  readonly liveBookings: readonly (Columns & { readonly approved_terms: string | null })[];
}

/** Refuses a longer flight of a campaign while it gives live guaranteed line items more time than was approved. */
export function checkCampaignFlight(
  row: StoredRow,
  before: StoredRow | null,
  { liveBookings = [] }: Partial<CampaignFacts>,
): FieldProblem[] {
  if (before === null || isWithin(row, before)) return [];
  const wider = liveBookings.filter((booking) => {
    const terms = termsOf(booking, row);
    return terms !== termsOf(booking, before) && terms !== booking.approved_terms;
  });
  if (wider.length === 0) return [];
  const path = isWithin({ ...row, ends_at: null }, { ...before, ends_at: null }) ? 'endsAt' : 'startsAt';
  const message = `${wider.length} live guaranteed line items have the flight of the campaign, and would run longer than was approved: give them dates of their own, or pause them and ask for approval of the new flight.`;
  return [{ path, code: 'approval_required', message }];
}
