import type { AuditEntry } from '../api/account/audit-log.ts';
import { say } from '../messages/say.ts';
import type { BulkPlan } from '../changes/bulk-plan.ts';
import { fieldsOfEntry, fieldTitle, type LogContext, valueWords } from '../changes/change-words.ts';

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
  { entry, sides: { before, after } }: { readonly entry: Pick<AuditEntry, 'details'>; readonly sides: Sides },
  context: LogContext,
): BulkPlan {
  const fields = fieldsOfEntry(entry.details);
  const text = (side: 'before' | 'after'): string =>
    fields
      .map((field) => [fieldTitle(field.name), valueWords(field.name, field[side], context)].filter(isText).join(': '))
      .join('; ');
  return {
    title: say('history.revert_title', { name: object.name }),
    verb: () => say('history.revert'),
    done: () => say('history.reverted', { name: object.name }),
    changes: [{ ...object, before: text('after'), after: text('before'), input: before, undo: after }],
    staying: [],
  };
}

function isText(text: string | null): text is string {
  return text !== null;
}
