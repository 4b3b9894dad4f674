import { createHash } from 'node:crypto';
import type { LineItemType } from '../../../domain/booking/line-item.ts';
import type { FieldProblem } from '../../../domain/errors.ts';
import type { StoredRow } from '../../kernel/field.ts';

/** Tiers whose bookings are guaranteed. */
const IS_GUARANTEED: Readonly<Record<LineItemType, boolean>> = {
  SPONSORSHIP: true,
  STANDARD: true,
  PRICE: false,
  HOUSE: false,
};

/** What an approval stands for: a change of any of these needs another one. */
const TERMS = [
  'campaign_id',
  'type',
  'goal',
  'share_percent',
  'pricing_model',
  'price_micros',
  'starts_at',
  'ends_at',
] as const;

/** Whether a line item is a guaranteed booking. */
export function isGuaranteed(row: StoredRow): boolean {
  return IS_GUARANTEED[row['type'] as LineItemType];
}

/** A digest of the terms of a line item. */
export function termsOf(row: StoredRow): string {
  const values = TERMS.map((name) => termText(row[name]));
  return createHash('sha256').update(JSON.stringify(values)).digest('hex');
}

function termText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint') return `${value}`;
  const { kind, amount, period } = value as { kind?: unknown; amount?: unknown; period?: unknown };
  return `${String(kind)} ${String(amount)} ${String(period)}`;
}

/** Whether the approval of a booking is asked for before a row is stored. */
export function needsApproval(row: StoredRow, before: StoredRow | null): boolean {
  if (row['status'] !== 'ACTIVE' || !isGuaranteed(row)) return false;
  return before === null || before['status'] !== 'ACTIVE' || termsOf(row) !== termsOf(before);
}

/**
 * Refuses a guaranteed booking that goes live, or changes its terms while it is, without the approval of another member.
 * @param approvedTerms null: the network asks for no approval; '': none was given
 */
export function checkApproval(row: StoredRow, before: StoredRow | null, approvedTerms: string | null): FieldProblem[] {
  if (approvedTerms === null || !needsApproval(row, before) || approvedTerms === termsOf(row)) return [];
  const message =
    before?.['status'] === 'ACTIVE'
      ? 'These are other terms than those that were approved: pause it, change it, and ask for approval again.'
      : 'Another member has to approve this booking first: save it as DRAFT or RESERVED, and ask for approval.';
  return [{ path: 'status', code: 'approval_required', message }];
}
