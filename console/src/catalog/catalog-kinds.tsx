import { CATALOG_SCHEMA, type CatalogKind, type CatalogRow, type CatalogRows } from '../api/bookings/catalog.ts';
import { formatCount, formatMoney, formatPriceOption } from '../format/desk-format.ts';
import type { DeskColumn } from '../tables/desk-columns.ts';
import { ObjectLink } from '../tables/column-parts.tsx';
import { StatusWord } from '../delivery/state-words.tsx';
import { type MessageKey, say } from '../messages/say.ts';
import { Instant } from '../ui/instant.tsx';
import { adColumns } from './ad-columns.tsx';
import { CUSTOM_KINDS, CUSTOM_TYPES, customKind, MEDIA_TYPES } from './catalog-choices.ts';
import { drawn, inDays, NONE, number, OpenLink, sizeOf, text } from './catalog-columns.tsx';
import { editorOf, statusEditor } from './catalog-editors.ts';
import { type CatalogField, isEditable, PRODUCT_FIELDS } from './catalog-fields.ts';

/** One kind: its table and its panel. */
export interface KindRow<Row extends CatalogRow> {
  readonly title: MessageKey;
  readonly lead: MessageKey;
  readonly empty: MessageKey;
  readonly statuses: readonly CatalogRow['status'][];
  /** Null: nobody makes one here. */
  readonly isMadeHere: boolean;
  readonly fields: readonly CatalogField[];
  columns: (currency: string | undefined) => readonly DeskColumn<Row>[];
}

const LIFECYCLE = ['ACTIVE', 'ARCHIVED'] as const;
const NAME: CatalogField = { name: 'name', kind: 'text', isRequired: true };
const LABELS: CatalogField = { name: 'labels', kind: 'list' };

/** All kinds, in the order of the navigation. */
export const KINDS: { readonly [Kind in CatalogKind]: KindRow<CatalogRows[Kind]> } = {
  advertisers: {
    title: 'nav.advertisers',
    lead: 'catalog.advertisers_lead',
    empty: 'catalog.advertisers_empty',
    statuses: LIFECYCLE,
    isMadeHere: true,
    fields: [
      NAME,
      { name: 'domains', kind: 'list' },
      { name: 'categories', kind: 'list' },
      { name: 'credit', kind: 'decimal' },
    ],
    columns: (currency) => [
      text('domains', 190, ({ domains }) => domains.join(', ')),
      number('today', 100, ({ delivery }) => (delivery === null ? NONE : formatCount(delivery.today.impressions))),
      number('spend', 130, ({ delivery }) =>
        delivery === null ? NONE : formatMoney(delivery.lifetime.spend, currency),
      ),
      number('credit', 130, ({ credit }) => (credit === null ? NONE : formatMoney(credit, currency))),
    ],
  },
  creatives: {
    title: 'nav.creatives',
    lead: 'catalog.creatives_lead',
    empty: 'catalog.creatives_empty',
    statuses: ['ACTIVE', 'PAUSED', 'ARCHIVED'],
    isMadeHere: false,
    fields: [NAME, { name: 'clickUrl', kind: 'text' }, { name: 'weight', kind: 'integer' }],
    columns: () => [
      ...adColumns<CatalogRows['creatives']>(),
      drawn('lineItem', 220, ({ lineItem }) =>
        lineItem === null ? (
          NONE
        ) : (
          <ObjectLink to="/desk/line-items/$id" id={lineItem.id} name={lineItem.name} isCell />
        ),
      ),
      text('clickUrl', 220, ({ clickUrl }) => clickUrl),
      number('weight', 80, ({ weight }) => formatCount(weight)),
    ],
  },
  libraryCreatives: {
    title: 'catalog.library',
    lead: 'catalog.libraryCreatives_lead',
    empty: 'catalog.libraryCreatives_empty',
    statuses: LIFECYCLE,
    isMadeHere: false,
    fields: [NAME, { name: 'clickUrl', kind: 'text' }],
    columns: () => [
      ...adColumns<CatalogRows['libraryCreatives']>(),
      text('advertiser', 180, ({ advertiser }) => advertiser?.name ?? NONE),
      number('lineItems', 110, ({ associations }) => formatCount(associations.totalCount)),
      text('clickUrl', 220, ({ clickUrl }) => clickUrl),
    ],
  },
  sites: {
    title: 'nav.sites',
    lead: 'catalog.sites_lead',
    empty: 'catalog.sites_empty',
    statuses: LIFECYCLE,
    isMadeHere: true,
    fields: [
      NAME,
      { name: 'code', kind: 'text', isRequired: true, onlyNew: true },
      { name: 'domain', kind: 'text', isRequired: true },
    ],
    columns: () => [
      text('code', 140, ({ code }) => code),
      text('domain', 200, ({ domain }) => domain),
      number('adUnits', 130, ({ adUnits }) => formatCount(adUnits.totalCount)),
    ],
  },
  adUnits: {
    title: 'nav.ad_units',
    lead: 'catalog.adUnits_lead',
    empty: 'catalog.adUnits_empty',
    statuses: LIFECYCLE,
    isMadeHere: true,
    fields: [
      NAME,
      { name: 'siteId', kind: 'object', of: 'sites', isRequired: true, onlyNew: true },
      { name: 'areaId', kind: 'object', of: 'areas' },
      { name: 'sizes', kind: 'sizes' },
      { name: 'floor', kind: 'decimal' },
    ],
    columns: (currency) => [
      text('siteId', 160, ({ site, area }) => [site?.name, area?.name].filter((one) => one !== undefined).join(' › ')),
      text('sizes', 200, ({ sizes }) => sizes.map(({ width, height }) => sizeOf(width, height)).join(', ')),
      number('floor', 150, ({ floor }) => formatMoney(floor, currency)),
    ],
  },
  areas: {
    title: 'nav.areas',
    lead: 'catalog.areas_lead',
    empty: 'catalog.areas_empty',
    statuses: LIFECYCLE,
    isMadeHere: true,
    fields: [
      NAME,
      { name: 'siteId', kind: 'object', of: 'sites', isRequired: true, onlyNew: true },
      { name: 'code', kind: 'text', isRequired: true },
    ],
    columns: () => [
      text('siteId', 180, ({ site }) => site?.name ?? NONE),
      text('code', 160, ({ code }) => code),
      number('adUnits', 130, ({ adUnits }) => formatCount(adUnits.totalCount)),
    ],
  },
  floors: {
    title: 'nav.floors',
    lead: 'catalog.floors_lead',
    empty: 'catalog.floors_empty',
    statuses: LIFECYCLE,
    isMadeHere: true,
    fields: [
      NAME,
      { name: 'floor', kind: 'decimal', isRequired: true },
      { name: 'priority', kind: 'integer' },
      { name: 'siteId', kind: 'object', of: 'sites' },
      { name: 'areaId', kind: 'object', of: 'areas' },
      { name: 'adUnitId', kind: 'object', of: 'adUnits' },
      { name: 'dealId', kind: 'object', of: 'deals' },
      { name: 'sizes', kind: 'sizes' },
      { name: 'mediaTypes', kind: 'many', choices: MEDIA_TYPES },
      { name: 'countries', kind: 'list' },
    ],
    columns: (currency) => [
      number('floor', 150, ({ floor }) => formatMoney(floor, currency)),
      number('priority', 90, ({ priority }) => formatCount(priority)),
      text('scope', 200, ({ site, area, adUnit, deal }) => {
        const names = [site?.name, area?.name, adUnit?.name, deal?.name].filter((one) => one !== undefined);
        return names.length === 0 ? say('catalog.network_wide') : names.join(', ');
      }),
      text('sizes', 140, ({ sizes }) => sizes.map(({ width, height }) => sizeOf(width, height)).join(', ')),
      text('countries', 140, ({ countries }) => countries.join(', ')),
    ],
  },
  deals: {
    title: 'nav.deals',
    lead: 'catalog.deals_lead',
    empty: 'catalog.deals_empty',
    statuses: LIFECYCLE,
    isMadeHere: true,
    fields: [
      NAME,
      { name: 'code', kind: 'text', isRequired: true, onlyNew: true },
      { name: 'floor', kind: 'decimal' },
      { name: 'fixedPrice', kind: 'decimal' },
      { name: 'seats', kind: 'list' },
      {
        name: 'kind',
        kind: 'choice',
        choices: [
          ['PRIVATE', 'deal_kind.PRIVATE'],
          ['PROGRAMMATIC_GUARANTEED', 'deal_kind.PROGRAMMATIC_GUARANTEED'],
        ],
      },
    ],
    columns: (currency) => [
      text('code', 160, ({ code }) => code),
      text('kind', 180, ({ kind }) => say(`deal_kind.${kind}`)),
      number('floor', 150, ({ floor }) => formatMoney(floor, currency)),
      number('fixedPrice', 110, ({ fixedPrice }) => (fixedPrice === null ? NONE : formatMoney(fixedPrice, currency))),
      text('seats', 160, ({ seats }) => seats.join(', ')),
    ],
  },
  segments: {
    title: 'nav.segments',
    lead: 'catalog.segments_lead',
    empty: 'catalog.segments_empty',
    statuses: LIFECYCLE,
    isMadeHere: true,
    fields: [
      NAME,
      { name: 'description', kind: 'text' },
      { name: 'membershipDays', kind: 'integer' },
      { name: 'rule', kind: 'rule' },
    ],
    columns: () => [
      number('sizeEstimate', 110, ({ sizeEstimate }) => formatCount(sizeEstimate)),
      number('membershipDays', 175, ({ membershipDays }) => formatCount(membershipDays)),
      drawn('uploadedAt', 180, ({ uploadedAt }) => (uploadedAt === null ? NONE : <Instant at={uploadedAt} />)),
      text('description', 240, ({ description }) => description),
    ],
  },
  activities: {
    title: 'nav.activities',
    lead: 'catalog.activities_lead',
    empty: 'catalog.activities_empty',
    statuses: LIFECYCLE,
    isMadeHere: true,
    fields: [
      NAME,
      { name: 'actgid', kind: 'text', isRequired: true, onlyNew: true },
      { name: 'advertiserId', kind: 'object', of: 'advertisers' },
      { name: 'clickWindowSeconds', kind: 'days' },
      { name: 'viewWindowSeconds', kind: 'days' },
      { name: 'acceptsPixel', kind: 'flag' },
    ],
    columns: () => [
      text('actgid', 160, ({ actgid }) => actgid),
      text('advertiser', 170, ({ advertiser }) => advertiser?.name ?? NONE),
      text('clickWindowSeconds', 150, ({ clickWindowSeconds }) => inDays(clickWindowSeconds)),
      text('viewWindowSeconds', 170, ({ viewWindowSeconds }) => inDays(viewWindowSeconds)),
      text('acceptsPixel', 110, ({ acceptsPixel }) => say(acceptsPixel ? 'value.yes' : 'value.no')),
    ],
  },
  keyValues: {
    title: 'nav.key_values',
    lead: 'catalog.keyValues_lead',
    empty: 'catalog.keyValues_empty',
    statuses: LIFECYCLE,
    isMadeHere: true,
    fields: [
      NAME,
      { name: 'key', kind: 'text', isRequired: true, onlyNew: true },
      { name: 'values', kind: 'list' },
      { name: 'reportable', kind: 'flag' },
      { name: 'description', kind: 'text' },
    ],
    columns: () => [
      text('key', 140, ({ key }) => key),
      text('values', 240, ({ values }) => values.join(', ')),
      text('reportable', 110, ({ reportable }) => say(reportable ? 'value.yes' : 'value.no')),
      text('description', 220, ({ description }) => description),
    ],
  },
  advertisingProducts: {
    title: 'nav.products',
    lead: 'catalog.advertisingProducts_lead',
    empty: 'catalog.advertisingProducts_empty',
    statuses: LIFECYCLE,
    isMadeHere: true,
    fields: [NAME, ...PRODUCT_FIELDS],
    columns: (currency) => [
      text('delivery', 150, ({ delivery }) => say(`product_delivery.${delivery}`)),
      text('priceOptions', 260, ({ priceOptions }) =>
        priceOptions.map((option) => formatPriceOption(option, currency)).join(', '),
      ),
      number('minimumSpend', 140, ({ minimumSpend }) =>
        minimumSpend === null ? NONE : formatMoney(minimumSpend, currency),
      ),
      text('offeredToBuyers', 130, ({ offeredToBuyers }) => say(offeredToBuyers ? 'value.yes' : 'value.no')),
      text('description', 360, ({ description }) => description),
    ],
  },
  targetingPresets: {
    title: 'nav.presets',
    lead: 'catalog.targetingPresets_lead',
    empty: 'catalog.targetingPresets_empty',
    statuses: LIFECYCLE,
    isMadeHere: true,
    fields: [NAME, { name: 'targeting', kind: 'targeting', isRequired: true }, { name: 'description', kind: 'text' }],
    columns: () => [text('description', 360, ({ description }) => description)],
  },
  teams: {
    title: 'nav.teams',
    lead: 'catalog.teams_lead',
    empty: 'catalog.teams_empty',
    statuses: LIFECYCLE,
    isMadeHere: true,
    fields: [NAME, { name: 'members', kind: 'members' }, { name: 'description', kind: 'text' }],
    columns: () => [
      text('members', 280, ({ members }) => members.join(', ')),
      text('description', 260, ({ description }) => description),
    ],
  },
  customFields: {
    title: 'nav.custom_fields',
    lead: 'catalog.customFields_lead',
    empty: 'catalog.customFields_empty',
    statuses: LIFECYCLE,
    isMadeHere: true,
    fields: [
      NAME,
      { name: 'key', kind: 'text', isRequired: true, onlyNew: true },
      { name: 'type', kind: 'choice', isRequired: true, onlyNew: true, choices: CUSTOM_TYPES },
      { name: 'choices', kind: 'list' },
      { name: 'kinds', kind: 'many', choices: CUSTOM_KINDS },
      { name: 'description', kind: 'text' },
    ],
    columns: () => [
      text('key', 140, ({ key }) => key),
      text('type', 120, ({ type }) => say(`custom_type.${type}`)),
      text('kinds', 220, ({ kinds }) =>
        kinds.length === 0 ? say('catalog.every_kind') : kinds.map(customKind).join(', '),
      ),
      text('choices', 200, ({ choices }) => choices.join(', ')),
    ],
  },
};

/** The fields of a kind that can be typed: its own, and those that every kind has. */
export function fieldsOf(kind: CatalogKind): readonly CatalogField[] {
  return CATALOG_SCHEMA[kind].isUnlabelled === true ? KINDS[kind].fields : [...KINDS[kind].fields, LABELS];
}

/** Columns that every kind has: its name first, its status, its labels and its last change at the end. Those of fields can be edited. */
export function columnsOf<Kind extends CatalogKind>(
  kind: Kind,
  currency: string | undefined,
): readonly DeskColumn<CatalogRows[Kind]>[] {
  type Row = CatalogRows[Kind];
  const row: KindRow<Row> = KINDS[kind];
  const fields = new Map(fieldsOf(kind).map((field) => [field.name, field]));
  const columns: readonly DeskColumn<Row>[] = [
    {
      id: 'name',
      title: say('catalog_column.name'),
      widthPx: 300,
      sortField: 'NAME',
      render: ({ id, name }: Row) => <OpenLink id={id} name={name} />,
    },
    {
      ...drawn<Row>('status', 110, ({ status }) => <StatusWord status={status} />),
      editor: statusEditor(row.statuses),
    },
    ...row.columns(currency),
    ...(CATALOG_SCHEMA[kind].isUnlabelled === true
      ? []
      : [text<Row>('labels', 140, ({ labels }) => labels.join(', '))]),
    {
      ...drawn<Row>('updated', 180, ({ updatedAt }) => <Instant at={updatedAt} />),
      sortField: 'UPDATED_AT',
    },
  ];
  return columns.map((column) => {
    const field = fields.get(column.id);
    return field === undefined || !isEditable(field) ? column : { ...column, editor: editorOf(field) };
  });
}

/** On a narrow screen, a row is one cell: its name, its status and its first two columns. */
export function compactColumnOf<Kind extends CatalogKind>(
  kind: Kind,
  currency: string | undefined,
): DeskColumn<CatalogRows[Kind]> {
  const [name, , first, second] = columnsOf(kind, currency);
  return {
    id: 'name',
    title: say('catalog_column.name'),
    widthPx: 220,
    sortField: 'NAME',
    render: (row) => (
      <>
        {name?.render(row)}
        <span className="desk-second">{second?.render(row)}</span>
        <span className="desk-line">
          <StatusWord status={row.status} />
          <span>{first?.render(row)}</span>
        </span>
      </>
    ),
  };
}
