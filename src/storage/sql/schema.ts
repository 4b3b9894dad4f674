import type { ColumnType, Generated } from 'kysely';
import type { CreativeContent, ThirdPartyTrackers } from '../../domain/booking/creative.ts';
import type { Size } from '../../domain/booking/inventory.ts';
import type {
  CompanionMode,
  CountedActivity,
  CreativeRotation,
  DayPart,
  DealKind,
  DeliveryCaps,
  DeliveryStatus,
  Goal,
  LineItemType,
  Pacing,
  Roadblock,
} from '../../domain/booking/line-item.ts';
import type { FrequencyCap } from '../../domain/frequency/frequency-cap.ts';
import type { OptimisationGoal } from '../../domain/booking/optimisation-goal.ts';
import type { PricingModel } from '../../domain/pricing/pricing-models.ts';
import type { SegmentRule } from '../../domain/targeting/segment.ts';
import type { Targeting } from '../../domain/targeting/targeting.ts';
import type { Environment, NetworkStatus, Permission } from '../../domain/tenancy/workspace.ts';
import type { AccessTables } from './access-schema.ts';
import type { AnnotationTables, Annotations } from './annotation-schema.ts';
import type { BulkJobTables } from './bulk-job-schema.ts';
import type { ClusterTables } from './cluster-schema.ts';
import type { BookedPrice, BuyerKey, ProductTerms } from './product-schema.ts';
import type { QuotaTables } from './quota-schema.ts';
import type { ReportTables } from './report-schema.ts';
import type { TeamTables } from './team-schema.ts';
import type { WebhookTables } from './webhook-schema.ts';

/** bigint columns are read as bigint and written as bigint, number or decimal text. */
type Int8 = ColumnType<bigint, AnyInt8, AnyInt8>;
type AnyInt8 = bigint | number | string;
type NullableInt8 = ColumnType<bigint | null, AnyInt8 | null | undefined, AnyInt8 | null>;
type GeneratedInt8 = ColumnType<bigint, AnyInt8 | undefined, never>;
type DefaultInt8 = ColumnType<bigint, AnyInt8 | undefined, AnyInt8>;
/** timestamptz is read as Date. */
type Instant = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
type CreatedAt = ColumnType<Date, Date | string | undefined, never>;
type UpdatedAt = ColumnType<Date, Date | string | undefined, Date | string>;
/** jsonb: read parsed, written as JSON text. */
type Json<T> = ColumnType<T, string, string>;
type DefaultJson<T> = ColumnType<T, string | undefined, string>;
type Defaulted<T> = ColumnType<T, T | undefined, T>;

interface Owned {
  workspace_id: number;
  id: GeneratedInt8;
  version: Generated<number>;
  created_at: CreatedAt;
  updated_at: UpdatedAt;
  /** Actor of the last change, as the audit log names it; empty: the system. */
  updated_by: Defaulted<string>;
}

/** A booked object. */
interface Annotated extends Owned, Annotations {}

type Lifecycle = Defaulted<'ACTIVE' | 'ARCHIVED'>;

export interface NetworksTable {
  id: Int8;
  name: string;
  status: Defaulted<NetworkStatus>;
  timezone: Defaulted<string>;
  currency: Defaulted<string>;
  floor_micros: DefaultInt8;
  settings: DefaultJson<Record<string, unknown>>;
  /** The operator's ceiling for each limit; absent = the service's own limit. */
  limit_ceilings: DefaultJson<Record<string, number>>;
  closed_at: Instant;
  status_before_close: ColumnType<NetworkStatus | null, NetworkStatus | null | undefined, NetworkStatus | null>;
  delete_at: Instant;
  version: Generated<number>;
  created_at: CreatedAt;
  updated_at: UpdatedAt;
}

export interface WorkspacesTable {
  id: Generated<number>;
  network_id: Int8;
  environment: Environment;
}

export interface AdvertisersTable extends Annotated {
  name: string;
  status: Lifecycle;
  domains: Defaulted<string[]>;
  dsa_behalf: string | null;
  dsa_paid: string | null;
  exclusion_labels: Defaulted<string[]>;
  categories: Defaulted<string[]>;
  frequency_caps: DefaultJson<FrequencyCap[]>;
  credit_micros: NullableInt8;
  external_id: string | null;
}

export interface CampaignsTable extends Annotated {
  advertiser_id: Int8;
  name: string;
  status: Defaulted<DeliveryStatus>;
  starts_at: Instant;
  ends_at: Instant;
  caps: DefaultJson<Partial<DeliveryCaps>>;
  frequency_caps: DefaultJson<FrequencyCap[]>;
  external_id: string | null;
  order_number: string | null;
  salesperson: string | null;
  contacts: Defaulted<string[]>;
}

export interface AdvertisingProductsTable extends Annotated, ProductTerms {
  name: string;
  description: Defaulted<string>;
  status: Lifecycle;
}

export interface DealsTable extends Annotated {
  code: string;
  name: string;
  status: Lifecycle;
  floor_micros: DefaultInt8;
  kind: Defaulted<DealKind>;
  fixed_price_micros: NullableInt8;
  seats: Defaulted<string[]>;
}

export interface LineItemsTable extends Annotated, BookedPrice {
  campaign_id: Int8;
  deal_id: NullableInt8;
  advertising_product_id: NullableInt8;
  name: string;
  status: Defaulted<DeliveryStatus>;
  type: LineItemType;
  level: Defaulted<number>;
  share_percent: number | null;
  goal: ColumnType<Goal | null, string | null | undefined, string | null>;
  pacing: Defaulted<Pacing>;
  pricing_model: Defaulted<PricingModel>;
  price_micros: DefaultInt8;
  caps: DefaultJson<Partial<DeliveryCaps>>;
  frequency_caps: DefaultJson<FrequencyCap[]>;
  serve_without_user: Defaulted<boolean>;
  pause_after_goal: Defaulted<boolean>;
  starts_at: Instant;
  ends_at: Instant;
  timezone: string | null;
  day_parts: DefaultJson<DayPart[]>;
  targeting: ColumnType<Targeting | null, string | null | undefined, string | null>;
  creative_rotation: Defaulted<CreativeRotation>;
  roadblock: Defaulted<Roadblock>;
  companion_mode: Defaulted<CompanionMode>;
  exclusion_labels: Defaulted<string[]>;
  counted_activities: DefaultJson<CountedActivity[]>;
  representative_percent: number | null;
  optimisation_goal: OptimisationGoal | null;
  external_id: string | null;
}

/** A creative of an advertiser; the rows of `creatives` that name it follow it. */
export interface LibraryCreativesTable extends Annotated {
  advertiser_id: Int8;
  name: string;
  status: Lifecycle;
  review_state: Defaulted<'PENDING' | 'APPROVED' | 'REJECTED'>;
  review_reason: string | null;
  format: CreativeContent['format'];
  width: Defaulted<number>;
  height: Defaulted<number>;
  content: Json<CreativeContent>;
  click_url: string;
  trackers: DefaultJson<Partial<ThirdPartyTrackers>>;
  secure: Defaulted<boolean>;
  attributes: Defaulted<number[]>;
  language: string | null;
  external_id: string | null;
}

export interface CreativesTable extends Annotated {
  line_item_id: Int8;
  master_creative_id: NullableInt8;
  /** The library creative that it follows; null: it has content of its own. */
  library_creative_id: NullableInt8;
  name: string;
  status: Defaulted<'ACTIVE' | 'PAUSED' | 'ARCHIVED'>;
  review_state: Defaulted<'PENDING' | 'APPROVED' | 'REJECTED'>;
  review_reason: Generated<string | null>;
  format: CreativeContent['format'];
  width: Defaulted<number>;
  height: Defaulted<number>;
  content: Json<CreativeContent>;
  click_url: string;
  trackers: DefaultJson<Partial<ThirdPartyTrackers>>;
  weight: Defaulted<number>;
  starts_at: Instant;
  ends_at: Instant;
  secure: Defaulted<boolean>;
  attributes: Defaulted<number[]>;
  language: string | null;
  frequency_caps: DefaultJson<FrequencyCap[]>;
  external_id: string | null;
}

export interface SitesTable extends Annotated {
  code: string;
  name: string;
  domain: string;
  status: Lifecycle;
}

export interface AreasTable extends Annotated {
  site_id: Int8;
  code: string;
  name: string;
  status: Lifecycle;
}

export interface AdUnitsTable extends Annotated {
  site_id: Int8;
  area_id: NullableInt8;
  name: string;
  sizes: DefaultJson<Size[]>;
  media_types: Defaulted<string[]>;
  status: Lifecycle;
  floor_micros: DefaultInt8;
}

export interface ActivitiesTable extends Annotated {
  actgid: string;
  name: string;
  status: Lifecycle;
  click_window_seconds: Defaulted<number>;
  view_window_seconds: Defaulted<number>;
  repeat_interval_seconds: Defaulted<number>;
  advertiser_id: NullableInt8;
  accepts_pixel: Defaulted<boolean>;
}

export interface KeyValuesTable extends Annotated {
  key: string;
  name: string;
  description: Defaulted<string>;
  values: Defaulted<string[]>;
  reportable: Defaulted<boolean>;
  status: Lifecycle;
}

export interface SegmentsTable extends Annotated {
  name: string;
  description: Defaulted<string>;
  status: Lifecycle;
  /** Days that a member stays when an upload does not say. */
  membership_days: Defaulted<number>;
  /** Counts up when the members are replaced. */
  generation: Defaulted<number>;
  /** The last generation that an upload began to write. */
  reserved_generation: Defaulted<number>;
  member_count: DefaultInt8;
  uploaded_at: Instant;
  /** Changing it counts the generation up (a trigger does). */
  rule: ColumnType<SegmentRule | null, string | null | undefined, string | null>;
}

export interface FloorsTable extends Annotated {
  name: string;
  status: Lifecycle;
  priority: Defaulted<number>;
  floor_micros: Int8;
  site_id: NullableInt8;
  area_id: NullableInt8;
  ad_unit_id: NullableInt8;
  deal_id: NullableInt8;
  sizes: DefaultJson<Size[]>;
  media_types: Defaulted<string[]>;
  countries: Defaulted<string[]>;
}

export interface ApiKeysTable extends BuyerKey {
  workspace_id: number;
  id: GeneratedInt8;
  name: string;
  permission: Permission;
  /** null = all modules; BUYER: the key of a buyer. */
  modules: string[] | null;
  digest: Buffer;
  prefix: string;
  last_four: string;
  ip_allowlist: Defaulted<string[]>;
  expires_at: Instant;
  revoked_at: Instant;
  last_used_at: Instant;
  created_by: string;
  created_at: CreatedAt;
}

export interface HeaderCredentialsTable {
  workspace_id: number;
  id: GeneratedInt8;
  name: string;
  login: string;
  token_digest: Buffer;
  disabled_at: Instant;
  last_used_at: Instant;
  created_by: string;
  created_at: CreatedAt;
}

export interface UsersTable {
  id: GeneratedInt8;
  email: string;
  name: string;
  password_hash: string | null;
  operator: Defaulted<boolean>;
  disabled_at: Instant;
  version: Generated<number>;
  created_at: CreatedAt;
  updated_at: UpdatedAt;
}

export interface MembershipsTable {
  user_id: Int8;
  network_id: Int8;
  role: 'viewer' | 'editor' | 'admin';
  created_at: CreatedAt;
}

export interface IdempotentResponsesTable {
  workspace_id: number;
  key: string;
  /** SHA-256 of the request. */
  request_hash: Buffer;
  answer: Json<unknown>;
  created_at: ColumnType<Date, Date, Date>;
}

export interface ContextModelsTable {
  workspace_id: number;
  made_at: ColumnType<Date, Date, Date>;
  /** When the analytics store had received the last events that it was trained on. */
  trained_to: ColumnType<Date, Date, Date>;
  /** `PublishedContextModel` of delivery. */
  weights: Json<unknown>;
  /** As in `PublishedContextModel`. */
  maturities: ColumnType<unknown, string | undefined, string>;
  /** Of its trainer. */
  state: Uint8Array;
}

export interface AllocationPlansTable {
  workspace_id: number;
  made_at: ColumnType<Date, Date, Date>;
  /** `PublishedPlan` of delivery. */
  plan: Json<unknown>;
}

export interface TrafficCurvesTable {
  workspace_id: number;
  /** `lineItem`: the traffic that one line item targets, on any site. */
  place: 'site' | 'area' | 'adUnit' | 'lineItem';
  /** The site 0 = all sites together. */
  place_id: Int8;
  requests_per_hour: number;
  timezone: string;
  /** By hour of the local week from Monday 00:00, mean 1. */
  weights: number[];
  computed_at: ColumnType<Date, Date, Date>;
}

interface AccountTables extends AccessTables, QuotaTables, TeamTables {}
interface WorkTables extends BulkJobTables, ClusterTables, ReportTables, WebhookTables {}

/** Every table of PostgreSQL, as Kysely sees it. One module owns each; others may read. */
export interface Database extends AccountTables, AnnotationTables, WorkTables {
  networks: NetworksTable;
  workspaces: WorkspacesTable;
  advertisers: AdvertisersTable;
  campaigns: CampaignsTable;
  advertising_products: AdvertisingProductsTable;
  deals: DealsTable;
  line_items: LineItemsTable;
  creatives: CreativesTable;
  library_creatives: LibraryCreativesTable;
  sites: SitesTable;
  areas: AreasTable;
  ad_units: AdUnitsTable;
  activities: ActivitiesTable;
  key_values: KeyValuesTable;
  segments: SegmentsTable;
  floors: FloorsTable;
  api_keys: ApiKeysTable;
  header_credentials: HeaderCredentialsTable;
  users: UsersTable;
  memberships: MembershipsTable;
  idempotent_answers: IdempotentResponsesTable;
  traffic_curves: TrafficCurvesTable;
  allocation_plans: AllocationPlansTable;
  context_models: ContextModelsTable;
}
