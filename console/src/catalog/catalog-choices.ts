import type { CustomFieldType, MediaType } from '../api/bookings/catalog.ts';
import { type MessageKey, say } from '../messages/say.ts';

/** The choices of an enumeration of the API: a new value of it does not compile until it has a name here. */
function choicesOfAll<Value extends string>(names: Readonly<Record<Value, MessageKey>>) {
  return Object.entries(names) as [Value, MessageKey][];
}

/** Kinds of ads. */
export const MEDIA_TYPES = choicesOfAll<MediaType>({
  BANNER: 'media_type.BANNER',
  VIDEO: 'media_type.VIDEO',
  AUDIO: 'media_type.AUDIO',
  NATIVE: 'media_type.NATIVE',
});
/** Kinds of values of a custom field. */
export const CUSTOM_TYPES = choicesOfAll<CustomFieldType>({
  TEXT: 'custom_type.TEXT',
  NUMBER: 'custom_type.NUMBER',
  BOOLEAN: 'custom_type.BOOLEAN',
  DATE: 'custom_type.DATE',
  CHOICE: 'custom_type.CHOICE',
});
/** Kinds of objects that have custom fields, as the API names them. */
export const CUSTOM_KINDS = [
  ['campaign', 'custom_kind.campaign'],
  ['lineItem', 'custom_kind.lineItem'],
  ['creative', 'custom_kind.creative'],
  ['libraryCreative', 'custom_kind.libraryCreative'],
  ['advertiser', 'custom_kind.advertiser'],
  ['advertisingProduct', 'custom_kind.advertisingProduct'],
  ['deal', 'custom_kind.deal'],
  ['site', 'custom_kind.site'],
  ['area', 'custom_kind.area'],
  ['adUnit', 'custom_kind.adUnit'],
  ['floor', 'custom_kind.floor'],
  ['keyValue', 'custom_kind.keyValue'],
  ['segment', 'custom_kind.segment'],
  ['activity', 'custom_kind.activity'],
] as const;

/** The name of a kind of objects that has custom fields. */
export function customKind(kind: string): string {
  const [, key] = CUSTOM_KINDS.find(([one]) => one === kind) ?? [];
  return key === undefined ? kind : say(key);
}
