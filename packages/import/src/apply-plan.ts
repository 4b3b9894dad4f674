import type { ApiClient } from './api-client.ts';
import { ImportError } from './plan/import-error.ts';
import type { ImportPlan, PlannedCreative, PlannedFile, PlannedLineItem, PlannedObject } from './plan/import-plan.ts';

/** Keys of one look-up, and rows of one creation. */
const LOOKED_UP = 100;
const CREATED = 50;
const HOURS = 1_000;

/** How many objects of a kind there are, were created, and could not be. */
export interface AppliedKind {
  readonly kind: string;
  readonly existing: number;
  readonly created: number;
  readonly failed: readonly { readonly key: string; readonly why: string }[];
}

/** The result of an import. */
export interface Applied {
  readonly kinds: readonly AppliedKind[];
  readonly hours: {
    readonly added: number;
    readonly unchanged: number;
    readonly differing: number;
    readonly tooOld: number;
    /** Of objects that could not be created. */
    readonly skipped: number;
  };
}

/** How objects of one kind are found and created. */
interface Kind {
  readonly type: string;
  readonly plural: string;
  /** The field that finds an object by its key. */
  readonly by: string;
}

const KINDS = {
  site: { type: 'Site', plural: 'sites', by: 'code' },
  adUnit: { type: 'AdUnit', plural: 'adUnits', by: 'name' },
  advertiser: { type: 'Advertiser', plural: 'advertisers', by: 'externalId' },
  keyValue: { type: 'KeyValue', plural: 'keyValues', by: 'key' },
  activity: { type: 'Activity', plural: 'activities', by: 'actgid' },
  campaign: { type: 'Campaign', plural: 'campaigns', by: 'externalId' },
  lineItem: { type: 'LineItem', plural: 'lineItems', by: 'externalId' },
  creative: { type: 'Creative', plural: 'creatives', by: 'externalId' },
} as const satisfies Readonly<Record<string, Kind>>;

type Input = Readonly<Record<string, unknown>>;
/** Ids by key. */
type Ids = Map<string, string>;

/** Reads a file of the other ad server; null: there is none. */
export type ReadPicture = (name: string) => Promise<Buffer | null>;

/** Creates what does not exist yet, parents first, then imports the hours. Objects that exist stay as they are. @throws ImportError */
export async function applyPlan(api: ApiClient, plan: ImportPlan, readPicture: ReadPicture): Promise<Applied> {
  await checkCurrency(api, plan);
  const kinds: AppliedKind[] = [];
  const create = async <Of extends PlannedObject>(
    kind: Kind,
    objects: readonly Of[],
    inputOf: (object: Of) => Input | null | Promise<Input | null>,
  ): Promise<Ids> => {
    const { ids, applied } = await createMissing(api, kind, { objects, inputOf });
    kinds.push(applied);
    return ids;
  };
  const sites = await create(KINDS.site, plan.sites, ({ input }) => input);
  const adUnits = await create(KINDS.adUnit, plan.adUnits, ({ input: { site, ...input } }) =>
    withId(input, 'siteId', sites.get(String(site))),
  );
  await create(KINDS.keyValue, plan.keyValues, ({ input }) => input);
  const advertisers = await create(KINDS.advertiser, plan.advertisers, ({ input }) => input);
  const activities = await create(KINDS.activity, plan.activities, ({ input: { advertiser, ...input } }) =>
    withId(input, 'advertiserId', advertisers.get(String(advertiser))),
  );
  const campaigns = await create(KINDS.campaign, plan.campaigns, ({ input: { advertiserExternalId, ...input } }) =>
    withId(input, 'advertiserId', advertisers.get(String(advertiserExternalId))),
  );
  const lineItems = await create(KINDS.lineItem, plan.lineItems, (one) =>
    lineItemInput(one, { adUnits, activities, campaigns }),
  );
  const creatives = await create(KINDS.creative, plan.creatives, (one) =>
    creativeInput(api, one, { lineItems, readPicture }),
  );
  return { kinds, hours: await importHours(api, plan, { lineItems, creatives, adUnits }) };
}

/** Amounts come over as they are, so that the network must count in their currency. */
async function checkCurrency(api: ApiClient, { currency }: ImportPlan): Promise<void> {
  if (currency === null) return;
  const { me } = await api.graphql<{ me: { networkId: string } }>('{ me { networkId } }', {});
  const { network } = await api.graphql<{ network: { currency: string } }>(
    'query ($id: ID!) { network(id: $id) { currency } }',
    { id: me.networkId },
  );
  if (network.currency !== currency)
    throw new ImportError(
      `The rates are in ${currency}, and the network counts in ${network.currency}: import into a network of ${currency}.`,
    );
}

function withId(input: Input, field: string, id: string | undefined): Input | null {
  return id === undefined ? null : { ...input, [field]: id };
}

function lineItemInput(
  { input: { campaignExternalId, ...input }, adUnits: units, activities: named, targeting }: PlannedLineItem,
  { adUnits, activities, campaigns }: { readonly adUnits: Ids; readonly activities: Ids; readonly campaigns: Ids },
): Input | null {
  const campaignId = campaigns.get(String(campaignExternalId));
  if (campaignId === undefined) return null;
  const values = units.flatMap((name) => adUnits.get(name) ?? []);
  // Without any of its ad units it would serve everywhere.
  const status = values.length === 0 && input['status'] === 'ACTIVE' ? 'PAUSED' : input['status'];
  const all = [...adUnitTests(values), ...targeting];
  const counted = named.flatMap((key) => activities.get(key) ?? []).map((activityId) => ({ activityId }));
  return {
    ...input,
    status,
    campaignId,
    ...(all.length === 0 ? {} : { targeting: all.length === 1 ? all[0] : { all } }),
    ...(counted.length === 0 ? {} : { countedActivities: counted }),
  };
}

/** Values of one test. */
const VALUES_MAX = 1_000;

function adUnitTests(values: readonly string[]): Input[] {
  if (values.length === 0) return [];
  const parts = Array.from({ length: Math.ceil(values.length / VALUES_MAX) }, (_, at) =>
    values.slice(at * VALUES_MAX, (at + 1) * VALUES_MAX),
  );
  const tests = parts.map((part) => ({ test: { dimension: 'AD_UNIT', values: part } }));
  return tests.length === 1 ? tests : [{ any: tests }];
}

async function creativeInput(
  api: ApiClient,
  { input: { lineItemExternalId, ...input }, file }: PlannedCreative,
  { lineItems, readPicture }: { readonly lineItems: Ids; readonly readPicture: ReadPicture },
): Promise<Input | null> {
  const lineItemId = lineItems.get(String(lineItemExternalId));
  if (lineItemId === undefined) return null;
  if (file === null) return { ...input, lineItemId };
  const address = await api.upload(await bytesOf(file, readPicture));
  const { image, html5 } = input['content'] as { readonly image?: Input; readonly html5?: Input };
  const content =
    html5 === undefined ? { image: { ...image, imageUrl: address } } : { html5: { ...html5, zipUrl: address } };
  return { ...input, lineItemId, content };
}

async function bytesOf({ name, bytes }: PlannedFile, readPicture: ReadPicture): Promise<Buffer> {
  const found = bytes ?? (await readPicture(name));
  if (found === null) throw new ImportError(`Its file "${name}" is not in the folder of pictures (--images).`);
  return found;
}

interface Creation<Of> {
  readonly objects: readonly Of[];
  /** Null: its parent could not be created. */
  readonly inputOf: (object: Of) => Input | null | Promise<Input | null>;
}

async function createMissing<Of extends PlannedObject>(
  api: ApiClient,
  kind: Kind,
  { objects, inputOf }: Creation<Of>,
): Promise<{ readonly ids: Ids; readonly applied: AppliedKind }> {
  const ids = await lookUp(
    api,
    kind,
    objects.map(({ key }) => key),
  );
  const existing = ids.size;
  const failed: { key: string; why: string }[] = [];
  const missing = objects.filter(({ key }) => !ids.has(key));
  for (let at = 0; at < missing.length; at += CREATED) {
    const rows: { readonly key: string; readonly input: Input }[] = [];
    for (const object of missing.slice(at, at + CREATED)) {
      try {
        const input = await inputOf(object);
        if (input === null) failed.push({ key: object.key, why: 'Its parent could not be created.' });
        else rows.push({ key: object.key, input });
      } catch (error) {
        if (!(error instanceof ImportError)) throw error;
        failed.push({ key: object.key, why: error.message });
      }
    }
    if (rows.length > 0) failed.push(...(await createRows(api, kind, { rows, ids })));
  }
  return { ids, applied: { kind: kind.plural, existing, created: ids.size - existing, failed } };
}

async function lookUp(api: ApiClient, { type, plural, by }: Kind, keys: readonly string[]): Promise<Ids> {
  const ids: Ids = new Map();
  for (let at = 0; at < keys.length; at += LOOKED_UP) {
    const where = { [by]: { in: keys.slice(at, at + LOOKED_UP) } };
    const data = await api.graphql<Record<string, { readonly nodes: readonly Record<string, string>[] }>>(
      `query ($where: ${type}Where) { ${plural}(first: ${LOOKED_UP}, where: $where) { nodes { id ${by} } } }`,
      { where },
    );
    for (const node of data[plural]?.nodes ?? []) ids.set(node[by] ?? '', node['id'] ?? '');
  }
  return ids;
}

interface BulkResult {
  readonly index: number;
  readonly message: string | null;
  readonly problems: readonly { readonly path: string; readonly message: string }[];
}

async function createRows(
  api: ApiClient,
  { type, plural }: Kind,
  { rows, ids }: { readonly rows: readonly { readonly key: string; readonly input: Input }[]; readonly ids: Ids },
): Promise<{ key: string; why: string }[]> {
  const single = type.charAt(0).toLowerCase() + type.slice(1);
  const mutation = `create${plural.charAt(0).toUpperCase()}${plural.slice(1)}`;
  const data = await api.graphql<
    Record<string, { readonly results: readonly (BulkResult & Record<string, { id: string } | null>)[] }>
  >(
    `mutation ($inputs: [Create${type}Input!]!) { ${mutation}(inputs: $inputs, mode: ROW_BY_ROW) {
      results { index message problems { path message } ${single} { id } } } }`,
    { inputs: rows.map(({ input }) => input) },
  );
  return (data[mutation]?.results ?? []).flatMap((result) => {
    const key = rows[result.index]?.key ?? '';
    const id = result[single]?.id;
    if (id !== undefined) {
      ids.set(key, id);
      return [];
    }
    const why = result.problems.map(({ path, message }) => `${path}: ${message}`).join(' ');
    return [{ key, why: why === '' ? (result.message ?? 'It was refused.') : why }];
  });
}

interface Found {
  readonly lineItems: Ids;
  readonly creatives: Ids;
  readonly adUnits: Ids;
}

async function importHours(api: ApiClient, { source, hours }: ImportPlan, found: Found): Promise<Applied['hours']> {
  const sums = { added: 0, unchanged: 0, differing: 0, tooOld: 0, skipped: 0 };
  const has = (ids: Ids, key: string | null): boolean => key === null || ids.has(key);
  const sendable = hours.filter(
    (hour) =>
      has(found.lineItems, hour.lineItemExternalId) &&
      has(found.creatives, hour.creativeExternalId) &&
      has(found.adUnits, hour.adUnitName),
  );
  sums.skipped = hours.length - sendable.length;
  for (let at = 0; at < sendable.length; at += HOURS) {
    const data = await api.graphql<{
      importHistory: Record<'added' | 'unchanged', number> & Record<'differing' | 'tooOld', number[]>;
    }>(
      `mutation ($source: String!, $inputs: [HistoryHourInput!]!) {
        importHistory(source: $source, inputs: $inputs) { added unchanged differing tooOld } }`,
      { source, inputs: sendable.slice(at, at + HOURS) },
    );
    const result = data.importHistory;
    sums.added += result.added;
    sums.unchanged += result.unchanged;
    sums.differing += result.differing.length;
    sums.tooOld += result.tooOld.length;
  }
  return sums;
}
