import type { ImportPlan, PlannedCreative, PlannedLineItem, PlannedObject, Remark } from '../plan/import-plan.ts';
import { mergeHours } from '../plan/merge-hours.ts';
import type { FileKind, Mapping } from './mapping.ts';
import { type HistoryObjects, planHistory } from './plan-history.ts';
import { CellError, Cells } from './read-cells.ts';
import type { TableRow } from './read-table.ts';

/** The rows of the files of a mapping. */
export type Tables = Readonly<Partial<Record<FileKind, readonly TableRow[]>>>;
type Input = Readonly<Record<string, unknown>>;
const NAME_MAX = 200;
const LINES_NAMED = 20;

/** What the rows of a kind become; a row that cannot be read stays behind, and a remark names it. */
class Planner {
  readonly remarks: Remark[] = [];
  readonly #mapping: Mapping;
  readonly #tables: Tables;

  constructor(mapping: Mapping, tables: Tables) {
    this.#mapping = mapping;
    this.#tables = tables;
  }

  /** The key of a row of another ad server. */
  key(kind: string, id: string): string {
    return `${this.#mapping.source}-${kind}-${id}`;
  }

  plan<T>(kind: FileKind, read: (cells: Cells, remark: (text: string) => void) => T): T[] {
    const rows = this.#tables[kind] ?? [];
    const seen = new Set<string>();
    const unread: string[] = [];
    const planned = rows.flatMap((row) => {
      const cells = new Cells(row, this.#mapping);
      const id = cells.text('id');
      const object = `${kind} ${id ?? `line ${row.line}`} "${cells.text('name') ?? ''}"`;
      try {
        if (id !== null && seen.has(id)) throw new CellError('a row before it has the same id');
        if (id !== null) seen.add(id);
        return [read(cells, (text) => this.remarks.push({ kind: 'approximated', object, text }))];
      } catch (error) {
        if (!(error instanceof CellError)) throw error;
        if (kind === 'history') unread.push(`line ${row.line}: ${error.message}`);
        else this.remarks.push({ kind: 'left out', object, text: error.message });
        return [];
      }
    });
    if (unread.length > 0)
      this.remarks.push({
        kind: 'left out',
        object: `history, ${unread.length} rows`,
        text: unread.slice(0, LINES_NAMED).join('; '),
      });
    return planned;
  }
}

/** Works out what comes over from the rows of a mapping's files, and how. Changes nothing. */
export function planCsv(mapping: Mapping, tables: Tables): ImportPlan {
  const planner = new Planner(mapping, tables);
  const sites = planner.plan('sites', (cells) => planSite(planner, cells));
  const adUnits = planner.plan('adUnits', (cells) => ({ id: cells.needed('id'), unit: planAdUnit(planner, cells) }));
  const unitNames = new Map(adUnits.map(({ id, unit }) => [id, unit.key]));
  for (const { unit } of adUnits) unitNames.set(unit.key, unit.key);
  const advertisers = planner.plan('advertisers', (cells) => planAdvertiser(planner, cells));
  const campaigns = planner.plan('campaigns', (cells) => planCampaign(planner, cells));
  const lineItems = planner.plan('lineItems', (cells, remark) =>
    planLineItem(planner, cells, { unitNames, timezone: mapping.timezone, remark }),
  );
  const creatives = planner.plan('creatives', (cells) => planCreative(planner, cells));
  const [itemKeys, creativeKeys] = [new Set(lineItems.map(({ key }) => key)), new Set(creatives.map(({ key }) => key))];
  const known = (keys: ReadonlySet<string>, key: string): string | null => (keys.has(key) ? key : null);
  const found: HistoryObjects = {
    lineItem: (id) => known(itemKeys, planner.key('line-item', id)),
    creative: (id) => known(creativeKeys, planner.key('creative', id)),
    adUnit: (id) => unitNames.get(id) ?? null,
  };
  let days = 0;
  const hours = planner.plan('history', (cells) => {
    if (cells.time('time')?.isDay === true) days += 1;
    return planHistory(cells, found);
  });
  if (days > 0) {
    const text = 'days without hours are divided evenly over their hours';
    planner.remarks.push({ kind: 'approximated', object: `history, ${days} rows`, text });
  }
  return {
    source: mapping.source,
    currency: null,
    sites,
    adUnits: adUnits.map(({ unit }) => unit),
    keyValues: [],
    advertisers,
    activities: [],
    campaigns,
    lineItems,
    creatives,
    hours: mergeHours(hours.flat()),
    remarks: planner.remarks,
  };
}

const nameOf = (cells: Cells): string =>
  cells
    .needed('name')
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .slice(0, NAME_MAX);

const withNotes = (cells: Cells): Input => {
  const notes = cells.text('notes');
  return notes === null ? {} : { notes: notes.slice(0, 2_000) };
};

function planSite(planner: Planner, cells: Cells): PlannedObject {
  const address = cells.needed('domain');
  const url = /^https?:\/\//i.test(address) ? address : `https://${address}`;
  if (!URL.canParse(url)) throw new CellError(`its domain "${address}" is not a domain`);
  const code = planner.key('site', cells.needed('id'));
  return { key: code, input: { code, name: nameOf(cells), domain: new URL(url).hostname } };
}

function planAdUnit(planner: Planner, cells: Cells): PlannedObject {
  const name = nameOf(cells);
  const site = planner.key('site', cells.needed('site'));
  return { key: name, input: { site, name, sizes: cells.sizes('sizes'), mediaTypes: ['BANNER'], ...withNotes(cells) } };
}

function planAdvertiser(planner: Planner, cells: Cells): PlannedObject {
  const key = planner.key('advertiser', cells.needed('id'));
  return { key, input: { name: nameOf(cells), externalId: key, ...withNotes(cells) } };
}

function planCampaign(planner: Planner, cells: Cells): PlannedObject {
  const key = planner.key('campaign', cells.needed('id'));
  const advertiserExternalId = planner.key('advertiser', cells.needed('advertiser'));
  const status = cells.word('status') ?? 'DRAFT';
  return {
    key,
    input: {
      name: nameOf(cells),
      advertiserExternalId,
      externalId: key,
      status,
      ...flightOf(cells),
      ...withNotes(cells),
    },
  };
}

/** An end that names a day includes that day. */
function flightOf(cells: Cells): Input {
  const [start, end] = [cells.time('start'), cells.time('end')];
  const last = end === null ? null : end.isDay ? end.at.add({ days: 1 }) : end.at;
  if (start !== null && last !== null && Temporal.ZonedDateTime.compare(start.at, last) >= 0)
    throw new CellError('its end is before its start');
  return {
    ...(start === null ? {} : { startsAt: start.at.toInstant().toString() }),
    ...(last === null ? {} : { endsAt: last.toInstant().toString() }),
  };
}

interface LineItemSurroundings {
  /** Names of ad units by id and by name. */
  readonly unitNames: ReadonlyMap<string, string>;
  readonly timezone: string;
  readonly remark: (text: string) => void;
}

function planLineItem(planner: Planner, cells: Cells, around: LineItemSurroundings): PlannedLineItem {
  const key = planner.key('line-item', cells.needed('id'));
  const given = cells.list('adUnits');
  const adUnits = given.flatMap((one) => around.unitNames.get(one) ?? []);
  const lost = given.filter((one) => !around.unitNames.has(one));
  let status: string = cells.word('status') ?? 'DRAFT';
  const stops = [
    ...(given.length === 0 ? ['it names no ad unit'] : []),
    ...(lost.length === 0 ? [] : [`its ad units ${lost.slice(0, 5).join(', ')} are in no file`]),
  ];
  if (stops.length > 0 && status === 'ACTIVE') {
    status = 'PAUSED';
    around.remark(`${stops.join('; ')}: it is PAUSED, so that it serves neither too widely nor too narrowly`);
  }
  const countries = cells.list('countries').map((one) => countryOf(one));
  return {
    key,
    adUnits,
    activities: [],
    targeting: countries.length === 0 ? [] : [{ test: { dimension: 'COUNTRY', values: countries } }],
    input: {
      name: nameOf(cells),
      campaignExternalId: planner.key('campaign', cells.needed('campaign')),
      externalId: key,
      status,
      timezone: around.timezone,
      ...termsOf(cells),
      ...flightOf(cells),
    },
  };
}

function countryOf(text: string): string {
  if (!/^[a-z]{2}$/i.test(text)) throw new CellError(`its countries have "${text}"; use codes of two letters`);
  return text.toUpperCase();
}

function termsOf(cells: Cells): Input {
  const type = cells.word('type') ?? 'HOUSE';
  const [price, model] = [cells.amount('price'), cells.word('pricingModel')];
  if (price !== null && Number(price) > 0 && model === null)
    throw new CellError(`its price ${price} has no pricingModel`);
  const priced = price === null || Number(price) === 0 || model === null ? {} : { price, pricingModel: model };
  if (type === 'PRICE' && !('price' in priced)) throw new CellError('it is PRICE, and has no price');
  const level = cells.count('level');
  const share = cells.amount('sharePercent');
  if (type === 'PRICE' || type === 'HOUSE') return { type, ...priced };
  const ranked = level === null ? {} : { level };
  if (type === 'SPONSORSHIP') return { type, ...ranked, ...priced, sharePercent: Number(share ?? 100) };
  const target = cells.count('goal') ?? 0;
  if (target === 0) throw new CellError('it is STANDARD, and has no goal');
  const kind = cells.word('goalKind') ?? 'IMPRESSIONS';
  const goal = { kind, period: cells.word('goalPeriod') ?? 'LIFETIME', target };
  const pacing = cells.word('pacing') ?? (cells.text('end') === null && goal.period === 'LIFETIME' ? 'ASAP' : 'EVEN');
  return { type, ...ranked, ...priced, goal, pacing };
}

function planCreative(planner: Planner, cells: Cells): PlannedCreative {
  const key = planner.key('creative', cells.needed('id'));
  const [size] = cells.sizes('size');
  if (size === undefined) throw new CellError('its size is empty');
  const clickUrl = cells.needed('clickUrl');
  if (!/^https?:\/\/\S+$/i.test(clickUrl)) throw new CellError(`its clickUrl "${clickUrl}" is not a web address`);
  const [image, html] = [cells.text('image'), cells.text('html')];
  if (image === null && html === null) throw new CellError('it has neither an image nor HTML');
  const isFile = html === null && image !== null && !/^https?:\/\//i.test(image);
  const name = nameOf(cells);
  return {
    key,
    file: isFile ? { name: image, bytes: null } : null,
    input: {
      name,
      lineItemExternalId: planner.key('line-item', cells.needed('lineItem')),
      externalId: key,
      ...size,
      clickUrl,
      content: html === null ? { image: { alt: name, imageUrl: isFile ? '' : image } } : { html: { html } },
      weight: Math.min(1_000, Math.max(1, cells.count('weight') ?? 100)),
      status: cells.word('status') ?? 'PAUSED',
    },
  };
}
