import { currentLocale } from '../messages/language.ts';
import { say } from '../messages/say.ts';

/** The marks of a language in numbers: `1,234.5` has a point before the fraction and a comma between groups. */
export interface NumberMarks {
  readonly decimal: string;
  readonly group: string;
}

const knownMarks = new Map<string, NumberMarks>();

/** The marks of a locale; without one, of the page. */
export function marksOf(locale: string = currentLocale()): NumberMarks {
  const known = knownMarks.get(locale) ?? readMarks(locale);
  knownMarks.set(locale, known);
  return known;
}

function readMarks(locale: string): NumberMarks {
  const parts = new Intl.NumberFormat(locale, { useGrouping: 'always' }).formatToParts(1_234_567.5);
  const valueOf = (type: Intl.NumberFormatPartTypes): string => parts.find((part) => part.type === type)?.value ?? '';
  return { decimal: valueOf('decimal'), group: valueOf('group') };
}

/** What a text says: a number as exact text (`-1234.5`), two numbers of which neither is meant for sure, or none. */
export type NumberReading =
  | { readonly kind: 'number'; readonly value: string }
  | { readonly kind: 'ambiguous'; readonly fraction: string; readonly whole: string }
  | { readonly kind: 'unreadable' };

/** What a text is read with. `isWhole`: the field takes no fraction. */
export interface NumberRules {
  readonly isWhole: boolean;
  readonly marks?: NumberMarks;
}

const UNREADABLE: NumberReading = { kind: 'unreadable' };
/** Spaces and apostrophes between groups are never anything else, in any language. */
const SPACED = /^\d{1,3}(?:[\s'’]\d{3})+(?![\d\s'’])/u;
/** Groups of three, or of two before the last three as in India. */
const GROUPS = /^[1-9]\d{0,2}(?:,\d{3})+$|^[1-9]\d?(?:,\d{2})*,\d{3}$/;
const DIGITS = /^\d{1,18}$/;
/** An exchange rate has up to twelve decimals. */
const FRACTION = /^\d{1,12}$/;

/**
 * Reads a number by the language of the page. A text with one meaning is read whatever its marks are: `18,50` is 18.5 in English as well. In `1,234` and
 * `1.234` the mark is a fraction's or a group's: the page's decimal mark begins a fraction, and its group mark groups a whole number. Anything else is
 * ambiguous, and no field guesses. No text is a number in a whole field and another number in a field with fractions.
 */
export function readNumber(text: string, { isWhole, marks = marksOf() }: NumberRules): NumberReading {
  const [, minus = '', typed = ''] = /^([-−]?)(.*)$/su.exec(text.trim()) ?? [];
  const sign = minus === '' ? '' : '-';
  const plain = typed.replace(SPACED, (groups) => groups.replaceAll(/[\s'’]/gu, ''));
  const used = plain.match(/[.,]/g) ?? [];
  const last = used.at(-1);
  if (last === undefined) return numberOfParts(sign, plain, null);
  const at = plain.lastIndexOf(last);
  const [before, after] = [plain.slice(0, at), plain.slice(at + 1)];
  if (used.length > 1 && used.every((mark) => mark === last)) return numberOfGroups(sign, plain, null);
  const isOneMark = used.length === 1;
  if (isOneMark && GROUPS.test(`${before},${after}`)) {
    if (isWhole && last === marks.group) return numberOfParts(sign, before + after, null);
    if (!isWhole && last === marks.decimal) return numberOfParts(sign, before, after);
    return { kind: 'ambiguous', fraction: `${sign}${before}.${after}`, whole: `${sign}${before}${after}` };
  }
  if (isWhole) return UNREADABLE;
  return isOneMark ? numberOfParts(sign, before, after) : numberOfGroups(sign, before, after);
}

function numberOfGroups(sign: string, grouped: string, fraction: string | null): NumberReading {
  const marked = grouped.replaceAll(/[.,]/g, ',');
  const isOneMark = new Set(grouped.match(/[.,]/g)).size === 1;
  if (!isOneMark || !GROUPS.test(marked)) return UNREADABLE;
  return numberOfParts(sign, marked.replaceAll(',', ''), fraction);
}

function numberOfParts(sign: string, whole: string, fraction: string | null): NumberReading {
  if (!DIGITS.test(whole) || (fraction !== null && !FRACTION.test(fraction))) return UNREADABLE;
  return { kind: 'number', value: `${sign}${whole}${fraction === null ? '' : `.${fraction}`}` };
}

/** The exact number of a text, such as `-1234.5`; null for an empty, ambiguous or unreadable text. */
export function exactOf(text: string, isWhole: boolean): string | null {
  const reading = readNumber(text, { isWhole });
  return reading.kind === 'number' ? reading.value : null;
}

/** The exact number of a text as a form holds it. A text without one number is held as no number is written, so that the server refuses it. */
export function heldOf(text: string, isWhole: boolean): string {
  const reading = readNumber(text, { isWhole });
  if (reading.kind === 'number') return reading.value;
  return reading.kind === 'ambiguous' ? `${reading.fraction} / ${reading.whole}` : text;
}

/** An amount of money as exact text, such as `18.50`; null for an empty, negative or unreadable text. */
export function decimalOf(text: string): string | null {
  const value = exactOf(text, false);
  return value === null || value.startsWith('-') ? null : value;
}

/** A number with a fraction; null for an empty or unreadable text. */
export function numberOf(text: string): number | null {
  const value = exactOf(text, false);
  return value === null ? null : Number(value);
}

/** A whole number that is not negative; null for an empty or unreadable text. */
export function wholeOf(text: string): number | null {
  const value = exactOf(text, true);
  return value === null || value.startsWith('-') || !Number.isSafeInteger(Number(value)) ? null : Number(value);
}

/** An exact number such as `1234.5` as a field of the page shows it: with the decimal mark of its language, without groups. */
export function typedText(value: string): string {
  return value.replace('.', marksOf().decimal);
}

/** Both meanings of an ambiguous text, and how each is written; null where a text is not ambiguous. */
export function ambiguityOf(text: string, isWhole: boolean): string | null {
  const reading = readNumber(text, { isWhole });
  if (reading.kind !== 'ambiguous') return null;
  const values = { text: text.trim(), fraction: typedText(asCents(reading.fraction)), whole: reading.whole };
  return say(isWhole ? 'number.ambiguous_whole' : 'number.ambiguous', values);
}

/** `1.200` as `1.20`, and `1.234` as it is. */
function asCents(fraction: string): string {
  return fraction.replace(/(\.\d\d)0$/, '$1');
}

/** What is read of a text, in the form of the page: `1,200.5`. Null where nothing is read, or the text says the same already. */
export function echoOf(text: string, isWhole: boolean): string | null {
  const value = exactOf(text, isWhole);
  if (value === null) return null;
  const shown = showNumber(value);
  return shown === text.trim() ? null : shown;
}

/** An exact number in the form of the page, with groups. A fraction keeps its digits. */
export function showNumber(value: string): string {
  const digits = value.split('.')[1]?.length ?? 0;
  return new Intl.NumberFormat(currentLocale(), {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(value as Intl.StringNumericLiteral);
}
