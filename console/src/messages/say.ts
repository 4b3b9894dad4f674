import { EN } from './en.ts';

/** The name of a message of the catalogue. */
export type MessageKey = keyof typeof EN;

const PLURALS = new Intl.PluralRules('en');

/** A message with its `{names}` filled in. `count` also chooses between `{count|one form|other form}`. */
export function say(key: MessageKey, values: Readonly<Record<string, string | number>> = {}): string {
  return EN[key].replace(/\{(\w+)(?:\|([^|}]*)\|([^}]*))?\}/g, (whole, name: string, one?: string, other?: string) => {
    const value = values[name];
    if (value === undefined) return whole;
    if (one === undefined || other === undefined) return String(value);
    return PLURALS.select(Number(value)) === 'one' ? one : other;
  });
}

/** Whether the catalogue has a message of this name: for keys that are put together, such as `error.<code>`. */
export function isMessageKey(key: string): key is MessageKey {
  return Object.hasOwn(EN, key);
}
