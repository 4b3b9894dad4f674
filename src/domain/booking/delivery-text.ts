import { DELIVERY_TEXTS } from './delivery-texts.ts';

/** A key of {@link DELIVERY_TEXTS}. */
export type DeliveryTextCode = keyof typeof DELIVERY_TEXTS;

/** How the value of a text is written, with what the management API says of it. */
export const TEXT_VALUE_KINDS = {
  COUNT: 'A whole number.',
  PERCENT: 'A number of percent, as a decimal.',
  MONEY: 'An amount in the currency of the network, as a decimal.',
  INSTANT: 'An instant, as ISO 8601.',
  TERM: 'A kind of objects or of events, such as `LINE_ITEM` or `CLICKS`.',
  DIMENSION: 'A dimension of targeting, as `TargetingDimension` names it.',
  CONSTANT: 'A value of an enumeration, such as `PAUSED` or `SPONSORSHIP`.',
  NAME: 'A name, a size, a key or a label, to be shown as it is.',
} as const;

/** A key of {@link TEXT_VALUE_KINDS}. */
export type TextValueKind = keyof typeof TEXT_VALUE_KINDS;

/** What fills one `{name}` of a text. */
export interface TextValue {
  readonly name: string;
  readonly kind: TextValueKind;
  /** In the form of its kind, independent of any language. */
  readonly value: string;
}

/** A part of a sentence as data: programs write it in the language of their user. */
export interface DeliveryText {
  readonly code: DeliveryTextCode;
  readonly values: readonly TextValue[];
}

type UnnamedValue = Omit<TextValue, 'name'>;

/** A text with its values by name. */
export function textOf(code: DeliveryTextCode, values: Readonly<Record<string, UnnamedValue>> = {}): DeliveryText {
  return { code, values: Object.entries(values).map(([name, value]) => ({ name, ...value })) };
}

/** A count, rounded. */
export const countValue = (count: number): UnnamedValue => ({ kind: 'COUNT', value: String(Math.round(count)) });
/** The share of a part in a whole, with one decimal; 0 of an empty whole. */
export const percentValue = (part: number, whole: number): UnnamedValue => ({
  kind: 'PERCENT',
  value: String(whole === 0 ? 0 : Math.round((part / whole) * 1_000) / 10),
});
/** Money. @param decimal in whole units of the currency, as `formatMicros` writes it */
export const moneyValue = (decimal: string): UnnamedValue => ({ kind: 'MONEY', value: decimal });
/** An instant. */
export const instantValue = (at: Date): UnnamedValue => ({ kind: 'INSTANT', value: at.toISOString() });
/** A kind of objects or events. @param name in snake case or camel case */
export const termValue = (name: string): UnnamedValue => ({ kind: 'TERM', value: toConstantCase(name) });
/** A dimension of targeting. @param name as targeting has it, in camel case */
export const dimensionValue = (name: string): UnnamedValue => ({ kind: 'DIMENSION', value: toConstantCase(name) });
/** A value of an enumeration of the management API. */
export const constantValue = (value: string): UnnamedValue => ({ kind: 'CONSTANT', value });
/** Something that is shown as it is. */
export const nameValue = (value: string): UnnamedValue => ({ kind: 'NAME', value });

function toConstantCase(name: string): string {
  return name.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
}

/** The sentence of some texts in English. A value in brackets, `asked`, is left out where it is not known. */
export function writeEnglish(texts: readonly DeliveryText[]): string {
  return texts.length === 0 ? '' : `${texts.map(writePart).join('')}.`;
}

/** A sentence of its own for each text, in English. */
export function writeSentences(texts: readonly DeliveryText[]): string[] {
  return texts.map((text) => writeEnglish([text]));
}

function writePart({ code, values }: DeliveryText): string {
  const template: string = DELIVERY_TEXTS[code];
  return template.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => {
    const found = values.find((one) => one.name === name);
    if (name === 'asked') return found === undefined ? '' : ` (${found.value})`;
    return found === undefined ? '' : writeValue(found);
  });
}

function writeValue({ kind, value }: TextValue): string {
  if (kind === 'TERM') return value.toLowerCase().replaceAll('_', ' ');
  if (kind === 'DIMENSION')
    return value.toLowerCase().replaceAll(/_(\w)/g, (_whole, letter: string) => letter.toUpperCase());
  return value;
}
