import { isDeepStrictEqual } from 'node:util';
import type { FieldProblem } from '../../../domain/errors.ts';
import type { Columns, StoredRow } from '../../kernel/field.ts';
import type { RuleFacts } from '../../kernel/resource.ts';
import type { ContentFacts } from './creative-facts.sql.ts';

/** What a reviewer saw: a change of one of them needs another review. */
const REVIEWED = ['content', 'click_url', 'trackers', 'width', 'height'] as const;

/**
 * The review that follows from a change. Where the network reviews creatives, a new one waits, and so does one whose content changes; no
 * caller approves in the same change. A new state without a reason clears the reason of the one before.
 */
export function deriveReview(row: StoredRow, { before, loaded }: RuleFacts): Columns {
  if (isFollowing(row)) return {};
  if (needsReview(row, before, loaded)) {
    return row['review_state'] === 'APPROVED' ? { review_state: 'PENDING', review_reason: null } : {};
  }
  const isNewState = before !== null && before['review_state'] !== row['review_state'];
  return isNewState && row['review_reason'] !== null && row['review_reason'] === before['review_reason']
    ? { review_reason: null }
    : {};
}

/** A rejection names its reason; where the network does not review creatives, it may do without. */
export function validateReview(row: StoredRow, { before, loaded }: RuleFacts): FieldProblem[] {
  const { reviewRequired } = loaded as Partial<ContentFacts>;
  if (reviewRequired !== true || !lacksReason(row, before)) return [];
  return [{ path: 'reviewReason', code: 'required', message: REASON }];
}

/** Warns of a creative that waits for its review, and of a rejection without a reason. */
export function warnOfReview(row: StoredRow, { before, loaded }: RuleFacts): FieldProblem[] {
  const { reviewRequired } = loaded as Partial<ContentFacts>;
  if (reviewRequired !== true)
    return lacksReason(row, before) ? [{ path: 'reviewReason', code: 'reason_missing', message: REASON }] : [];
  if (isFollowing(row) || !needsReview(row, before, loaded) || row['review_state'] !== 'PENDING') return [];
  return [
    {
      path: 'reviewState',
      code: 'review_pending',
      message: 'The network reviews creatives: it serves when it is approved.',
    },
  ];
}

const REASON = 'Say why it is rejected, so that its advertiser can correct it.';

function lacksReason(row: StoredRow, before: StoredRow | null): boolean {
  const isRejected = row['review_state'] === 'REJECTED' && before?.['review_state'] !== 'REJECTED';
  return isRejected && row['review_reason'] === null && !isFollowing(row);
}

function needsReview(row: StoredRow, before: StoredRow | null, loaded: RuleFacts['loaded']): boolean {
  const { reviewRequired } = loaded as Partial<ContentFacts>;
  if (reviewRequired !== true) return false;
  return before === null || REVIEWED.some((column) => !isDeepStrictEqual(row[column], before[column]));
}

/** It has its review from its library creative. */
function isFollowing(row: StoredRow): boolean {
  return (row['library_creative_id'] ?? null) !== null;
}
