import { actionWords, kindWord, toldActions, toldKinds } from '../activity/audit-words.ts';
import { say } from '../messages/say.ts';

/** The type of all changes. */
export const ALL_TYPES = '*';
/** The type of the message that a test sends. */
const TEST_TYPE = 'webhook.test';

/** A type of changes in words: `lineItem.*` as "Line item: every change". */
export function eventWords(type: string): string {
  if (type === ALL_TYPES) return say('webhooks.all');
  if (type === TEST_TYPE) return say('webhooks.test_message');
  if (!type.endsWith('.*')) return actionWords(type);
  return say('webhooks.all_of_kind', { kind: kindWord(type.slice(0, -'.*'.length)) });
}

/** The types that can be chosen, by kind: first all changes of the kind, then each. */
export function eventChoices(): { readonly group: string; readonly items: { value: string; label: string }[] }[] {
  return toldKinds().map(({ value: kind, label }) => ({
    group: label,
    items: [`${kind}.*`, ...toldActions(kind)].map((value) => ({ value, label: eventWords(value) })),
  }));
}

/** Types without those that another one of them includes. */
export function withoutIncluded(types: readonly string[]): string[] {
  return types.filter((type) => type.endsWith('.*') || !types.includes(`${type.split('.')[0]}.*`));
}
