import { PlacardError } from '../../domain/errors.ts';
import type { FieldProblem } from '../../domain/errors.ts';
import { decimalIdOf } from '../../domain/ids/global-ids.ts';
import { formatMicros, parseMicros } from '../../domain/money/money.ts';
import { columnField, type Field, type FieldBase, type Reference, report } from './field.ts';
import { resourceOfTable } from './resource.ts';

/** The most entries of a list field that states no limit of its own. */
const LIST_ITEMS_MAX = 100;
/** Largest amount of money: 10⁹ units of the currency, in micros. */
export const MONEY_MICROS_MAX = 1_000_000_000_000_000n;

/** The rules of a text field. */
export interface TextRule {
  readonly lengthMax: number;
  readonly pattern?: RegExp;
  /** Describes the pattern, such as "an ISO 4217 code in capitals". */
  readonly wants?: string;
  /** The one form in which the text is stored and compared; it is applied before all checks. */
  readonly form?: (text: string) => string;
}

/** Checks one text: not empty after trimming, no control characters, within its length and pattern. Returns it trimmed. */
export function checkText(value: unknown, path: string, rule: TextRule, problems: FieldProblem[]): string {
  const trimmed = String(value).trim();
  const text = rule.form === undefined ? trimmed : rule.form(trimmed);
  if (text === '') report(problems, path, 'empty', 'Give a text that is not empty.');
  else if (text.length > rule.lengthMax) {
    report(problems, path, 'too_long', `Shorten it to at most ${rule.lengthMax} characters; it has ${text.length}.`);
  } else if (/\p{Cc}/u.test(text)) {
    report(problems, path, 'control_characters', 'Remove line breaks and other control characters.');
  } else if (rule.pattern !== undefined && !rule.pattern.test(text)) {
    report(problems, path, 'malformed', `Give ${rule.wants ?? 'a well-formed value'}.`);
  }
  return text;
}

/** A text that is never null. An empty text is refused unless `initial` is the empty text. */
export function textField(base: FieldBase & TextRule & { readonly initial?: string }): Field {
  return columnField(base, {
    input: 'String',
    output: 'String',
    initial: base.initial ?? null,
    clearable: false,
    form: base.form,
    check: (value, path, problems) =>
      base.initial === '' && String(value).trim() === '' ? '' : checkText(value, path, base, problems),
  });
}

/** A text that can be null. */
export function optionalTextField(base: FieldBase & TextRule): Field {
  return columnField(base, {
    input: 'String',
    output: 'String',
    initial: null,
    check: (value, path, problems) => checkText(value, path, base, problems),
  });
}

/** A list of texts, without duplicates. */
export function textListField(base: FieldBase & TextRule & { readonly itemsMax?: number }): Field {
  const itemsMax = base.itemsMax ?? LIST_ITEMS_MAX;
  return columnField(base, {
    input: ['String'],
    output: ['String'],
    initial: [],
    form: base.form,
    check: (value, path, problems) => {
      const items = value as readonly string[];
      if (items.length > itemsMax)
        report(problems, path, 'too_many', `Give at most ${itemsMax}; there are ${items.length}.`);
      const checked = items
        .slice(0, itemsMax)
        .map((item, index) => checkText(item, `${path}.${index}`, base, problems));
      return [...new Set(checked)];
    },
  });
}

/** A whole number within bounds. `initial` null makes it clearable. */
export function integerField(
  base: FieldBase & { readonly min: number; readonly max: number; readonly initial: number | null },
): Field {
  return columnField(base, {
    input: 'Int',
    output: 'Int',
    initial: base.initial,
    check: (value, path, problems) => checkNumber(value, path, base, problems),
  });
}

/** A number that may have a fraction, within bounds. */
export function numberField(
  base: FieldBase & { readonly min: number; readonly max: number; readonly initial: number | null },
): Field {
  return columnField(base, {
    input: 'Float',
    output: 'Float',
    initial: base.initial,
    check: (value, path, problems) => checkNumber(value, path, base, problems),
  });
}

/** A list of whole numbers within bounds, without duplicates. */
export function integerListField(base: FieldBase & { readonly min: number; readonly max: number }): Field {
  return columnField(base, {
    input: ['Int'],
    output: ['Int'],
    initial: [],
    check: (value, path, problems) => {
      const items = value as readonly number[];
      if (items.length > LIST_ITEMS_MAX) report(problems, path, 'too_many', `Give at most ${LIST_ITEMS_MAX}.`);
      return [
        ...new Set(
          items.slice(0, LIST_ITEMS_MAX).map((item, index) => checkNumber(item, `${path}.${index}`, base, problems)),
        ),
      ];
    },
  });
}

/** Checks one number against its bounds. */
export function checkNumber(
  value: unknown,
  path: string,
  bounds: { readonly min: number; readonly max: number },
  problems: FieldProblem[],
): number {
  const number = Number(value);
  if (!(number >= bounds.min && number <= bounds.max)) {
    report(problems, path, 'out_of_range', `Give a number from ${bounds.min} to ${bounds.max}.`);
  }
  return number;
}

/** true or false. */
export function booleanField(base: FieldBase & { readonly initial: boolean }): Field {
  return columnField(base, {
    input: 'Boolean',
    output: 'Boolean',
    initial: base.initial,
    check: Boolean,
  });
}

/** One of the values of an enumeration; the schema refuses all others. */
export function enumField(base: FieldBase & { readonly type: unknown; readonly initial?: string }): Field {
  return columnField(base, {
    input: base.type,
    output: base.type,
    initial: base.initial ?? null,
    clearable: false,
  });
}

/** One of the values of an enumeration, or null. */
export function optionalEnumField(base: FieldBase & { readonly type: unknown }): Field {
  return columnField(base, { input: base.type, output: base.type, initial: null });
}

/** Some of the values of an enumeration, without duplicates. */
export function enumListField(
  base: FieldBase & { readonly type: unknown; readonly initial: readonly string[]; readonly mayBeEmpty?: boolean },
): Field {
  return columnField(base, {
    input: [base.type],
    output: [base.type],
    initial: base.initial,
    check: (value, path, problems) => {
      const items = [...new Set(value as readonly string[])];
      if (items.length === 0 && base.mayBeEmpty !== true) report(problems, path, 'empty', 'Give at least one.');
      return items;
    },
    asInput: (stored) => (stored as readonly string[]).map((value) => value.toUpperCase()),
  });
}

/** Checks an amount of money: an exact decimal, not negative. Returns micros. */
export function checkMoney(value: unknown, path: string, problems: FieldProblem[]): bigint {
  let micros = 0n;
  try {
    micros = parseMicros(String(value), 'The amount');
  } catch (error) {
    report(problems, path, 'not_money', error instanceof PlacardError ? error.message : 'Give a decimal amount.');
  }
  if (micros < 0n) report(problems, path, 'negative', 'Give an amount that is not negative.');
  if (micros > MONEY_MICROS_MAX) report(problems, path, 'out_of_range', 'Give at most 1000000000.');
  return micros;
}

/** Money: decimal text outside, micros inside. `initial` null makes it clearable. The column ends in `_micros`. */
export function moneyField(base: FieldBase & { readonly column: string; readonly initial: bigint | null }): Field {
  return columnField(base, {
    input: 'Decimal',
    output: 'Decimal',
    initial: base.initial,
    isMoney: true,
    check: checkMoney,
    show: (stored) => formatMicros(BigInt(stored as bigint)),
  });
}

/** An instant, or null. */
export function instantField(base: FieldBase): Field {
  return columnField(base, {
    input: 'DateTime',
    output: 'DateTime',
    initial: null,
  });
}

/** The id of another object of the same workspace. */
export function referenceField(base: FieldBase & { readonly link?: string; readonly to: Reference }): Field {
  return columnField(base, {
    input: 'ID',
    output: 'ID',
    initial: null,
    reference: base.link === undefined ? base.to : { ...base.to, link: base.link },
    check: (value, path, problems) => {
      const id = decimalIdOf(resourceOfTable(base.to.table).type, value);
      if (id !== null) return BigInt(id);
      report(problems, path, 'unknown', `There is no ${base.to.label} with this id.`);
      return null;
    },
    show: (stored) => String(stored),
  });
}

/** The address of a picture or video: http(s), or the path of an uploaded file (`/assets/…`). */
export function checkFileUrl(value: unknown, path: string, problems: FieldProblem[]): string {
  const text = String(value).trim();
  return HOSTED_FILE.test(text) ? text : checkUrl(text, path, problems);
}

/** A file that was uploaded here: its path below the delivery address. */
const HOSTED_FILE = /^\/assets\/[0-9a-f]{64}\.[a-z0-9]{3,4}$/;

/** An http(s) address, checked as a whole. Returns it as written. */
export function checkUrl(value: unknown, path: string, problems: FieldProblem[], httpsOnly = false): string {
  const text = String(value).trim();
  const parsed = text.length <= 4_000 && URL.canParse(text) ? new URL(text) : null;
  const scheme = parsed?.protocol;
  if (parsed === null || parsed.hostname === '' || (scheme !== 'https:' && scheme !== 'http:')) {
    report(
      problems,
      path,
      'not_an_address',
      'Give a whole web address that begins with https:// (at most 4000 characters).',
    );
  } else if (httpsOnly && scheme !== 'https:') {
    report(problems, path, 'not_https', 'Give an https address.');
  } else if (parsed.username !== '' || parsed.password !== '') {
    report(problems, path, 'has_credentials', 'Remove the user name and password from the address.');
  }
  return text;
}
