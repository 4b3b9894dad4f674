import { type AuditEntry, listChanges } from '../api/account/audit-log.ts';
import { say } from '../messages/say.ts';
import type { BulkPlan } from '../changes/bulk-plan.ts';
import { describeValue } from '../changes/change-preview.ts';

interface Sides {
  readonly before: Readonly<Record<string, unknown>>;
  readonly after: Readonly<Record<string, unknown>>;
}

/** What a change set, as the API takes it; null for entries that set nothing, such as a creation. */
export function sidesOf({ action, details }: Pick<AuditEntry, 'action' | 'details'>): Sides | null {
  const { before, after } = details;
  const isChange = /\.(update|archive|upsert|save)$/.test(action);
  if (!isChange || !isPlain(before) || !isPlain(after) || Object.keys(before).length === 0) return null;
  return { before, after };
}

function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Sets the fields of a change back, on the object as it is now. */
export function planRevert(
  object: { readonly id: string; readonly name: string; readonly version: number },
  entry: AuditEntry,
  { before, after }: Sides,
): BulkPlan {
  const changes = listChanges(entry.details);
  const text = (side: 'before' | 'after'): string =>
    changes.map((change) => `${change.field}: ${describeValue(change[side])}`).join('; ');
  return {
    title: say('history.revert_title', { name: object.name }),
    verb: say('history.revert'),
    done: () => say('history.reverted', { name: object.name }),
    changes: [{ ...object, before: text('after'), after: text('before'), input: before, undo: after }],
    staying: [],
  };
}
