import type { CatalogKind } from '../api/bookings/catalog.ts';
import type { MessageKey } from '../messages/say.ts';
import {
  BUYER_DIMENSIONS,
  CHANNELS,
  CO_BRANDINGS,
  COUNTING_PARTIES,
  CREATIVE_FORMATS,
  LANDING_PAGES,
  PRICING_MODELS,
  PRODUCT_DELIVERIES,
} from './catalog-choices.ts';

/** How a field is typed. `sizes`: as 300x250. `object`: one of the network's. `days`: seconds, typed as days. `flag`: yes or no. `many`: some of the choices. `members`: e-mail addresses of the network's. `rule`: the conditions of a segment. `targeting`: a tree. `objects`: several of the network's. `group`: an object of parts; `rows`: a list of such. */
export type FieldKind =
  | 'text'
  | 'decimal'
  | 'integer'
  | 'days'
  | 'list'
  | 'sizes'
  | 'object'
  | 'choice'
  | 'many'
  | 'members'
  | 'flag'
  | 'rule'
  | 'targeting'
  | 'objects'
  | 'group'
  | 'rows';

/** A field that can be edited: in the side panel, in its cell and in many objects at once. */
export interface CatalogField {
  readonly name: string;
  readonly kind: FieldKind;
  /** Absent: `catalog_column` of its name. */
  readonly title?: MessageKey;
  readonly isRequired?: true;
  /** It can be set when the object is made, and never again. */
  readonly onlyNew?: true;
  /** An empty text clears it: of numbers, choices and targeting. */
  readonly isOptional?: true;
  /** Of a group, and of each row. */
  readonly parts?: readonly CatalogField[];
  /** Of an object: its kind. */
  readonly of?: CatalogKind;
  /** Of a choice, and of several: values with their names. */
  readonly choices?: readonly (readonly [string, MessageKey])[];
}

const FLAGS = [
  ['true', 'value.yes'],
  ['false', 'value.no'],
] as const;

/** The values of a choice or a flag, as texts, with their names; of other fields there are none. */
export function choicesOf({ kind, choices }: CatalogField): readonly (readonly [string, MessageKey])[] {
  return kind === 'flag' ? FLAGS : kind === 'choice' ? (choices ?? []) : [];
}

/** Kinds of fields that are edited in the side panel alone. */
const PANEL_KINDS: readonly FieldKind[] = [
  'object',
  'objects',
  'many',
  'members',
  'rule',
  'targeting',
  'group',
  'rows',
];

/** Whether a field of an object that exists can be typed in a cell, and for many objects at once. */
export function isEditable({ kind, onlyNew }: CatalogField): boolean {
  return onlyNew !== true && !PANEL_KINDS.includes(kind);
}

const FORMAT_PARTS: readonly CatalogField[] = [
  { name: 'format', kind: 'choice', isRequired: true, choices: CREATIVE_FORMATS },
  { name: 'sizes', kind: 'sizes' },
  { name: 'durationMinMs', kind: 'integer' },
  { name: 'durationMaxMs', kind: 'integer' },
];

const PRICE_PARTS: readonly CatalogField[] = [
  { name: 'id', kind: 'text', isRequired: true },
  { name: 'pricingModel', kind: 'choice', isRequired: true, choices: PRICING_MODELS },
  { name: 'price', kind: 'decimal' },
  { name: 'floor', kind: 'decimal', title: 'catalog_column.price_floor' },
  { name: 'sharePercent', kind: 'integer' },
  { name: 'minimumSpend', kind: 'decimal' },
  { name: 'advertiserIds', kind: 'objects', of: 'advertisers' },
];

const MEASUREMENT_PARTS: readonly CatalogField[] = [
  { name: 'countedBy', kind: 'choice', isRequired: true, choices: COUNTING_PARTIES },
  { name: 'vendor', kind: 'text' },
  { name: 'viewabilityVendor', kind: 'text' },
  { name: 'terms', kind: 'text' },
];

const POLICY_PARTS: readonly CatalogField[] = [
  { name: 'coBranding', kind: 'choice', choices: CO_BRANDINGS },
  { name: 'landingPage', kind: 'choice', choices: LANDING_PAGES },
  { name: 'templatesAvailable', kind: 'flag' },
  { name: 'provenanceRequired', kind: 'flag' },
  { name: 'terms', kind: 'text' },
];

/** All that is edited of a product beside its name and labels. */
export const PRODUCT_FIELDS: readonly CatalogField[] = [
  { name: 'description', kind: 'text' },
  { name: 'delivery', kind: 'choice', choices: PRODUCT_DELIVERIES },
  { name: 'channels', kind: 'many', choices: CHANNELS },
  { name: 'targeting', kind: 'targeting', isOptional: true },
  { name: 'formats', kind: 'rows', parts: FORMAT_PARTS },
  { name: 'buyerDimensions', kind: 'many', choices: BUYER_DIMENSIONS },
  { name: 'priceOptions', kind: 'rows', parts: PRICE_PARTS },
  { name: 'minimumSpend', kind: 'decimal', isOptional: true },
  { name: 'minimumDays', kind: 'integer', isOptional: true },
  { name: 'maximumDays', kind: 'integer', isOptional: true },
  { name: 'leadTimeHours', kind: 'integer' },
  { name: 'cancellationNoticeDays', kind: 'integer' },
  { name: 'measurement', kind: 'group', parts: MEASUREMENT_PARTS },
  { name: 'creativePolicy', kind: 'group', parts: POLICY_PARTS },
  { name: 'offeredToBuyers', kind: 'flag' },
  { name: 'offeredAdvertiserIds', kind: 'objects', of: 'advertisers' },
];
