import { ImportError } from '../plan/import-error.ts';
import { Fields } from './fields.ts';
import type { GamData } from './gam-data.ts';
import { READ_OBJECT } from './read-objects.ts';
import { cellsByField, columnOf, type Table } from './read-tables.ts';

/** Columns of reports over time, as the API and the interface name them. The first heading that is there counts. */
const REPORT = {
  date: ['DATE', 'Date'],
  hour: ['HOUR', 'Hour'],
  lineItem: ['LINE_ITEM_ID', 'Line item ID'],
  creative: ['CREATIVE_ID', 'Creative ID'],
  adUnit: ['AD_UNIT_ID', 'Ad unit ID'],
  requests: ['TOTAL_AD_REQUESTS', 'Total ad requests', 'Ad requests'],
  impressions: [
    'TOTAL_LINE_ITEM_LEVEL_IMPRESSIONS',
    'AD_SERVER_IMPRESSIONS',
    'Total impressions',
    'Ad server impressions',
    'Impressions',
  ],
  clicks: ['TOTAL_LINE_ITEM_LEVEL_CLICKS', 'AD_SERVER_CLICKS', 'Total clicks', 'Ad server clicks', 'Clicks'],
  revenue: [
    'TOTAL_LINE_ITEM_LEVEL_CPM_AND_CPC_REVENUE',
    'AD_SERVER_CPM_AND_CPC_REVENUE',
    'Total CPM and CPC revenue',
    'Ad server CPM and CPC revenue',
    'Revenue',
  ],
} as const;

/** Headings of one object of a table, by its member in the API. */
interface ObjectTable {
  readonly kind: 'orders' | 'lineItems' | 'adUnits' | 'companies';
  readonly id: readonly string[];
  readonly members: Readonly<Record<string, readonly string[]>>;
}

/** A row of a report names its line item, order and advertiser: each becomes an object once. */
const OBJECTS: readonly ObjectTable[] = [
  {
    kind: 'companies',
    id: ['ADVERTISER_ID', 'Advertiser ID'],
    members: { name: ['ADVERTISER_NAME', 'Advertiser'] },
  },
  {
    kind: 'orders',
    id: ['ORDER_ID', 'Order ID'],
    members: {
      name: ['ORDER_NAME', 'Order'],
      advertiserId: ['ADVERTISER_ID', 'Advertiser ID'],
      poNumber: ['ORDER_PO_NUMBER', 'Order PO number'],
    },
  },
  {
    kind: 'lineItems',
    id: ['LINE_ITEM_ID', 'Line item ID'],
    members: {
      name: ['LINE_ITEM_NAME', 'Line item'],
      orderId: ['ORDER_ID', 'Order ID'],
      lineItemType: ['LINE_ITEM_TYPE', 'Line item type'],
      priority: ['LINE_ITEM_PRIORITY', 'Line item priority'],
    },
  },
  {
    kind: 'adUnits',
    id: ['AD_UNIT_ID', 'Ad unit ID'],
    members: { name: ['AD_UNIT_NAME', 'Ad unit'], adUnitCode: ['AD_UNIT_CODE', 'Ad unit code'] },
  },
];

/** Above ad units of which only a report tells. */
export const UNNAMED_ROOT = 'root';

/** Whether amounts are millionths: those of the API's reports are, unless the name of the column has a currency. */
const isMicros = (heading: string): boolean => heading.startsWith('Column.');

/**
 * Takes the objects and the history of a report. Objects that a file of the API holds already stay as they are.
 *
 * @throws ImportError where the columns are those of no report
 */
export function addTable(data: GamData, table: Table, name: string): void {
  const found = OBJECTS.filter(({ id }) => columnOf(table.columns, id) !== null);
  if (found.length === 0)
    throw new ImportError(
      `${name} has no column of ids ("Line item ID", "Order ID", "Ad unit ID"): add ids to the report. It has: ${table.columns.join(', ')}.`,
    );
  for (const object of found) addObjects(data, table, object);
  if (columnOf(table.columns, REPORT.date) !== null && columnOf(table.columns, REPORT.impressions) !== null)
    addReport(data, table);
}

function addObjects(data: GamData, table: Table, { kind, id, members }: ObjectTable): void {
  const known = new Set(data[kind].map((one) => one.id));
  for (const { cells } of table.rows) {
    const row = cellsByField(table, cells, { id, ...members });
    const key = row.get('id');
    // The report may name objects without their name: of those, a file of the API has to tell.
    if (key === undefined || row.get('name') === undefined || known.has(key)) continue;
    known.add(key);
    const type = row.get('lineItemType');
    const given = {
      ...Object.fromEntries(row),
      ...(kind === 'adUnits' ? { parentId: UNNAMED_ROOT } : {}),
      ...(type === undefined ? {} : { lineItemType: type.toUpperCase().replaceAll(/[\s-]+/g, '_') }),
    };
    const fields = Fields.of(given);
    const read = fields === null ? null : READ_OBJECT[kind](fields);
    if (read !== null) (data[kind] as unknown[]).push(read);
  }
}

function addReport(data: GamData, table: Table): void {
  const revenueAt = columnOf(table.columns, REPORT.revenue);
  const inMicros = revenueAt !== null && isMicros(table.columns[revenueAt] ?? '');
  for (const { line, cells } of table.rows) {
    const row = cellsByField(table, cells, REPORT);
    const [date, hour] = [row.get('date'), row.get('hour')];
    if (date !== undefined) row.set('time', hour === undefined ? date : `${date} ${hour.padStart(2, '0')}:00`);
    row.delete('date');
    row.delete('hour');
    if (inMicros) row.set('micros', row.get('revenue') ?? '0');
    const revenue = row.get('revenue');
    // "$1,234.50" and "1.234,50 €" without their currency.
    if (revenue !== undefined) row.set('revenue', revenue.replaceAll(/[\p{Sc}\s]|[A-Z]{3}/gu, ''));
    data.report.push({ line, cells: row });
  }
}
