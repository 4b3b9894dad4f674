import type { Mapping } from '../csv/mapping.ts';
import { type HistoryObjects, planHistory } from '../csv/plan-history.ts';
import { CellError, Cells } from '../csv/read-cells.ts';
import { ImportError } from '../plan/import-error.ts';
import type {
  ImportPlan,
  PlannedCreative,
  PlannedHour,
  PlannedLineItem,
  PlannedObject,
  Remark,
} from '../plan/import-plan.ts';
import { mergeHours } from '../plan/merge-hours.ts';
import { nameOf } from '../plan/name-of.ts';
import type { GamAdUnit, GamData, GamReportRow } from './gam-data.ts';
import { pointed } from './read-objects.ts';
import { Inventory } from './inventory.ts';
import { creativeKey, planCreative } from './plan-creatives.ts';
import { lineItemKey, orderKey, planLineItem } from './plan-line-items.ts';

/** The name under which history is imported. */
const SOURCE = 'gam';
const NOTES_MAX = 2_000;
const LINES_NAMED = 20;
const MICRO_DIGITS = 6;

/** What the files do not say. */
export interface GamOptions {
  /** The domain of all ad units; null: none was named. */
  readonly domain: string | null;
  /** Domains of ad units below the root, by their code. */
  readonly domains: ReadonlyMap<string, string>;
  /** Of days and hours in reports, and of line items that name none. */
  readonly timezone: string;
  /** Of days such as 11/12/2026 in reports. */
  readonly dateOrder: Mapping['dateOrder'];
}

type RemarkOf = (object: string) => (kind: Remark['kind'], text: string) => void;

/** Works out what comes over from the files of Google Ad Manager, and how. Changes nothing. @throws ImportError */
export function planGam(data: GamData, options: GamOptions): ImportPlan {
  const remarks: Remark[] = [];
  const remarkOf: RemarkOf = (object) => (kind, text) => void remarks.push({ kind, object, text });
  const inventory = new Inventory(data.adUnits, data.placements);
  const sites = new Map<string, PlannedObject>();
  const adUnits = inventory.units.flatMap((unit) => planAdUnit(unit, { inventory, sites, options, remarkOf }));
  const lineItems = planLineItems(data, { inventory, options, remarkOf });
  const creatives = planCreatives(data, new Set(lineItems.map(({ key }) => key)), remarkOf);
  return {
    source: SOURCE,
    currency: currencyOf(data),
    sites: [...sites.values()],
    adUnits,
    keyValues: data.keys.map(({ id, key, name }) => planKey(key, name, valuesOf(data, id))),
    advertisers: planAdvertisers(data, remarkOf),
    activities: [],
    campaigns: data.orders.map(planOrder),
    lineItems,
    creatives,
    hours: planReport(data.report, { inventory, lineItems, creatives, options, remarkOf }),
    remarks,
  };
}

/** Prices have no currency here but that of the network, so that all files must have one. */
function currencyOf({ lineItems }: GamData): string | null {
  const all = lineItems.flatMap(({ price }) => (price === null || Number(price.amount) === 0 ? [] : [price.currency]));
  const [currency, ...others] = new Set(all);
  if (others.length > 0)
    throw new ImportError(
      `The rates are in ${[currency, ...others].join(', ')}: import the line items of one currency into a network of that currency.`,
    );
  return currency ?? null;
}

interface UnitSurroundings {
  readonly inventory: Inventory;
  /** Grows with the sites of ad units. */
  readonly sites: Map<string, PlannedObject>;
  readonly options: GamOptions;
  readonly remarkOf: RemarkOf;
}

function planAdUnit(unit: GamAdUnit, { inventory, sites, options, remarkOf }: UnitSurroundings): PlannedObject[] {
  const name = inventory.nameOf(unit.id);
  const remark = remarkOf(`ad unit ${unit.id} "${unit.name}"`);
  if (name === null) return [];
  const top = inventory.topOf(unit.id)?.code ?? '';
  const own = options.domains.get(top);
  const domain = own ?? options.domain;
  if (domain === null) throw new ImportError(`Name the domain of the ad unit ${name}: --site ${top}=news.example.`);
  const code = own === undefined ? SOURCE : `${SOURCE}-${top}`;
  if (!sites.has(code)) sites.set(code, { key: code, input: { code, name: domain, domain } });
  if (!unit.isActive) remark('approximated', 'it is not active there, and ARCHIVED here');
  const notes = [unit.name === unit.code ? '' : unit.name, unit.description].filter((text) => text !== '').join('\n');
  const input = {
    site: code,
    name,
    sizes: unit.sizes,
    mediaTypes: unit.mediaTypes.length === 0 ? ['BANNER'] : unit.mediaTypes,
    notes: notes.slice(0, NOTES_MAX),
    ...(unit.isActive ? {} : { status: 'ARCHIVED' }),
  };
  return [{ key: name, input }];
}

const valuesOf = (data: GamData, keyId: string): string[] =>
  data.keyValues.filter((value) => value.keyId === keyId && value.match === 'EXACT').map(({ value }) => value);

function planKey(key: string, name: string, values: readonly string[]): PlannedObject {
  return { key, input: { key, name: nameOf(name, key), values: [...new Set(values)] } };
}

/** Companies that no order names stay behind: agencies, networks, other partners. */
function planAdvertisers({ companies, orders }: GamData, remarkOf: RemarkOf): PlannedObject[] {
  const wanted = new Set(orders.map(({ advertiserId }) => advertiserId));
  const known = new Map(companies.map((company) => [company.id, company]));
  const others = companies.filter(({ id }) => !wanted.has(id));
  if (others.length > 0) remarkOf(`${others.length} companies`)('left out', 'no order is theirs');
  return [...wanted].map((id) => {
    const key = advertiserKey(id);
    return { key, input: { name: nameOf(known.get(id)?.name ?? '', `Advertiser ${id}`), externalId: key } };
  });
}

const advertiserKey = (id: string): string => `gam-company-${id}`;

const ORDER_STATUSES: Readonly<Record<string, string>> = {
  APPROVED: 'ACTIVE',
  PAUSED: 'PAUSED',
  DRAFT: 'DRAFT',
  PENDING_APPROVAL: 'DRAFT',
  DISAPPROVED: 'DRAFT',
  CANCELED: 'COMPLETED',
  DELETED: 'COMPLETED',
};

function planOrder({
  id,
  name,
  advertiserId,
  status,
  isArchived,
  notes,
  poNumber,
}: GamData['orders'][number]): PlannedObject {
  const key = orderKey(id);
  return {
    key,
    input: {
      name: nameOf(name, `Order ${id}`),
      advertiserExternalId: advertiserKey(advertiserId),
      externalId: key,
      status: isArchived ? 'COMPLETED' : (ORDER_STATUSES[status] ?? 'DRAFT'),
      ...(notes === '' ? {} : { notes: notes.slice(0, NOTES_MAX) }),
      ...(poNumber === '' ? {} : { orderNumber: poNumber }),
    },
  };
}

interface BookingSurroundings {
  readonly inventory: Inventory;
  readonly options: GamOptions;
  readonly remarkOf: RemarkOf;
}

function planLineItems(data: GamData, { inventory, options, remarkOf }: BookingSurroundings): PlannedLineItem[] {
  const orders = new Set(data.orders.map(({ id }) => id));
  const keys = new Map(data.keys.map((key) => [key.id, key]));
  const keyValues = new Map(data.keyValues.map((value) => [value.id, value]));
  return data.lineItems.flatMap((item) => {
    const remark = remarkOf(`line item ${item.id} "${item.name}"`);
    if (!orders.has(item.orderId)) {
      remark('left out', `its order ${item.orderId} is in no file`);
      return [];
    }
    return planLineItem(item, { inventory, keys, keyValues, timezone: options.timezone, remark }) ?? [];
  });
}

function planCreatives(data: GamData, lineItems: ReadonlySet<string>, remarkOf: RemarkOf): PlannedCreative[] {
  const creatives = new Map(data.creatives.map((creative) => [creative.id, creative]));
  const used = new Set(data.associations.map(({ creativeId }) => creativeId));
  for (const { id, name } of data.creatives)
    if (!used.has(id)) remarkOf(`creative ${id} "${name}"`)('left out', 'no line item shows it (licas.json)');
  return data.associations.flatMap((association) => {
    const { creativeId, lineItemId } = association;
    const creative = creatives.get(creativeId);
    const remark = remarkOf(`creative ${creativeId} "${creative?.name ?? ''}" of line item ${lineItemId}`);
    if (!lineItems.has(lineItemKey(lineItemId))) remark('left out', 'its line item stays behind');
    else if (creative === undefined) remark('left out', 'it is in no file');
    else return planCreative(creative, association, remark) ?? [];
    return [];
  });
}

interface ReportSurroundings extends BookingSurroundings {
  readonly lineItems: readonly PlannedLineItem[];
  readonly creatives: readonly PlannedCreative[];
}

function planReport(
  rows: readonly GamReportRow[],
  { inventory, lineItems, creatives, options, remarkOf }: ReportSurroundings,
): PlannedHour[] {
  const [itemKeys, creativeKeys] = [lineItems, creatives].map((all) => new Set(all.map(({ key }) => key)));
  const known = (keys: ReadonlySet<string> | undefined, key: string): string | null =>
    keys?.has(key) === true ? key : null;
  const found: HistoryObjects = {
    lineItem: (id) => known(itemKeys, lineItemKey(id)),
    creative: (id, lineItem) => (lineItem === null ? null : known(creativeKeys, creativeKey(id, lineItem))),
    adUnit: (id) => inventory.nameOf(id),
  };
  const { timezone, dateOrder } = options;
  const mapping: Mapping = { source: SOURCE, timezone, dateOrder, decimalComma: false, words: {}, files: {} };
  const unread: string[] = [];
  let days = 0;
  const hours = rows.flatMap(({ line, cells }) => {
    try {
      const read = new Cells({ line, cells: withAmounts(cells) }, mapping);
      if (read.time('time')?.isDay === true) days += 1;
      return planHistory(read, found);
    } catch (error) {
      if (!(error instanceof CellError)) throw error;
      unread.push(`line ${line}: ${error.message}`);
      return [];
    }
  });
  if (unread.length > 0) remarkOf(`report, ${unread.length} rows`)('left out', unread.slice(0, LINES_NAMED).join('; '));
  if (days > 0)
    remarkOf(`report, ${days} rows`)('approximated', 'days without hours are divided evenly over their hours');
  return mergeHours(hours);
}

/** Reports of the API have millionths. */
function withAmounts(cells: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const micros = cells.get('micros');
  if (micros === undefined || !/^\d{1,18}$/.test(micros)) return cells;
  return new Map([...cells, ['revenue', pointed(micros, MICRO_DIGITS)]]);
}
