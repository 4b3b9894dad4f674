import type {
  Channel,
  CoBranding,
  CountingParty,
  CreativeFormat,
  CustomFieldType,
  LandingPage,
  MediaType,
  PricingModel,
  ProductDelivery,
  TargetingDimension,
} from '../../../../sdk/client/src/schema.ts';
import type { ListPage, ListSort, NamedChoice } from './desk-list.ts';
import { askGraphql } from '../transport/graphql.ts';
import type { Scope } from '../transport/scope.ts';
import { TARGETING_FIELDS, type TargetingTree } from './targeting.ts';

export type {
  Channel,
  CoBranding,
  CountingParty,
  CreativeFormat,
  CustomFieldType,
  LandingPage,
  MediaType,
  PricingModel,
  ProductDelivery,
};

/** The names of an enumeration: a new value of it does not compile until it is here. */
const namesOf = <Value extends string>(values: Readonly<Record<Value, true>>): readonly Value[] =>
  Object.keys(values) as Value[];

/** Media channels, as the API names them. */
export const CHANNEL_NAMES = namesOf<Channel>({
  DISPLAY: true,
  ONLINE_VIDEO: true,
  CONNECTED_TV: true,
  STREAMING_AUDIO: true,
  PODCAST: true,
  DIGITAL_OUT_OF_HOME: true,
  GAMING: true,
  EMAIL: true,
  RETAIL_MEDIA: true,
});
/** Dimensions of targeting, as the API names them. */
export const DIMENSION_NAMES = namesOf<TargetingDimension>({
  SITE: true,
  AREA: true,
  AD_UNIT: true,
  POSITION: true,
  SIZE: true,
  PAGE_URL: true,
  DOMAIN: true,
  KEYWORD: true,
  KEY_VALUE: true,
  COUNTRY: true,
  REGION: true,
  CITY: true,
  DEVICE_TYPE: true,
  OS: true,
  BROWSER: true,
  LANGUAGE: true,
  BROWSER_LANGUAGE: true,
  SEGMENT: true,
  DAY_PART: true,
  DEAL: true,
  MEDIA_TYPE: true,
});

/** A way to pay for a product. Money is exact text. */
export interface ProductPrice {
  readonly id: string;
  readonly pricingModel: PricingModel;
  readonly price: string | null;
  readonly floor: string | null;
  readonly sharePercent: number | null;
  readonly minimumSpend: string | null;
  readonly advertiserIds: readonly string[];
}

/** What every object of the catalogue has. */
export interface CatalogRow {
  readonly id: string;
  readonly name: string;
  readonly version: number;
  readonly status: 'ACTIVE' | 'PAUSED' | 'ARCHIVED';
  /** Empty for kinds without labels. */
  readonly labels: readonly string[];
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly updatedBy: string;
}

export interface AdSize {
  readonly width: number;
  readonly height: number;
}

/** A creative of a line item, or of the library. */
export interface ShownAd extends AdSize {
  readonly format: CreativeFormat;
  readonly reviewState: 'PENDING' | 'APPROVED' | 'REJECTED';
  readonly clickUrl: string;
  /** A signed address that shows it. */
  readonly preview: { readonly url: string };
}

/** What makes members of a segment: any of the conditions is enough. Exactly one field of each is set. */
export interface SegmentRule {
  readonly any: readonly {
    readonly keyValue: { readonly key: string; readonly values: readonly string[] } | null;
    readonly activity: { readonly activityId: string; readonly event: string | null } | null;
  }[];
}

/** A rule as it is saved. */
export interface SegmentRuleInput {
  readonly any: readonly (
    | { readonly keyValue: { readonly key: string; readonly values: readonly string[] } }
    | { readonly activity: { readonly activityId: string; readonly event?: string } }
  )[];
}

/** The objects of each kind, as tables and panels show them. Money is exact text. */
export interface CatalogRows {
  readonly advertisers: CatalogRow & {
    readonly domains: readonly string[];
    readonly categories: readonly string[];
    readonly credit: string | null;
    readonly delivery: {
      readonly lifetime: { readonly spend: string };
      readonly today: { readonly impressions: number };
    } | null;
  };
  readonly creatives: CatalogRow & ShownAd & { readonly weight: number; readonly lineItem: NamedChoice | null };
  readonly libraryCreatives: CatalogRow &
    ShownAd & { readonly advertiser: NamedChoice | null; readonly associations: { readonly totalCount: number } };
  readonly sites: CatalogRow & {
    readonly code: string;
    readonly domain: string;
    readonly adUnits: { readonly totalCount: number };
  };
  readonly adUnits: CatalogRow & {
    readonly floor: string;
    readonly sizes: readonly AdSize[];
    readonly mediaTypes: readonly string[];
    readonly site: NamedChoice | null;
    readonly area: NamedChoice | null;
    readonly areaId: string | null;
  };
  readonly areas: CatalogRow & {
    readonly code: string;
    readonly site: NamedChoice | null;
    readonly adUnits: { readonly totalCount: number };
  };
  readonly floors: CatalogRow & {
    readonly floor: string;
    readonly priority: number;
    readonly countries: readonly string[];
    readonly sizes: readonly AdSize[];
    readonly mediaTypes: readonly string[];
    readonly siteId: string | null;
    readonly areaId: string | null;
    readonly adUnitId: string | null;
    readonly dealId: string | null;
    readonly site: NamedChoice | null;
    readonly area: NamedChoice | null;
    readonly adUnit: NamedChoice | null;
    readonly deal: NamedChoice | null;
  };
  readonly deals: CatalogRow & {
    readonly code: string;
    readonly kind: 'PRIVATE' | 'PROGRAMMATIC_GUARANTEED';
    readonly floor: string;
    readonly fixedPrice: string | null;
    readonly seats: readonly string[];
  };
  readonly segments: CatalogRow & {
    readonly description: string;
    readonly membershipDays: number;
    readonly sizeEstimate: number;
    readonly uploadedAt: string | null;
    /** Read with one object alone. Null: uploads only. */
    readonly rule?: SegmentRule | null;
  };
  readonly activities: CatalogRow & {
    readonly actgid: string;
    readonly advertiser: NamedChoice | null;
    readonly advertiserId: string | null;
    readonly clickWindowSeconds: number;
    readonly viewWindowSeconds: number;
    readonly acceptsPixel: boolean;
  };
  readonly keyValues: CatalogRow & {
    readonly key: string;
    readonly description: string;
    readonly values: readonly string[];
    readonly reportable: boolean;
  };
  readonly advertisingProducts: CatalogRow & {
    readonly description: string;
    readonly delivery: ProductDelivery;
    readonly channels: readonly Channel[];
    readonly priceOptions: readonly ProductPrice[];
    readonly minimumSpend: string | null;
    readonly minimumDays: number | null;
    readonly maximumDays: number | null;
    readonly leadTimeHours: number;
    readonly cancellationNoticeDays: number;
    readonly offeredToBuyers: boolean;
    readonly offeredAdvertiserIds: readonly string[];
    /** Read with one object alone. */
    readonly targeting?: TargetingTree | null;
  };
  readonly targetingPresets: CatalogRow & {
    readonly description: string;
    /** Read with one object alone. */
    readonly targeting?: TargetingTree;
  };
  readonly teams: CatalogRow & { readonly description: string; readonly members: readonly string[] };
  readonly customFields: CatalogRow & {
    readonly key: string;
    readonly type: CustomFieldType;
    readonly choices: readonly string[];
    readonly kinds: readonly string[];
    readonly description: string;
  };
}

export type CatalogKind = keyof CatalogRows;

/** The names of a kind in the schema, and the members that are read. */
interface SchemaRow {
  readonly type: string;
  readonly one: string;
  readonly fields: string;
  /** Members that are read with one object alone. */
  readonly alone?: string;
  /** Its objects have no labels. */
  readonly isUnlabelled?: true;
}

const NAMED = '{ id name }';

export const CATALOG_SCHEMA: Readonly<Record<CatalogKind, SchemaRow>> = {
  advertisers: {
    type: 'Advertiser',
    one: 'advertiser',
    fields: 'domains categories credit delivery { lifetime { spend } today { impressions } }',
  },
  creatives: {
    type: 'Creative',
    one: 'creative',
    fields: `format width height reviewState clickUrl weight preview { url } lineItem ${NAMED}`,
  },
  libraryCreatives: {
    type: 'LibraryCreative',
    one: 'libraryCreative',
    fields: `format width height reviewState clickUrl preview { url } advertiser ${NAMED}
      associations(first: 1, where: { status: { in: [ACTIVE, PAUSED] } }) { totalCount }`,
  },
  sites: { type: 'Site', one: 'site', fields: 'code domain adUnits { totalCount }' },
  adUnits: {
    type: 'AdUnit',
    one: 'adUnit',
    fields: `floor sizes { width height } mediaTypes site ${NAMED} area ${NAMED} areaId`,
  },
  areas: { type: 'Area', one: 'area', fields: `code site ${NAMED} adUnits { totalCount }` },
  floors: {
    type: 'Floor',
    one: 'floor',
    fields: `floor priority countries sizes { width height } mediaTypes siteId areaId adUnitId dealId
      site ${NAMED} area ${NAMED} adUnit ${NAMED} deal ${NAMED}`,
  },
  deals: { type: 'Deal', one: 'deal', fields: 'code kind floor fixedPrice seats' },
  segments: {
    type: 'Segment',
    one: 'segment',
    fields: 'description membershipDays sizeEstimate uploadedAt',
    alone: 'rule { any { keyValue { key values } activity { activityId event } } }',
  },
  activities: {
    type: 'Activity',
    one: 'activity',
    fields: `actgid clickWindowSeconds viewWindowSeconds acceptsPixel advertiserId advertiser ${NAMED}`,
  },
  keyValues: { type: 'KeyValue', one: 'keyValue', fields: 'key description values reportable' },
  advertisingProducts: {
    type: 'AdvertisingProduct',
    one: 'advertisingProduct',
    fields: `description delivery channels minimumSpend minimumDays maximumDays leadTimeHours cancellationNoticeDays offeredToBuyers
      offeredAdvertiserIds priceOptions { id pricingModel price floor sharePercent minimumSpend advertiserIds }`,
    alone: `targeting ${TARGETING_FIELDS} formats { format sizes { width height } durationMinMs durationMaxMs } buyerDimensions
      measurement { countedBy vendor viewabilityVendor terms }
      creativePolicy { coBranding landingPage templatesAvailable provenanceRequired terms }`,
  },
  targetingPresets: {
    type: 'TargetingPreset',
    one: 'targetingPreset',
    fields: 'description',
    alone: `targeting ${TARGETING_FIELDS}`,
    isUnlabelled: true,
  },
  teams: { type: 'Team', one: 'team', fields: 'description members', isUnlabelled: true },
  customFields: {
    type: 'CustomField',
    one: 'customField',
    fields: 'key type choices kinds description',
    isUnlabelled: true,
  },
};

function commonOf({ isUnlabelled }: SchemaRow): string {
  return `id name version status ${isUnlabelled === true ? '' : 'labels'} createdAt updatedAt updatedBy`;
}

function withLabels<Row extends CatalogRow>(row: Row): Row {
  return { ...row, labels: row.labels ?? [] };
}

/** Which objects of a kind. */
export interface CatalogFilter {
  readonly search?: string;
  readonly statuses?: readonly CatalogRow['status'][];
  readonly ids?: readonly string[];
  readonly reviewStates?: readonly string[];
  readonly siteIds?: readonly string[];
}

/** Which page of a kind. */
export interface CatalogRequest {
  readonly filter: CatalogFilter;
  readonly sort: ListSort;
  readonly first: number;
  readonly after: string | null;
}

interface ConnectionBody<Row> {
  readonly nodes: readonly Row[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
  readonly totalCount?: number;
}

/** Reads a page of the objects of a kind. */
export async function loadCatalog<Kind extends CatalogKind>(
  scope: Scope,
  kind: Kind,
  request: CatalogRequest,
  signal?: AbortSignal,
): Promise<ListPage<CatalogRows[Kind]>> {
  const { type, fields } = CATALOG_SCHEMA[kind];
  const query = `query Catalog_${kind}($filter: ${type}Filter, $sort: SortInput, $first: Int, $after: String, $counted: Boolean!) {
    list: ${kind}(filter: $filter, sort: $sort, first: $first, after: $after) {
      nodes { ${commonOf(CATALOG_SCHEMA[kind])} ${fields} } pageInfo { hasNextPage endCursor } totalCount @include(if: $counted) } }`;
  const variables = { ...request, counted: request.after === null };
  const { list } = await askGraphql<{ list: ConnectionBody<CatalogRows[Kind]> }>(scope, query, variables, signal);
  return {
    rows: list.nodes.map(withLabels),
    endCursor: list.pageInfo.hasNextPage ? list.pageInfo.endCursor : null,
    totalCount: list.totalCount ?? null,
  };
}

/** Reads one object; null when the network has none of this id. */
export async function loadCatalogObject<Kind extends CatalogKind>(
  scope: Scope,
  kind: Kind,
  id: string,
  signal: AbortSignal,
): Promise<CatalogRows[Kind] | null> {
  const { one, fields, alone = '' } = CATALOG_SCHEMA[kind];
  const query = `query CatalogObject($id: ID!) { found: ${one}(id: $id) { ${commonOf(CATALOG_SCHEMA[kind])} ${fields} ${alone} } }`;
  const { found } = await askGraphql<{ found: CatalogRows[Kind] | null }>(scope, query, { id }, signal);
  return found === null ? null : withLabels(found);
}

/** Fields to set, by name. */
export type CatalogInput = Readonly<Record<string, unknown>>;

/** Creates an object, or changes one at the version that was read. @param at null creates one @returns its id */
export async function saveCatalogObject(
  scope: Scope,
  kind: CatalogKind,
  input: CatalogInput,
  at: { readonly id: string; readonly version: number } | null,
): Promise<string> {
  const { type, one } = CATALOG_SCHEMA[kind];
  const query =
    at === null
      ? `mutation CatalogCreate($input: Create${type}Input!) { done: create${type}(input: $input) { object: ${one} { id } } }`
      : `mutation CatalogUpdate($input: Update${type}Input!, $id: ID!, $version: Int) {
          done: update${type}(id: $id, version: $version, input: $input) { object: ${one} { id } } }`;
  const { done } = await askGraphql<{ done: { object: { id: string } | null } }>(scope, query, { input, ...at });
  return done.object?.id ?? at?.id ?? '';
}
