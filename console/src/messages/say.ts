import { IntlMessageFormat } from 'intl-messageformat';
import type { MessageKey } from './areas.ts';
import { isolate } from './isolate.ts';
import { currentLocale, englishOf, translationOf } from './language.ts';

export type { MessageKey } from './areas.ts';

/** What fills the `{names}` of a message. */
export type MessageValues = Readonly<Record<string, string | number>>;

const compiled = new Map<string, IntlMessageFormat | null>();

/** A message in the person's language, with its `{names}` filled in. The texts are ICU messages: `{count, plural, one {# row} other {# rows}}`. */
export function say(key: MessageKey, values: MessageValues = {}): string {
  const pattern = translationOf(key) ?? englishOf(key) ?? key;
  if (!pattern.includes('{')) return pattern;
  const message = compile(pattern);
  if (message === null) return pattern;
  try {
    return String(message.format(isolated(values)));
  } catch {
    return pattern;
  }
}

function isolated(values: MessageValues): MessageValues {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, typeof value === 'string' ? isolate(value) : value]),
  );
}

/** The compiled form of a text; null where it cannot be parsed, which a test finds before a person does. */
function compile(pattern: string): IntlMessageFormat | null {
  const known = compiled.get(pattern);
  if (known !== undefined) return known;
  let message: IntlMessageFormat | null = null;
  try {
    message = new IntlMessageFormat(pattern, currentLocale(), undefined, { ignoreTag: true });
  } catch {
    // Shown as it is.
  }
  compiled.set(pattern, message);
  return message;
}

/** Whether the areas that are loaded have a message of this name: for keys that are put together, such as `error.<code>`. */
export function isMessageKey(key: string): key is MessageKey {
  return englishOf(key) !== undefined;
}
