import type { DeliveryText, DeliveryTextCode, DeliveryTextValue } from '../api/bookings/delivery-text.ts';
import { isMessageKey, type MessageKey, type MessageValues, say } from '../messages/say.ts';
import { formatCount, formatFullDay, formatMoney, formatPercent } from '../format/desk-format.ts';

/** What amounts and instants are written with. */
export interface DeliveryMoment {
  readonly currency: string | undefined;
  readonly timezone: string | undefined;
}

/** A sentence of the server with the same as data; null: it has no code. */
export interface Told {
  readonly sentence: string;
  readonly texts: readonly (DeliveryText | null)[];
}

/** Does not compile while the catalogue lacks a text of the API. */
const keyOf = (code: DeliveryTextCode): MessageKey => `delivery_text.${code}`;

/** A sentence about delivery in the person's language; that of the server where it has a code that is not known here. */
export function sayDelivery({ sentence, texts }: Told, moment: DeliveryMoment): string {
  const parts = texts.map((text) => (text === null ? null : sayPart(text, moment)));
  return parts.length === 0 || parts.includes(null) ? sentence : parts.join(' ');
}

/** Remarks as sentences of the server with the same as data, a text for each. */
export interface Remarked {
  readonly notes: readonly string[];
  readonly remarks: readonly DeliveryText[];
}

/** Each remark in the person's language. */
export function sayRemarks({ notes, remarks }: Remarked, moment: DeliveryMoment): string[] {
  return notes.map((sentence, at) => sayDelivery({ sentence, texts: [remarks[at] ?? null] }, moment));
}

/** A reason of outcomes in words: the tests that were failed, joined by `+`. A test that is not known here stays its code. */
export function sayReason(reason: string): string {
  return reason.split('+').map(sayTest).join('; ');
}

function sayTest(test: string): string {
  const [family, dimension = ''] = test.split('.');
  const parts = test.toUpperCase().split('.');
  const keys = parts.map((_part, at) => `delivery_text.BECAUSE_${parts.slice(0, parts.length - at).join('_')}`);
  const key = keys.find(isMessageKey);
  if (key === undefined) return test;
  const named = family === 'targeting' ? dimension.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase() : '';
  return say(key, { asked: '', dimension: formatValue('DIMENSION', named, NO_MOMENT) }).replace(/\.$/, '');
}

const NO_MOMENT: DeliveryMoment = { currency: undefined, timezone: undefined };

function sayPart({ code, values }: DeliveryText, moment: DeliveryMoment): string | null {
  const key = keyOf(code as DeliveryTextCode);
  if (!isMessageKey(key)) return null;
  const filled = values.flatMap((value) => valuesOf(value, moment));
  return say(key, { asked: '', ...Object.fromEntries(filled) });
}

/** A value as it is written; of a count, its number for the plural too. */
function valuesOf({ name, kind, value }: DeliveryTextValue, moment: DeliveryMoment): [string, MessageValues[string]][] {
  const text = formatValue(kind, value, moment);
  if (name === 'asked') return [[name, ` (${text})`]];
  return kind === 'COUNT'
    ? [
        [name, text],
        [`${name}Count`, Number(value)],
      ]
    : [[name, text]];
}

function formatValue(kind: string, value: string, { currency, timezone }: DeliveryMoment): string {
  switch (kind) {
    case 'COUNT':
      return formatCount(Number(value));
    case 'PERCENT':
      return formatPercent(Number(value));
    case 'MONEY':
      return formatMoney(value, currency);
    case 'INSTANT':
      return formatFullDay(value, timezone);
    case 'DIMENSION':
      return sayIfKnown(`delivery_dimension.${value}`, value);
    case 'CONSTANT':
      return sayIfKnown(`line_item_type.${value}`, value);
    default:
      return value;
  }
}

function sayIfKnown(key: string, otherwise: string): string {
  return isMessageKey(key) ? say(key) : otherwise;
}
