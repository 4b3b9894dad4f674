/**
 * Generated from contract/schema.graphql; do not edit. `npx vitest run src/management/schema/schema.test.ts -u` writes it.
 * Fields with arguments are functions here, so that a selection of fields knows both.
 */

/** What an advertiser counts as success; the activity pixel names it by its actgid. */
export interface Activity {
  readonly __typename: 'Activity';
  /** Whether pages may send its events without a key, to `GET /<network>/activity`. Anybody can then send them: do not bill by such events alone. */
  readonly acceptsPixel: boolean;
  /** Its id in pixels; unique in the network; cannot change. */
  readonly actgid: string;
  /** The advertiser. */
  readonly advertiser: Advertiser | null;
  /** The advertiser: only clicks and impressions of its ads are credited. null = the last click or impression of any advertiser. */
  readonly advertiserId: string | null;
  /** How long after a click it is credited; up to 90 days. */
  readonly clickWindowSeconds: number;
  /** When it was made. */
  readonly createdAt: string;
  /** Values of the custom fields of the network, by key; at most 50. The whole set is replaced. */
  readonly customFields: unknown;
  /** Decimal id, unique in its kind, in every version of the API. */
  readonly databaseId: string;
  /** Id that is unique among all types, as `node` takes it. */
  readonly globalId: string;
  /** Its id: the decimal one, or the global one where the version of the API shows global ids. */
  readonly id: string;
  /** Whether it is archived: it does not serve. */
  readonly isArchived: boolean;
  /** Labels to find it by. At most 10. */
  readonly labels: readonly string[];
  /** Name. */
  readonly name: string;
  /** Notes for people, with line breaks; at most 2000 characters. */
  readonly notes: string;
  /** The e-mail address of the member of the network who looks after it; null = nobody. */
  readonly owner: string | null;
  /** Without an order reference, a second event of a user within this time does not count; up to 30 days. */
  readonly repeatIntervalSeconds: number;
  /** Whether it is in use. */
  readonly status: Lifecycle;
  /** The team that looks after it. */
  readonly team: Team | null;
  /** The team that looks after it; null = none. */
  readonly teamId: string | null;
  /** When it was last changed. */
  readonly updatedAt: string;
  /** Who changed it last, as the audit log names them; empty: the system. */
  readonly updatedBy: string;
  /** Grows with every change; send it with an update to detect concurrent changes. */
  readonly version: number;
  /** How long after an impression it is credited when there was no click; up to 30 days. */
  readonly viewWindowSeconds: number;
}

/** The result of a bulk change of activities. */
export interface ActivityBulkPayload {
  readonly __typename: 'ActivityBulkPayload';
  /** How many rows were changed (0 when only validated, or all undone). */
  readonly changedCount: number;
  /** How many rows were wrong. */
  readonly failedCount: number;
  /** One result for each row, in the order of the input. */
  readonly results: readonly ActivityBulkResult[];
  /** The mistakes in all rows, and those of the call as a whole; empty when all is valid. */
  readonly userErrors: readonly UserError[];
}

/** The result of one row of a bulk change of activities. */
export interface ActivityBulkResult {
  readonly __typename: 'ActivityBulkResult';
  /** The object after the change; null when this row was not changed. */
  readonly activity: Activity | null;
  /** Error code of this row; null when the row is valid. */
  readonly code: UserErrorCode | null;
  /** Its index in the input, from 0. */
  readonly index: number;
  /** What to do about the error. */
  readonly message: string | null;
  /** Wrong fields of this row. */
  readonly problems: readonly FieldProblem[];
  /** The mistakes in this row; empty when it is valid. */
  readonly userErrors: readonly UserError[];
  /** Doubtful fields of this row. */
  readonly warnings: readonly FieldProblem[];
}

/** A page of a list of activities. */
export interface ActivityConnection {
  readonly __typename: 'ActivityConnection';
  /** The objects of this page, each with its cursor. */
  readonly edges: readonly ActivityEdge[];
  /** The objects of this page, without their cursors. */
  readonly nodes: readonly Activity[];
  /** The position of this page in the list. */
  readonly pageInfo: PageInfo;
  /** How many objects match the filter, over all pages. Costs a count of its own. */
  readonly totalCount: number;
}

/** The ad that an event is credited to. */
export interface ActivityCredit {
  readonly __typename: 'ActivityCredit';
  /** Its creative. */
  readonly creative: Creative | null;
  /** What the event earns, if the budgets allow it. */
  readonly earned: string;
  /** What the event earns, if the budgets allow it. With its currency. */
  readonly earnedMoney: Money | null;
  /** The contact. */
  readonly kind: ActivityCreditKind;
  /** Its line item. */
  readonly lineItem: LineItem | null;
  /** When it was seen or clicked. */
  readonly touchedAt: string;
}

/** The contact that an event is credited to. */
export type ActivityCreditKind = 'CLICK' | 'VIEW';

/** One activity in a list. */
export interface ActivityEdge {
  readonly __typename: 'ActivityEdge';
  /** Opaque position in the list, for `after` and `before`. */
  readonly cursor: string;
  /** The object. */
  readonly node: Activity;
}

/** What the activity pixel API would make of an event. Nothing is recorded. */
export interface ActivityEventInspection {
  readonly __typename: 'ActivityEventInspection';
  /** Its activity; null when it is refused. */
  readonly activity: Activity | null;
  /** The ad that it is credited to; null: none. */
  readonly credit: ActivityCredit | null;
  /** Why an accepted event is credited to no ad. */
  readonly noCredit: ActivityNoCredit | null;
  /** Whether it would be counted. */
  readonly outcome: ActivityEventOutcome;
  /** Why it is refused. */
  readonly refusal: ActivityEventRefusal | null;
  /** Segments that it makes its user a member of. */
  readonly segmentIds: readonly string[];
}

/** The outcome of an event of an activity. */
export type ActivityEventOutcome = 'ACCEPTED' | 'DUPLICATE' | 'REFUSED';

/** Why an event is refused. */
export interface ActivityEventRefusal {
  readonly __typename: 'ActivityEventRefusal';
  /** The code of the error. */
  readonly code: ErrorCode;
  /** What is wrong with which field. */
  readonly fields: readonly FieldProblem[];
  /** What to do about it. */
  readonly message: string;
}

/** Filters a list of activities. All given parts must match; a list means any of its values. */
export interface ActivityFilter {
  /** Only with one of these actgids. */
  readonly actgids?: readonly string[] | null | undefined;
  /** Only of these advertisers. */
  readonly advertiserIds?: readonly string[] | null | undefined;
  /** Only with all of these values of custom fields, such as {"region": "North"}. */
  readonly customFields?: unknown;
  /** Only these. */
  readonly ids?: readonly string[] | null | undefined;
  /** Only with one of these labels. */
  readonly labels?: readonly string[] | null | undefined;
  /** Only of these owners. */
  readonly owners?: readonly string[] | null | undefined;
  /** Only those whose name (or code, or external id) contains this text, in any case; or that have this very id. */
  readonly search?: string | null | undefined;
  /** Only with one of these statuses. */
  readonly statuses?: readonly Lifecycle[] | null | undefined;
  /** Only of these teams. */
  readonly teamIds?: readonly string[] | null | undefined;
  /** Only those changed at or after this instant. */
  readonly updatedSince?: string | null | undefined;
}

/** Why an event is credited to no ad. Later versions may add reasons. */
export type ActivityNoCredit = 'NONE_COUNTS' | 'NO_CONTACT' | 'NO_USER';

/** The order of a list of activities. */
export interface ActivityOrder {
  /** The direction; default ASC. */
  readonly direction?: SortDirection | null | undefined;
  /** What to sort by. */
  readonly field: ActivityOrderField;
}

/** What a list of activities can be sorted by. Empty values are last; empty texts are first. */
export type ActivityOrderField =
  | 'ACCEPTS_PIXEL'
  | 'ACTGID'
  | 'CLICK_WINDOW_SECONDS'
  | 'CREATED_AT'
  | 'ID'
  | 'NAME'
  | 'NOTES'
  | 'OWNER'
  | 'REPEAT_INTERVAL_SECONDS'
  | 'STATUS'
  | 'UPDATED_AT'
  | 'UPDATED_BY'
  | 'VERSION'
  | 'VIEW_WINDOW_SECONDS';

/** The result of a change of one activity. */
export interface ActivityPayload {
  readonly __typename: 'ActivityPayload';
  /** The object after the change; null when it was only validated. */
  readonly activity: Activity | null;
  /** The mistakes in the input; empty when the change was made. Where it is selected, mistakes are told of here, and not in `errors`. */
  readonly userErrors: readonly UserError[];
  /** Whether only validation was requested, so that nothing was changed. */
  readonly validatedOnly: boolean;
  /** Warnings: allowed, but probably unintended. */
  readonly warnings: readonly FieldProblem[];
}

/** A filter of activities by any field, at most 100 comparisons. All that is given must hold. */
export interface ActivityWhere {
  /** Whether pages may send its events without a key, to `GET /<network>/activity`. Anybody can then send them: do not bill by such events alone. */
  readonly acceptsPixel?: BooleanWhere | null | undefined;
  /** Its id in pixels; unique in the network; cannot change. */
  readonly actgid?: StringWhere | null | undefined;
  /** The advertiser. */
  readonly advertiser?: AdvertiserWhere | null | undefined;
  /** The advertiser: only clicks and impressions of its ads are credited. null = the last click or impression of any advertiser. */
  readonly advertiserId?: IDWhere | null | undefined;
  /** All of these. */
  readonly and?: readonly ActivityWhere[] | null | undefined;
  /** How long after a click it is credited; up to 90 days. */
  readonly clickWindowSeconds?: IntWhere | null | undefined;
  /** When it was made. */
  readonly createdAt?: DateTimeWhere | null | undefined;
  /** Its id. */
  readonly id?: IDWhere | null | undefined;
  /** Labels to find it by. At most 10. */
  readonly labels?: StringListWhere | null | undefined;
  /** Name. */
  readonly name?: StringWhere | null | undefined;
  /** None of this. */
  readonly not?: ActivityWhere | null | undefined;
  /** Notes for people, with line breaks; at most 2000 characters. */
  readonly notes?: StringWhere | null | undefined;
  /** One of these. */
  readonly or?: readonly ActivityWhere[] | null | undefined;
  /** The e-mail address of the member of the network who looks after it; null = nobody. */
  readonly owner?: StringWhere | null | undefined;
  /** Without an order reference, a second event of a user within this time does not count; up to 30 days. */
  readonly repeatIntervalSeconds?: IntWhere | null | undefined;
  /** Whether it is in use. */
  readonly status?: LifecycleWhere | null | undefined;
  /** The team that looks after it. */
  readonly team?: TeamWhere | null | undefined;
  /** The team that looks after it; null = none. */
  readonly teamId?: IDWhere | null | undefined;
  /** When it was last changed. */
  readonly updatedAt?: DateTimeWhere | null | undefined;
  /** Who changed it last. */
  readonly updatedBy?: StringWhere | null | undefined;
  /** Its version. */
  readonly version?: IntWhere | null | undefined;
  /** How long after an impression it is credited when there was no click; up to 30 days. */
  readonly viewWindowSeconds?: IntWhere | null | undefined;
}

/** A placement on a site. */
export interface AdUnit {
  readonly __typename: 'AdUnit';
  /** Its area. */
  readonly area: Area | null;
  /** Its area; null = the site as a whole. */
  readonly areaId: string | null;
  /** When it was made. */
  readonly createdAt: string;
  /** Values of the custom fields of the network, by key; at most 50. The whole set is replaced. */
  readonly customFields: unknown;
  /** Decimal id, unique in its kind, in every version of the API. */
  readonly databaseId: string;
  /** Lowest CPM; 0 = none. */
  readonly floor: string;
  /** Lowest CPM; 0 = none. With its currency. */
  readonly floorMoney: Money;
  /** Id that is unique among all types, as `node` takes it. */
  readonly globalId: string;
  /** Its id: the decimal one, or the global one where the version of the API shows global ids. */
  readonly id: string;
  /** Whether it is archived: it does not serve. */
  readonly isArchived: boolean;
  /** Labels to find it by. At most 10. */
  readonly labels: readonly string[];
  /** What it can show. */
  readonly mediaTypes: readonly MediaType[];
  /** Its code in requests; unique in the network. */
  readonly name: string;
  /** Notes for people, with line breaks; at most 2000 characters. */
  readonly notes: string;
  /** The e-mail address of the member of the network who looks after it; null = nobody. */
  readonly owner: string | null;
  /** Its site. */
  readonly site: Site | null;
  /** Its site; cannot change. */
  readonly siteId: string;
  /** The sizes it takes, at most 50; empty = as the request says. */
  readonly sizes: readonly Size[];
  /** Whether it is in use. */
  readonly status: Lifecycle;
  /** The team that looks after it. */
  readonly team: Team | null;
  /** The team that looks after it; null = none. */
  readonly teamId: string | null;
  /** When it was last changed. */
  readonly updatedAt: string;
  /** Who changed it last, as the audit log names them; empty: the system. */
  readonly updatedBy: string;
  /** Grows with every change; send it with an update to detect concurrent changes. */
  readonly version: number;
}

/** The result of a bulk change of ad units. */
export interface AdUnitBulkPayload {
  readonly __typename: 'AdUnitBulkPayload';
  /** How many rows were changed (0 when only validated, or all undone). */
  readonly changedCount: number;
  /** How many rows were wrong. */
  readonly failedCount: number;
  /** One result for each row, in the order of the input. */
  readonly results: readonly AdUnitBulkResult[];
  /** The mistakes in all rows, and those of the call as a whole; empty when all is valid. */
  readonly userErrors: readonly UserError[];
}

/** The result of one row of a bulk change of ad units. */
export interface AdUnitBulkResult {
  readonly __typename: 'AdUnitBulkResult';
  /** The object after the change; null when this row was not changed. */
  readonly adUnit: AdUnit | null;
  /** Error code of this row; null when the row is valid. */
  readonly code: UserErrorCode | null;
  /** Its index in the input, from 0. */
  readonly index: number;
  /** What to do about the error. */
  readonly message: string | null;
  /** Wrong fields of this row. */
  readonly problems: readonly FieldProblem[];
  /** The mistakes in this row; empty when it is valid. */
  readonly userErrors: readonly UserError[];
  /** Doubtful fields of this row. */
  readonly warnings: readonly FieldProblem[];
}

/** A filter by the ad units that belong to an object. */
export interface AdUnitChildrenWhere {
  /** None of them is so. */
  readonly none?: AdUnitWhere | null | undefined;
  /** At least one of them is so. */
  readonly some?: AdUnitWhere | null | undefined;
}

/** A page of a list of ad units. */
export interface AdUnitConnection {
  readonly __typename: 'AdUnitConnection';
  /** The objects of this page, each with its cursor. */
  readonly edges: readonly AdUnitEdge[];
  /** The objects of this page, without their cursors. */
  readonly nodes: readonly AdUnit[];
  /** The position of this page in the list. */
  readonly pageInfo: PageInfo;
  /** How many objects match the filter, over all pages. Costs a count of its own. */
  readonly totalCount: number;
}

/** One ad unit in a list. */
export interface AdUnitEdge {
  readonly __typename: 'AdUnitEdge';
  /** Opaque position in the list, for `after` and `before`. */
  readonly cursor: string;
  /** The object. */
  readonly node: AdUnit;
}

/** Filters a list of ad units. All given parts must match; a list means any of its values. */
export interface AdUnitFilter {
  /** Only of these areas. */
  readonly areaIds?: readonly string[] | null | undefined;
  /** Only with all of these values of custom fields, such as {"region": "North"}. */
  readonly customFields?: unknown;
  /** Only these. */
  readonly ids?: readonly string[] | null | undefined;
  /** Only with one of these labels. */
  readonly labels?: readonly string[] | null | undefined;
  /** Only those that can show one of these. */
  readonly mediaTypes?: readonly MediaType[] | null | undefined;
  /** Only with one of these names. */
  readonly names?: readonly string[] | null | undefined;
  /** Only of these owners. */
  readonly owners?: readonly string[] | null | undefined;
  /** Only those whose name (or code, or external id) contains this text, in any case; or that have this very id. */
  readonly search?: string | null | undefined;
  /** Only of these sites. */
  readonly siteIds?: readonly string[] | null | undefined;
  /** Only with one of these statuses. */
  readonly statuses?: readonly Lifecycle[] | null | undefined;
  /** Only of these teams. */
  readonly teamIds?: readonly string[] | null | undefined;
  /** Only those changed at or after this instant. */
  readonly updatedSince?: string | null | undefined;
}

/** The order of a list of ad units. */
export interface AdUnitOrder {
  /** The direction; default ASC. */
  readonly direction?: SortDirection | null | undefined;
  /** What to sort by. */
  readonly field: AdUnitOrderField;
}

/** What a list of ad units can be sorted by. Empty values are last; empty texts are first. */
export type AdUnitOrderField =
  | 'CREATED_AT'
  | 'FLOOR'
  | 'ID'
  | 'NAME'
  | 'NOTES'
  | 'OWNER'
  | 'STATUS'
  | 'UPDATED_AT'
  | 'UPDATED_BY'
  | 'VERSION';

/** The result of a change of one ad unit. */
export interface AdUnitPayload {
  readonly __typename: 'AdUnitPayload';
  /** The object after the change; null when it was only validated. */
  readonly adUnit: AdUnit | null;
  /** The mistakes in the input; empty when the change was made. Where it is selected, mistakes are told of here, and not in `errors`. */
  readonly userErrors: readonly UserError[];
  /** Whether only validation was requested, so that nothing was changed. */
  readonly validatedOnly: boolean;
  /** Warnings: allowed, but probably unintended. */
  readonly warnings: readonly FieldProblem[];
}

/** A filter of ad units by any field, at most 100 comparisons. All that is given must hold. */
export interface AdUnitWhere {
  /** All of these. */
  readonly and?: readonly AdUnitWhere[] | null | undefined;
  /** Its area. */
  readonly area?: AreaWhere | null | undefined;
  /** Its area; null = the site as a whole. */
  readonly areaId?: IDWhere | null | undefined;
  /** When it was made. */
  readonly createdAt?: DateTimeWhere | null | undefined;
  /** Lowest CPM; 0 = none. */
  readonly floor?: DecimalWhere | null | undefined;
  /** Its id. */
  readonly id?: IDWhere | null | undefined;
  /** Labels to find it by. At most 10. */
  readonly labels?: StringListWhere | null | undefined;
  /** What it can show. */
  readonly mediaTypes?: MediaTypeListWhere | null | undefined;
  /** Its code in requests; unique in the network. */
  readonly name?: StringWhere | null | undefined;
  /** None of this. */
  readonly not?: AdUnitWhere | null | undefined;
  /** Notes for people, with line breaks; at most 2000 characters. */
  readonly notes?: StringWhere | null | undefined;
  /** One of these. */
  readonly or?: readonly AdUnitWhere[] | null | undefined;
  /** The e-mail address of the member of the network who looks after it; null = nobody. */
  readonly owner?: StringWhere | null | undefined;
  /** Its site. */
  readonly site?: SiteWhere | null | undefined;
  /** Its site; cannot change. */
  readonly siteId?: IDWhere | null | undefined;
  /** Whether it is in use. */
  readonly status?: LifecycleWhere | null | undefined;
  /** The team that looks after it. */
  readonly team?: TeamWhere | null | undefined;
  /** The team that looks after it; null = none. */
  readonly teamId?: IDWhere | null | undefined;
  /** When it was last changed. */
  readonly updatedAt?: DateTimeWhere | null | undefined;
  /** Who changed it last. */
  readonly updatedBy?: StringWhere | null | undefined;
  /** Its version. */
  readonly version?: IntWhere | null | undefined;
}

/** Who pays for campaigns, with the facts that the Digital Services Act requires. */
export interface Advertiser {
  readonly __typename: 'Advertiser';
  /** Its campaigns, by id. */
  readonly campaigns: (args?: {
    /** Cursor after which the page begins. */
    readonly after?: string | null | undefined;
    /** Size of the page, 1…100; default 25. */
    readonly first?: number | null | undefined;
    /** Only those that are so. */
    readonly where?: CampaignWhere | null | undefined;
  }) => CampaignConnection;
  /** IAB content categories, such as "IAB2-3". */
  readonly categories: readonly string[];
  /** When it was made. */
  readonly createdAt: string;
  /** The total budget; null = no limit. */
  readonly credit: string | null;
  /** The total budget; null = no limit. With its currency. */
  readonly creditMoney: Money | null;
  /** Values of the custom fields of the network, by key; at most 50. The whole set is replaced. */
  readonly customFields: unknown;
  /** Decimal id, unique in its kind, in every version of the API. */
  readonly databaseId: string;
  /** What it has delivered so far; null while the counters are unavailable. */
  readonly delivery: Delivery | null;
  /** Domains that its ads lead to, as `adomain` in bids. Domains in Unicode are stored in their form of ASCII (`xn--…`). */
  readonly domains: readonly string[];
  /** On whose behalf its ads are shown (DSA); at most 100 characters. */
  readonly dsaBehalf: string | null;
  /** Who pays for them (DSA); at most 100 characters. */
  readonly dsaPaid: string | null;
  /** Two ads that share a label never appear in one response. */
  readonly exclusionLabels: readonly string[];
  /** Id in your own system. */
  readonly externalId: string | null;
  /** Limits per user; the strictest applies. At most 20. */
  readonly frequencyCaps: readonly FrequencyCap[];
  /** Id that is unique among all types, as `node` takes it. */
  readonly globalId: string;
  /** Its id: the decimal one, or the global one where the version of the API shows global ids. */
  readonly id: string;
  /** Whether it is archived: it does not serve. */
  readonly isArchived: boolean;
  /** Labels of all its line items. Caps of the network by label (`labelCaps`) count all ads that bear one. At most 10. */
  readonly labels: readonly string[];
  /** Its creatives in the library, by id. */
  readonly libraryCreatives: (args?: {
    /** Cursor after which the page begins. */
    readonly after?: string | null | undefined;
    /** Size of the page, 1…100; default 25. */
    readonly first?: number | null | undefined;
    /** Only those that are so. */
    readonly where?: LibraryCreativeWhere | null | undefined;
  }) => LibraryCreativeConnection;
  /** Name. */
  readonly name: string;
  /** Notes for people, with line breaks; at most 2000 characters. */
  readonly notes: string;
  /** The e-mail address of the member of the network who looks after it; null = nobody. */
  readonly owner: string | null;
  /** Whether it is in use; none of its campaigns serves while ARCHIVED. */
  readonly status: Lifecycle;
  /** The team that looks after it. */
  readonly team: Team | null;
  /** The team that looks after it; null = none. */
  readonly teamId: string | null;
  /** When it was last changed. */
  readonly updatedAt: string;
  /** Who changed it last, as the audit log names them; empty: the system. */
  readonly updatedBy: string;
  /** Grows with every change; send it with an update to detect concurrent changes. */
  readonly version: number;
}

/** The result of a bulk change of advertisers. */
export interface AdvertiserBulkPayload {
  readonly __typename: 'AdvertiserBulkPayload';
  /** How many rows were changed (0 when only validated, or all undone). */
  readonly changedCount: number;
  /** How many rows were wrong. */
  readonly failedCount: number;
  /** One result for each row, in the order of the input. */
  readonly results: readonly AdvertiserBulkResult[];
  /** The mistakes in all rows, and those of the call as a whole; empty when all is valid. */
  readonly userErrors: readonly UserError[];
}

/** The result of one row of a bulk change of advertisers. */
export interface AdvertiserBulkResult {
  readonly __typename: 'AdvertiserBulkResult';
  /** The object after the change; null when this row was not changed. */
  readonly advertiser: Advertiser | null;
  /** Error code of this row; null when the row is valid. */
  readonly code: UserErrorCode | null;
  /** Its index in the input, from 0. */
  readonly index: number;
  /** What to do about the error. */
  readonly message: string | null;
  /** Wrong fields of this row. */
  readonly problems: readonly FieldProblem[];
  /** The mistakes in this row; empty when it is valid. */
  readonly userErrors: readonly UserError[];
  /** Doubtful fields of this row. */
  readonly warnings: readonly FieldProblem[];
}

/** A page of a list of advertisers. */
export interface AdvertiserConnection {
  readonly __typename: 'AdvertiserConnection';
  /** The objects of this page, each with its cursor. */
  readonly edges: readonly AdvertiserEdge[];
  /** The objects of this page, without their cursors. */
  readonly nodes: readonly Advertiser[];
  /** The position of this page in the list. */
  readonly pageInfo: PageInfo;
  /** How many objects match the filter, over all pages. Costs a count of its own. */
  readonly totalCount: number;
}

/** One advertiser in a list. */
export interface AdvertiserEdge {
  readonly __typename: 'AdvertiserEdge';
  /** Opaque position in the list, for `after` and `before`. */
  readonly cursor: string;
  /** The object. */
  readonly node: Advertiser;
}

/** Filters a list of advertisers. All given parts must match; a list means any of its values. */
export interface AdvertiserFilter {
  /** Only with all of these values of custom fields, such as {"region": "North"}. */
  readonly customFields?: unknown;
  /** Only with one of these external ids. */
  readonly externalIds?: readonly string[] | null | undefined;
  /** Only these. */
  readonly ids?: readonly string[] | null | undefined;
  /** Only with one of these labels. */
  readonly labels?: readonly string[] | null | undefined;
  /** Only of these owners. */
  readonly owners?: readonly string[] | null | undefined;
  /** Only those whose name (or code, or external id) contains this text, in any case; or that have this very id. */
  readonly search?: string | null | undefined;
  /** Only with one of these statuses. */
  readonly statuses?: readonly Lifecycle[] | null | undefined;
  /** Only of these teams. */
  readonly teamIds?: readonly string[] | null | undefined;
  /** Only those changed at or after this instant. */
  readonly updatedSince?: string | null | undefined;
}

/** The order of a list of advertisers. */
export interface AdvertiserOrder {
  /** The direction; default ASC. */
  readonly direction?: SortDirection | null | undefined;
  /** What to sort by. */
  readonly field: AdvertiserOrderField;
}

/** What a list of advertisers can be sorted by. Empty values are last; empty texts are first. */
export type AdvertiserOrderField =
  | 'CREATED_AT'
  | 'CREDIT'
  | 'DSA_BEHALF'
  | 'DSA_PAID'
  | 'EXTERNAL_ID'
  | 'ID'
  | 'NAME'
  | 'NOTES'
  | 'OWNER'
  | 'STATUS'
  | 'UPDATED_AT'
  | 'UPDATED_BY'
  | 'VERSION';

/** The result of a change of one advertiser. */
export interface AdvertiserPayload {
  readonly __typename: 'AdvertiserPayload';
  /** The object after the change; null when it was only validated. */
  readonly advertiser: Advertiser | null;
  /** The mistakes in the input; empty when the change was made. Where it is selected, mistakes are told of here, and not in `errors`. */
  readonly userErrors: readonly UserError[];
  /** Whether only validation was requested, so that nothing was changed. */
  readonly validatedOnly: boolean;
  /** Warnings: allowed, but probably unintended. */
  readonly warnings: readonly FieldProblem[];
}

/** A filter of advertisers by any field, at most 100 comparisons. All that is given must hold. */
export interface AdvertiserWhere {
  /** All of these. */
  readonly and?: readonly AdvertiserWhere[] | null | undefined;
  /** Its campaigns, by id. */
  readonly campaigns?: CampaignChildrenWhere | null | undefined;
  /** IAB content categories, such as "IAB2-3". */
  readonly categories?: StringListWhere | null | undefined;
  /** When it was made. */
  readonly createdAt?: DateTimeWhere | null | undefined;
  /** The total budget; null = no limit. */
  readonly credit?: DecimalWhere | null | undefined;
  /** Domains that its ads lead to, as `adomain` in bids. Domains in Unicode are stored in their form of ASCII (`xn--…`). */
  readonly domains?: StringListWhere | null | undefined;
  /** On whose behalf its ads are shown (DSA); at most 100 characters. */
  readonly dsaBehalf?: StringWhere | null | undefined;
  /** Who pays for them (DSA); at most 100 characters. */
  readonly dsaPaid?: StringWhere | null | undefined;
  /** Two ads that share a label never appear in one response. */
  readonly exclusionLabels?: StringListWhere | null | undefined;
  /** Id in your own system. */
  readonly externalId?: StringWhere | null | undefined;
  /** Its id. */
  readonly id?: IDWhere | null | undefined;
  /** Labels of all its line items. Caps of the network by label (`labelCaps`) count all ads that bear one. At most 10. */
  readonly labels?: StringListWhere | null | undefined;
  /** Its creatives in the library, by id. */
  readonly libraryCreatives?: LibraryCreativeChildrenWhere | null | undefined;
  /** Name. */
  readonly name?: StringWhere | null | undefined;
  /** None of this. */
  readonly not?: AdvertiserWhere | null | undefined;
  /** Notes for people, with line breaks; at most 2000 characters. */
  readonly notes?: StringWhere | null | undefined;
  /** One of these. */
  readonly or?: readonly AdvertiserWhere[] | null | undefined;
  /** The e-mail address of the member of the network who looks after it; null = nobody. */
  readonly owner?: StringWhere | null | undefined;
  /** Whether it is in use; none of its campaigns serves while ARCHIVED. */
  readonly status?: LifecycleWhere | null | undefined;
  /** The team that looks after it. */
  readonly team?: TeamWhere | null | undefined;
  /** The team that looks after it; null = none. */
  readonly teamId?: IDWhere | null | undefined;
  /** When it was last changed. */
  readonly updatedAt?: DateTimeWhere | null | undefined;
  /** Who changed it last. */
  readonly updatedBy?: StringWhere | null | undefined;
  /** Its version. */
  readonly version?: IntWhere | null | undefined;
}

/** A product of the publisher's price list: inventory, formats, prices and terms. Line items are sold as it, and reports group by it. */
export interface AdvertisingProduct {
  readonly __typename: 'AdvertisingProduct';
  /** The dimensions of targeting that a buyer may add; empty = none. */
  readonly buyerDimensions: readonly TargetingDimension[];
  /** Days from a cancellation to its effect. */
  readonly cancellationNoticeDays: number;
  /** The media channels that it is sold in. */
  readonly channels: readonly Channel[];
  /** When it was made. */
  readonly createdAt: string;
  /** What its creatives have to be like; null = nothing besides its formats. */
  readonly creativePolicy: CreativePolicy | null;
  /** Values of the custom fields of the network, by key; at most 50. The whole set is replaced. */
  readonly customFields: unknown;
  /** Decimal id, unique in its kind, in every version of the API. */
  readonly databaseId: string;
  /** Whether it promises an amount; default: NON_GUARANTEED. */
  readonly delivery: ProductDelivery;
  /** What buyers get. */
  readonly description: string;
  /** The formats that its creatives may have; empty = all that the inventory shows. At most 20. */
  readonly formats: readonly ProductFormat[];
  /** Id that is unique among all types, as `node` takes it. */
  readonly globalId: string;
  /** Its id: the decimal one, or the global one where the version of the API shows global ids. */
  readonly id: string;
  /** Whether it is archived: it does not serve. */
  readonly isArchived: boolean;
  /** Labels to find it by. At most 10. */
  readonly labels: readonly string[];
  /** Hours from a booking to its earliest start. */
  readonly leadTimeHours: number;
  /** The line items sold as it, by id. */
  readonly lineItems: (args?: {
    /** Cursor after which the page begins. */
    readonly after?: string | null | undefined;
    /** Size of the page, 1…100; default 25. */
    readonly first?: number | null | undefined;
    /** Only those that are so. */
    readonly where?: LineItemWhere | null | undefined;
  }) => LineItemConnection;
  /** Longest flight of a booking in days; null = none. */
  readonly maximumDays: number | null;
  /** How its delivery is measured; null = not agreed. */
  readonly measurement: ProductMeasurement | null;
  /** Shortest flight of a booking in days; null = none. */
  readonly minimumDays: number | null;
  /** The lowest budget of a booking; null = none. */
  readonly minimumSpend: string | null;
  /** The lowest budget of a booking; null = none. With its currency. */
  readonly minimumSpendMoney: Money | null;
  /** Name. */
  readonly name: string;
  /** Notes for people, with line breaks; at most 2000 characters. */
  readonly notes: string;
  /** The advertisers whose keys of buyers see it, by id; empty = all. At most 1000. */
  readonly offeredAdvertiserIds: readonly string[];
  /** Whether keys of buyers, such as their agents', see it and may book it. */
  readonly offeredToBuyers: boolean;
  /** The e-mail address of the member of the network who looks after it; null = nobody. */
  readonly owner: string | null;
  /** Percentiles of the prices that its bidders paid, by price option. An option is left out while fewer than 3 advertisers beside the caller's or fewer than 100 billable events are behind it, and where its price is fixed. */
  readonly priceGuidance: readonly PriceGuidance[];
  /** The ways to pay for it; empty = it has no price yet. The whole list is replaced. At most 100. */
  readonly priceOptions: readonly PriceOption[];
  /** Whether it is in use. */
  readonly status: Lifecycle;
  /** Its inventory and audiences; null = all inventory and all users. */
  readonly targeting: Targeting | null;
  /** The team that looks after it. */
  readonly team: Team | null;
  /** The team that looks after it; null = none. */
  readonly teamId: string | null;
  /** When it was last changed. */
  readonly updatedAt: string;
  /** Who changed it last, as the audit log names them; empty: the system. */
  readonly updatedBy: string;
  /** Grows with every change; send it with an update to detect concurrent changes. */
  readonly version: number;
}

/** The result of a bulk change of advertising products. */
export interface AdvertisingProductBulkPayload {
  readonly __typename: 'AdvertisingProductBulkPayload';
  /** How many rows were changed (0 when only validated, or all undone). */
  readonly changedCount: number;
  /** How many rows were wrong. */
  readonly failedCount: number;
  /** One result for each row, in the order of the input. */
  readonly results: readonly AdvertisingProductBulkResult[];
  /** The mistakes in all rows, and those of the call as a whole; empty when all is valid. */
  readonly userErrors: readonly UserError[];
}

/** The result of one row of a bulk change of advertising products. */
export interface AdvertisingProductBulkResult {
  readonly __typename: 'AdvertisingProductBulkResult';
  /** The object after the change; null when this row was not changed. */
  readonly advertisingProduct: AdvertisingProduct | null;
  /** Error code of this row; null when the row is valid. */
  readonly code: UserErrorCode | null;
  /** Its index in the input, from 0. */
  readonly index: number;
  /** What to do about the error. */
  readonly message: string | null;
  /** Wrong fields of this row. */
  readonly problems: readonly FieldProblem[];
  /** The mistakes in this row; empty when it is valid. */
  readonly userErrors: readonly UserError[];
  /** Doubtful fields of this row. */
  readonly warnings: readonly FieldProblem[];
}

/** A page of a list of advertising products. */
export interface AdvertisingProductConnection {
  readonly __typename: 'AdvertisingProductConnection';
  /** The objects of this page, each with its cursor. */
  readonly edges: readonly AdvertisingProductEdge[];
  /** The objects of this page, without their cursors. */
  readonly nodes: readonly AdvertisingProduct[];
  /** The position of this page in the list. */
  readonly pageInfo: PageInfo;
  /** How many objects match the filter, over all pages. Costs a count of its own. */
  readonly totalCount: number;
}

/** One advertising product in a list. */
export interface AdvertisingProductEdge {
  readonly __typename: 'AdvertisingProductEdge';
  /** Opaque position in the list, for `after` and `before`. */
  readonly cursor: string;
  /** The object. */
  readonly node: AdvertisingProduct;
}

/** Filters a list of advertising products. All given parts must match; a list means any of its values. */
export interface AdvertisingProductFilter {
  /** Only those that are sold in one of these channels. */
  readonly channels?: readonly Channel[] | null | undefined;
  /** Only with all of these values of custom fields, such as {"region": "North"}. */
  readonly customFields?: unknown;
  /** Only those that promise an amount, or those that do not. */
  readonly deliveries?: readonly ProductDelivery[] | null | undefined;
  /** Only these. */
  readonly ids?: readonly string[] | null | undefined;
  /** Only with one of these labels. */
  readonly labels?: readonly string[] | null | undefined;
  /** Only of these owners. */
  readonly owners?: readonly string[] | null | undefined;
  /** Only those whose name (or code, or external id) contains this text, in any case; or that have this very id. */
  readonly search?: string | null | undefined;
  /** Only with one of these statuses. */
  readonly statuses?: readonly Lifecycle[] | null | undefined;
  /** Only of these teams. */
  readonly teamIds?: readonly string[] | null | undefined;
  /** Only those changed at or after this instant. */
  readonly updatedSince?: string | null | undefined;
}

/** The order of a list of advertising products. */
export interface AdvertisingProductOrder {
  /** The direction; default ASC. */
  readonly direction?: SortDirection | null | undefined;
  /** What to sort by. */
  readonly field: AdvertisingProductOrderField;
}

/** What a list of advertising products can be sorted by. Empty values are last; empty texts are first. */
export type AdvertisingProductOrderField =
  | 'CANCELLATION_NOTICE_DAYS'
  | 'CREATED_AT'
  | 'DELIVERY'
  | 'DESCRIPTION'
  | 'ID'
  | 'LEAD_TIME_HOURS'
  | 'MAXIMUM_DAYS'
  | 'MINIMUM_DAYS'
  | 'MINIMUM_SPEND'
  | 'NAME'
  | 'NOTES'
  | 'OFFERED_TO_BUYERS'
  | 'OWNER'
  | 'STATUS'
  | 'UPDATED_AT'
  | 'UPDATED_BY'
  | 'VERSION';

/** The result of a change of one advertising product. */
export interface AdvertisingProductPayload {
  readonly __typename: 'AdvertisingProductPayload';
  /** The object after the change; null when it was only validated. */
  readonly advertisingProduct: AdvertisingProduct | null;
  /** The mistakes in the input; empty when the change was made. Where it is selected, mistakes are told of here, and not in `errors`. */
  readonly userErrors: readonly UserError[];
  /** Whether only validation was requested, so that nothing was changed. */
  readonly validatedOnly: boolean;
  /** Warnings: allowed, but probably unintended. */
  readonly warnings: readonly FieldProblem[];
}

/** A filter of advertising products by any field, at most 100 comparisons. All that is given must hold. */
export interface AdvertisingProductWhere {
  /** All of these. */
  readonly and?: readonly AdvertisingProductWhere[] | null | undefined;
  /** The dimensions of targeting that a buyer may add; empty = none. */
  readonly buyerDimensions?: TargetingDimensionListWhere | null | undefined;
  /** Days from a cancellation to its effect. */
  readonly cancellationNoticeDays?: IntWhere | null | undefined;
  /** The media channels that it is sold in. */
  readonly channels?: ChannelListWhere | null | undefined;
  /** When it was made. */
  readonly createdAt?: DateTimeWhere | null | undefined;
  /** Whether it promises an amount; default: NON_GUARANTEED. */
  readonly delivery?: ProductDeliveryWhere | null | undefined;
  /** What buyers get. */
  readonly description?: StringWhere | null | undefined;
  /** Its id. */
  readonly id?: IDWhere | null | undefined;
  /** Labels to find it by. At most 10. */
  readonly labels?: StringListWhere | null | undefined;
  /** Hours from a booking to its earliest start. */
  readonly leadTimeHours?: IntWhere | null | undefined;
  /** The line items sold as it, by id. */
  readonly lineItems?: LineItemChildrenWhere | null | undefined;
  /** Longest flight of a booking in days; null = none. */
  readonly maximumDays?: IntWhere | null | undefined;
  /** Shortest flight of a booking in days; null = none. */
  readonly minimumDays?: IntWhere | null | undefined;
  /** The lowest budget of a booking; null = none. */
  readonly minimumSpend?: DecimalWhere | null | undefined;
  /** Name. */
  readonly name?: StringWhere | null | undefined;
  /** None of this. */
  readonly not?: AdvertisingProductWhere | null | undefined;
  /** Notes for people, with line breaks; at most 2000 characters. */
  readonly notes?: StringWhere | null | undefined;
  /** Whether keys of buyers, such as their agents', see it and may book it. */
  readonly offeredToBuyers?: BooleanWhere | null | undefined;
  /** One of these. */
  readonly or?: readonly AdvertisingProductWhere[] | null | undefined;
  /** The e-mail address of the member of the network who looks after it; null = nobody. */
  readonly owner?: StringWhere | null | undefined;
  /** Whether it is in use. */
  readonly status?: LifecycleWhere | null | undefined;
  /** The team that looks after it. */
  readonly team?: TeamWhere | null | undefined;
  /** The team that looks after it; null = none. */
  readonly teamId?: IDWhere | null | undefined;
  /** When it was last changed. */
  readonly updatedAt?: DateTimeWhere | null | undefined;
  /** Who changed it last. */
  readonly updatedBy?: StringWhere | null | undefined;
  /** Its version. */
  readonly version?: IntWhere | null | undefined;
}

/** Where the caller is told of the decision, where a person decides: one message, tried again until it is accepted, in the form of the task webhooks of the Ad Context Protocol. */
export interface AgentNoticeInput {
  /** The shared secret or token, 32…1000 characters; for HMAC_SHA256 and BEARER. It is stored sealed, and deleted after the message. */
  readonly credentials?: string | null | undefined;
  /** The caller's own id, which comes back in the message; default: the request's. */
  readonly operationId?: string | null | undefined;
  /** Default: HTTP_SIGNATURE. */
  readonly scheme?: AgentNoticeScheme | null | undefined;
  /** A text that comes back in the message, 16…4096 characters. */
  readonly token?: string | null | undefined;
  /** A public https:// address. */
  readonly url: string;
}

/** How the receiver of a notice knows its sender. */
export type AgentNoticeScheme = 'BEARER' | 'HMAC_SHA256' | 'HTTP_SIGNATURE';

/** How far the notice of a decision is. */
export type AgentNoticeStatus = 'DELIVERED' | 'FAILED' | 'PENDING' | 'WAITING';

/** What a buyer's agent asked for, and what it was told. */
export interface AgentRequest {
  readonly __typename: 'AgentRequest';
  /** The advertiser that it is for. */
  readonly advertiserId: string | null;
  /** The agent, as it names itself. */
  readonly agent: string;
  /** Kind and id of the credential. */
  readonly caller: string;
  /** The campaign that it booked or changed. */
  readonly campaignId: string | null;
  /** When it came. */
  readonly createdAt: string;
  /** When it was decided. */
  readonly decidedAt: string | null;
  /** Who decided. */
  readonly decidedBy: string | null;
  /** Its id. */
  readonly id: string;
  /** How far the notice of the decision is; null: its caller wants none, or there was nothing to decide. */
  readonly noticeStatus: AgentNoticeStatus | null;
  /** Why it was rejected, or a remark. */
  readonly reason: string | null;
  /** Its arguments, without secrets. */
  readonly request: unknown;
  /** What the agent was told; null while it runs. */
  readonly response: unknown;
  /** How far it is. */
  readonly state: AgentRequestState;
  /** Terms of the booking that the campaign itself does not have, such as the buyer's own ids. */
  readonly terms: unknown;
  /** The tool that it called. */
  readonly tool: string;
  /** When it last changed. */
  readonly updatedAt: string;
}

/** What a request is to the ones before it. */
export type AgentRequestBeginning = 'CONFLICT' | 'IN_FLIGHT' | 'NEW' | 'REPLAY';

/** What a person decides about a request that waits. */
export type AgentRequestDecision = 'APPROVE' | 'REJECT';

/** The result of a change of a request. */
export interface AgentRequestPayload {
  readonly __typename: 'AgentRequestPayload';
  /** The request after it, or as it was. */
  readonly agentRequest: AgentRequest | null;
  /** The mistakes in the input; empty when the change was made. Where it is selected, mistakes are told of here, and not in `errors`. */
  readonly userErrors: readonly UserError[];
}

/** How far a request of a buyer's agent is. */
export type AgentRequestState = 'COMPLETED' | 'FAILED' | 'REJECTED' | 'RUNNING' | 'SUBMITTED';

/** An API key as listings show it; its value was shown once, at creation. */
export interface ApiKey {
  readonly __typename: 'ApiKey';
  /** The advertisers that a buyer's key is bound to, by id; empty for other keys. */
  readonly advertiserIds: readonly string[];
  /** When it was made. */
  readonly createdAt: string;
  /** Who made it. */
  readonly createdBy: string;
  /** Decimal id, unique in its kind, in every version of the API. */
  readonly databaseId: string;
  /** The environment that it opens. */
  readonly environment: Environment;
  /** When it stops working; null = never. */
  readonly expiresAt: string | null;
  /** Id that is unique among all types, as `node` takes it. */
  readonly globalId: string;
  /** Its id: the decimal one, or the global one where the version of the API shows global ids. */
  readonly id: string;
  /** Addresses it may be used from; empty = any. */
  readonly ipAllowlist: readonly string[];
  /** How its value ends. */
  readonly lastFour: string;
  /** When it was last used, at most 60 s behind. */
  readonly lastUsedAt: string | null;
  /** The modules it is limited to; null = all. */
  readonly modules: readonly Module[] | null;
  /** Name. */
  readonly name: string;
  /** What it may do. */
  readonly permission: Permission;
  /** How its value begins. */
  readonly prefix: string;
  /** When it was revoked. */
  readonly revokedAt: string | null;
  /** Whose key it is. */
  readonly scope: KeyScope;
  /** The most that keys of buyers may have booked for its advertisers together; null = no limit. Archived bookings count from their start on. */
  readonly spendLimit: string | null;
  /** The most that keys of buyers may have booked for its advertisers together; null = no limit. Archived bookings count from their start on. With its currency. */
  readonly spendLimitMoney: Money | null;
}

/** An object with a history: it is archived instead of deleted, and another status restores it. */
export interface Archivable {
  readonly __typename: 'Activity' | 'AdUnit' | 'Advertiser' | 'AdvertisingProduct' | 'Area' | 'Campaign' | 'Creative' | 'CustomField' | 'Deal' | 'Experiment' | 'Floor' | 'KeyValue' | 'LibraryCreative' | 'LineItem' | 'Segment' | 'Site' | 'TargetingPreset' | 'Team';
  /** Whether it is archived: it does not serve. */
  readonly isArchived: boolean;
  readonly on_Activity: Activity;
  readonly on_AdUnit: AdUnit;
  readonly on_Advertiser: Advertiser;
  readonly on_AdvertisingProduct: AdvertisingProduct;
  readonly on_Area: Area;
  readonly on_Campaign: Campaign;
  readonly on_Creative: Creative;
  readonly on_CustomField: CustomField;
  readonly on_Deal: Deal;
  readonly on_Experiment: Experiment;
  readonly on_Floor: Floor;
  readonly on_KeyValue: KeyValue;
  readonly on_LibraryCreative: LibraryCreative;
  readonly on_LineItem: LineItem;
  readonly on_Segment: Segment;
  readonly on_Site: Site;
  readonly on_TargetingPreset: TargetingPreset;
  readonly on_Team: Team;
}

/** A section of a site. */
export interface Area {
  readonly __typename: 'Area';
  /** Its ad units, by id. */
  readonly adUnits: (args?: {
    /** Cursor after which the page begins. */
    readonly after?: string | null | undefined;
    /** Size of the page, 1…100; default 25. */
    readonly first?: number | null | undefined;
    /** Only those that are so. */
    readonly where?: AdUnitWhere | null | undefined;
  }) => AdUnitConnection;
  /** Its value of `site.ext.area` in requests; unique in its site. */
  readonly code: string;
  /** When it was made. */
  readonly createdAt: string;
  /** Values of the custom fields of the network, by key; at most 50. The whole set is replaced. */
  readonly customFields: unknown;
  /** Decimal id, unique in its kind, in every version of the API. */
  readonly databaseId: string;
  /** Id that is unique among all types, as `node` takes it. */
  readonly globalId: string;
  /** Its id: the decimal one, or the global one where the version of the API shows global ids. */
  readonly id: string;
  /** Whether it is archived: it does not serve. */
  readonly isArchived: boolean;
  /** Labels to find it by. At most 10. */
  readonly labels: readonly string[];
  /** Name. */
  readonly name: string;
  /** Notes for people, with line breaks; at most 2000 characters. */
  readonly notes: string;
  /** The e-mail address of the member of the network who looks after it; null = nobody. */
  readonly owner: string | null;
  /** Its site. */
  readonly site: Site | null;
  /** Its site; cannot change. */
  readonly siteId: string;
  /** Whether it is in use. */
  readonly status: Lifecycle;
  /** The team that looks after it. */
  readonly team: Team | null;
  /** The team that looks after it; null = none. */
  readonly teamId: string | null;
  /** When it was last changed. */
  readonly updatedAt: string;
  /** Who changed it last, as the audit log names them; empty: the system. */
  readonly updatedBy: string;
  /** Grows with every change; send it with an update to detect concurrent changes. */
  readonly version: number;
}

/** The result of a bulk change of areas. */
export interface AreaBulkPayload {
  readonly __typename: 'AreaBulkPayload';
  /** How many rows were changed (0 when only validated, or all undone). */
  readonly changedCount: number;
  /** How many rows were wrong. */
  readonly failedCount: number;
  /** One result for each row, in the order of the input. */
  readonly results: readonly AreaBulkResult[];
  /** The mistakes in all rows, and those of the call as a whole; empty when all is valid. */
  readonly userErrors: readonly UserError[];
}

/** The result of one row of a bulk change of areas. */
export interface AreaBulkResult {
  readonly __typename: 'AreaBulkResult';
  /** The object after the change; null when this row was not changed. */
  readonly area: Area | null;
  /** Error code of this row; null when the row is valid. */
  readonly code: UserErrorCode | null;
  /** Its index in the input, from 0. */
  readonly index: number;
  /** What to do about the error. */
  readonly message: string | null;
  /** Wrong fields of this row. */
  readonly problems: readonly FieldProblem[];
  /** The mistakes in this row; empty when it is valid. */
  readonly userErrors: readonly UserError[];
  /** Doubtful fields of this row. */
  readonly warnings: readonly FieldProblem[];
}

/** A filter by the areas that belong to an object. */
export interface AreaChildrenWhere {
  /** None of them is so. */
  readonly none?: AreaWhere | null | undefined;
  /** At least one of them is so. */
  readonly some?: AreaWhere | null | undefined;
}

/** A page of a list of areas. */
export interface AreaConnection {
  readonly __typename: 'AreaConnection';
  /** The objects of this page, each with its cursor. */
  readonly edges: readonly AreaEdge[];
  /** The objects of this page, without their cursors. */
  readonly nodes: readonly Area[];
  /** The position of this page in the list. */
  readonly pageInfo: PageInfo;
  /** How many objects match the filter, over all pages. Costs a count of its own. */
  readonly totalCount: number;
}

/** One area in a list. */
export interface AreaEdge {
  readonly __typename: 'AreaEdge';
  /** Opaque position in the list, for `after` and `before`. */
  readonly cursor: string;
  /** The object. */
  readonly node: Area;
}

/** Filters a list of areas. All given parts must match; a list means any of its values. */
export interface AreaFilter {
  /** Only with one of these codes. */
  readonly codes?: readonly string[] | null | undefined;
  /** Only with all of these values of custom fields, such as {"region": "North"}. */
  readonly customFields?: unknown;
  /** Only these. */
  readonly ids?: readonly string[] | null | undefined;
  /** Only with one of these labels. */
  readonly labels?: readonly string[] | null | undefined;
  /** Only of these owners. */
  readonly owners?: readonly string[] | null | undefined;
  /** Only those whose name (or code, or external id) contains this text, in any case; or that have this very id. */
  readonly search?: string | null | undefined;
  /** Only of these sites. */
  readonly siteIds?: readonly string[] | null | undefined;
  /** Only with one of these statuses. */
  readonly statuses?: readonly Lifecycle[] | null | undefined;
  /** Only of these teams. */
  readonly teamIds?: readonly string[] | null | undefined;
  /** Only those changed at or after this instant. */
  readonly updatedSince?: string | null | undefined;
}

/** The order of a list of areas. */
export interface AreaOrder {
  /** The direction; default ASC. */
  readonly direction?: SortDirection | null | undefined;
  /** What to sort by. */
  readonly field: AreaOrderField;
}

/** What a list of areas can be sorted by. Empty values are last; empty texts are first. */
export type AreaOrderField =
  | 'CODE'
  | 'CREATED_AT'
  | 'ID'
  | 'NAME'
  | 'NOTES'
  | 'OWNER'
  | 'STATUS'
  | 'UPDATED_AT'
  | 'UPDATED_BY'
  | 'VERSION';

/** The result of a change of one area. */
export interface AreaPayload {
  readonly __typename: 'AreaPayload';
  /** The object after the change; null when it was only validated. */
  readonly area: Area | null;
  /** The mistakes in the input; empty when the change was made. Where it is selected, mistakes are told of here, and not in `errors`. */
  readonly userErrors: readonly UserError[];
  /** Whether only validation was requested, so that nothing was changed. */
  readonly validatedOnly: boolean;
  /** Warnings: allowed, but probably unintended. */
  readonly warnings: readonly FieldProblem[];
}

/** A filter of areas by any field, at most 100 comparisons. All that is given must hold. */
export interface AreaWhere {
  /** Its ad units, by id. */
  readonly adUnits?: AdUnitChildrenWhere | null | undefined;
  /** All of these. */
  readonly and?: readonly AreaWhere[] | null | undefined;
  /** Its value of `site.ext.area` in requests; unique in its site. */
  readonly code?: StringWhere | null | undefined;
  /** When it was made. */
  readonly createdAt?: DateTimeWhere | null | undefined;
  /** Its id. */
  readonly id?: IDWhere | null | undefined;
  /** Labels to find it by. At most 10. */
  readonly labels?: StringListWhere | null | undefined;
  /** Name. */
  readonly name?: StringWhere | null | undefined;
  /** None of this. */
  readonly not?: AreaWhere | null | undefined;
  /** Notes for people, with line breaks; at most 2000 characters. */
  readonly notes?: StringWhere | null | undefined;
  /** One of these. */
  readonly or?: readonly AreaWhere[] | null | undefined;
  /** The e-mail address of the member of the network who looks after it; null = nobody. */
  readonly owner?: StringWhere | null | undefined;
  /** Its site. */
  readonly site?: SiteWhere | null | undefined;
  /** Its site; cannot change. */
  readonly siteId?: IDWhere | null | undefined;
  /** Whether it is in use. */
  readonly status?: LifecycleWhere | null | undefined;
  /** The team that looks after it. */
  readonly team?: TeamWhere | null | undefined;
  /** The team that looks after it; null = none. */
  readonly teamId?: IDWhere | null | undefined;
  /** When it was last changed. */
  readonly updatedAt?: DateTimeWhere | null | undefined;
  /** Who changed it last. */
  readonly updatedBy?: StringWhere | null | undefined;
  /** Its version. */
  readonly version?: IntWhere | null | undefined;
}

/** An uploaded file. The content of a creative names it by its `url`. */
export interface Asset {
  readonly __typename: 'Asset';
  /** Mean bit rate of a sound in kbit/s. Null: the file does not say it, or was uploaded before files were measured. */
  readonly bitrateKbps: number | null;
  /** What is inside; null for any other file. */
  readonly bundle: AssetBundle | null;
  /** Its media type. */
  readonly contentType: string;
  /** Length of an MP4 video or of a sound in milliseconds. Null: the file does not say it, or was uploaded before files were measured. */
  readonly durationMs: number | null;
  /** Height in pixels. Null: the file does not say it, or was uploaded before files were measured. */
  readonly height: number | null;
  /** What it is. */
  readonly kind: AssetKind;
  /** Its bytes. */
  readonly sizeBytes: number;
  /** When it was uploaded last. */
  readonly uploadedAt: string;
  /** Its address, which never changes its meaning. */
  readonly url: string;
  /** When the clean-up last saw a creative that uses it; null: never. */
  readonly usedAt: string | null;
  /** Width in pixels; of a bundle, as its `ad.size` states it. Null: the file does not say it, or was uploaded before files were measured. */
  readonly width: number | null;
}

/** What is inside an HTML5 bundle. */
export interface AssetBundle {
  readonly __typename: 'AssetBundle';
  /** The click tag as its code has it. */
  readonly clickTag: string;
  /** Path of the page that is shown. */
  readonly entry: string;
  /** How many files there are. */
  readonly files: number;
  /** Bytes of all files, unpacked. */
  readonly unpackedBytes: number;
}

/** A page of uploaded files. */
export interface AssetConnection {
  readonly __typename: 'AssetConnection';
  /** The objects of this page, each with its cursor. */
  readonly edges: readonly AssetEdge[];
  /** The objects of this page, without their cursors. */
  readonly nodes: readonly Asset[];
  /** The position of this page in the list. */
  readonly pageInfo: PageInfo;
  /** How many objects match the filter, over all pages. Costs a count of its own. */
  readonly totalCount: number;
}

/** One uploaded file. */
export interface AssetEdge {
  readonly __typename: 'AssetEdge';
  /** Opaque position in the list, for `after` and `before`. */
  readonly cursor: string;
  /** The object. */
  readonly node: Asset;
}

/** Which files. */
export interface AssetFilter {
  /** Only of one of these heights. */
  readonly heights?: readonly number[] | null | undefined;
  /** Only of these kinds. */
  readonly kinds?: readonly AssetKind[] | null | undefined;
  /** Only of one of these widths. */
  readonly widths?: readonly number[] | null | undefined;
}

/** What an uploaded file is. */
export type AssetKind = 'AUDIO' | 'BUNDLE' | 'HTML' | 'IMAGE' | 'VIDEO';

/** A library creative in one line item, with what holds there alone. */
export interface AssociateCreativeInput {
  /** End of serving, exclusive; null = with the line item. */
  readonly endsAt?: string | null | undefined;
  /** Limits per user of this creative in this line item. */
  readonly frequencyCaps?: readonly FrequencyCapInput[] | null | undefined;
  /** The library creative. */
  readonly libraryCreativeId: string;
  /** A line item of the same advertiser. */
  readonly lineItemId: string;
  /** Start of serving; null = with the line item. */
  readonly startsAt?: string | null | undefined;
  /** Share of the draw among the creatives of the line item, 1 to 1000; default 100, or what an archived association had. */
  readonly weight?: number | null | undefined;
}

/** An audio ad: own media files, or the address of a third party's VAST tag. */
export interface AudioContent {
  readonly __typename: 'AudioContent';
  /** Length in milliseconds. */
  readonly durationMs: number;
  /** The encodings; empty with a VAST tag. */
  readonly mediaFiles: readonly AudioFile[];
  /** When it can be skipped, in milliseconds; null = never. */
  readonly skipOffsetMs: number | null;
  /** Title. */
  readonly title: string;
  /** Address of a third party's VAST tag. */
  readonly vastTagUrl: string | null;
}

/** An audio ad: media files, or a VAST tag; not both. */
export interface AudioContentInput {
  /** Length in milliseconds, up to an hour. */
  readonly durationMs: number;
  /** The encodings. */
  readonly mediaFiles?: readonly AudioFileInput[] | null | undefined;
  /** When it can be skipped, in milliseconds; absent = never. */
  readonly skipOffsetMs?: number | null | undefined;
  /** Title. */
  readonly title: string;
  /** Address of a third party's VAST tag. */
  readonly vastTagUrl?: string | null | undefined;
}

/** One encoding of an audio ad. */
export interface AudioFile {
  readonly __typename: 'AudioFile';
  /** Bit rate in kbit/s. */
  readonly bitrateKbps: number | null;
  /** Its type, such as "audio/mpeg". */
  readonly mimeType: string;
  /** Its address. */
  readonly url: string;
}

/** One encoding of an audio ad. */
export interface AudioFileInput {
  /** Bit rate in kbit/s. */
  readonly bitrateKbps?: number | null | undefined;
  /** Its type, such as "audio/mpeg". */
  readonly mimeType: string;
  /** Its address. */
  readonly url: string;
}

/** A page of the audit log. */
export interface AuditConnection {
  readonly __typename: 'AuditConnection';
  /** The objects of this page, each with its cursor. */
  readonly edges: readonly AuditEdge[];
  /** The objects of this page, without their cursors. */
  readonly nodes: readonly AuditEntry[];
  /** The position of this page in the list. */
  readonly pageInfo: PageInfo;
  /** How many objects match the filter, over all pages. Costs a count of its own. */
  readonly totalCount: number;
}

/** One entry of the audit log. */
export interface AuditEdge {
  readonly __typename: 'AuditEdge';
  /** Opaque position in the list, for `after` and `before`. */
  readonly cursor: string;
  /** The object. */
  readonly node: AuditEntry;
}

/** One recorded action. The log is append-only. */
export interface AuditEntry {
  readonly __typename: 'AuditEntry';
  /** What was done, such as `campaign.update`. */
  readonly action: string;
  /** Who did it. */
  readonly actor: string;
  /** When. */
  readonly at: string;
  /** The change of many objects that it is a part of: the value of the header `X-Placard-Change-Set` of its request; null: it stands alone. */
  readonly changeSet: string | null;
  /** How many changes of objects of this kind its change set has by the same actor; 1 where it stands alone. */
  readonly changeSetSize: number;
  /** Values before and after, and further facts. */
  readonly details: unknown;
  /** The environment; null = settings of the network, which hold for both. */
  readonly environment: Environment | null;
  /** SHA-256 over this entry and the hash of the one before. */
  readonly hash: string;
  /** Id of the object. */
  readonly objectId: string;
  /** Kind of the object. */
  readonly objectKind: string;
  /** Address of the caller. */
  readonly remoteAddress: string;
  /** Its number in the network's log; numbers grow by one. */
  readonly sequence: string;
}

/** Narrows the audit log; all given parts must hold. */
export interface AuditFilter {
  /** Exactly this action. */
  readonly action?: string | null | undefined;
  /** Exactly this actor. */
  readonly actor?: string | null | undefined;
  /** Actors with this text in them, such as an e-mail address; case does not matter. */
  readonly actorContains?: string | null | undefined;
  /** Parts of this change of many objects. */
  readonly changeSet?: string | null | undefined;
  /** At or after this instant. */
  readonly from?: string | null | undefined;
  /** The object with this id: the decimal one, or the global one, which names its kind too. */
  readonly objectId?: string | null | undefined;
  /** Objects of this kind. */
  readonly objectKind?: string | null | undefined;
  /** Before this instant. */
  readonly to?: string | null | undefined;
}

/** Sold, reserved and free impressions by day. What is left of a goal spreads evenly over the time that is left, and over the ad units that its targeting leaves, by their traffic. What its other targeting keeps from it is not known in advance: `free` and `freeUpTo` are the bounds. */
export interface Availability {
  readonly __typename: 'Availability';
  /** The days, from today on. */
  readonly days: readonly AvailableDay[];
  /** Where nothing of the inventory is free: other ad units of its sizes with free impressions, of the 5 with the most requests. */
  readonly elsewhere: readonly AvailableElsewhere[];
  /** Days of the last 28 with requests. */
  readonly historyDays: number;
  /** Who takes most, at most 50. */
  readonly lineItems: readonly AvailabilityLineItem[];
  /** Remarks, as sentences. */
  readonly notes: readonly string[];
  /** The same as data, a text for each. */
  readonly remarks: readonly DeliveryText[];
  /** Share of served ads that were shown: by it, opportunities become impressions. */
  readonly shownPercent: number;
}

/** Which inventory, and how many days. */
export interface AvailabilityInput {
  /** These ad units, at most 200. */
  readonly adUnitIds?: readonly string[] | null | undefined;
  /** Requests of these countries alone, as ISO 3166-1 alpha-2 codes, at most 200. Empty: of any. */
  readonly countries?: readonly string[] | null | undefined;
  /** How many days from today on, 1…92; default 28. */
  readonly days?: number | null | undefined;
  /** Requests of these devices alone: desktop, mobile, tablet, tv. Empty: of any. */
  readonly deviceTypes?: readonly string[] | null | undefined;
  /** All ad units of these sites. Neither: the whole network. */
  readonly siteIds?: readonly string[] | null | undefined;
}

/** What a line item takes of the inventory in these days. */
export interface AvailabilityLineItem {
  readonly __typename: 'AvailabilityLineItem';
  /** Impressions. */
  readonly impressions: number;
  /** Whether it is reserved, not active. */
  readonly isReserved: boolean;
  /** Its id. */
  readonly lineItemId: string;
  /** Its name. */
  readonly name: string;
}

/** Impressions of one day of the network’s time zone. */
export interface AvailableDay {
  readonly __typename: 'AvailableDay';
  /** The day, `YYYY-MM-DD`. */
  readonly day: string;
  /** Expected impressions: the mean of the same weekday of the last 28 days; null without history. */
  readonly expected: number | null;
  /** `expected` less both, at least 0: so much is free at least. */
  readonly free: number | null;
  /** So much is free at most: only line items that are certain to take of the asked requests count. It equals `free` where all are certain. */
  readonly freeUpTo: number | null;
  /** Its upper end. */
  readonly high: number | null;
  /** Lower end of a 95 % interval of `expected` by how such weekdays differed; null with fewer than two. */
  readonly low: number | null;
  /** What reserved ones would take. */
  readonly reserved: number;
  /** What active line items with a goal or a share of voice will take. */
  readonly sold: number;
}

/** Another ad unit with free impressions. */
export interface AvailableElsewhere {
  readonly __typename: 'AvailableElsewhere';
  /** Its id. */
  readonly adUnitId: string;
  /** Free impressions over all days, at least. */
  readonly free: number;
  /** Its name. */
  readonly name: string;
}

/** What a buyer's agent asks for. */
export interface BeginAgentRequestInput {
  /** The advertiser that it is for. */
  readonly advertiserId?: string | null | undefined;
  /** A digest of its arguments: the same for the same request. */
  readonly digest: string;
  /** The agent's own key of it, 1…255 characters. */
  readonly idempotencyKey: string;
  /** Where its caller is told of a decision; default: nowhere. */
  readonly notice?: AgentNoticeInput | null | undefined;
  /** Its arguments, without secrets. */
  readonly request: unknown;
  /** The tool, 1…60 characters. */
  readonly tool: string;
}

/** The result of a request that begins. */
export interface BeginAgentRequestPayload {
  readonly __typename: 'BeginAgentRequestPayload';
  /** The request of its key; null for a CONFLICT. */
  readonly agentRequest: AgentRequest | null;
  /** What it is to the ones before it; null when its input was refused. */
  readonly beginning: AgentRequestBeginning | null;
  /** The mistakes in the input; empty when the change was made. Where it is selected, mistakes are told of here, and not in `errors`. */
  readonly userErrors: readonly UserError[];
}

/** A booking from a product. */
export interface BookProductInput {
  /** The price that is bid over the floor of the option, in the unit of its pricing model; for options with a floor only. */
  readonly bid?: string | null | undefined;
  /** What the booking may cost. The price turns it into a quantity. Instead of `quantity`. */
  readonly budget?: string | null | undefined;
  /** The campaign that gets the line item. */
  readonly campaignId: string;
  /** End of the flight, exclusive. */
  readonly endsAt: string;
  /** Id in your own system. */
  readonly externalId?: string | null | undefined;
  /** Limits per user; default none. */
  readonly frequencyCaps?: readonly FrequencyCapInput[] | null | undefined;
  /** Name of the line item; default: that of the product. */
  readonly name?: string | null | undefined;
  /** How delivery is spread; default EVEN. */
  readonly pacing?: Pacing | null | undefined;
  /** The id of one of its price options. */
  readonly priceOptionId: string;
  /** The product. */
  readonly productId: string;
  /** How many units are booked: impressions, viewable impressions, clicks … as the option pays for. Instead of `budget`. */
  readonly quantity?: number | null | undefined;
  /** Start of the flight. */
  readonly startsAt: string;
  /** Targeting that narrows the inventory of the product, by the dimensions that it admits; default none. */
  readonly targeting?: TargetingInput | null | undefined;
}

/** The approval of a guaranteed booking: of its campaign, tier, goal, share, price and flight. Without dates of its own, its flight is that of its campaign. */
export interface BookingApproval {
  readonly __typename: 'BookingApproval';
  /** When they approved. */
  readonly approvedAt: string | null;
  /** Name of the member who approved last. */
  readonly approvedBy: string | null;
  /** Whether the caller may approve it now: it is not approved, and the caller is a signed-in admin who neither wrote it since its last approval nor asked for it. */
  readonly mayApprove: boolean;
  /** When they asked. */
  readonly requestedAt: string | null;
  /** Who asked last. */
  readonly requestedBy: string | null;
  /** How far it is. */
  readonly state: BookingApprovalState;
}

/** The result of asking for the approval of a booking, or of giving it. */
export interface BookingApprovalPayload {
  readonly __typename: 'BookingApprovalPayload';
  /** The line item. */
  readonly lineItem: LineItem | null;
  /** The mistakes in the input; empty when the change was made. Where it is selected, mistakes are told of here, and not in `errors`. */
  readonly userErrors: readonly UserError[];
}

/** How far the approval of a booking is. */
export type BookingApprovalState = 'APPROVED' | 'MISSING' | 'NOT_NEEDED' | 'REQUESTED';

/** The result of a booking from a product. */
export interface BookingPayload {
  readonly __typename: 'BookingPayload';
  /** The line item of the booking; null when nothing was booked. */
  readonly lineItem: LineItem | null;
  /** The mistakes in the input; empty when the change was made. Where it is selected, mistakes are told of here, and not in `errors`. */
  readonly userErrors: readonly UserError[];
  /** Warnings: allowed, but probably unintended. */
  readonly warnings: readonly FieldProblem[];
}

/** Comparisons of a field; all that are given must hold. */
export interface BooleanWhere {
  /** Equal to this; null: empty. */
  readonly eq?: boolean | null | undefined;
  /** None of this. */
  readonly not?: BooleanWhere | null | undefined;
}

/** What happens to the other rows when one fails. */
export type BulkMode = 'ALL_OR_NOTHING' | 'ROW_BY_ROW';

/** The result of a bulk change. */
export interface BulkPayload {
  readonly __typename: 'ActivityBulkPayload' | 'AdUnitBulkPayload' | 'AdvertiserBulkPayload' | 'AdvertisingProductBulkPayload' | 'AreaBulkPayload' | 'CampaignBulkPayload' | 'CreativeBulkPayload' | 'CustomFieldBulkPayload' | 'DealBulkPayload' | 'ExperimentBulkPayload' | 'FloorBulkPayload' | 'KeyValueBulkPayload' | 'LibraryCreativeBulkPayload' | 'LineItemBulkPayload' | 'SegmentBulkPayload' | 'SiteBulkPayload' | 'TargetingPresetBulkPayload' | 'TeamBulkPayload';
  /** How many rows were changed (0 when only validated, or all undone). */
  readonly changedCount: number;
  /** How many rows were wrong. */
  readonly failedCount: number;
  /** The mistakes in all rows, and those of the call as a whole; empty when all is valid. */
  readonly userErrors: readonly UserError[];
  readonly on_ActivityBulkPayload: ActivityBulkPayload;
  readonly on_AdUnitBulkPayload: AdUnitBulkPayload;
  readonly on_AdvertiserBulkPayload: AdvertiserBulkPayload;
  readonly on_AdvertisingProductBulkPayload: AdvertisingProductBulkPayload;
  readonly on_AreaBulkPayload: AreaBulkPayload;
  readonly on_CampaignBulkPayload: CampaignBulkPayload;
  readonly on_CreativeBulkPayload: CreativeBulkPayload;
  readonly on_CustomFieldBulkPayload: CustomFieldBulkPayload;
  readonly on_DealBulkPayload: DealBulkPayload;
  readonly on_ExperimentBulkPayload: ExperimentBulkPayload;
  readonly on_FloorBulkPayload: FloorBulkPayload;
  readonly on_KeyValueBulkPayload: KeyValueBulkPayload;
  readonly on_LibraryCreativeBulkPayload: LibraryCreativeBulkPayload;
  readonly on_LineItemBulkPayload: LineItemBulkPayload;
  readonly on_SegmentBulkPayload: SegmentBulkPayload;
  readonly on_SiteBulkPayload: SiteBulkPayload;
  readonly on_TargetingPresetBulkPayload: TargetingPresetBulkPayload;
  readonly on_TeamBulkPayload: TeamBulkPayload;
}

/** The result of one row of a bulk change. */
export interface BulkResult {
  readonly __typename: 'ActivityBulkResult' | 'AdUnitBulkResult' | 'AdvertiserBulkResult' | 'AdvertisingProductBulkResult' | 'AreaBulkResult' | 'CampaignBulkResult' | 'CreativeBulkResult' | 'CustomFieldBulkResult' | 'DealBulkResult' | 'ExperimentBulkResult' | 'FloorBulkResult' | 'KeyValueBulkResult' | 'LibraryCreativeBulkResult' | 'LineItemBulkResult' | 'SegmentBulkResult' | 'SiteBulkResult' | 'TargetingPresetBulkResult' | 'TeamBulkResult';
  /** Error code of this row; null when the row is valid. */
  readonly code: UserErrorCode | null;
  /** Its index in the input, from 0. */
  readonly index: number;
  /** What to do about the error. */
  readonly message: string | null;
  /** Wrong fields of this row. */
  readonly problems: readonly FieldProblem[];
  /** The mistakes in this row; empty when it is valid. */
  readonly userErrors: readonly UserError[];
  /** Doubtful fields of this row. */
  readonly warnings: readonly FieldProblem[];
  readonly on_ActivityBulkResult: ActivityBulkResult;
  readonly on_AdUnitBulkResult: AdUnitBulkResult;
  readonly on_AdvertiserBulkResult: AdvertiserBulkResult;
  readonly on_AdvertisingProductBulkResult: AdvertisingProductBulkResult;
  readonly on_AreaBulkResult: AreaBulkResult;
  readonly on_CampaignBulkResult: CampaignBulkResult;
  readonly on_CreativeBulkResult: CreativeBulkResult;
  readonly on_CustomFieldBulkResult: CustomFieldBulkResult;
  readonly on_DealBulkResult: DealBulkResult;
  readonly on_ExperimentBulkResult: ExperimentBulkResult;
  readonly on_FloorBulkResult: FloorBulkResult;
  readonly on_KeyValueBulkResult: KeyValueBulkResult;
  readonly on_LibraryCreativeBulkResult: LibraryCreativeBulkResult;
  readonly on_LineItemBulkResult: LineItemBulkResult;
  readonly on_SegmentBulkResult: SegmentBulkResult;
  readonly on_SiteBulkResult: SiteBulkResult;
  readonly on_TargetingPresetBulkResult: TargetingPresetBulkResult;
  readonly on_TeamBulkResult: TeamBulkResult;
}

/** The caller. */
export interface Caller {
  readonly __typename: 'Caller';
  /** How the audit log names them. */
  readonly actor: string;
  /** The environment they work in. */
  readonly environment: Environment;
  /** The modules they are limited to; null = all. */
  readonly modules: readonly Module[] | null;
  /** The network they work in. */
  readonly networkId: string;
  /** What they may do. */
  readonly permission: Permission;
}

/** An order of an advertiser: line items serve only while their campaign is ACTIVE, in its flight, and within its caps. */
export interface Campaign {
  readonly __typename: 'Campaign';
  /** The advertiser. */
  readonly advertiser: Advertiser | null;
  /** The advertiser; cannot change. */
  readonly advertiserId: string;
  /** Hard limits per day and in total. */
  readonly caps: DeliveryCaps;
  /** People of the order outside of the network, such as "Ann Lee, ann@example.com". At most 20. */
  readonly contacts: readonly string[];
  /** When it was made. */
  readonly createdAt: string;
  /** Values of the custom fields of the network, by key; at most 50. The whole set is replaced. */
  readonly customFields: unknown;
  /** Decimal id, unique in its kind, in every version of the API. */
  readonly databaseId: string;
  /** What it has delivered so far; null while the counters are unavailable. */
  readonly delivery: Delivery | null;
  /** End of serving, exclusive; null = open-ended. */
  readonly endsAt: string | null;
  /** Id in your own system. */
  readonly externalId: string | null;
  /** Limits per user; the strictest applies. At most 20. */
  readonly frequencyCaps: readonly FrequencyCap[];
  /** Id that is unique among all types, as `node` takes it. */
  readonly globalId: string;
  /** Its id: the decimal one, or the global one where the version of the API shows global ids. */
  readonly id: string;
  /** Whether it is archived: it does not serve. */
  readonly isArchived: boolean;
  /** Labels of all its line items. Caps of the network by label (`labelCaps`) count all ads that bear one. At most 10. */
  readonly labels: readonly string[];
  /** Its line items, by id. */
  readonly lineItems: (args?: {
    /** Cursor after which the page begins. */
    readonly after?: string | null | undefined;
    /** Size of the page, 1…100; default 25. */
    readonly first?: number | null | undefined;
    /** Only those that are so. */
    readonly where?: LineItemWhere | null | undefined;
  }) => LineItemConnection;
  /** Name. */
  readonly name: string;
  /** Notes for people, with line breaks; at most 2000 characters. */
  readonly notes: string;
  /** Number of the order, as invoices name it. */
  readonly orderNumber: string | null;
  /** The e-mail address of the member of the network who looks after it; null = nobody. */
  readonly owner: string | null;
  /** The e-mail address of the member of the network who sold the order; null = nobody. */
  readonly salesperson: string | null;
  /** Start of serving; null = at once. */
  readonly startsAt: string | null;
  /** Status; DRAFT at first. */
  readonly status: DeliveryStatus;
  /** The team that looks after it. */
  readonly team: Team | null;
  /** The team that looks after it; null = none. */
  readonly teamId: string | null;
  /** When it was last changed. */
  readonly updatedAt: string;
  /** Who changed it last, as the audit log names them; empty: the system. */
  readonly updatedBy: string;
  /** Grows with every change; send it with an update to detect concurrent changes. */
  readonly version: number;
}

/** The result of a bulk change of campaigns. */
export interface CampaignBulkPayload {
  readonly __typename: 'CampaignBulkPayload';
  /** How many rows were changed (0 when only validated, or all undone). */
  readonly changedCount: number;
  /** How many rows were wrong. */
  readonly failedCount: number;
  /** One result for each row, in the order of the input. */
  readonly results: readonly CampaignBulkResult[];
  /** The mistakes in all rows, and those of the call as a whole; empty when all is valid. */
  readonly userErrors: readonly UserError[];
}

/** The result of one row of a bulk change of campaigns. */
export interface CampaignBulkResult {
  readonly __typename: 'CampaignBulkResult';
  /** The object after the change; null when this row was not changed. */
  readonly campaign: Campaign | null;
  /** Error code of this row; null when the row is valid. */
  readonly code: UserErrorCode | null;
  /** Its index in the input, from 0. */
  readonly index: number;
  /** What to do about the error. */
  readonly message: string | null;
  /** Wrong fields of this row. */
  readonly problems: readonly FieldProblem[];
  /** The mistakes in this row; empty when it is valid. */
  readonly userErrors: readonly UserError[];
  /** Doubtful fields of this row. */
  readonly warnings: readonly FieldProblem[];
}

/** A filter by the campaigns that belong to an object. */
export interface CampaignChildrenWhere {
  /** None of them is so. */
  readonly none?: CampaignWhere | null | undefined;
  /** At least one of them is so. */
  readonly some?: CampaignWhere | null | undefined;
}

/** A page of a list of campaigns. */
export interface CampaignConnection {
  readonly __typename: 'CampaignConnection';
  /** The objects of this page, each with its cursor. */
  readonly edges: readonly CampaignEdge[];
  /** The objects of this page, without their cursors. */
  readonly nodes: readonly Campaign[];
  /** The position of this page in the list. */
  readonly pageInfo: PageInfo;
  /** How many objects match the filter, over all pages. Costs a count of its own. */
  readonly totalCount: number;
}

/** One campaign in a list. */
export interface CampaignEdge {
  readonly __typename: 'CampaignEdge';
  /** Opaque position in the list, for `after` and `before`. */
  readonly cursor: string;
  /** The object. */
  readonly node: Campaign;
}

/** Filters a list of campaigns. All given parts must match; a list means any of its values. */
export interface CampaignFilter {
  /** Only of these advertisers. */
  readonly advertiserIds?: readonly string[] | null | undefined;
  /** Only with all of these values of custom fields, such as {"region": "North"}. */
  readonly customFields?: unknown;
  /** Only with an end at or after this instant. */
  readonly endsSince?: string | null | undefined;
  /** Only with one of these external ids. */
  readonly externalIds?: readonly string[] | null | undefined;
  /** Only these. */
  readonly ids?: readonly string[] | null | undefined;
  /** Only with one of these labels. */
  readonly labels?: readonly string[] | null | undefined;
  /** Only with one of these order numbers. */
  readonly orderNumbers?: readonly string[] | null | undefined;
  /** Only of these owners. */
  readonly owners?: readonly string[] | null | undefined;
  /** Only sold by these members, by their e-mail addresses. */
  readonly salespeople?: readonly string[] | null | undefined;
  /** Only those whose name (or code, or external id) contains this text, in any case; or that have this very id. */
  readonly search?: string | null | undefined;
  /** Only with a start before this instant. */
  readonly startsBefore?: string | null | undefined;
  /** Only with one of these statuses. */
  readonly statuses?: readonly DeliveryStatus[] | null | undefined;
  /** Only of these teams. */
  readonly teamIds?: readonly string[] | null | undefined;
  /** Only those changed at or after this instant. */
  readonly updatedSince?: string | null | undefined;
}

/** The order of a list of campaigns. */
export interface CampaignOrder {
  /** The direction; default ASC. */
  readonly direction?: SortDirection | null | undefined;
  /** What to sort by. */
  readonly field: CampaignOrderField;
}

/** What a list of campaigns can be sorted by. Empty values are last; empty texts are first. */
export type CampaignOrderField =
  | 'CREATED_AT'
  | 'ENDS_AT'
  | 'EXTERNAL_ID'
  | 'ID'
  | 'NAME'
  | 'NOTES'
  | 'ORDER_NUMBER'
  | 'OWNER'
  | 'SALESPERSON'
  | 'STARTS_AT'
  | 'STATUS'
  | 'UPDATED_AT'
  | 'UPDATED_BY'
  | 'VERSION';

/** The result of a change of one campaign. */
export interface CampaignPayload {
  readonly __typename: 'CampaignPayload';
  /** The object after the change; null when it was only validated. */
  readonly campaign: Campaign | null;
  /** The mistakes in the input; empty when the change was made. Where it is selected, mistakes are told of here, and not in `errors`. */
  readonly userErrors: readonly UserError[];
  /** Whether only validation was requested, so that nothing was changed. */
  readonly validatedOnly: boolean;
  /** Warnings: allowed, but probably unintended. */
  readonly warnings: readonly FieldProblem[];
}

/** A filter of campaigns by any field, at most 100 comparisons. All that is given must hold. */
export interface CampaignWhere {
  /** The advertiser. */
  readonly advertiser?: AdvertiserWhere | null | undefined;
  /** The advertiser; cannot change. */
  readonly advertiserId?: IDWhere | null | undefined;
  /** All of these. */
  readonly and?: readonly CampaignWhere[] | null | undefined;
  /** People of the order outside of the network, such as "Ann Lee, ann@example.com". At most 20. */
  readonly contacts?: StringListWhere | null | undefined;
  /** When it was made. */
  readonly createdAt?: DateTimeWhere | null | undefined;
  /** End of serving, exclusive; null = open-ended. */
  readonly endsAt?: DateTimeWhere | null | undefined;
  /** Id in your own system. */
  readonly externalId?: StringWhere | null | undefined;
  /** Its id. */
  readonly id?: IDWhere | null | undefined;
  /** Labels of all its line items. Caps of the network by label (`labelCaps`) count all ads that bear one. At most 10. */
  readonly labels?: StringListWhere | null | undefined;
  /** Its line items, by id. */
  readonly lineItems?: LineItemChildrenWhere | null | undefined;
  /** Name. */
  readonly name?: StringWhere | null | undefined;
  /** None of this. */
  readonly not?: CampaignWhere | null | undefined;
  /** Notes for people, with line breaks; at most 2000 characters. */
  readonly notes?: StringWhere | null | undefined;
  /** One of these. */
  readonly or?: readonly CampaignWhere[] | null | undefined;
  /** Number of the order, as invoices name it. */
  readonly orderNumber?: StringWhere | null | undefined;
  /** The e-mail address of the member of the network who looks after it; null = nobody. */
  readonly owner?: StringWhere | null | undefined;
  /** The e-mail address of the member of the network who sold the order; null = nobody. */
  readonly salesperson?: StringWhere | null | undefined;
  /** Start of serving; null = at once. */
  readonly startsAt?: DateTimeWhere | null | undefined;
  /** Status; DRAFT at first. */
  readonly status?: DeliveryStatusWhere | null | undefined;
  /** The team that looks after it. */
  readonly team?: TeamWhere | null | undefined;
  /** The team that looks after it; null = none. */
  readonly teamId?: IDWhere | null | undefined;
  /** When it was last changed. */
  readonly updatedAt?: DateTimeWhere | null | undefined;
  /** Who changed it last. */
  readonly updatedBy?: StringWhere | null | undefined;
  /** Its version. */
  readonly version?: IntWhere | null | undefined;
}

/** One change of one object: what it was, and what it became. */
export interface Change {
  readonly __typename: 'Change';
  /** Who made it; `system:…` for Placard itself. */
  readonly actor: string;
  /** The changed fields after; all fields of a new object. */
  readonly after: unknown;
  /** When. */
  readonly at: string;
  /** The changed fields before, by their names in this API; null for a new object. */
  readonly before: unknown;
  /** The change of many objects that it is a part of: the value of the header `X-Placard-Change-Set` of its request; null: it stands alone. */
  readonly changeSet: string | null;
  /** How many changes of objects of this kind its change set has by the same actor; 1 where it stands alone. */
  readonly changeSetSize: number;
  /** The environment of the object. */
  readonly environment: Environment;
  /** Whether the values are too long for the log, so that `before` and `after` are null: read the object. */
  readonly isTooLong: boolean;
  /** Kind of the object. */
  readonly kind: ChangeKind;
  /** Id of the object. */
  readonly objectId: string;
  /** Kind of the object, such as `lineItem`. */
  readonly objectKind: string;
  /** Its number: a later change has a higher one. It is also its cursor. */
  readonly sequence: string;
  /** Kind and verb, such as `lineItem.update`. */
  readonly type: string;
  /** What happened to it; null: something of its own kind, which `type` names. */
  readonly verb: ChangeVerb | null;
}

/** New terms of a booking from a product. Absent terms stay as they are. */
export interface ChangeBookingInput {
  /** The price that is bid over the floor of the option, in the unit of its pricing model; for options with a floor only. */
  readonly bid?: string | null | undefined;
  /** What the booking may cost. The price turns it into a quantity. Instead of `quantity`. */
  readonly budget?: string | null | undefined;
  /** End of the flight, exclusive. */
  readonly endsAt?: string | null | undefined;
  /** Limits per user. */
  readonly frequencyCaps?: readonly FrequencyCapInput[] | null | undefined;
  /** How delivery is spread. */
  readonly pacing?: Pacing | null | undefined;
  /** The id of another price option of the product. */
  readonly priceOptionId?: string | null | undefined;
  /** How many units are booked: impressions, viewable impressions, clicks … as the option pays for. Instead of `budget`. */
  readonly quantity?: number | null | undefined;
  /** Start of the flight. */
  readonly startsAt?: string | null | undefined;
  /** Targeting that replaces what the booking added to the product. */
  readonly targeting?: TargetingInput | null | undefined;
}

/** A page of changes. */
export interface ChangeConnection {
  readonly __typename: 'ChangeConnection';
  /** The objects of this page, each with its cursor. */
  readonly edges: readonly ChangeEdge[];
  /** The objects of this page, without their cursors. */
  readonly nodes: readonly Change[];
  /** The position of this page in the list. */
  readonly pageInfo: PageInfo;
  /** How many objects match the filter, over all pages. Costs a count of its own. */
  readonly totalCount: number;
}

/** One change. */
export interface ChangeEdge {
  readonly __typename: 'ChangeEdge';
  /** Opaque position in the list, for `after` and `before`. */
  readonly cursor: string;
  /** The object. */
  readonly node: Change;
}

/** A kind of object whose changes are told. */
export type ChangeKind =
  | 'ACTIVITY'
  | 'ADVERTISER'
  | 'ADVERTISING_PRODUCT'
  | 'AD_UNIT'
  | 'AREA'
  | 'BOOKING_APPROVAL'
  | 'CAMPAIGN'
  | 'COMMENT'
  | 'CREATIVE'
  | 'CUSTOM_FIELD'
  | 'DEAL'
  | 'EXPERIMENT'
  | 'FLOOR'
  | 'KEY_VALUE'
  | 'LIBRARY_CREATIVE'
  | 'LINE_ITEM'
  | 'SEGMENT'
  | 'SITE'
  | 'TARGETING_PRESET'
  | 'TEAM';

/** What can happen to an object. */
export type ChangeVerb = 'ARCHIVE' | 'COMPLETE' | 'CREATE' | 'PROGRESS' | 'UPDATE' | 'UPLOAD';

/** A media channel that buyers plan by. */
export type Channel =
  | 'CONNECTED_TV'
  | 'DIGITAL_OUT_OF_HOME'
  | 'DISPLAY'
  | 'EMAIL'
  | 'GAMING'
  | 'ONLINE_VIDEO'
  | 'PODCAST'
  | 'RETAIL_MEDIA'
  | 'STREAMING_AUDIO';

/** Comparisons of a field; all that are given must hold. */
export interface ChannelListWhere {
  /** With this value among them. */
  readonly has?: Channel | null | undefined;
  /** With one of these values among them, at most 500. */
  readonly hasAny?: readonly Channel[] | null | undefined;
  /** None of this. */
  readonly not?: ChannelListWhere | null | undefined;
}

/** The result of choosing where one is told of events. */
export interface ChooseNotificationsPayload {
  readonly __typename: 'ChooseNotificationsPayload';
  /** The choices for all events. */
  readonly choices: readonly NotificationChoice[] | null;
  /** The mistakes in the input; empty when the change was made. Where it is selected, mistakes are told of here, and not in `errors`. */
  readonly userErrors: readonly UserError[];
}

/** Whether creatives show the publisher's brand. */
export type CoBranding = 'NONE' | 'OPTIONAL' | 'REQUIRED';

/** What a member says about an object. */
export interface Comment {
  readonly __typename: 'Comment';
  /** Account of its author. */
  readonly authorId: string;
  /** Name of its author. */
  readonly authorName: string;
  /** Plain text. */
  readonly body: string;
  /** When. */
  readonly createdAt: string;
  /** Its id. */
  readonly id: string;
  /** Accounts of the members whom it mentions. */
  readonly mentionedIds: readonly string[];
  /** Id of the object. */
  readonly objectId: string;
  /** Kind of the object. */
  readonly objectKind: DiscussedKind;
}

/** The result of a change of a comment. */
export interface CommentPayload {
  readonly __typename: 'CommentPayload';
  /** The comment, as it is or was. */
  readonly comment: Comment | null;
  /** The mistakes in the input; empty when the change was made. Where it is selected, mistakes are told of here, and not in `errors`. */
  readonly userErrors: readonly UserError[];
}

/** Whether the companions of a creative stand beside it: banners of the same line item that name it as their master. */
export type CompanionMode = 'ALL' | 'AT_LEAST_ONE' | 'NONE' | 'OPTIONAL';

/** Comparisons of a field; all that are given must hold. */
export interface CompanionModeWhere {
  /** Equal to this; null: empty. */
  readonly eq?: CompanionMode | null | undefined;
  /** Equal to one of these, at most 500. */
  readonly in?: readonly CompanionMode[] | null | undefined;
  /** None of this. */
  readonly not?: CompanionModeWhere | null | undefined;
}

/** A page of a list. */
export interface Connection {
  readonly __typename: 'ActivityConnection' | 'AdUnitConnection' | 'AdvertiserConnection' | 'AdvertisingProductConnection' | 'AreaConnection' | 'AssetConnection' | 'AuditConnection' | 'CampaignConnection' | 'ChangeConnection' | 'CreativeConnection' | 'CustomFieldConnection' | 'DealConnection' | 'ExperimentConnection' | 'FloorConnection' | 'KeyValueConnection' | 'LibraryCreativeConnection' | 'LineItemConnection' | 'ReportShareConnection' | 'SegmentConnection' | 'SiteConnection' | 'TargetingPresetConnection' | 'TeamConnection';
  /** The position of this page in the list. */
  readonly pageInfo: PageInfo;
  /** How many objects match the filter, over all pages. Costs a count of its own. */
  readonly totalCount: number;
  readonly on_ActivityConnection: ActivityConnection;
  readonly on_AdUnitConnection: AdUnitConnection;
  readonly on_AdvertiserConnection: AdvertiserConnection;
  readonly on_AdvertisingProductConnection: AdvertisingProductConnection;
  readonly on_AreaConnection: AreaConnection;
  readonly on_AssetConnection: AssetConnection;
  readonly on_AuditConnection: AuditConnection;
  readonly on_CampaignConnection: CampaignConnection;
  readonly on_ChangeConnection: ChangeConnection;
  readonly on_CreativeConnection: CreativeConnection;
  readonly on_CustomFieldConnection: CustomFieldConnection;
  readonly on_DealConnection: DealConnection;
  readonly on_ExperimentConnection: ExperimentConnection;
  readonly on_FloorConnection: FloorConnection;
  readonly on_KeyValueConnection: KeyValueConnection;
  readonly on_LibraryCreativeConnection: LibraryCreativeConnection;
  readonly on_LineItemConnection: LineItemConnection;
  readonly on_ReportShareConnection: ReportShareConnection;
  readonly on_SegmentConnection: SegmentConnection;
  readonly on_SiteConnection: SiteConnection;
  readonly on_TargetingPresetConnection: TargetingPresetConnection;
  readonly on_TeamConnection: TeamConnection;
}

/** The result of copying a campaign. */
export interface CopyCampaignPayload {
  readonly __typename: 'CopyCampaignPayload';
  /** The copy; with `validateOnly`, the campaign that would be copied. */
  readonly campaign: Campaign;
  /** The copy; null when nothing was copied, or when it was only validated. */
  readonly copy: Campaign | null;
  /** How many creatives were copied, or would be. */
  readonly creativeCount: number;
  /** How many line items were copied, or would be. */
  readonly lineItemCount: number;
  /** The mistakes in the input; empty when the change was made. Where it is selected, mistakes are told of here, and not in `errors`. */
  readonly userErrors: readonly UserError[];
}

/** The result of copying line items. */
export interface CopyLineItemsPayload {
  readonly __typename: 'CopyLineItemsPayload';
  /** How many creatives were copied. */
  readonly creativeCount: number;
  /** The copies, in the order of the ids; none with `validateOnly`. */
  readonly lineItems: readonly LineItem[];
  /** The mistakes in the input; empty when the change was made. Where it is selected, mistakes are told of here, and not in `errors`. */
  readonly userErrors: readonly UserError[];
}

/** An activity whose conversions a line item counts and pays for. */
export interface CountedActivity {
  readonly __typename: 'CountedActivity';
  /** The activity, by id. */
  readonly activityId: string;
  /** Only these events of it; empty = every one. */
  readonly events: readonly string[];
}

/** An activity whose conversions a line item counts and pays for. */
export interface CountedActivityInput {
  /** The activity, by id. */
  readonly activityId: string;
  /** Only these events of it, as pixels name them, at most 20; absent or empty = every one. */
  readonly events?: readonly string[] | null | undefined;
}

/** Who counts what is billed. */
export type CountingParty = 'ADVERTISER' | 'PUBLISHER' | 'THIRD_PARTY';

/** The fields of a new activity. */
export interface CreateActivityInput {
  /** Whether pages may send its events without a key, to `GET /<network>/activity`. Anybody can then send them: do not bill by such events alone. */
  readonly acceptsPixel?: boolean | null | undefined;
  /** Its id in pixels; unique in the network; cannot change. */
  readonly actgid: string;
  /** The advertiser: only clicks and impressions of its ads are credited. null = the last click or impression of any advertiser. */
  readonly advertiserId?: string | null | undefined;
  /** How long after a click it is credited; up to 90 days. */
  readonly clickWindowSeconds?: number | null | undefined;
  /** Values of the custom fields of the network, by key; at most 50. The whole set is replaced. */
  readonly customFields?: unknown;
  /** Labels to find it by. At most 10. */
  readonly labels?: readonly string[] | null | undefined;
  /** Name. */
  readonly name: string;
  /** Notes for people, with line breaks; at most 2000 characters. */
  readonly notes?: string | null | undefined;
  /** The e-mail address of the member of the network who looks after it; null = nobody. */
  readonly owner?: string | null | undefined;
  /** Without an order reference, a second event of a user within this time does not count; up to 30 days. */
  readonly repeatIntervalSeconds?: number | null | undefined;
  /** Whether it is in use. */
  readonly status?: Lifecycle | null | undefined;
  /** The team that looks after it; null = none. */
  readonly teamId?: string | null | undefined;
  /** How long after an impression it is credited when there was no click; up to 30 days. */
  readonly viewWindowSeconds?: number | null | undefined;
}

/** The fields of a new ad unit. */
export interface CreateAdUnitInput {
  /** Its area; null = the site as a whole. */
  readonly areaId?: string | null | undefined;
  /** Values of the custom fields of the network, by key; at most 50. The whole set is replaced. */
  readonly customFields?: unknown;
  /** Lowest CPM; 0 = none. */
  readonly floor?: string | null | undefined;
  /** Labels to find it by. At most 10. */
  readonly labels?: readonly string[] | null | undefined;
  /** What it can show. */
  readonly mediaTypes?: readonly MediaType[] | null | undefined;
  /** Its code in requests; unique in the network. */
  readonly name: string;
  /** Notes for people, with line breaks; at most 2000 characters. */
  readonly notes?: string | null | undefined;
  /** The e-mail address of the member of the network who looks after it; null = nobody. */
  readonly owner?: string | null | undefined;
  /** Its site; cannot change. */
  readonly siteId: string;
  /** The sizes it takes, at most 50; empty = as the request says. */
  readonly sizes?: readonly SizeInput[] | null | undefined;
  /** Whether it is in use. */
  readonly status?: Lifecycle | null | undefined;
  /** The team that looks after it; null = none. */
  readonly teamId?: string | null | undefined;
}

/** The fields of a new advertiser. */
export interface CreateAdvertiserInput {
  /** IAB content categories, such as "IAB2-3". */
  readonly categories?: readonly string[] | null | undefined;
  /** The total budget; null = no limit. */
  readonly credit?: string | null | undefined;
  /** Values of the custom fields of the network, by key; at most 50. The whole set is replaced. */
  readonly customFields?: unknown;
  /** Domains that its ads lead to, as `adomain` in bids. Domains in Unicode are stored in their form of ASCII (`xn--…`). */
  readonly domains?: readonly string[] | null | undefined;
  /** On whose behalf its ads are shown (DSA); at most 100 characters. */
  readonly dsaBehalf?: string | null | undefined;
  /** Who pays for them (DSA); at most 100 characters. */
  readonly dsaPaid?: string | null | undefined;
  /** Two ads that share a label never appear in one response. */
  readonly exclusionLabels?: readonly string[] | null | undefined;
  /** Id in your own system. */
  readonly externalId?: string | null | undefined;
  /** Limits per user; the strictest applies. At most 20. */
  readonly frequencyCaps?: readonly FrequencyCapInput[] | null | undefined;
  /** Labels of all its line items. Caps of the network by label (`labelCaps`) count all ads that bear one. At most 10. */
  readonly labels?: readonly string[] | null | undefined;
  /** Name. */
  readonly name: string;
  /** Notes for people, with line breaks; at most 2000 characters. */
  readonly notes?: string | null | undefined;
  /** The e-mail address of the member of the network who looks after it; null = nobody. */
  readonly owner?: string | null | undefined;
  /** Whether it is in use; none of its campaigns serves while ARCHIVED. */
  readonly status?: Lifecycle | null | undefined;
  /** The team that looks after it; null = none. */
  readonly teamId?: string | null | undefined;
}

/** The fields of a new advertising product. */
export interface CreateAdvertisingProductInput {
  /** The dimensions of targeting that a buyer may add; empty = none. */
  readonly buyerDimensions?: readonly TargetingDimension[] | null | undefined;
  /** Days from a cancellation to its effect. */
  readonly cancellationNoticeDays?: number | null | undefined;
  /** The media channels that it is sold in. */
  readonly channels?: readonly Channel[] | null | undefined;
  /** What its creatives have to be like; null = nothing besides its formats. */
  readonly creativePolicy?: CreativePolicyInput | null | undefined;
  /** Values of the custom fields of the network, by key; at most 50. The whole set is replaced. */
  readonly customFields?: unknown;
  /** Whether it promises an amount; default: NON_GUARANTEED. */
  readonly delivery?: ProductDelivery | null | undefined;
  /** What buyers get. */
  readonly description?: string | null | undefined;
  /** The formats that its creatives may have; empty = all that the inventory shows. At most 20. */
  readonly formats?: readonly ProductFormatInput[] | null | undefined;
  /** Labels to find it by. At most 10. */
  readonly labels?: readonly string[] | null | undefined;
  /** Hours from a booking to its earliest start. */
  readonly leadTimeHours?: number | null | undefined;
  /** Longest flight of a booking in days; null = none. */
  readonly maximumDays?: number | null | undefined;
  /** How its delivery is measured; null = not agreed. */
  readonly measurement?: ProductMeasurementInput | null | undefined;
  /** Shortest flight of a booking in days; null = none. */
  readonly minimumDays?: number | null | undefined;
  /** The lowest budget of a booking; null = none. */
  readonly minimumSpend?: string | null | undefined;
  /** Name. */
  readonly name: string;
  /** Notes for people, with line breaks; at most 2000 characters. */
  readonly notes?: string | null | undefined;
  /** The advertisers whose keys of buyers see it, by id; empty = all. At most 1000. */
  readonly offeredAdvertiserIds?: readonly string[] | null | undefined;
  /** Whether keys of buyers, such as their agents', see it and may book it. */
  readonly offeredToBuyers?: boolean | null | undefined;
  /** The e-mail address of the member of the network who looks after it; null = nobody. */
  readonly owner?: string | null | undefined;
  /** The ways to pay for it; empty = it has no price yet. The whole list is replaced. At most 100. */
  readonly priceOptions?: readonly PriceOptionInput[] | null | undefined;
  /** Whether it is in use. */
  readonly status?: Lifecycle | null | undefined;
  /** Its inventory and audiences; null = all inventory and all users. */
  readonly targeting?: TargetingInput | null | undefined;
  /** The team that looks after it; null = none. */
  readonly teamId?: string | null | undefined;
}

/** The fields of a new key. */
export interface CreateApiKeyInput {
  /** The advertisers that a buyer's key is bound to, by id; for BUYER only. */
  readonly advertiserIds?: readonly string[] | null | undefined;
  /** Where it works; default: where this request works. A key can only make keys of its own environment. */
  readonly environment?: Environment | null | undefined;
  /** When it stops working; 90 days are a good choice. Absent = never. */
  readonly expiresAt?: string | null | undefined;
  /** Addresses and CIDR ranges it may be used from; absent = any. */
  readonly ipAllowlist?: readonly string[] | null | undefined;
  /** The modules to limit it to; absent or null = all. */
  readonly modules?: readonly Module[] | null | undefined;
  /** Name, 1 to 200 characters. */
  readonly name: string;
  /** What it may do. */
  readonly permission: Permission;
  /** Whose key it is; default NETWORK. */
  readonly scope?: KeyScope | null | undefined;
  /** The most that keys of buyers may have booked for its advertisers together; null = no limit. Archived bookings count from their start on. For BUYER only. */
  readonly spendLimit?: string | null | undefined;
}

/** The fields of a new area. */
export interface CreateAreaInput {
  /** Its value of `site.ext.area` in requests; unique in its site. */
  readonly code: string;
  /** Values of the custom fields of the network, by key; at most 50. The whole set is replaced. */
  readonly customFields?: unknown;
  /** Labels to find it by. At most 10. */
  readonly labels?: readonly string[] | null | undefined;
  /** Name. */
  readonly name: string;
  /** Notes for people, with line breaks; at most 2000 characters. */
  readonly notes?: string | null | undefined;
  /** The e-mail address of the member of the network who looks after it; null = nobody. */
  readonly owner?: string | null | undefined;
  /** Its site; cannot change. */
  readonly siteId: string;
  /** Whether it is in use. */
  readonly status?: Lifecycle | null | undefined;
  /** The team that looks after it; null = none. */
  readonly teamId?: string | null | undefined;
}

/** The fields of a new campaign. */
export interface CreateCampaignInput {
  /** The advertiser; cannot change. */
  readonly advertiserId: string;
  /** Hard limits per day and in total. */
  readonly caps?: DeliveryCapsInput | null | undefined;
  /** People of the order outside of the network, such as "Ann Lee, ann@example.com". At most 20. */
  readonly contacts?: readonly string[] | null | undefined;
  /** Values of the custom fields of the network, by key; at most 50. The whole set is replaced. */
  readonly customFields?: unknown;
  /** End of serving, exclusive; null = open-ended. */
  readonly endsAt?: string | null | undefined;
  /** Id in your own system. */
  readonly externalId?: string | null | undefined;
  /** Limits per user; the strictest applies. At most 20. */
  readonly frequencyCaps?: readonly FrequencyCapInput[] | null | undefined;
  /** Labels of all its line items. Caps of the network by label (`labelCaps`) count all ads that bear one. At most 10. */
  readonly labels?: readonly string[] | null | undefined;
  /** Name. */
  readonly name: string;
  /** Notes for people, with line breaks; at most 2000 characters. */
  readonly notes?: string | null | undefined;
  /** Number of the order, as invoices name it. */
  readonly orderNumber?: string | null | undefined;
  /** The e-mail address of the member of the network who looks after it; null = nobody. */
  readonly owner?: string | null | undefined;
  /** The e-mail address of the member of the network who sold the order; null = nobody. */
  readonly salesperson?: string | null | undefined;
  /** Start of serving; null = at once. */
  readonly startsAt?: string | null | undefined;
  /** Status; DRAFT at first. */
  readonly status?: DeliveryStatus | null | undefined;
  /** The team that looks after it; null = none. */
  readonly teamId?: string | null | undefined;
}

/** The fields of a new creative. */
export interface CreateCreativeInput {
  /** OpenRTB creative attributes, which publishers can block. */
  readonly attributes?: readonly number[] | null | undefined;
  /** Landing address, http or https. */
  readonly clickUrl: string;
  /** What is shown; its shape is the format. */
  readonly content: CreativeContentInput;
  /** Values of the custom fields of the network, by key; at most 50. The whole set is replaced. */
  readonly customFields?: unknown;
  /** End of serving, exclusive; null = with its line item. */
  readonly endsAt?: string | null | undefined;
  /** Id in your own system. */
  readonly externalId?: string | null | undefined;
  /** Limits per user; the strictest applies. At most 20. */
  readonly frequencyCaps?: readonly FrequencyCapInput[] | null | undefined;
  /** Height in CSS pixels; 0 × 0 fits any size (native, video). */
  readonly height?: number | null | undefined;
  /** Labels to find it by. At most 10. */
  readonly labels?: readonly string[] | null | undefined;
  /** Language of its text, ISO 639, such as "pl". */
  readonly language?: string | null | undefined;
  /** Its line item; cannot change. */
  readonly lineItemId: string;
  /** For a companion: the creative of the same line item beside which this banner stands; null = it is shown by itself. Cannot change. */
  readonly masterCreativeId?: string | null | undefined;
  /** Name. */
  readonly name: string;
  /** Notes for people, with line breaks; at most 2000 characters. */
  readonly notes?: string | null | undefined;
  /** The e-mail address of the member of the network who looks after it; null = nobody. */
  readonly owner?: string | null | undefined;
  /** Why it was rejected, or a remark of the review; a new review state without one clears it. */
  readonly reviewReason?: string | null | undefined;
  /** The result of its review; only APPROVED serves. */
  readonly reviewState?: ReviewState | null | undefined;
  /** Start of serving; null = with its line item. */
  readonly startsAt?: string | null | undefined;
  /** Status; ACTIVE at first. */
  readonly status?: CreativeStatus | null | undefined;
  /** The team that looks after it; null = none. */
  readonly teamId?: string | null | undefined;
  /** Third-party tracking addresses. */
  readonly trackers?: ThirdPartyTrackersInput | null | undefined;
  /** Share of the draw among its siblings. */
  readonly weight?: number | null | undefined;
  /** Width in CSS pixels; 0 × 0 fits any size (native, video). */
  readonly width?: number | null | undefined;
}

/** The fields of a new custom field. */
export interface CreateCustomFieldInput {
  /** The values to choose from, for CHOICE. */
  readonly choices?: readonly string[] | null | undefined;
  /** What it means. */
  readonly description?: string | null | undefined;
  /** Its key in `customFields`; unique in the network; cannot change. */
  readonly key: string;
  /** The kinds of objects that have it, among advertiser, advertisingProduct, deal, site, area, adUnit, floor, activity, keyValue, segment, campaign, lineItem, creative, libraryCreative, experiment; empty = all. */
  readonly kinds?: readonly string[] | null | undefined;
  /** Name for people. */
  readonly name: string;
  /** Whether it is in use. */
  readonly status?: Lifecycle | null | undefined;
  /** What its values are; cannot change. */
  readonly type: CustomFieldType;
}

/** The fields of a new deal. */
export interface CreateDealInput {
  /** Its code in bid requests and responses, unique in the network. */
  readonly code: string;
  /** Values of the custom fields of the network, by key; at most 50. The whole set is replaced. */
  readonly customFields?: unknown;
  /** Fixed CPM; null = the line item's price. */
  readonly fixedPrice?: string | null | undefined;
  /** Lowest CPM; 0 = none. */
  readonly floor?: string | null | undefined;
  /** The kind of agreement; default: PRIVATE. */
  readonly kind?: DealKind | null | undefined;
  /** Labels to find it by. At most 10. */
  readonly labels?: readonly string[] | null | undefined;
  /** Name. */
  readonly name: string;
  /** Notes for people, with line breaks; at most 2000 characters. */
  readonly notes?: string | null | undefined;
  /** The e-mail address of the member of the network who looks after it; null = nobody. */
  readonly owner?: string | null | undefined;
  /** Buyers that may use it; empty = all. */
  readonly seats?: readonly string[] | null | undefined;
  /** Whether it is in use. */
  readonly status?: Lifecycle | null | undefined;
  /** The team that looks after it; null = none. */
  readonly teamId?: string | null | undefined;
}

/** The fields of a new experiment. */
export interface CreateExperimentInput {
  /** When it ends, at most 366 days after it begins. The present instant stops it. It is fixed once the experiment has ended. */
  readonly endsAt: string;
  /** Name. */
  readonly name: string;
  /** How its share of the traffic is decided. It cannot change. */
  readonly rule: ExperimentRule;
  /** The share of users, and of requests without a user, that the rule decides, in percent: 1…50. It is fixed once the experiment has begun. */
  readonly sharePercent: number;
  /** When it begins. It is fixed once the experiment has begun. */
  readonly startsAt: string;
  /** Whether it is kept in lists. Archiving ends it. */
  readonly status?: Lifecycle | null | undefined;
}

/** The fields of a new floor. */
export interface CreateFloorInput {
  /** Only in this ad unit. */
  readonly adUnitId?: string | null | undefined;
  /** Only in this area. */
  readonly areaId?: string | null | undefined;
  /** Only for users in these countries, ISO 3166 alpha-2; empty = any. An unknown country matches no listed one. */
  readonly countries?: readonly string[] | null | undefined;
  /** Values of the custom fields of the network, by key; at most 50. The whole set is replaced. */
  readonly customFields?: unknown;
  /** Only for line items of this deal. Without one, it does not apply to what is bid under a deal that the request offers: deals have floors of their own. */
  readonly dealId?: string | null | undefined;
  /** Lowest CPM. */
  readonly floor: string;
  /** Labels to find it by. At most 10. */
  readonly labels?: readonly string[] | null | undefined;
  /** Only for these kinds of ads; empty = any. */
  readonly mediaTypes?: readonly MediaType[] | null | undefined;
  /** Name. */
  readonly name: string;
  /** Notes for people, with line breaks; at most 2000 characters. */
  readonly notes?: string | null | undefined;
  /** The e-mail address of the member of the network who looks after it; null = nobody. */
  readonly owner?: string | null | undefined;
  /** The higher goes first. */
  readonly priority?: number | null | undefined;
  /** Only on this site. */
  readonly siteId?: string | null | undefined;
  /** Only for ads of these sizes, at most 50; empty = any. */
  readonly sizes?: readonly SizeInput[] | null | undefined;
  /** Whether it is in use. */
  readonly status?: Lifecycle | null | undefined;
  /** The team that looks after it; null = none. */
  readonly teamId?: string | null | undefined;
}

/** The fields of a new key-value. */
export interface CreateKeyValueInput {
  /** Values of the custom fields of the network, by key; at most 50. The whole set is replaced. */
  readonly customFields?: unknown;
  /** What it means. */
  readonly description?: string | null | undefined;
  /** The key as requests write it; unique in the network; cannot change. */
  readonly key: string;
  /** Labels to find it by. At most 10. */
  readonly labels?: readonly string[] | null | undefined;
  /** Name for people. */
  readonly name: string;
  /** Notes for people, with line breaks; at most 2000 characters. */
  readonly notes?: string | null | undefined;
  /** The e-mail address of the member of the network who looks after it; null = nobody. */
  readonly owner?: string | null | undefined;
  /** Whether reports list its values separately, in a dimension `kv_<key>`; this holds for events after it is set. At most 10 keys of a network; archived ones count, because reports still cover their past. */
  readonly reportable?: boolean | null | undefined;
  /** Whether it is in use. */
  readonly status?: Lifecycle | null | undefined;
  /** The team that looks after it; null = none. */
  readonly teamId?: string | null | undefined;
  /** Known values, to choose from; requests may carry others. */
  readonly values?: readonly string[] | null | undefined;
}

/** The fields of a new library creative. */
export interface CreateLibraryCreativeInput {
  /** Its advertiser; cannot change. */
  readonly advertiserId: string;
  /** OpenRTB creative attributes, which publishers can block. */
  readonly attributes?: readonly number[] | null | undefined;
  /** Landing address, http or https. */
  readonly clickUrl: string;
  /** What is shown; its shape is the format. */
  readonly content: CreativeContentInput;
  /** Values of the custom fields of the network, by key; at most 50. The whole set is replaced. */
  readonly customFields?: unknown;
  /** Id in your own system. */
  readonly externalId?: string | null | undefined;
  /** Height in CSS pixels; 0 × 0 fits any size (native, video). */
  readonly height?: number | null | undefined;
  /** Labels to find it by. At most 10. */
  readonly labels?: readonly string[] | null | undefined;
  /** Language of its text, ISO 639, such as "pl". */
  readonly language?: string | null | undefined;
  /** Name. */
  readonly name: string;
  /** Notes for people, with line breaks; at most 2000 characters. */
  readonly notes?: string | null | undefined;
  /** The e-mail address of the member of the network who looks after it; null = nobody. */
  readonly owner?: string | null | undefined;
  /** Why it was rejected, or a remark of the review; a new review state without one clears it. */
  readonly reviewReason?: string | null | undefined;
  /** The result of its review; only APPROVED serves. */
  readonly reviewState?: ReviewState | null | undefined;
  /** Whether it is in use. ARCHIVED archives all its associations; ACTIVE again restores none of them. */
  readonly status?: Lifecycle | null | undefined;
  /** The team that looks after it; null = none. */
  readonly teamId?: string | null | undefined;
  /** Third-party tracking addresses. */
  readonly trackers?: ThirdPartyTrackersInput | null | undefined;
  /** Width in CSS pixels; 0 × 0 fits any size (native, video). */
  readonly width?: number | null | undefined;
}

/** The fields of a new line item. */
export interface CreateLineItemInput {
  /** The product it is sold as; null = none. */
  readonly advertisingProductId?: string | null | undefined;
  /** Its campaign; cannot change. */
  readonly campaignId: string;
  /** Hard limits per day and in total. */
  readonly caps?: DeliveryCapsInput | null | undefined;
  /** Whether its companions stand beside their masters; other than NONE only with roadblock ONE. */
  readonly companionMode?: CompanionMode | null | undefined;
  /** The activities whose conversions are credited to it: they count toward its goal, and CPA pays for them. Empty = every activity. At most 50. */
  readonly countedActivities?: readonly CountedActivityInput[] | null | undefined;
  /** How one of several fitting creatives is chosen. */
  readonly creativeRotation?: CreativeRotation | null | undefined;
  /** Values of the custom fields of the network, by key; at most 50. The whole set is replaced. */
  readonly customFields?: unknown;
  /** When in the week it serves; empty = always. At most 50. */
  readonly dayParts?: readonly DayPartInput[] | null | undefined;
  /** The deal it serves; null = open. */
  readonly dealId?: string | null | undefined;
  /** End of serving, exclusive; null = open-ended. */
  readonly endsAt?: string | null | undefined;
  /** Two ads that share a label never appear in one response. */
  readonly exclusionLabels?: readonly string[] | null | undefined;
  /** Id in your own system. */
  readonly externalId?: string | null | undefined;
  /** Limits per user; the strictest applies. At most 20. */
  readonly frequencyCaps?: readonly FrequencyCapInput[] | null | undefined;
  /** Its goal; null = none. */
  readonly goal?: GoalInput | null | undefined;
  /** Labels of the line item. Caps of the network by label (`labelCaps`) count all ads that bear one. At most 10. */
  readonly labels?: readonly string[] | null | undefined;
  /** Rank within its tier (SPONSORSHIP, STANDARD): 1 is decided first, 16 last. */
  readonly level?: number | null | undefined;
  /** Name. */
  readonly name: string;
  /** Notes for people, with line breaks; at most 2000 characters. */
  readonly notes?: string | null | undefined;
  /** What it maximises: OPTIMISED rotation chooses the creative by the rate of this event, and a paced line item that has more opportunities than its goal needs chooses the ad units. null = nothing. */
  readonly optimisationGoal?: OptimisationGoal | null | undefined;
  /** The e-mail address of the member of the network who looks after it; null = nobody. */
  readonly owner?: string | null | undefined;
  /** How delivery is spread. */
  readonly pacing?: Pacing | null | undefined;
  /** Whether it stops at its goal. */
  readonly pauseAfterGoal?: boolean | null | undefined;
  /** CPM, VCPM: per thousand; CPC, CPA, CPCV: each; FLAT: per day. */
  readonly price?: string | null | undefined;
  /** Which event earns the price. */
  readonly pricingModel?: PricingModel | null | undefined;
  /** No effect: goals bid for opportunities (docs/pacing.md). Was the percentage of its goal that is spread evenly over all of its traffic. */
  readonly representativePercent?: number | null | undefined;
  /** Whether its creatives fill several slots of one request. */
  readonly roadblock?: Roadblock | null | undefined;
  /** Whether it serves to unidentified users although it has frequency caps. */
  readonly serveWithoutUser?: boolean | null | undefined;
  /** Share of voice in percent (SPONSORSHIP) or weight of the draw (HOUSE); null elsewhere. */
  readonly sharePercent?: number | null | undefined;
  /** Start of serving; null = at once. */
  readonly startsAt?: string | null | undefined;
  /** Status; DRAFT at first. */
  readonly status?: DeliveryStatus | null | undefined;
  /** Its targeting; null = all inventory and all users. */
  readonly targeting?: TargetingInput | null | undefined;
  /** The team that looks after it; null = none. */
  readonly teamId?: string | null | undefined;
  /** IANA time zone of its days and day-parts; null = the network's. */
  readonly timezone?: string | null | undefined;
  /** Its tier. */
  readonly type: LineItemType;
}

/** The fields of a new schedule. */
export interface CreateReportScheduleInput {
  /** Five fields in the time zone of the network, such as "0 6 * * 1"; runs at least 15 minutes apart. */
  readonly cron: string;
  /** The form of its files; default CSV. Runs before the change have it, too. */
  readonly fileFormat?: ReportFileFormat | null | undefined;
  /** Addresses of members of the network who get each result by mail, at most 20; empty: nobody. */
  readonly mailTo?: readonly string[] | null | undefined;
  /** Name, 1…200 characters. */
  readonly name: string;
  /** A query of the Reports API, as /load accepts it. Without a limit it returns all rows. */
  readonly query: unknown;
  /** ACTIVE (default) or PAUSED. */
  readonly status?: ReportScheduleStatus | null | undefined;
  /** https:// address of a public host. null: none. */
  readonly webhookUrl?: string | null | undefined;
}

/** The fields of a new segment. */
export interface CreateSegmentInput {
  /** Values of the custom fields of the network, by key; at most 50. The whole set is replaced. */
  readonly customFields?: unknown;
  /** Who is in it. */
  readonly description?: string | null | undefined;
  /** Labels to find it by. At most 10. */
  readonly labels?: readonly string[] | null | undefined;
  /** How long a user stays a member, in days: from the upload (which may set another time), or from the last match of the rule. */
  readonly membershipDays?: number | null | undefined;
  /** Name. */
  readonly name: string;
  /** Notes for people, with line breaks; at most 2000 characters. */
  readonly notes?: string | null | undefined;
  /** The e-mail address of the member of the network who looks after it; null = nobody. */
  readonly owner?: string | null | undefined;
  /** The rule that makes users members for `membershipDays` days after their last match; null = uploads only. Users who may not be profiled are left out. A changed rule starts with an empty segment. */
  readonly rule?: SegmentRuleInput | null | undefined;
  /** Whether it is in use. */
  readonly status?: Lifecycle | null | undefined;
  /** The team that looks after it; null = none. */
  readonly teamId?: string | null | undefined;
}

/** The fields of a new site. */
export interface CreateSiteInput {
  /** Its value of `site.id` in requests; unique in the network. */
  readonly code: string;
  /** Values of the custom fields of the network, by key; at most 50. The whole set is replaced. */
  readonly customFields?: unknown;
  /** Domain, such as "news.example". A domain in Unicode is stored in its form of ASCII (`xn--…`). */
  readonly domain: string;
  /** Labels to find it by. At most 10. */
  readonly labels?: readonly string[] | null | undefined;
  /** Name. */
  readonly name: string;
  /** Notes for people, with line breaks; at most 2000 characters. */
  readonly notes?: string | null | undefined;
  /** The e-mail address of the member of the network who looks after it; null = nobody. */
  readonly owner?: string | null | undefined;
  /** Whether it is in use. */
  readonly status?: Lifecycle | null | undefined;
  /** The team that looks after it; null = none. */
  readonly teamId?: string | null | undefined;
}

/** The fields of a new targeting preset. */
export interface CreateTargetingPresetInput {
  /** The purpose of the preset. */
  readonly description?: string | null | undefined;
  /** Name. */
  readonly name: string;
  /** Whether it is in use. */
  readonly status?: Lifecycle | null | undefined;
  /** The targeting. */
  readonly targeting: TargetingInput;
}

/** The fields of a new team. */
export interface CreateTeamInput {
  /** What it looks after. */
  readonly description?: string | null | undefined;
  /** E-mail addresses of its people. */
  readonly members?: readonly string[] | null | undefined;
  /** Name. */
  readonly name: string;
  /** Whether it is in use. */
  readonly status?: Lifecycle | null | undefined;
}

/** The fields of a new webhook. */
export interface CreateWebhookInput {
  /** Name, 1…200 characters. */
  readonly name: string;
  /** ACTIVE (default) or PAUSED. */
  readonly status?: WebhookStatus | null | undefined;
  /** Which changes: "*" for all, "lineItem.*" for a kind, "lineItem.update" for one type; 1…50. */
  readonly types: readonly string[];
  /** https:// address of a public host. */
  readonly url: string;
}

/** What is shown for a line item: a picture, HTML, native parts or a video. */
export interface Creative {
  readonly __typename: 'Creative';
  /** OpenRTB creative attributes, which publishers can block. */
  readonly attributes: readonly number[];
  /** Landing address, http or https. */
  readonly clickUrl: string;
  /** Its companions, by id. */
  readonly companions: (args?: {
    /** Cursor after which the page begins. */
    readonly after?: string | null | undefined;
    /** Size of the page, 1…100; default 25. */
    readonly first?: number | null | undefined;
    /** Only those that are so. */
    readonly where?: CreativeWhere | null | undefined;
  }) => CreativeConnection;
  /** What is shown; its shape is the format. */
  readonly content: CreativeContent;
  /** When it was made. */
  readonly createdAt: string;
  /** Values of the custom fields of the network, by key; at most 50. The whole set is replaced. */
  readonly customFields: unknown;
  /** Decimal id, unique in its kind, in every version of the API. */
  readonly databaseId: string;
  /** End of serving, exclusive; null = with its line item. */
  readonly endsAt: string | null;
  /** Id in your own system. */
  readonly externalId: string | null;
  /** Its format, as the content has it. */
  readonly format: CreativeFormat;
  /** Limits per user; the strictest applies. At most 20. */
  readonly frequencyCaps: readonly FrequencyCap[];
  /** Id that is unique among all types, as `node` takes it. */
  readonly globalId: string;
  /** Height in CSS pixels; 0 × 0 fits any size (native, video). */
  readonly height: number;
  /** Its id: the decimal one, or the global one where the version of the API shows global ids. */
  readonly id: string;
  /** Whether it is archived: it does not serve. */
  readonly isArchived: boolean;
  /** Labels to find it by. At most 10. */
  readonly labels: readonly string[];
  /** Language of its text, ISO 639, such as "pl". */
  readonly language: string | null;
  /** The library creative that it follows. */
  readonly libraryCreative: LibraryCreative | null;
  /** The library creative that is associated with its line item here, so that its content follows it; null = it has content of its own. */
  readonly libraryCreativeId: string | null;
  /** Its line item. */
  readonly lineItem: LineItem | null;
  /** Its line item; cannot change. */
  readonly lineItemId: string;
  /** The master that it accompanies. */
  readonly masterCreative: Creative | null;
  /** For a companion: the creative of the same line item beside which this banner stands; null = it is shown by itself. Cannot change. */
  readonly masterCreativeId: string | null;
  /** Name. */
  readonly name: string;
  /** Notes for people, with line breaks; at most 2000 characters. */
  readonly notes: string;
  /** The e-mail address of the member of the network who looks after it; null = nobody. */
  readonly owner: string | null;
  /** A signed address that shows it, in whatever state it is. */
  readonly preview: (args?: {
    /** How long it works, 1…720 hours; default 72. */
    readonly hours?: number | null | undefined;
  }) => CreativePreview;
  /** Why it was rejected, or a remark of the review; a new review state without one clears it. */
  readonly reviewReason: string | null;
  /** The result of its review; only APPROVED serves. */
  readonly reviewState: ReviewState;
  /** What its code and its addresses do. */
  readonly scan: CreativeScan;
  /** Whether all its addresses are https, so that it may serve on https pages. */
  readonly secure: boolean;
  /** Start of serving; null = with its line item. */
  readonly startsAt: string | null;
  /** Status; ACTIVE at first. */
  readonly status: CreativeStatus;
  /** The team that looks after it. */
  readonly team: Team | null;
  /** The team that looks after it; null = none. */
  readonly teamId: string | null;
  /** Third-party tracking addresses. */
  readonly trackers: ThirdPartyTrackers;
  /** When it was last changed. */
  readonly updatedAt: string;
  /** Who changed it last, as the audit log names them; empty: the system. */
  readonly updatedBy: string;
  /** Grows with every change; send it with an update to detect concurrent changes. */
  readonly version: number;
  /** Share of the draw among its siblings. */
  readonly weight: number;
  /** Width in CSS pixels; 0 × 0 fits any size (native, video). */
  readonly width: number;
}

/** The result of a change of associations. */
export interface CreativeAssociationsPayload {
  readonly __typename: 'CreativeAssociationsPayload';
  /** The associations after the change, in the order of the inputs; empty when they were only validated. */
  readonly creatives: readonly Creative[];
  /** One result for each input, in their order. */
  readonly results: readonly CreativeBulkResult[];
  /** The mistakes in the input; empty when the change was made. Where it is selected, mistakes are told of here, and not in `errors`. */
  readonly userErrors: readonly UserError[];
  /** Whether only validation was requested, so that nothing was changed. */
  readonly validatedOnly: boolean;
  /** Warnings: allowed, but probably unintended. */
  readonly warnings: readonly FieldProblem[];
}

/** The result of a bulk change of creatives. */
export interface CreativeBulkPayload {
  readonly __typename: 'CreativeBulkPayload';
  /** How many rows were changed (0 when only validated, or all undone). */
  readonly changedCount: number;
  /** How many rows were wrong. */
  readonly failedCount: number;
  /** One result for each row, in the order of the input. */
  readonly results: readonly CreativeBulkResult[];
  /** The mistakes in all rows, and those of the call as a whole; empty when all is valid. */
  readonly userErrors: readonly UserError[];
}

/** The result of one row of a bulk change of creatives. */
export interface CreativeBulkResult {
  readonly __typename: 'CreativeBulkResult';
  /** Error code of this row; null when the row is valid. */
  readonly code: UserErrorCode | null;
  /** The object after the change; null when this row was not changed. */
  readonly creative: Creative | null;
  /** Its index in the input, from 0. */
  readonly index: number;
  /** What to do about the error. */
  readonly message: string | null;
  /** Wrong fields of this row. */
  readonly problems: readonly FieldProblem[];
  /** The mistakes in this row; empty when it is valid. */
  readonly userErrors: readonly UserError[];
  /** Doubtful fields of this row. */
  readonly warnings: readonly FieldProblem[];
}

/** A filter by the creatives that belong to an object. */
export interface CreativeChildrenWhere {
  /** None of them is so. */
  readonly none?: CreativeWhere | null | undefined;
  /** At least one of them is so. */
  readonly some?: CreativeWhere | null | undefined;
}

/** A page of a list of creatives. */
export interface CreativeConnection {
  readonly __typename: 'CreativeConnection';
  /** The objects of this page, each with its cursor. */
  readonly edges: readonly CreativeEdge[];
  /** The objects of this page, without their cursors. */
  readonly nodes: readonly Creative[];
  /** The position of this page in the list. */
  readonly pageInfo: PageInfo;
  /** How many objects match the filter, over all pages. Costs a count of its own. */
  readonly totalCount: number;
}

/** The content, with one shape per format. */
export interface CreativeContent {
  readonly __typename: 'AudioContent' | 'HtmlContent' | 'ImageContent' | 'NativeContent' | 'VideoContent';
  readonly on_AudioContent: AudioContent;
  readonly on_HtmlContent: HtmlContent;
  readonly on_ImageContent: ImageContent;
  readonly on_NativeContent: NativeContent;
  readonly on_VideoContent: VideoContent;
}

/** The content: set exactly one. */
export interface CreativeContentInput {
  /** An audio ad. */
  readonly audio?: AudioContentInput | null | undefined;
  /** HTML5 or a third-party tag. */
  readonly html?: HtmlContentInput | null | undefined;
  /** An uploaded HTML5 bundle (ZIP). */
  readonly html5?: Html5ContentInput | null | undefined;
  /** A picture banner. */
  readonly image?: ImageContentInput | null | undefined;
  /** A native ad. */
  readonly native?: NativeContentInput | null | undefined;
  /** A video. */
  readonly video?: VideoContentInput | null | undefined;
}

/** One creative in a list. */
export interface CreativeEdge {
  readonly __typename: 'CreativeEdge';
  /** Opaque position in the list, for `after` and `before`. */
  readonly cursor: string;
  /** The object. */
  readonly node: Creative;
}

/** Filters a list of creatives. All given parts must match; a list means any of its values. */
export interface CreativeFilter {
  /** Only with all of these values of custom fields, such as {"region": "North"}. */
  readonly customFields?: unknown;
  /** Only with one of these external ids. */
  readonly externalIds?: readonly string[] | null | undefined;
  /** Only of these formats (IMAGE, HTML, NATIVE, VIDEO, AUDIO). */
  readonly formats?: readonly CreativeFormat[] | null | undefined;
  /** Only these. */
  readonly ids?: readonly string[] | null | undefined;
  /** Only with one of these labels. */
  readonly labels?: readonly string[] | null | undefined;
  /** Only associations of these library creatives. */
  readonly libraryCreativeIds?: readonly string[] | null | undefined;
  /** Only of these line items. */
  readonly lineItemIds?: readonly string[] | null | undefined;
  /** Only companions of these creatives. */
  readonly masterCreativeIds?: readonly string[] | null | undefined;
  /** Only of these owners. */
  readonly owners?: readonly string[] | null | undefined;
  /** Only in one of these review states. */
  readonly reviewStates?: readonly ReviewState[] | null | undefined;
  /** Only those whose name (or code, or external id) contains this text, in any case; or that have this very id. */
  readonly search?: string | null | undefined;
  /** Only with one of these statuses. */
  readonly statuses?: readonly CreativeStatus[] | null | undefined;
  /** Only of these teams. */
  readonly teamIds?: readonly string[] | null | undefined;
  /** Only those changed at or after this instant. */
  readonly updatedSince?: string | null | undefined;
}

/** The format of a creative. */
export type CreativeFormat = 'AUDIO' | 'HTML' | 'IMAGE' | 'NATIVE' | 'VIDEO';

/** Comparisons of a field; all that are given must hold. */
export interface CreativeFormatWhere {
  /** Equal to this; null: empty. */
  readonly eq?: CreativeFormat | null | undefined;
  /** Equal to one of these, at most 500. */
  readonly in?: readonly CreativeFormat[] | null | undefined;
  /** None of this. */
  readonly not?: CreativeFormatWhere | null | undefined;
}

/** The order of a list of creatives. */
export interface CreativeOrder {
  /** The direction; default ASC. */
  readonly direction?: SortDirection | null | undefined;
  /** What to sort by. */
  readonly field: CreativeOrderField;
}

/** What a list of creatives can be sorted by. Empty values are last; empty texts are first. */
export type CreativeOrderField =
  | 'CLICK_URL'
  | 'CREATED_AT'
  | 'ENDS_AT'
  | 'EXTERNAL_ID'
  | 'FORMAT'
  | 'HEIGHT'
  | 'ID'
  | 'LANGUAGE'
  | 'NAME'
  | 'NOTES'
  | 'OWNER'
  | 'REVIEW_REASON'
  | 'REVIEW_STATE'
  | 'SECURE'
  | 'STARTS_AT'
  | 'STATUS'
  | 'UPDATED_AT'
  | 'UPDATED_BY'
  | 'VERSION'
  | 'WEIGHT'
  | 'WIDTH';

/** A library creative and a line item. */
export interface CreativePairInput {
  /** The library creative. */
  readonly libraryCreativeId: string;
  /** The line item. */
  readonly lineItemId: string;
}

/** The result of a change of one creative. */
export interface CreativePayload {
  readonly __typename: 'CreativePayload';
  /** The object after the change; null when it was only validated. */
  readonly creative: Creative | null;
  /** The mistakes in the input; empty when the change was made. Where it is selected, mistakes are told of here, and not in `errors`. */
  readonly userErrors: readonly UserError[];
  /** Whether only validation was requested, so that nothing was changed. */
  readonly validatedOnly: boolean;
  /** Warnings: allowed, but probably unintended. */
  readonly warnings: readonly FieldProblem[];
}

/** What creatives of a product have to be like. */
export interface CreativePolicy {
  readonly __typename: 'CreativePolicy';
  /** Whether they show the publisher's brand; default OPTIONAL. */
  readonly coBranding: CoBranding;
  /** Where their clicks may lead; default ANY. */
  readonly landingPage: LandingPage;
  /** Whether they have to say how they were made (by a camera, by a model …); default false. */
  readonly provenanceRequired: boolean;
  /** Whether the publisher has templates for them; default false. */
  readonly templatesAvailable: boolean;
  /** Further rules, in words; null = none. */
  readonly terms: string | null;
}

/** What creatives of a product have to be like. */
export interface CreativePolicyInput {
  /** Whether they show the publisher's brand; default OPTIONAL. */
  readonly coBranding?: CoBranding | null | undefined;
  /** Where their clicks may lead; default ANY. */
  readonly landingPage?: LandingPage | null | undefined;
  /** Whether they have to say how they were made (by a camera, by a model …); default false. */
  readonly provenanceRequired?: boolean | null | undefined;
  /** Whether the publisher has templates for them; default false. */
  readonly templatesAvailable?: boolean | null | undefined;
  /** Further rules, in words; null = none. */
  readonly terms?: string | null | undefined;
}

/** An address that shows a creative as it would serve, to anybody who has it. Nothing is counted there. */
export interface CreativePreview {
  readonly __typename: 'CreativePreview';
  /** When it stops to work. */
  readonly expiresAt: string;
  /** The address; with `?bare` it shows the ad alone, for a frame of its size. */
  readonly url: string;
}

/** Whether creatives are reviewed before they serve. */
export type CreativeReview = 'NONE' | 'REQUIRED';

/** How one of several fitting creatives is chosen. */
export type CreativeRotation = 'EVEN' | 'OPTIMISED' | 'SEQUENTIAL' | 'WEIGHTED';

/** Comparisons of a field; all that are given must hold. */
export interface CreativeRotationWhere {
  /** Equal to this; null: empty. */
  readonly eq?: CreativeRotation | null | undefined;
  /** Equal to one of these, at most 500. */
  readonly in?: readonly CreativeRotation[] | null | undefined;
  /** None of this. */
  readonly not?: CreativeRotationWhere | null | undefined;
}

/** What the text of a creative says that it does. Nothing is run or fetched. */
export interface CreativeScan {
  readonly __typename: 'CreativeScan';
  /** Whether it has a click macro or a click tag; null where clicks need none. */
  readonly hasClickMacro: boolean | null;
  /** Hosts that it names, at most 50. */
  readonly hosts: readonly string[];
  /** Addresses without https, at most 50. */
  readonly insecureUrls: readonly string[];
  /** Whether it uses cookies. */
  readonly usesCookies: boolean;
  /** Whether it uses document.write. */
  readonly usesDocumentWrite: boolean;
  /** Whether it uses storage of the browser. */
  readonly usesStorage: boolean;
  /** What is doubtful, in words. */
  readonly warnings: readonly CreativeScanWarning[];
}

/** Something in a creative that may keep it from working or from being counted. */
export interface CreativeScanWarning {
  readonly __typename: 'CreativeScanWarning';
  /** Stable code, such as `insecure_address`. */
  readonly code: string;
  /** What it means, and what to do. */
  readonly message: string;
}

/** Status of a creative. */
export type CreativeStatus = 'ACTIVE' | 'ARCHIVED' | 'PAUSED';

/** Comparisons of a field; all that are given must hold. */
export interface CreativeStatusWhere {
  /** Equal to this; null: empty. */
  readonly eq?: CreativeStatus | null | undefined;
  /** Equal to one of these, at most 500. */
  readonly in?: readonly CreativeStatus[] | null | undefined;
  /** None of this. */
  readonly not?: CreativeStatusWhere | null | undefined;
}

/** A filter of creatives by any field, at most 100 comparisons. All that is given must hold. */
export interface CreativeWhere {
  /** All of these. */
  readonly and?: readonly CreativeWhere[] | null | undefined;
  /** Landing address, http or https. */
  readonly clickUrl?: StringWhere | null | undefined;
  /** Its companions, by id. */
  readonly companions?: CreativeChildrenWhere | null | undefined;
  /** When it was made. */
  readonly createdAt?: DateTimeWhere | null | undefined;
  /** End of serving, exclusive; null = with its line item. */
  readonly endsAt?: DateTimeWhere | null | undefined;
  /** Id in your own system. */
  readonly externalId?: StringWhere | null | undefined;
  /** Its format, as the content has it. */
  readonly format?: CreativeFormatWhere | null | undefined;
  /** Height in CSS pixels; 0 × 0 fits any size (native, video). */
  readonly height?: IntWhere | null | undefined;
  /** Its id. */
  readonly id?: IDWhere | null | undefined;
  /** Labels to find it by. At most 10. */
  readonly labels?: StringListWhere | null | undefined;
  /** Language of its text, ISO 639, such as "pl". */
  readonly language?: StringWhere | null | undefined;
  /** The library creative that it follows. */
  readonly libraryCreative?: LibraryCreativeWhere | null | undefined;
  /** The library creative that is associated with its line item here, so that its content follows it; null = it has content of its own. */
  readonly libraryCreativeId?: IDWhere | null | undefined;
  /** Its line item. */
  readonly lineItem?: LineItemWhere | null | undefined;
  /** Its line item; cannot change. */
  readonly lineItemId?: IDWhere | null | undefined;
  /** The master that it accompanies. */
  readonly masterCreative?: CreativeWhere | null | undefined;
  /** For a companion: the creative of the same line item beside which this banner stands; null = it is shown by itself. Cannot change. */
  readonly masterCreativeId?: IDWhere | null | undefined;
  /** Name. */
  readonly name?: StringWhere | null | undefined;
  /** None of this. */
  readonly not?: CreativeWhere | null | undefined;
  /** Notes for people, with line breaks; at most 2000 characters. */
  readonly notes?: StringWhere | null | undefined;
  /** One of these. */
  readonly or?: readonly CreativeWhere[] | null | undefined;
  /** The e-mail address of the member of the network who looks after it; null = nobody. */
  readonly owner?: StringWhere | null | undefined;
  /** Why it was rejected, or a remark of the review; a new review state without one clears it. */
  readonly reviewReason?: StringWhere | null | undefined;
  /** The result of its review; only APPROVED serves. */
  readonly reviewState?: ReviewStateWhere | null | undefined;
  /** Whether all its addresses are https, so that it may serve on https pages. */
  readonly secure?: BooleanWhere | null | undefined;
  /** Start of serving; null = with its line item. */
  readonly startsAt?: DateTimeWhere | null | undefined;
  /** Status; ACTIVE at first. */
  readonly status?: CreativeStatusWhere | null | undefined;
  /** The team that looks after it. */
  readonly team?: TeamWhere | null | undefined;
  /** The team that looks after it; null = none. */
  readonly teamId?: IDWhere | null | undefined;
  /** When it was last changed. */
  readonly updatedAt?: DateTimeWhere | null | undefined;
  /** Who changed it last. */
  readonly updatedBy?: StringWhere | null | undefined;
  /** Its version. */
  readonly version?: IntWhere | null | undefined;
  /** Share of the draw among its siblings. */
  readonly weight?: IntWhere | null | undefined;
  /** Width in CSS pixels; 0 × 0 fits any size (native, video). */
  readonly width?: IntWhere | null | undefined;
}

/** A field that the network adds to its objects; their values are in `customFields`. */
export interface CustomField {
  readonly __typename: 'CustomField';
  /** The values to choose from, for CHOICE. */
  readonly choices: readonly string[];
  /** When it was made. */
  readonly createdAt: string;
  /** Decimal id, unique in its kind, in every version of the API. */
  readonly databaseId: string;
  /** What it means. */
  readonly description: string;
  /** Id that is unique among all types, as `node` takes it. */
  readonly globalId: string;
  /** Its id: the decimal one, or the global one where the version of the API shows global ids. */
  readonly id: string;
  /** Whether it is archived: it does not serve. */
  readonly isArchived: boolean;
  /** Its key in `customFields`; unique in the network; cannot change. */
  readonly key: string;
  /** The kinds of objects that have it, among advertiser, advertisingProduct, deal, site, area, adUnit, floor, activity, keyValue, segment, campaign, lineItem, creative, libraryCreative, experiment; empty = all. */
  readonly kinds: readonly string[];
  /** Name for people. */
  readonly name: string;
  /** Whether it is in use. */
  readonly status: Lifecycle;
  /** What its values are; cannot change. */
  readonly type: CustomFieldType;
  /** When it was last changed. */
  readonly updatedAt: string;
  /** Who changed it last, as the audit log names them; empty: the system. */
  readonly updatedBy: string;
  /** Grows with every change; send it with an update to detect concurrent changes. */
  readonly version: number;
}

/** The result of a bulk change of custom fields. */
export interface CustomFieldBulkPayload {
  readonly __typename: 'CustomFieldBulkPayload';
  /** How many rows were changed (0 when only validated, or all undone). */
  readonly changedCount: number;
  /** How many rows were wrong. */
  readonly failedCount: number;
  /** One result for each row, in the order of the input. */
  readonly results: readonly CustomFieldBulkResult[];
  /** The mistakes in all rows, and those of the call as a whole; empty when all is valid. */
  readonly userErrors: readonly UserError[];
}

/** The result of one row of a bulk change of custom fields. */
export interface CustomFieldBulkResult {
  readonly __typename: 'CustomFieldBulkResult';
  /** Error code of this row; null when the row is valid. */
  readonly code: UserErrorCode | null;
  /** The object after the change; null when this row was not changed. */
  readonly customField: CustomField | null;
  /** Its index in the input, from 0. */
  readonly index: number;
  /** What to do about the error. */
  readonly message: string | null;
  /** Wrong fields of this row. */
  readonly problems: readonly FieldProblem[];
  /** The mistakes in this row; empty when it is valid. */
  readonly userErrors: readonly UserError[];
  /** Doubtful fields of this row. */
  readonly warnings: readonly FieldProblem[];
}

/** A page of a list of custom fields. */
export interface CustomFieldConnection {
  readonly __typename: 'CustomFieldConnection';
  /** The objects of this page, each with its cursor. */
  readonly edges: readonly CustomFieldEdge[];
  /** The objects of this page, without their cursors. */
  readonly nodes: readonly CustomField[];
  /** The position of this page in the list. */
  readonly pageInfo: PageInfo;
  /** How many objects match the filter, over all pages. Costs a count of its own. */
  readonly totalCount: number;
}

/** One custom field in a list. */
export interface CustomFieldEdge {
  readonly __typename: 'CustomFieldEdge';
  /** Opaque position in the list, for `after` and `before`. */
  readonly cursor: string;
  /** The object. */
  readonly node: CustomField;
}

/** Filters a list of custom fields. All given parts must match; a list means any of its values. */
export interface CustomFieldFilter {
  /** Only these. */
  readonly ids?: readonly string[] | null | undefined;
  /** Only these keys. */
  readonly keys?: readonly string[] | null | undefined;
  /** Only those whose name (or code, or external id) contains this text, in any case; or that have this very id. */
  readonly search?: string | null | undefined;
  /** Only with one of these statuses. */
  readonly statuses?: readonly Lifecycle[] | null | undefined;
  /** Only those changed at or after this instant. */
  readonly updatedSince?: string | null | undefined;
}

/** The order of a list of custom fields. */
export interface CustomFieldOrder {
  /** The direction; default ASC. */
  readonly direction?: SortDirection | null | undefined;
  /** What to sort by. */
  readonly field: CustomFieldOrderField;
}

/** What a list of custom fields can be sorted by. Empty values are last; empty texts are first. */
export type CustomFieldOrderField =
  | 'CREATED_AT'
  | 'DESCRIPTION'
  | 'ID'
  | 'KEY'
  | 'NAME'
  | 'STATUS'
  | 'TYPE'
  | 'UPDATED_AT'
  | 'UPDATED_BY'
  | 'VERSION';

/** The result of a change of one custom field. */
export interface CustomFieldPayload {
  readonly __typename: 'CustomFieldPayload';
  /** The object after the change; null when it was only validated. */
  readonly customField: CustomField | null;
  /** The mistakes in the input; empty when the change was made. Where it is selected, mistakes are told of here, and not in `errors`. */
  readonly userErrors: readonly UserError[];
  /** Whether only validation was requested, so that nothing was changed. */
  readonly validatedOnly: boolean;
  /** Warnings: allowed, but probably unintended. */
  readonly warnings: readonly FieldProblem[];
}

/** What the values of a custom field are. */
export type CustomFieldType = 'BOOLEAN' | 'CHOICE' | 'DATE' | 'NUMBER' | 'TEXT';

/** Comparisons of a field; all that are given must hold. */
export interface CustomFieldTypeWhere {
  /** Equal to this; null: empty. */
  readonly eq?: CustomFieldType | null | undefined;
  /** Equal to one of these, at most 500. */
  readonly in?: readonly CustomFieldType[] | null | undefined;
  /** None of this. */
  readonly not?: CustomFieldTypeWhere | null | undefined;
}

/** A filter of custom fields by any field, at most 100 comparisons. All that is given must hold. */
export interface CustomFieldWhere {
  /** All of these. */
  readonly and?: readonly CustomFieldWhere[] | null | undefined;
  /** The values to choose from, for CHOICE. */
  readonly choices?: StringListWhere | null | undefined;
  /** When it was made. */
  readonly createdAt?: DateTimeWhere | null | undefined;
  /** What it means. */
  readonly description?: StringWhere | null | undefined;
  /** Its id. */
  readonly id?: IDWhere | null | undefined;
  /** Its key in `customFields`; unique in the network; cannot change. */
  readonly key?: StringWhere | null | undefined;
  /** The kinds of objects that have it, among advertiser, advertisingProduct, deal, site, area, adUnit, floor, activity, keyValue, segment, campaign, lineItem, creative, libraryCreative, experiment; empty = all. */
  readonly kinds?: StringListWhere | null | undefined;
  /** Name for people. */
  readonly name?: StringWhere | null | undefined;
  /** None of this. */
  readonly not?: CustomFieldWhere | null | undefined;
  /** One of these. */
  readonly or?: readonly CustomFieldWhere[] | null | undefined;
  /** Whether it is in use. */
  readonly status?: LifecycleWhere | null | undefined;
  /** What its values are; cannot change. */
  readonly type?: CustomFieldTypeWhere | null | undefined;
  /** When it was last changed. */
  readonly updatedAt?: DateTimeWhere | null | undefined;
  /** Who changed it last. */
  readonly updatedBy?: StringWhere | null | undefined;
  /** Its version. */
  readonly version?: IntWhere | null | undefined;
}

/** Comparisons of a field; all that are given must hold. */
export interface DateTimeWhere {
  /** Equal to this; null: empty. */
  readonly eq?: string | null | undefined;
  /** At least this; of instants: at or after it. */
  readonly gte?: string | null | undefined;
  /** Equal to one of these, at most 500. */
  readonly in?: readonly string[] | null | undefined;
  /** Less than this; of instants: before it. */
  readonly lt?: string | null | undefined;
  /** None of this. */
  readonly not?: DateTimeWhere | null | undefined;
}

/** A span of some days of the week, in the line item's time zone. */
export interface DayPart {
  readonly __typename: 'DayPart';
  /** 1 = Monday … 7 = Sunday. */
  readonly days: readonly number[];
  /** End, exclusive: minute of the day, 1…1440. */
  readonly endMinute: number;
  /** Start: minute of the day, 0…1439. */
  readonly startMinute: number;
}

/** A span of some days of the week, in the line item's time zone. */
export interface DayPartInput {
  /** 1 = Monday … 7 = Sunday. */
  readonly days: readonly number[];
  /** End, exclusive: minute of the day, 1…1440. */
  readonly endMinute: number;
  /** Start: minute of the day, 0…1439. */
  readonly startMinute: number;
}

/** An agreement with a buyer; its code is the deal id of OpenRTB. */
export interface Deal {
  readonly __typename: 'Deal';
  /** Its code in bid requests and responses, unique in the network. */
  readonly code: string;
  /** When it was made. */
  readonly createdAt: string;
  /** Values of the custom fields of the network, by key; at most 50. The whole set is replaced. */
  readonly customFields: unknown;
  /** Decimal id, unique in its kind, in every version of the API. */
  readonly databaseId: string;
  /** Fixed CPM; null = the line item's price. */
  readonly fixedPrice: string | null;
  /** Fixed CPM; null = the line item's price. With its currency. */
  readonly fixedPriceMoney: Money | null;
  /** Lowest CPM; 0 = none. */
  readonly floor: string;
  /** Lowest CPM; 0 = none. With its currency. */
  readonly floorMoney: Money;
  /** Id that is unique among all types, as `node` takes it. */
  readonly globalId: string;
  /** Its id: the decimal one, or the global one where the version of the API shows global ids. */
  readonly id: string;
  /** Whether it is archived: it does not serve. */
  readonly isArchived: boolean;
  /** The kind of agreement; default: PRIVATE. */
  readonly kind: DealKind;
  /** Labels to find it by. At most 10. */
  readonly labels: readonly string[];
  /** The line items that serve it, by id. */
  readonly lineItems: (args?: {
    /** Cursor after which the page begins. */
    readonly after?: string | null | undefined;
    /** Size of the page, 1…100; default 25. */
    readonly first?: number | null | undefined;
    /** Only those that are so. */
    readonly where?: LineItemWhere | null | undefined;
  }) => LineItemConnection;
  /** Name. */
  readonly name: string;
  /** Notes for people, with line breaks; at most 2000 characters. */
  readonly notes: string;
  /** The e-mail address of the member of the network who looks after it; null = nobody. */
  readonly owner: string | null;
  /** Buyers that may use it; empty = all. */
  readonly seats: readonly string[];
  /** Whether it is in use. */
  readonly status: Lifecycle;
  /** The team that looks after it. */
  readonly team: Team | null;
  /** The team that looks after it; null = none. */
  readonly teamId: string | null;
  /** When it was last changed. */
  readonly updatedAt: string;
  /** Who changed it last, as the audit log names them; empty: the system. */
  readonly updatedBy: string;
  /** Grows with every change; send it with an update to detect concurrent changes. */
  readonly version: number;
}

/** The result of a bulk change of deals. */
export interface DealBulkPayload {
  readonly __typename: 'DealBulkPayload';
  /** How many rows were changed (0 when only validated, or all undone). */
  readonly changedCount: number;
  /** How many rows were wrong. */
  readonly failedCount: number;
  /** One result for each row, in the order of the input. */
  readonly results: readonly DealBulkResult[];
  /** The mistakes in all rows, and those of the call as a whole; empty when all is valid. */
  readonly userErrors: readonly UserError[];
}

/** The result of one row of a bulk change of deals. */
export interface DealBulkResult {
  readonly __typename: 'DealBulkResult';
  /** Error code of this row; null when the row is valid. */
  readonly code: UserErrorCode | null;
  /** The object after the change; null when this row was not changed. */
  readonly deal: Deal | null;
  /** Its index in the input, from 0. */
  readonly index: number;
  /** What to do about the error. */
  readonly message: string | null;
  /** Wrong fields of this row. */
  readonly problems: readonly FieldProblem[];
  /** The mistakes in this row; empty when it is valid. */
  readonly userErrors: readonly UserError[];
  /** Doubtful fields of this row. */
  readonly warnings: readonly FieldProblem[];
}

/** A page of a list of deals. */
export interface DealConnection {
  readonly __typename: 'DealConnection';
  /** The objects of this page, each with its cursor. */
  readonly edges: readonly DealEdge[];
  /** The objects of this page, without their cursors. */
  readonly nodes: readonly Deal[];
  /** The position of this page in the list. */
  readonly pageInfo: PageInfo;
  /** How many objects match the filter, over all pages. Costs a count of its own. */
  readonly totalCount: number;
}

/** One deal in a list. */
export interface DealEdge {
  readonly __typename: 'DealEdge';
  /** Opaque position in the list, for `after` and `before`. */
  readonly cursor: string;
  /** The object. */
  readonly node: Deal;
}

/** Filters a list of deals. All given parts must match; a list means any of its values. */
export interface DealFilter {
  /** Only with one of these codes. */
  readonly codes?: readonly string[] | null | undefined;
  /** Only with all of these values of custom fields, such as {"region": "North"}. */
  readonly customFields?: unknown;
  /** Only these. */
  readonly ids?: readonly string[] | null | undefined;
  /** Only of these kinds. */
  readonly kinds?: readonly DealKind[] | null | undefined;
  /** Only with one of these labels. */
  readonly labels?: readonly string[] | null | undefined;
  /** Only of these owners. */
  readonly owners?: readonly string[] | null | undefined;
  /** Only those whose name (or code, or external id) contains this text, in any case; or that have this very id. */
  readonly search?: string | null | undefined;
  /** Only with one of these statuses. */
  readonly statuses?: readonly Lifecycle[] | null | undefined;
  /** Only of these teams. */
  readonly teamIds?: readonly string[] | null | undefined;
  /** Only those changed at or after this instant. */
  readonly updatedSince?: string | null | undefined;
}

/** What a deal agrees on. */
export type DealKind = 'PRIVATE' | 'PROGRAMMATIC_GUARANTEED';

/** Comparisons of a field; all that are given must hold. */
export interface DealKindWhere {
  /** Equal to this; null: empty. */
  readonly eq?: DealKind | null | undefined;
  /** Equal to one of these, at most 500. */
  readonly in?: readonly DealKind[] | null | undefined;
  /** None of this. */
  readonly not?: DealKindWhere | null | undefined;
}

/** The order of a list of deals. */
export interface DealOrder {
  /** The direction; default ASC. */
  readonly direction?: SortDirection | null | undefined;
  /** What to sort by. */
  readonly field: DealOrderField;
}

/** What a list of deals can be sorted by. Empty values are last; empty texts are first. */
export type DealOrderField =
  | 'CODE'
  | 'CREATED_AT'
  | 'FIXED_PRICE'
  | 'FLOOR'
  | 'ID'
  | 'KIND'
  | 'NAME'
  | 'NOTES'
  | 'OWNER'
  | 'STATUS'
  | 'UPDATED_AT'
  | 'UPDATED_BY'
  | 'VERSION';

/** The result of a change of one deal. */
export interface DealPayload {
  readonly __typename: 'DealPayload';
  /** The object after the change; null when it was only validated. */
  readonly deal: Deal | null;
  /** The mistakes in the input; empty when the change was made. Where it is selected, mistakes are told of here, and not in `errors`. */
  readonly userErrors: readonly UserError[];
  /** Whether only validation was requested, so that nothing was changed. */
  readonly validatedOnly: boolean;
  /** Warnings: allowed, but probably unintended. */
  readonly warnings: readonly FieldProblem[];
}

/** A filter of deals by any field, at most 100 comparisons. All that is given must hold. */
export interface DealWhere {
  /** All of these. */
  readonly and?: readonly DealWhere[] | null | undefined;
  /** Its code in bid requests and responses, unique in the network. */
  readonly code?: StringWhere | null | undefined;
  /** When it was made. */
  readonly createdAt?: DateTimeWhere | null | undefined;
  /** Fixed CPM; null = the line item's price. */
  readonly fixedPrice?: DecimalWhere | null | undefined;
  /** Lowest CPM; 0 = none. */
  readonly floor?: DecimalWhere | null | undefined;
  /** Its id. */
  readonly id?: IDWhere | null | undefined;
  /** The kind of agreement; default: PRIVATE. */
  readonly kind?: DealKindWhere | null | undefined;
  /** Labels to find it by. At most 10. */
  readonly labels?: StringListWhere | null | undefined;
  /** The line items that serve it, by id. */
  readonly lineItems?: LineItemChildrenWhere | null | undefined;
  /** Name. */
  readonly name?: StringWhere | null | undefined;
  /** None of this. */
  readonly not?: DealWhere | null | undefined;
  /** Notes for people, with line breaks; at most 2000 characters. */
  readonly notes?: StringWhere | null | undefined;
  /** One of these. */
  readonly or?: readonly DealWhere[] | null | undefined;
  /** The e-mail address of the member of the network who looks after it; null = nobody. */
  readonly owner?: StringWhere | null | undefined;
  /** Buyers that may use it; empty = all. */
  readonly seats?: StringListWhere | null | undefined;
  /** Whether it is in use. */
  readonly status?: LifecycleWhere | null | undefined;
  /** The team that looks after it. */
  readonly team?: TeamWhere | null | undefined;
  /** The team that looks after it; null = none. */
  readonly teamId?: IDWhere | null | undefined;
  /** When it was last changed. */
  readonly updatedAt?: DateTimeWhere | null | undefined;
  /** Who changed it last. */
  readonly updatedBy?: StringWhere | null | undefined;
  /** Its version. */
  readonly version?: IntWhere | null | undefined;
}

/** The arm of the experiment in which a request is decided. */
export interface DecidedArm {
  readonly __typename: 'DecidedArm';
  /** The arm. */
  readonly arm: ExperimentArm;
  /** The experiment. */
  readonly experimentId: string;
  /** The rule of the experiment, by which the arm `RULE` is decided. */
  readonly rule: ExperimentRule;
}

/** Comparisons of a field; all that are given must hold. */
export interface DecimalWhere {
  /** Equal to this; null: empty. */
  readonly eq?: string | null | undefined;
  /** At least this; of instants: at or after it. */
  readonly gte?: string | null | undefined;
  /** Equal to one of these, at most 500. */
  readonly in?: readonly string[] | null | undefined;
  /** Less than this; of instants: before it. */
  readonly lt?: string | null | undefined;
  /** None of this. */
  readonly not?: DecimalWhere | null | undefined;
}

/** A decision, with what led to it and what would change it. Nothing of it is counted, billed or shown. */
export interface DecisionInspection {
  readonly __typename: 'DecisionInspection';
  /** The ad behind `whyLink`. */
  readonly ad: InspectedAd | null;
  /** The request as the bid endpoint takes it; null for a logged decision. */
  readonly bidRequest: unknown;
  /** The line items for which `imagined` differs, winners first, at most 200. */
  readonly changes: readonly InspectedChange[];
  /** The logged decision, or else the present one, with the imagined changes. */
  readonly imagined: InspectedDecision | null;
  /** The decision as the log has it, made again on the bookings of that time; null where it does not. */
  readonly logged: InspectedDecision | null;
  /** Remarks, as sentences. */
  readonly notes: readonly string[];
  /** The same request with the present bookings. */
  readonly present: InspectedDecision;
  /** The same as data, a text for each. */
  readonly remarks: readonly DeliveryText[];
  /** What the request says. */
  readonly request: InspectedRequest;
}

/** The result of deleting a schedule. */
export interface DeleteReportSchedulePayload {
  readonly __typename: 'DeleteReportSchedulePayload';
  /** The deleted schedule. */
  readonly schedule: ReportSchedule | null;
  /** The mistakes in the input; empty when the change was made. Where it is selected, mistakes are told of here, and not in `errors`. */
  readonly userErrors: readonly UserError[];
}

/** The result of deleting a webhook. */
export interface DeleteWebhookPayload {
  readonly __typename: 'DeleteWebhookPayload';
  /** The mistakes in the input; empty when the change was made. Where it is selected, mistakes are told of here, and not in `errors`. */
  readonly userErrors: readonly UserError[];
  /** The deleted webhook. */
  readonly webhook: Webhook | null;
}

/** What an object has delivered so far. */
export interface Delivery {
  readonly __typename: 'Delivery';
  /** In total. */
  readonly lifetime: DeliveryFigures;
  /** Progress to the goal; null without a goal. */
  readonly progress: GoalProgress | null;
  /** Today, in the object's time zone. */
  readonly today: DeliveryFigures;
}

/** Hard limits; null = none. A day is a day of the object's time zone. */
export interface DeliveryCaps {
  readonly __typename: 'DeliveryCaps';
  /** Clicks in all. */
  readonly clicksLifetime: number | null;
  /** Clicks a day. */
  readonly clicksPerDay: number | null;
  /** Impressions in all. */
  readonly impressionsLifetime: number | null;
  /** Impressions a day. */
  readonly impressionsPerDay: number | null;
  /** Money in all. */
  readonly spendLifetime: string | null;
  /** Money in all. With its currency. */
  readonly spendLifetimeMoney: Money | null;
  /** Money a day. */
  readonly spendPerDay: string | null;
  /** Money a day. With its currency. */
  readonly spendPerDayMoney: Money | null;
}

/** Hard limits. The whole set is replaced: an absent or null limit is removed. */
export interface DeliveryCapsInput {
  /** Clicks in all. */
  readonly clicksLifetime?: number | null | undefined;
  /** Clicks a day. */
  readonly clicksPerDay?: number | null | undefined;
  /** Impressions in all. */
  readonly impressionsLifetime?: number | null | undefined;
  /** Impressions a day. */
  readonly impressionsPerDay?: number | null | undefined;
  /** Money in all. */
  readonly spendLifetime?: string | null | undefined;
  /** Money a day. */
  readonly spendPerDay?: string | null | undefined;
}

/** What keeps a line item from an opportunity, or how it stands. Later versions may add causes. */
export type DeliveryCause =
  | 'ARCHIVED'
  | 'BEHIND'
  | 'BETTER_UNIT'
  | 'BLOCKED'
  | 'BUDGET'
  | 'CAPPED'
  | 'COMPANION'
  | 'COMPLETED'
  | 'CONSENT'
  | 'CREATIVE'
  | 'CURRENCY'
  | 'DAYPART'
  | 'DELIVERING'
  | 'DRAFT'
  | 'DSA_MISSING'
  | 'EXCLUSION'
  | 'FLOOR'
  | 'FORMAT'
  | 'GOAL_REACHED'
  | 'LATE'
  | 'LOST'
  | 'NOT_IN_FLIGHT'
  | 'NOT_SHOWN'
  | 'NO_SAMPLE'
  | 'NO_TRAFFIC'
  | 'PACING'
  | 'PAUSED'
  | 'RESERVED'
  | 'ROADBLOCK'
  | 'SECURE'
  | 'SIZE'
  | 'SUSPENDED'
  | 'TARGETING'
  | 'UNKNOWN'
  | 'WON';

/** A change of the bookings that removes what keeps a line item from delivering, ready to be carried out. */
export interface DeliveryChange {
  readonly __typename: 'DeliveryChange';
  /** The kind of that cause. */
  readonly cause: DeliveryCause;
  /** The cause that it removes. */
  readonly code: string;
  /** A GraphQL document with that mutation, to be sent with `variables`. */
  readonly document: string | null;
  /** The same in impressions, by the share of its ads that are shown. */
  readonly impressions: number | null;
  /** Members that a person must add to the variables, as paths; empty = it can be sent as it is. */
  readonly missing: readonly string[];
  /** The mutation that does it, such as `updateLineItem`; null where no change of the bookings helps. */
  readonly mutation: string | null;
  /** Opportunities that it alone would gain, of those that were looked at; null = not known. */
  readonly opportunities: number | null;
  /** What to do, as a sentence. */
  readonly sentence: string;
  /** That sentence as data; null where it has no code. */
  readonly text: DeliveryText | null;
  /** Its variables: the id, the version that was read, and the input. */
  readonly variables: unknown;
}

/** The delivery diagnosis of a line item. */
export interface DeliveryDiagnosis {
  readonly __typename: 'DeliveryDiagnosis';
  /** Advice; empty when none is needed. */
  readonly advice: string;
  /** The advice as data; null when none is needed, or a change says it. */
  readonly adviceText: DeliveryText | null;
  /** The same by hour, the earliest first; hours without a sampled decision are left out. */
  readonly byHour: readonly DeliveryReasonsOfHour[];
  /** The kind of `code`. */
  readonly cause: DeliveryCause;
  /** The change that removes the cause `code`; null when none is needed. */
  readonly change: DeliveryChange | null;
  /** That change, and others that would gain something, at most 5. */
  readonly changes: readonly DeliveryChange[];
  /** So many of `changes`, from the first on, help only together; 1 where each helps alone, 0 where there are none. Make one, and ask again for the next: each carries the version that was read. */
  readonly changesTogether: number;
  /** `delivering`, `no_traffic`, `no_sample`, `behind`, `unknown`, or what stands most in the way: the test whose passing alone would gain most, or the first of those that must be passed together. */
  readonly code: string;
  /** How many hours back the numbers go. */
  readonly hours: number;
  /** Those of them that match what it is booked for: targeting, day-parts, sizes and formats. */
  readonly inReach: number;
  /** Outcomes, most frequent first: `won`, or all tests that were failed, joined by "+". */
  readonly numbers: readonly DeliveryReasonCount[];
  /** Sampled opportunities (estimated). */
  readonly opportunities: number;
  /** The line items that outbid or outranked it, most first, at most 5. */
  readonly rivals: readonly DeliveryRival[];
  /** The status as a sentence. */
  readonly sentence: string;
  /** That sentence as data, part by part, at most 10. */
  readonly texts: readonly DeliveryText[];
}

/** What was delivered in a span, as counted at this moment (reports are the record for billing). */
export interface DeliveryFigures {
  readonly __typename: 'DeliveryFigures';
  /** Clicks. */
  readonly clicks: number;
  /** Attributed activities. */
  readonly conversions: number;
  /** Impressions. */
  readonly impressions: number;
  /** Money earned by these events. */
  readonly spend: string;
  /** Money earned by these events. With its currency. */
  readonly spendMoney: Money | null;
  /** Videos and audio ads that were played to the end. */
  readonly videoCompletes: number;
  /** Impressions measured as viewable. */
  readonly viewableImpressions: number;
}

/** How often a line item met one outcome, estimated from a sample of decisions. */
export interface DeliveryReasonCount {
  readonly __typename: 'DeliveryReasonCount';
  /** The causes that `reason` names: WON, or one for each test that was failed. */
  readonly causes: readonly DeliveryCause[];
  /** Opportunities. */
  readonly opportunities: number;
  /** Share of all sampled opportunities. */
  readonly percent: number;
  /** `won`, or a reason for losing such as `targeting.country`, `capped.line_item`, `lost.price`. */
  readonly reason: string;
}

/** The outcomes of a line item in one hour, estimated from a sample of decisions. */
export interface DeliveryReasonsOfHour {
  readonly __typename: 'DeliveryReasonsOfHour';
  /** The beginning of the hour. */
  readonly hour: string;
  /** Outcomes, most frequent first, at most 10. */
  readonly numbers: readonly DeliveryReasonCount[];
}

/** A line item that had what another one lost. */
export interface DeliveryRival {
  readonly __typename: 'DeliveryRival';
  /** The expected earning of a thousand of its impressions. */
  readonly bid: string;
  /** The expected earning of a thousand of its impressions. With its currency. */
  readonly bidMoney: Money | null;
  /** Its level within the tier. */
  readonly level: number;
  /** Its id. */
  readonly lineItemId: string;
  /** Its name. */
  readonly name: string;
  /** How often it had them. */
  readonly opportunities: number;
  /** Its tier. */
  readonly type: LineItemType;
}

/** Status of a campaign or line item. Only ACTIVE serves, and only while all parents are ACTIVE. */
export type DeliveryStatus = 'ACTIVE' | 'ARCHIVED' | 'COMPLETED' | 'DRAFT' | 'PAUSED' | 'RESERVED';

/** Comparisons of a field; all that are given must hold. */
export interface DeliveryStatusWhere {
  /** Equal to this; null: empty. */
  readonly eq?: DeliveryStatus | null | undefined;
  /** Equal to one of these, at most 500. */
  readonly in?: readonly DeliveryStatus[] | null | undefined;
  /** None of this. */
  readonly not?: DeliveryStatusWhere | null | undefined;
}

/** A part of a sentence as a stable code with values: programs write it in the language of their user, and show the sentence itself for a code that they do not know. */
export interface DeliveryText {
  readonly __typename: 'DeliveryText';
  /** Its code. */
  readonly code: DeliveryTextCode;
  /** Its values, at most 6. */
  readonly values: readonly DeliveryTextValue[];
}

/** A part of a sentence about delivery, in English with its values in braces. Later versions may add codes. */
export type DeliveryTextCode =
  | 'ACTIVATE'
  | 'ACTIVATE_CREATIVE'
  | 'ACTIVATE_TARGET'
  | 'ADD_CREATIVE'
  | 'ADD_CREATIVE_OF_FORMAT'
  | 'ADD_CREATIVE_OF_SIZE'
  | 'ADVISE_CURRENCY'
  | 'ADVISE_EXCLUSION'
  | 'ADVISE_LABEL_FREQUENCY'
  | 'ADVISE_LATE'
  | 'ADVISE_LOST_DRAW'
  | 'ADVISE_LOST_PLAN'
  | 'ADVISE_LOST_TIER'
  | 'ADVISE_NOT_ASKED'
  | 'ADVISE_NOT_SHOWN'
  | 'ADVISE_NO_SAMPLE'
  | 'ADVISE_NO_TRAFFIC'
  | 'ADVISE_SUSPENDED'
  | 'ADVISE_TOO_LITTLE'
  | 'ADVISE_UNKNOWN'
  | 'ALONE'
  | 'AND_BECAUSE'
  | 'APPROVE_CREATIVE'
  | 'APPROVE_REJECTED'
  | 'AVAILABILITY_FIRST_ONLY'
  | 'AVAILABILITY_LEFT_OUT'
  | 'AVAILABILITY_NO_TRAFFIC'
  | 'AVAILABILITY_SHORT_HISTORY'
  | 'BECAUSE_ARCHIVED'
  | 'BECAUSE_BETTER_UNIT'
  | 'BECAUSE_BLOCKED'
  | 'BECAUSE_BLOCKED_ADVERTISER'
  | 'BECAUSE_BLOCKED_ATTRIBUTE'
  | 'BECAUSE_BLOCKED_CATEGORY'
  | 'BECAUSE_BLOCKED_LANGUAGE'
  | 'BECAUSE_BLOCKED_PRIVATE_AUCTION'
  | 'BECAUSE_BLOCKED_SEAT'
  | 'BECAUSE_BUDGET'
  | 'BECAUSE_BUDGET_REACHED'
  | 'BECAUSE_CAPPED'
  | 'BECAUSE_CAPPED_ADVERTISER_FREQUENCY'
  | 'BECAUSE_CAPPED_CAMPAIGN_FREQUENCY'
  | 'BECAUSE_CAPPED_CREATIVE'
  | 'BECAUSE_CAPPED_LABEL_FREQUENCY'
  | 'BECAUSE_CAPPED_LINE_ITEM_FREQUENCY'
  | 'BECAUSE_CAPPED_NO_USER'
  | 'BECAUSE_CAP_REACHED'
  | 'BECAUSE_COMPANION'
  | 'BECAUSE_COMPLETED'
  | 'BECAUSE_CONSENT'
  | 'BECAUSE_CONSENT_SEGMENTS'
  | 'BECAUSE_CREATIVE'
  | 'BECAUSE_CREATIVE_ARCHIVED'
  | 'BECAUSE_CREATIVE_COMPANIONS'
  | 'BECAUSE_CREATIVE_ENDED'
  | 'BECAUSE_CREATIVE_NONE'
  | 'BECAUSE_CREATIVE_NOT_STARTED'
  | 'BECAUSE_CREATIVE_PAUSED'
  | 'BECAUSE_CREATIVE_PENDING'
  | 'BECAUSE_CREATIVE_REJECTED'
  | 'BECAUSE_CURRENCY'
  | 'BECAUSE_DAILY_BUDGET_REACHED'
  | 'BECAUSE_DAILY_CAP_REACHED'
  | 'BECAUSE_DAILY_GOAL_USED'
  | 'BECAUSE_DAYPART'
  | 'BECAUSE_DRAFT'
  | 'BECAUSE_DSA_MISSING'
  | 'BECAUSE_EXCLUSION'
  | 'BECAUSE_EXCLUSION_LABEL'
  | 'BECAUSE_FLIGHT_NOT_BEGUN'
  | 'BECAUSE_FLIGHT_OVER'
  | 'BECAUSE_FLOOR'
  | 'BECAUSE_FLOOR_AD_UNIT'
  | 'BECAUSE_FLOOR_DEAL'
  | 'BECAUSE_FLOOR_NETWORK'
  | 'BECAUSE_FLOOR_REQUEST'
  | 'BECAUSE_FLOOR_RULE'
  | 'BECAUSE_FORMAT'
  | 'BECAUSE_GOAL_REACHED'
  | 'BECAUSE_GOAL_USED'
  | 'BECAUSE_LATE'
  | 'BECAUSE_LINE_ITEM_STATUS'
  | 'BECAUSE_LOST_DRAW'
  | 'BECAUSE_LOST_PLAN'
  | 'BECAUSE_LOST_PRICE'
  | 'BECAUSE_LOST_TIER'
  | 'BECAUSE_NETWORK_STATUS'
  | 'BECAUSE_NOT_IN_FLIGHT'
  | 'BECAUSE_NOT_IN_FLIGHT_CREATIVE'
  | 'BECAUSE_OTHER'
  | 'BECAUSE_PACING'
  | 'BECAUSE_PARENT_FLIGHT_NOT_BEGUN'
  | 'BECAUSE_PARENT_FLIGHT_OVER'
  | 'BECAUSE_PARENT_STATUS'
  | 'BECAUSE_PAUSED'
  | 'BECAUSE_RESERVED'
  | 'BECAUSE_ROADBLOCK'
  | 'BECAUSE_SECURE'
  | 'BECAUSE_SIZE'
  | 'BECAUSE_SUSPENDED'
  | 'BECAUSE_TARGETING'
  | 'BECAUSE_TARGETING_KEY'
  | 'BECAUSE_TARGET_STATUS'
  | 'BEGIN_CREATIVE_NOW'
  | 'BEGIN_NOW'
  | 'CANNOT_SERVE'
  | 'CHANGE_TYPE'
  | 'CHECK_CATEGORIES'
  | 'CHECK_DOMAINS'
  | 'CORRECT_ATTRIBUTES'
  | 'CORRECT_LANGUAGE'
  | 'DELIVERING'
  | 'DELIVER_SOON'
  | 'DID_NOT_SERVE'
  | 'DOUBLE_CREATIVE_CAPS'
  | 'DOUBLE_FREQUENCY_CAPS'
  | 'DOUBLE_LABEL_CAPS'
  | 'DROP_DAY_PARTS'
  | 'DROP_DIMENSION'
  | 'DROP_EXCLUSIONS'
  | 'DROP_KEY'
  | 'DROP_OPTIMISATION'
  | 'FORECAST_BEGUN'
  | 'FORECAST_LITTLE_TRAFFIC'
  | 'FORECAST_NO_SAMPLE'
  | 'FORECAST_PARTS'
  | 'FORECAST_SHORT_SAMPLE'
  | 'FORECAST_SMALL_SAMPLE'
  | 'FORECAST_THINNED'
  | 'FORECAST_UNCERTAIN'
  | 'FORECAST_UNMATCHED'
  | 'FORECAST_VOLUME'
  | 'GOAL'
  | 'GOAL_EXPECTED'
  | 'INSPECTION_ENDED'
  | 'INSPECTION_LIKE_IT'
  | 'INSPECTION_NOT_LOGGED'
  | 'INSPECTION_NO_BOOKINGS'
  | 'INSPECTION_NO_LOG'
  | 'INSPECTION_SAME_PLAN'
  | 'MOST_LOST'
  | 'MOVE_CREATIVE_END'
  | 'MOVE_CREATIVE_FLIGHT'
  | 'MOVE_END'
  | 'MOVE_LEVEL'
  | 'NOT_SHOWN'
  | 'NO_SAMPLE'
  | 'NO_TRAFFIC'
  | 'NO_TRAFFIC_FOR'
  | 'RAISE_CREDIT'
  | 'RAISE_DAILY_CAP'
  | 'RAISE_GOAL'
  | 'RAISE_LIFETIME_CAP'
  | 'RAISE_PRICE'
  | 'RAISE_PRICE_TO'
  | 'RAISE_SHARE'
  | 'RAISE_WEIGHT'
  | 'RESTORE_CREATIVE'
  | 'RIVAL'
  | 'SEEN'
  | 'SELL_IN_AUCTION'
  | 'SELL_TO_SEAT'
  | 'SELL_WITHOUT_DEAL'
  | 'SERVE_SECURELY'
  | 'SERVE_UNKNOWN_USERS'
  | 'SERVE_WITHOUT_COMPANIONS'
  | 'SHOW_ONE_AT_A_TIME'
  | 'STATE_PAYER'
  | 'TOGETHER'
  | 'TOO_LITTLE'
  | 'UNKNOWN';

/** A value of a text, independent of any language. */
export interface DeliveryTextValue {
  readonly __typename: 'DeliveryTextValue';
  /** Its form. */
  readonly kind: DeliveryTextValueKind;
  /** Its name in braces. */
  readonly name: string;
  /** The value in that form. */
  readonly value: string;
}

/** The form of a value of a text. */
export type DeliveryTextValueKind =
  | 'CONSTANT'
  | 'COUNT'
  | 'DIMENSION'
  | 'INSTANT'
  | 'MONEY'
  | 'NAME'
  | 'PERCENT'
  | 'TERM';

/** The kinds of objects that members discuss. */
export type DiscussedKind = 'CAMPAIGN' | 'LINE_ITEM';

/** What a buyer's agent is told. */
export interface EndAgentRequestInput {
  /** The campaign that it booked or changed. */
  readonly campaignId?: string | null | undefined;
  /** The response. */
  readonly response: unknown;
  /** COMPLETED, or SUBMITTED: a person decides. */
  readonly state: AgentRequestState;
  /** Terms of the booking that the campaign itself does not have. */
  readonly terms?: unknown;
}

/** Production and staging share code and users, and nothing else. */
export type Environment = 'PRODUCTION' | 'STAGING';

/** The code of an error. Later versions may add codes. */
export type ErrorCode =
  | 'AUTHENTICATION_REQUIRED'
  | 'CONFLICT'
  | 'CSRF_REFUSED'
  | 'DISK_SPACE_LOW'
  | 'GONE'
  | 'HTTPS_REQUIRED'
  | 'IDEMPOTENCY_CONFLICT'
  | 'INSUFFICIENT_PERMISSIONS'
  | 'INTERNAL_ERROR'
  | 'INVALID_CREDENTIALS'
  | 'INVALID_REQUEST'
  | 'IP_NOT_ALLOWED'
  | 'METHOD_NOT_ALLOWED'
  | 'NETWORK_SUSPENDED'
  | 'NOT_ACCEPTABLE'
  | 'NOT_FOUND'
  | 'OVERLOADED'
  | 'PAYLOAD_TOO_LARGE'
  | 'QUERY_TIMEOUT'
  | 'QUERY_TOO_COMPLEX'
  | 'QUOTA_EXCEEDED'
  | 'RANGE_NOT_SATISFIABLE'
  | 'RATE_LIMIT_EXCEEDED'
  | 'REPORT_SPACE_USED_UP'
  | 'REQUEST_TIMEOUT'
  | 'UNAVAILABLE'
  | 'UNKNOWN_ACTIVITY'
  | 'UNKNOWN_AD_UNIT'
  | 'UNKNOWN_NETWORK'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'VALIDATION_FAILED'
  | 'VERIFICATION_REQUIRED';

/** What another currency is worth. Bid requests with floors in that currency, or that accept it alone, get bids by this rate. */
export interface ExchangeRate {
  readonly __typename: 'ExchangeRate';
  /** ISO 4217 code of the other currency. */
  readonly currency: string;
  /** The day of the network from whose beginning the rate holds, as YYYY-MM-DD. */
  readonly from: string;
  /** Units of the network's currency for one unit of the other currency. */
  readonly rate: string;
}

/** What another currency is worth from a day on. */
export interface ExchangeRateInput {
  /** ISO 4217 code, not the network's own. */
  readonly currency: string;
  /** The day of the network from whose beginning the rate holds, as YYYY-MM-DD. Each currency has one rate a day. */
  readonly from: string;
  /** Units of the network's currency for one unit of the other currency: above 0, with at most 12 decimals. */
  readonly rate: string;
}

/** A share of the traffic that another rule decides for a time, to see what the usual one earns. Of those that have not ended, a network environment has one at most. */
export interface Experiment {
  readonly __typename: 'Experiment';
  /** When it was made. */
  readonly createdAt: string;
  /** Decimal id, unique in its kind, in every version of the API. */
  readonly databaseId: string;
  /** When it ends, at most 366 days after it begins. The present instant stops it. It is fixed once the experiment has ended. */
  readonly endsAt: string;
  /** Id that is unique among all types, as `node` takes it. */
  readonly globalId: string;
  /** Its id: the decimal one, or the global one where the version of the API shows global ids. */
  readonly id: string;
  /** Whether it is archived: it does not serve. */
  readonly isArchived: boolean;
  /** Name. */
  readonly name: string;
  /** What both arms had so far; null where reports are not served. */
  readonly results: ExperimentResults | null;
  /** How its share of the traffic is decided. It cannot change. */
  readonly rule: ExperimentRule;
  /** The share of users, and of requests without a user, that the rule decides, in percent: 1…50. It is fixed once the experiment has begun. */
  readonly sharePercent: number;
  /** When it begins. It is fixed once the experiment has begun. */
  readonly startsAt: string;
  /** How far it is. */
  readonly state: ExperimentState;
  /** Whether it is kept in lists. Archiving ends it. */
  readonly status: Lifecycle;
  /** When it was last changed. */
  readonly updatedAt: string;
  /** Who changed it last, as the audit log names them; empty: the system. */
  readonly updatedBy: string;
  /** Grows with every change; send it with an update to detect concurrent changes. */
  readonly version: number;
}

/** A part of the traffic of an experiment. */
export type ExperimentArm = 'REST' | 'RULE';

/** What one arm of an experiment had so far. */
export interface ExperimentArmFigures {
  readonly __typename: 'ExperimentArmFigures';
  /** The arm. */
  readonly arm: ExperimentArm;
  /** Clicks. */
  readonly clicks: number;
  /** Conversions that are attributed to its ads. */
  readonly conversions: number;
  /** Those of SPONSORSHIP and STANDARD. */
  readonly guaranteedImpressions: number;
  /** Impressions. */
  readonly impressions: number;
  /** Slots asked for. */
  readonly requests: number;
  /** Revenue. */
  readonly revenue: string;
  /** Revenue. With its currency. */
  readonly revenueMoney: Money | null;
  /** Revenue of a thousand requests, rounded down; null without requests. */
  readonly revenuePerThousandRequests: string | null;
  /** Revenue of a thousand requests, rounded down; null without requests. With its currency. */
  readonly revenuePerThousandRequestsMoney: Money | null;
}

/** The result of a bulk change of experiments. */
export interface ExperimentBulkPayload {
  readonly __typename: 'ExperimentBulkPayload';
  /** How many rows were changed (0 when only validated, or all undone). */
  readonly changedCount: number;
  /** How many rows were wrong. */
  readonly failedCount: number;
  /** One result for each row, in the order of the input. */
  readonly results: readonly ExperimentBulkResult[];
  /** The mistakes in all rows, and those of the call as a whole; empty when all is valid. */
  readonly userErrors: readonly UserError[];
}

/** The result of one row of a bulk change of experiments. */
export interface ExperimentBulkResult {
  readonly __typename: 'ExperimentBulkResult';
  /** Error code of this row; null when the row is valid. */
  readonly code: UserErrorCode | null;
  /** The object after the change; null when this row was not changed. */
  readonly experiment: Experiment | null;
  /** Its index in the input, from 0. */
  readonly index: number;
  /** What to do about the error. */
  readonly message: string | null;
  /** Wrong fields of this row. */
  readonly problems: readonly FieldProblem[];
  /** The mistakes in this row; empty when it is valid. */
  readonly userErrors: readonly UserError[];
  /** Doubtful fields of this row. */
  readonly warnings: readonly FieldProblem[];
}

/** A page of a list of experiments. */
export interface ExperimentConnection {
  readonly __typename: 'ExperimentConnection';
  /** The objects of this page, each with its cursor. */
  readonly edges: readonly ExperimentEdge[];
  /** The objects of this page, without their cursors. */
  readonly nodes: readonly Experiment[];
  /** The position of this page in the list. */
  readonly pageInfo: PageInfo;
  /** How many objects match the filter, over all pages. Costs a count of its own. */
  readonly totalCount: number;
}

/** How much the arm of the rule differs from the rest in one measure, for a thousand requests. Revenue is in units of the currency. */
export interface ExperimentDifference {
  readonly __typename: 'ExperimentDifference';
  /** Its upper end. */
  readonly high: number | null;
  /** The lower end of the 95 % interval, by the spread of the days; null with fewer than 3 days. */
  readonly low: number | null;
  /** What is compared. */
  readonly measure: ExperimentMeasure;
  /** The mean of the rest; null without a day. */
  readonly rest: number | null;
  /** The rule less the rest: the mean of the days; null without a day. */
  readonly value: number | null;
}

/** One experiment in a list. */
export interface ExperimentEdge {
  readonly __typename: 'ExperimentEdge';
  /** Opaque position in the list, for `after` and `before`. */
  readonly cursor: string;
  /** The object. */
  readonly node: Experiment;
}

/** Filters a list of experiments. All given parts must match; a list means any of its values. */
export interface ExperimentFilter {
  /** Only these. */
  readonly ids?: readonly string[] | null | undefined;
  /** Only those whose name (or code, or external id) contains this text, in any case; or that have this very id. */
  readonly search?: string | null | undefined;
  /** Only with one of these statuses. */
  readonly statuses?: readonly Lifecycle[] | null | undefined;
  /** Only those changed at or after this instant. */
  readonly updatedSince?: string | null | undefined;
}

/** What the arms of an experiment are compared by, each for a thousand requests. */
export type ExperimentMeasure = 'CLICKS' | 'CONVERSIONS' | 'GUARANTEED_IMPRESSIONS' | 'IMPRESSIONS' | 'REVENUE';

/** The order of a list of experiments. */
export interface ExperimentOrder {
  /** The direction; default ASC. */
  readonly direction?: SortDirection | null | undefined;
  /** What to sort by. */
  readonly field: ExperimentOrderField;
}

/** What a list of experiments can be sorted by. Empty values are last; empty texts are first. */
export type ExperimentOrderField =
  | 'CREATED_AT'
  | 'ENDS_AT'
  | 'ID'
  | 'NAME'
  | 'RULE'
  | 'SHARE_PERCENT'
  | 'STARTS_AT'
  | 'STATUS'
  | 'UPDATED_AT'
  | 'UPDATED_BY'
  | 'VERSION';

/** The result of a change of one experiment. */
export interface ExperimentPayload {
  readonly __typename: 'ExperimentPayload';
  /** The object after the change; null when it was only validated. */
  readonly experiment: Experiment | null;
  /** The mistakes in the input; empty when the change was made. Where it is selected, mistakes are told of here, and not in `errors`. */
  readonly userErrors: readonly UserError[];
  /** Whether only validation was requested, so that nothing was changed. */
  readonly validatedOnly: boolean;
  /** Warnings: allowed, but probably unintended. */
  readonly warnings: readonly FieldProblem[];
}

/** What both arms of an experiment had. */
export interface ExperimentResults {
  readonly __typename: 'ExperimentResults';
  /** Both arms, the rule first. */
  readonly arms: readonly ExperimentArmFigures[];
  /** Days of the network that are over and on which both arms had requests: those that are compared. */
  readonly days: number;
  /** The rule against the rest, by measure. */
  readonly differences: readonly ExperimentDifference[];
}

/** How an experiment decides its share of the traffic. */
export type ExperimentRule = 'NO_LEARNING' | 'NO_PRICES';

/** Comparisons of a field; all that are given must hold. */
export interface ExperimentRuleWhere {
  /** Equal to this; null: empty. */
  readonly eq?: ExperimentRule | null | undefined;
  /** Equal to one of these, at most 500. */
  readonly in?: readonly ExperimentRule[] | null | undefined;
  /** None of this. */
  readonly not?: ExperimentRuleWhere | null | undefined;
}

/** How far an experiment is. */
export type ExperimentState = 'ENDED' | 'RUNNING' | 'SCHEDULED';

/** A filter of experiments by any field, at most 100 comparisons. All that is given must hold. */
export interface ExperimentWhere {
  /** All of these. */
  readonly and?: readonly ExperimentWhere[] | null | undefined;
  /** When it was made. */
  readonly createdAt?: DateTimeWhere | null | undefined;
  /** When it ends, at most 366 days after it begins. The present instant stops it. It is fixed once the experiment has ended. */
  readonly endsAt?: DateTimeWhere | null | undefined;
  /** Its id. */
  readonly id?: IDWhere | null | undefined;
  /** Name. */
  readonly name?: StringWhere | null | undefined;
  /** None of this. */
  readonly not?: ExperimentWhere | null | undefined;
  /** One of these. */
  readonly or?: readonly ExperimentWhere[] | null | undefined;
  /** How its share of the traffic is decided. It cannot change. */
  readonly rule?: ExperimentRuleWhere | null | undefined;
  /** The share of users, and of requests without a user, that the rule decides, in percent: 1…50. It is fixed once the experiment has begun. */
  readonly sharePercent?: IntWhere | null | undefined;
  /** When it begins. It is fixed once the experiment has begun. */
  readonly startsAt?: DateTimeWhere | null | undefined;
  /** Whether it is kept in lists. Archiving ends it. */
  readonly status?: LifecycleWhere | null | undefined;
  /** When it was last changed. */
  readonly updatedAt?: DateTimeWhere | null | undefined;
  /** Who changed it last. */
  readonly updatedBy?: StringWhere | null | undefined;
  /** Its version. */
  readonly version?: IntWhere | null | undefined;
}

/** A request to be explained. */
export interface ExplainDecisionInput {
  /** Decide as of this instant with the present bookings; default now. */
  readonly at?: string | null | undefined;
  /** An OpenRTB bid request as the bid endpoint accepts it, with at most 10 impressions. */
  readonly bidRequest: unknown;
  /** List only this line item among the losers. */
  readonly lineItemId?: string | null | undefined;
}

/** What a request would get at an instant. It is never counted, billed or shown. */
export interface ExplainedDecision {
  readonly __typename: 'ExplainedDecision';
  /** The arm of the experiment that runs at that time; null: none does. A request without a user is explained in the arm `REST`; workers draw its arm. */
  readonly arm: DecidedArm | null;
  /** The instant of the decision. */
  readonly at: string;
  /** The no-fill reason; null when a slot is filled. */
  readonly noFill: string | null;
  /** The same as `noFill`. */
  readonly noFillCause: NoFillCause | null;
  /** By impression. */
  readonly slots: readonly ExplainedSlot[];
}

/** A line item that would lose. */
export interface ExplainedLoser {
  readonly __typename: 'ExplainedLoser';
  /** The kind of that reason. */
  readonly cause: DeliveryCause;
  /** What its goal bids for the opportunity, per thousand impressions: more the further it is behind. Null: it has no guaranteed goal, or failed a test. */
  readonly goalBid: string | null;
  /** Its id. */
  readonly lineItemId: string;
  /** Its name. */
  readonly name: string;
  /** Always null: goals bid, see `goalBid`. */
  readonly plannedPercent: number | null;
  /** Loss reason, as a code. */
  readonly reason: string;
  /** Loss reason, as a sentence. */
  readonly sentence: string;
  /** That sentence as data, part by part. */
  readonly texts: readonly DeliveryText[];
}

/** What one impression of the request would get. */
export interface ExplainedSlot {
  readonly __typename: 'ExplainedSlot';
  /** Losers beyond those listed. */
  readonly furtherLosers: number;
  /** The losers, at most 500. */
  readonly losers: readonly ExplainedLoser[];
  /** The id of the impression in the request. */
  readonly slotId: string;
  /** The winner; null = no fill. */
  readonly winner: ExplainedWinner | null;
}

/** The line item that would win a slot. */
export interface ExplainedWinner {
  readonly __typename: 'ExplainedWinner';
  /** The bid price per thousand impressions. */
  readonly bid: string;
  /** The bid price per thousand impressions. With its currency. */
  readonly bidMoney: Money | null;
  /** Companions that the video would bring; others fill slots of their own. */
  readonly companionCreativeIds: readonly string[];
  /** The creative that would be shown. */
  readonly creativeId: string;
  /** What its goal bids for the opportunity, per thousand impressions: more the further it is behind. Null: it has no guaranteed goal, or failed a test. */
  readonly goalBid: string | null;
  /** Its id. */
  readonly lineItemId: string;
  /** Its name. */
  readonly name: string;
  /** Always null: goals bid, see `goalBid`. */
  readonly plannedPercent: number | null;
}

/** One wrong or doubtful field of an input. */
export interface FieldProblem {
  readonly __typename: 'FieldProblem';
  /** What is wrong. */
  readonly code: ProblemCode;
  /** What to do about it. */
  readonly message: string;
  /** Where it is, such as `input.frequencyCaps.0.count`. */
  readonly path: string;
}

/** Comparisons of a field; all that are given must hold. */
export interface FloatWhere {
  /** Equal to this; null: empty. */
  readonly eq?: number | null | undefined;
  /** At least this; of instants: at or after it. */
  readonly gte?: number | null | undefined;
  /** Equal to one of these, at most 500. */
  readonly in?: readonly number[] | null | undefined;
  /** Less than this; of instants: before it. */
  readonly lt?: number | null | undefined;
  /** None of this. */
  readonly not?: FloatWhere | null | undefined;
}

/** A lowest price for a part of the inventory. Absent conditions match everything, and all given ones must match. The matching floor with the highest priority applies (among equals the highest price), and never less than the floors of the network and the ad unit. */
export interface Floor {
  readonly __typename: 'Floor';
  /** Its ad unit. */
  readonly adUnit: AdUnit | null;
  /** Only in this ad unit. */
  readonly adUnitId: string | null;
  /** Its area. */
  readonly area: Area | null;
  /** Only in this area. */
  readonly areaId: string | null;
  /** Only for users in these countries, ISO 3166 alpha-2; empty = any. An unknown country matches no listed one. */
  readonly countries: readonly string[];
  /** When it was made. */
  readonly createdAt: string;
  /** Values of the custom fields of the network, by key; at most 50. The whole set is replaced. */
  readonly customFields: unknown;
  /** Decimal id, unique in its kind, in every version of the API. */
  readonly databaseId: string;
  /** Its deal. */
  readonly deal: Deal | null;
  /** Only for line items of this deal. Without one, it does not apply to what is bid under a deal that the request offers: deals have floors of their own. */
  readonly dealId: string | null;
  /** Lowest CPM. */
  readonly floor: string;
  /** Lowest CPM. With its currency. */
  readonly floorMoney: Money;
  /** Id that is unique among all types, as `node` takes it. */
  readonly globalId: string;
  /** Its id: the decimal one, or the global one where the version of the API shows global ids. */
  readonly id: string;
  /** Whether it is archived: it does not serve. */
  readonly isArchived: boolean;
  /** Labels to find it by. At most 10. */
  readonly labels: readonly string[];
  /** Only for these kinds of ads; empty = any. */
  readonly mediaTypes: readonly MediaType[];
  /** Name. */
  readonly name: string;
  /** Notes for people, with line breaks; at most 2000 characters. */
  readonly notes: string;
  /** The e-mail address of the member of the network who looks after it; null = nobody. */
  readonly owner: string | null;
  /** The higher goes first. */
  readonly priority: number;
  /** Its site. */
  readonly site: Site | null;
  /** Only on this site. */
  readonly siteId: string | null;
  /** Only for ads of these sizes, at most 50; empty = any. */
  readonly sizes: readonly Size[];
  /** Whether it is in use. */
  readonly status: Lifecycle;
  /** The team that looks after it. */
  readonly team: Team | null;
  /** The team that looks after it; null = none. */
  readonly teamId: string | null;
  /** When it was last changed. */
  readonly updatedAt: string;
  /** Who changed it last, as the audit log names them; empty: the system. */
  readonly updatedBy: string;
  /** Grows with every change; send it with an update to detect concurrent changes. */
  readonly version: number;
}

/** The result of a bulk change of floors. */
export interface FloorBulkPayload {
  readonly __typename: 'FloorBulkPayload';
  /** How many rows were changed (0 when only validated, or all undone). */
  readonly changedCount: number;
  /** How many rows were wrong. */
  readonly failedCount: number;
  /** One result for each row, in the order of the input. */
  readonly results: readonly FloorBulkResult[];
  /** The mistakes in all rows, and those of the call as a whole; empty when all is valid. */
  readonly userErrors: readonly UserError[];
}

/** The result of one row of a bulk change of floors. */
export interface FloorBulkResult {
  readonly __typename: 'FloorBulkResult';
  /** Error code of this row; null when the row is valid. */
  readonly code: UserErrorCode | null;
  /** The object after the change; null when this row was not changed. */
  readonly floor: Floor | null;
  /** Its index in the input, from 0. */
  readonly index: number;
  /** What to do about the error. */
  readonly message: string | null;
  /** Wrong fields of this row. */
  readonly problems: readonly FieldProblem[];
  /** The mistakes in this row; empty when it is valid. */
  readonly userErrors: readonly UserError[];
  /** Doubtful fields of this row. */
  readonly warnings: readonly FieldProblem[];
}

/** A page of a list of floors. */
export interface FloorConnection {
  readonly __typename: 'FloorConnection';
  /** The objects of this page, each with its cursor. */
  readonly edges: readonly FloorEdge[];
  /** The objects of this page, without their cursors. */
  readonly nodes: readonly Floor[];
  /** The position of this page in the list. */
  readonly pageInfo: PageInfo;
  /** How many objects match the filter, over all pages. Costs a count of its own. */
  readonly totalCount: number;
}

/** One floor in a list. */
export interface FloorEdge {
  readonly __typename: 'FloorEdge';
  /** Opaque position in the list, for `after` and `before`. */
  readonly cursor: string;
  /** The object. */
  readonly node: Floor;
}

/** Filters a list of floors. All given parts must match; a list means any of its values. */
export interface FloorFilter {
  /** Only for these ad units. */
  readonly adUnitIds?: readonly string[] | null | undefined;
  /** Only for one of these countries. */
  readonly countries?: readonly string[] | null | undefined;
  /** Only with all of these values of custom fields, such as {"region": "North"}. */
  readonly customFields?: unknown;
  /** Only for these deals. */
  readonly dealIds?: readonly string[] | null | undefined;
  /** Only these. */
  readonly ids?: readonly string[] | null | undefined;
  /** Only with one of these labels. */
  readonly labels?: readonly string[] | null | undefined;
  /** Only of these owners. */
  readonly owners?: readonly string[] | null | undefined;
  /** Only those whose name (or code, or external id) contains this text, in any case; or that have this very id. */
  readonly search?: string | null | undefined;
  /** Only for these sites. */
  readonly siteIds?: readonly string[] | null | undefined;
  /** Only with one of these statuses. */
  readonly statuses?: readonly Lifecycle[] | null | undefined;
  /** Only of these teams. */
  readonly teamIds?: readonly string[] | null | undefined;
  /** Only those changed at or after this instant. */
  readonly updatedSince?: string | null | undefined;
}

/** The order of a list of floors. */
export interface FloorOrder {
  /** The direction; default ASC. */
  readonly direction?: SortDirection | null | undefined;
  /** What to sort by. */
  readonly field: FloorOrderField;
}

/** What a list of floors can be sorted by. Empty values are last; empty texts are first. */
export type FloorOrderField =
  | 'CREATED_AT'
  | 'FLOOR'
  | 'ID'
  | 'NAME'
  | 'NOTES'
  | 'OWNER'
  | 'PRIORITY'
  | 'STATUS'
  | 'UPDATED_AT'
  | 'UPDATED_BY'
  | 'VERSION';

/** The result of a change of one floor. */
export interface FloorPayload {
  readonly __typename: 'FloorPayload';
  /** The object after the change; null when it was only validated. */
  readonly floor: Floor | null;
  /** The mistakes in the input; empty when the change was made. Where it is selected, mistakes are told of here, and not in `errors`. */
  readonly userErrors: readonly UserError[];
  /** Whether only validation was requested, so that nothing was changed. */
  readonly validatedOnly: boolean;
  /** Warnings: allowed, but probably unintended. */
  readonly warnings: readonly FieldProblem[];
}

/** A floor of an ad unit that would have earned more with the bids of the sampled requests. A suggestion only: set it with `updateAdUnit`. */
export interface FloorSuggestion {
  readonly __typename: 'FloorSuggestion';
  /** Id of the ad unit. */
  readonly adUnitId: string;
  /** The present floor of the ad unit, CPM. */
  readonly floor: string;
  /** The present floor of the ad unit, CPM. With its currency. */
  readonly floorMoney: Money | null;
  /** What they would earn more with the suggested floor. */
  readonly gain: string;
  /** Upper end of that interval. */
  readonly gainHigh: string;
  /** Upper end of that interval. With its currency. */
  readonly gainHighMoney: Money | null;
  /** Lower end of the 95 % interval of `gain`. */
  readonly gainLow: string;
  /** Lower end of the 95 % interval of `gain`. With its currency. */
  readonly gainLowMoney: Money | null;
  /** What they would earn more with the suggested floor. With its currency. */
  readonly gainMoney: Money | null;
  /** Name of the ad unit. */
  readonly name: string;
  /** Slots of the sampled time that somebody pays for with the present floor. */
  readonly paidSlots: number;
  /** What the paid slots of the sampled time earn with the present floor, if no goal takes them. */
  readonly revenue: string;
  /** What the paid slots of the sampled time earn with the present floor, if no goal takes them. With its currency. */
  readonly revenueMoney: Money | null;
  /** Sampled slots of the ad unit with a bid, at least 200. */
  readonly sampleSize: number;
  /** How long the sample was gathered. */
  readonly sampledHours: number;
  /** The floor that would have earned most, CPM. */
  readonly suggestedFloor: string;
  /** The floor that would have earned most, CPM. With its currency. */
  readonly suggestedFloorMoney: Money | null;
  /** The same with the suggested floor: the difference is what is lost or won. */
  readonly suggestedPaidSlots: number;
}

/** A filter of floors by any field, at most 100 comparisons. All that is given must hold. */
export interface FloorWhere {
  /** Its ad unit. */
  readonly adUnit?: AdUnitWhere | null | undefined;
  /** Only in this ad unit. */
  readonly adUnitId?: IDWhere | null | undefined;
  /** All of these. */
  readonly and?: readonly FloorWhere[] | null | undefined;
  /** Its area. */
  readonly area?: AreaWhere | null | undefined;
  /** Only in this area. */
  readonly areaId?: IDWhere | null | undefined;
  /** Only for users in these countries, ISO 3166 alpha-2; empty = any. An unknown country matches no listed one. */
  readonly countries?: StringListWhere | null | undefined;
  /** When it was made. */
  readonly createdAt?: DateTimeWhere | null | undefined;
  /** Its deal. */
  readonly deal?: DealWhere | null | undefined;
  /** Only for line items of this deal. Without one, it does not apply to what is bid under a deal that the request offers: deals have floors of their own. */
  readonly dealId?: IDWhere | null | undefined;
  /** Lowest CPM. */
  readonly floor?: DecimalWhere | null | undefined;
  /** Its id. */
  readonly id?: IDWhere | null | undefined;
  /** Labels to find it by. At most 10. */
  readonly labels?: StringListWhere | null | undefined;
  /** Only for these kinds of ads; empty = any. */
  readonly mediaTypes?: MediaTypeListWhere | null | undefined;
  /** Name. */
  readonly name?: StringWhere | null | undefined;
  /** None of this. */
  readonly not?: FloorWhere | null | undefined;
  /** Notes for people, with line breaks; at most 2000 characters. */
  readonly notes?: StringWhere | null | undefined;
  /** One of these. */
  readonly or?: readonly FloorWhere[] | null | undefined;
  /** The e-mail address of the member of the network who looks after it; null = nobody. */
  readonly owner?: StringWhere | null | undefined;
  /** The higher goes first. */
  readonly priority?: IntWhere | null | undefined;
  /** Its site. */
  readonly site?: SiteWhere | null | undefined;
  /** Only on this site. */
  readonly siteId?: IDWhere | null | undefined;
  /** Whether it is in use. */
  readonly status?: LifecycleWhere | null | undefined;
  /** The team that looks after it. */
  readonly team?: TeamWhere | null | undefined;
  /** The team that looks after it; null = none. */
  readonly teamId?: IDWhere | null | undefined;
  /** When it was last changed. */
  readonly updatedAt?: DateTimeWhere | null | undefined;
  /** Who changed it last. */
  readonly updatedBy?: StringWhere | null | undefined;
  /** Its version. */
  readonly version?: IntWhere | null | undefined;
}

/** What a draft could get over the rest of its flight. Sampled requests of the last days come again at the same hours of the week and are decided with the present bookings, with and without the draft. Goals continue from present delivery; limits, pacing, day-parts and frequency caps apply as in delivery. The draft starts from zero, also when it replaces a line item. */
export interface Forecast {
  readonly __typename: 'Forecast';
  /** Matched slots that higher tiers and levels, or the allocation plan, leave to it. */
  readonly available: number;
  /** The line items that hold the matched slots without it, largest first, at most 20. */
  readonly contending: readonly ForecastContender[];
  /** The line items that get less with the draft, the largest loss of revenue first, at most 20. */
  readonly displaced: readonly ForecastDisplaced[];
  /** The part of `displacedRevenue` that header bidders would have paid. */
  readonly displacedHeaderBidRevenue: string;
  /** What all line items and header bidders earn less because of the draft during its flight; negative where they earn more. */
  readonly displacedRevenue: string;
  /** How many of the possible slots are shown, by the share of this network's responses that were shown up to now. */
  readonly impressions: number;
  /** Upper end of that interval. */
  readonly likelyHigh: number;
  /** Lower end of an 80 % interval of `possible`. */
  readonly likelyLow: number;
  /** Slots that the draft matches by targeting, format and day-parts. */
  readonly matched: number;
  /** Remarks on the numbers, such as a small sample. */
  readonly notes: readonly string[];
  /** Slots expected in the network over the flight. */
  readonly opportunities: number;
  /** Matched slots that it wins in the replay, at this price and share, within its goal and limits. */
  readonly possible: number;
  /** Upper end of that interval. */
  readonly possibleHigh: number;
  /** Lower end of a 95 % interval of `possible`: by the size of the sample, by how busy the flight may be, and by how the days of parts of the traffic differ. Future changes are left out. */
  readonly possibleLow: number;
  /** How much was replayed: `FULL` also where a rough forecast was asked for and leaves nothing out. */
  readonly precision: ForecastPrecision;
  /** The same as data, a text for each. */
  readonly remarks: readonly DeliveryText[];
  /** What the draft earns at its price, in the network's currency. */
  readonly revenue: string;
  /** Requests in the sample. */
  readonly sampleSize: number;
  /** How long the sample was gathered. */
  readonly sampledHours: number;
}

/** How good the forecasts of flights were that ended in a span of time. */
export interface ForecastAccuracy {
  readonly __typename: 'ForecastAccuracy';
  /** How far all forecasts together were too high; negative: too low. null without a scored flight. */
  readonly biasPercent: number | null;
  /** How many of the scored flights the interval of 80 % held. null without a scored flight. */
  readonly insideLikelyPercent: number | null;
  /** How many of them the interval of 95 % held. null without a scored flight. */
  readonly insidePossiblePercent: number | null;
  /** Half of them had at most this error, too high or too low. null without a scored flight. */
  readonly medianErrorPercent: number | null;
  /** Forecasts that were not: the line item was stopped or changed before its end. */
  readonly notScored: number;
  /** Flights whose forecasts were compared with their delivery. */
  readonly scored: number;
}

/** A line item that holds some of the slots that a draft matches. */
export interface ForecastContender {
  readonly __typename: 'ForecastContender';
  /** Its id. */
  readonly lineItemId: string;
  /** Its name. */
  readonly name: string;
  /** Slots that it holds. */
  readonly opportunities: number;
}

/** A line item that gets less when the draft is booked. */
export interface ForecastDisplaced {
  readonly __typename: 'ForecastDisplaced';
  /** The same in units of its goal; null without a goal. */
  readonly goalUnits: number | null;
  /** Impressions that it loses during the flight of the draft. */
  readonly impressions: number;
  /** Its id. */
  readonly lineItemId: string;
  /** Its name. */
  readonly name: string;
  /** Revenue that it loses, in the network's currency. */
  readonly revenue: string;
}

/** A line item that is not booked yet. */
export interface ForecastInput {
  /** Hard limits; default none. */
  readonly caps?: DeliveryCapsInput | null | undefined;
  /** When in the week it serves; default always. */
  readonly dayParts?: readonly DayPartInput[] | null | undefined;
  /** Its deal; default none. */
  readonly dealId?: string | null | undefined;
  /** End of its flight, at most a year on. */
  readonly endsAt: string;
  /** Limits per user; default none. */
  readonly frequencyCaps?: readonly FrequencyCapInput[] | null | undefined;
  /** Its goal; default: none, all that it can get. */
  readonly goal?: GoalInput | null | undefined;
  /** Rank within its tier, 1…16; default 8. */
  readonly level?: number | null | undefined;
  /** A booked line item that it would replace. */
  readonly lineItemId?: string | null | undefined;
  /** Kinds of its creatives; default banner. */
  readonly mediaTypes?: readonly MediaType[] | null | undefined;
  /** How delivery is spread towards the goal; default EVEN. */
  readonly pacing?: Pacing | null | undefined;
  /** CPM. */
  readonly price: string;
  /** Whether it serves to unidentified users although it has frequency caps; default false. */
  readonly serveWithoutUser?: boolean | null | undefined;
  /** Share of voice (SPONSORSHIP) or weight of the draw (HOUSE). */
  readonly sharePercent?: number | null | undefined;
  /** Sizes of its banners; default any. */
  readonly sizes?: readonly SizeInput[] | null | undefined;
  /** Start of its flight. */
  readonly startsAt: string;
  /** Its targeting; default: all inventory and all users. */
  readonly targeting?: TargetingInput | null | undefined;
  /** IANA time zone of its days and day-parts; default the network's. */
  readonly timezone?: string | null | undefined;
  /** Its tier. */
  readonly type: LineItemType;
}

/** How much a forecast replays. */
export type ForecastPrecision = 'FULL' | 'ROUGH';

/** The forecast that was made of a line item when it became active, or when its booking last changed. Its figures are of the time from then to the end of the flight, and null where none could be made. */
export interface ForecastRecord {
  readonly __typename: 'ForecastRecord';
  /** Matched slots that higher tiers and levels, or the allocation plan, leave to it. */
  readonly available: number | null;
  /** What all others were expected to earn less because of it. */
  readonly displacedRevenue: string | null;
  /** End of the flight. */
  readonly endsAt: string;
  /** The goal at that time; null = none. */
  readonly goal: Goal | null;
  /** The impressions that it was expected to get. */
  readonly impressions: number | null;
  /** Upper end of that interval. */
  readonly likelyHigh: number | null;
  /** Lower end of an 80 % interval of `impressions`. */
  readonly likelyLow: number | null;
  /** When it was made. */
  readonly madeAt: string;
  /** Slots that it matches by targeting, format and day-parts. */
  readonly matched: number | null;
  /** The version of the model of forecasts. */
  readonly model: number;
  /** Upper end of that interval. */
  readonly possibleHigh: number | null;
  /** Lower end of a 95 % interval of `impressions`. */
  readonly possibleLow: number | null;
  /** Why it was not made, or is not scored. */
  readonly reason: ForecastRecordReason | null;
  /** What it was expected to earn, in the network's currency. */
  readonly revenue: string | null;
  /** How long the sample was gathered. */
  readonly sampledHours: number | null;
  /** How it compares with the delivery; null unless it is scored. */
  readonly score: ForecastScore | null;
  /** Start of the forecast time. */
  readonly startsAt: string;
  /** Its state. */
  readonly state: ForecastRecordState;
}

/** Why a forecast was not made, or is not scored. */
export type ForecastRecordReason = 'ARCHIVED' | 'CHANGED' | 'PAUSED' | 'SAMPLE_TOO_YOUNG' | 'TOO_LARGE';

/** The state of a stored forecast. */
export type ForecastRecordState = 'NOT_SCORED' | 'OPEN' | 'SCORED' | 'SKIPPED';

/** A stored forecast, compared with what was delivered. */
export interface ForecastScore {
  readonly __typename: 'ForecastScore';
  /** Impressions that were counted from the forecast to the end of the flight. */
  readonly delivered: number;
  /** How far the forecast was too high; negative: too low. In percent of the delivery. */
  readonly errorPercent: number;
  /** Whether the interval of 80 % holds what was delivered. */
  readonly isInsideLikely: boolean;
  /** Whether the interval of 95 % holds it. */
  readonly isInsidePossible: boolean;
  /** When it was compared: a day after the end of the flight. */
  readonly scoredAt: string;
}

/** At most `count` events per user within a window of `every` units. */
export interface FrequencyCap {
  readonly __typename: 'FrequencyCap';
  /** How many at most. */
  readonly count: number;
  /** What is counted. */
  readonly event: FrequencyEvent;
  /** How many units the window is long. */
  readonly every: number;
  /** Whose events it counts. */
  readonly per: FrequencyPer;
  /** Unit of the window. */
  readonly window: FrequencyWindow;
}

/** At most `count` events per user within a window of `every` units. */
export interface FrequencyCapInput {
  /** How many at most, 1…100000. */
  readonly count: number;
  /** What is counted; default IMPRESSIONS. */
  readonly event?: FrequencyEvent | null | undefined;
  /** How many units the window is long, at least 1, and at most 1000 (MINUTE, HOUR, DAY), 260 (WEEK), 60 (MONTH), 1 (LIFETIME); default 1. */
  readonly every?: number | null | undefined;
  /** Whose events it counts; default USER. */
  readonly per?: FrequencyPer | null | undefined;
  /** Unit of the window. */
  readonly window: FrequencyWindow;
}

/** What a frequency cap counts. */
export type FrequencyEvent = 'CLICKS' | 'IMPRESSIONS';

/** Whose events a frequency cap counts. */
export type FrequencyPer = 'HOUSEHOLD' | 'USER';

/** Unit of a frequency cap's window, which opens at the user's first event. */
export type FrequencyWindow = 'DAY' | 'HOUR' | 'LIFETIME' | 'MINUTE' | 'MONTH' | 'WEEK';

/** The goal of a line item. It steers pacing; only caps stop delivery. */
export interface Goal {
  readonly __typename: 'Goal';
  /** How many, at most 2147483647: of a larger goal, `target` has the exact number. */
  readonly amount: number;
  /** What is counted. */
  readonly kind: GoalKind;
  /** The span of the goal. */
  readonly period: GoalPeriod;
  /** How many. */
  readonly target: number;
}

/** How guaranteed line items meet what is sold by price. */
export type GoalCompetition = 'BIDS' | 'LEVELS';

/** What the pacing of a line item promises over the span of its goal, from its start to its end. */
export interface GoalCourse {
  readonly __typename: 'GoalCourse';
  /** Whether it delivers at least so much where traffic allows (ASAP), rather than so much. */
  readonly isLeast: boolean;
  /** In order, at most 400. */
  readonly points: readonly GoalCoursePoint[];
  /** What a point covers. */
  readonly step: GoalCourseStep;
}

/** What a plan has by the end of an hour or day, or by now in the present one; in total. */
export interface GoalCoursePoint {
  readonly __typename: 'GoalCoursePoint';
  /** By the plan. */
  readonly planned: number;
  /** What is expected; null for times that are over, and without a projection. */
  readonly projected: GoalProjection | null;
  /** When the hour or day begins, in the time zone of the line item. */
  readonly startsAt: string;
}

/** How much time a point of a course covers. */
export type GoalCourseStep = 'DAY' | 'HOUR';

/** The goal of a line item. */
export interface GoalInput {
  /** How many, 1…2147483647; instead of `target`. */
  readonly amount?: number | null | undefined;
  /** What is counted. */
  readonly kind: GoalKind;
  /** The span of the goal; default LIFETIME. */
  readonly period?: GoalPeriod | null | undefined;
  /** How many, at least 1. */
  readonly target?: number | null | undefined;
}

/** What a goal counts. */
export type GoalKind = 'CLICKS' | 'CONVERSIONS' | 'IMPRESSIONS' | 'VIEWABLE_IMPRESSIONS';

/** The span that a goal is for. */
export type GoalPeriod = 'DAY' | 'LIFETIME';

/** The progress of a line item to its goal, against its pacing plan. */
export interface GoalProgress {
  readonly __typename: 'GoalProgress';
  /** Its plan from the start to the end of its span, as pacing makes it now; null without an end. */
  readonly course: GoalCourse | null;
  /** What has been reached in that span. */
  readonly delivered: number;
  /** What its plan expects by now (traffic curve, day-parts, FRONT_LOADED); null without an end, and for ASAP. */
  readonly expected: number | null;
  /** The goal for its span. */
  readonly goal: number;
  /** Whether the counters still get history of the environment, imported or of the demo: they say nothing of pacing until then. */
  readonly isHistoryLoading: boolean;
  /** Delivered in percent of the plan: 100 is on track. null before the start, without an end, for ASAP, and while the history is loading. */
  readonly pacingPercent: number | null;
  /** Delivered in percent of the goal. */
  readonly percent: number;
  /** What is expected at the end of its span; null outside of it, without a plan, and before half a percent of it. */
  readonly projected: GoalProjection | null;
  /** Whether it is being reached; null without an end, for ASAP, and while the history is loading unless it is REACHED or NOT_STARTED. */
  readonly status: GoalStatus | null;
}

/** What is expected at the end of the span of a goal: all of it, unless its bid is at its bound; then, its pace since that time goes on. */
export interface GoalProjection {
  readonly __typename: 'GoalProjection';
  /** The upper end of a 95 % interval. */
  readonly high: number;
  /** The lower end of a 95 % interval. */
  readonly low: number;
  /** What will be reached; at most the goal. */
  readonly projected: number;
}

/** Whether a goal is being reached. */
export type GoalStatus = 'AHEAD' | 'AT_RISK' | 'BEHIND' | 'MISSED' | 'NOT_STARTED' | 'ON_TRACK' | 'REACHED';

/** A login and token for the Reports API and the legacy reports; the token was shown once, at creation. */
export interface HeaderCredential {
  readonly __typename: 'HeaderCredential';
  /** When it was made. */
  readonly createdAt: string;
  /** Who made it. */
  readonly createdBy: string;
  /** Decimal id, unique in its kind, in every version of the API. */
  readonly databaseId: string;
  /** When it was disabled. */
  readonly disabledAt: string | null;
  /** Id that is unique among all types, as `node` takes it. */
  readonly globalId: string;
  /** Its id: the decimal one, or the global one where the version of the API shows global ids. */
  readonly id: string;
  /** When it was last used, at most 60 s behind. */
  readonly lastUsedAt: string | null;
  /** The value of x-internal-auth-login. */
  readonly login: string;
  /** Name. */
  readonly name: string;
}

/** What another ad server delivered in one hour, of one line item, creative and ad unit. */
export interface HistoryHourInput {
  /** Name of the ad unit; absent: not known. */
  readonly adUnitName?: string | null | undefined;
  /** Clicks. */
  readonly clicks?: number | null | undefined;
  /** Attributed activities. */
  readonly conversions?: number | null | undefined;
  /** External id of a creative of the line item; absent: not known. */
  readonly creativeExternalId?: string | null | undefined;
  /** Beginning of an hour of UTC that is over. */
  readonly hour: string;
  /** Impressions. */
  readonly impressions?: number | null | undefined;
  /** External id of the line item; absent: requests of the ad unit that no line item served. */
  readonly lineItemExternalId?: string | null | undefined;
  /** Requests; at least as many as impressions are counted. */
  readonly requests?: number | null | undefined;
  /** What the hour earned, in the currency of the network. */
  readonly revenue?: string | null | undefined;
}

/** An HTML5 bundle. */
export interface Html5ContentInput {
  /** The uploaded archive, as `POST /assets` returned it. */
  readonly zipUrl: string;
}

/** An HTML5 bundle: a page with its files in an uploaded ZIP archive. */
export interface HtmlBundle {
  readonly __typename: 'HtmlBundle';
  /** The click tag as its code has it. */
  readonly clickTag: string;
  /** Path of the page that is shown. */
  readonly entry: string;
  /** The uploaded archive, as `POST /assets` returned it. */
  readonly zipUrl: string;
}

/** HTML5 or a third-party tag, shown in a sandboxed frame. */
export interface HtmlContent {
  readonly __typename: 'HtmlContent';
  /** The uploaded HTML5 bundle that is shown instead; null: the markup is. */
  readonly bundle: HtmlBundle | null;
  /** The markup; macros such as ${CLICK_URL} are replaced when it is served. Empty with a bundle. */
  readonly html: string;
}

/** HTML5 or a third-party tag. */
export interface HtmlContentInput {
  /** The markup, at most 200000 characters. */
  readonly html: string;
}

/** Comparisons of a field; all that are given must hold. */
export interface IDWhere {
  /** Equal to this; null: empty. */
  readonly eq?: string | null | undefined;
  /** Equal to one of these, at most 500. */
  readonly in?: readonly string[] | null | undefined;
  /** None of this. */
  readonly not?: IDWhere | null | undefined;
}

/** A picture banner. */
export interface ImageContent {
  readonly __typename: 'ImageContent';
  /** Alternative text. */
  readonly alt: string;
  /** Address of the picture; an uploaded file is named by its path. */
  readonly imageUrl: string;
}

/** A picture banner. */
export interface ImageContentInput {
  /** Alternative text. */
  readonly alt: string;
  /** Address of the picture; an uploaded file is named by its path. */
  readonly imageUrl: string;
}

/** A status to imagine. */
export type ImaginedStatus = 'ACTIVE' | 'PAUSED';

/** The result of an import of history. */
export interface ImportHistoryPayload {
  readonly __typename: 'ImportHistoryPayload';
  /** Rows that were added. Reports and counters have them within a minute; see `importedHistory`. */
  readonly added: number;
  /** Positions of rows that were imported before with other figures; the earlier figures stay. */
  readonly differing: readonly number[];
  /** The first hour that is taken: by the retention of the network, and at most 1830 days ago. */
  readonly firstHour: string | null;
  /** Positions of rows that were left out, because their hours lie before `firstHour`. */
  readonly tooOld: readonly number[];
  /** Rows that the source had imported before. */
  readonly unchanged: number;
  /** The mistakes in the input; empty when the change was made. Where it is selected, mistakes are told of here, and not in `errors`. */
  readonly userErrors: readonly UserError[];
  /** Whether only validation was requested, so that nothing was changed. */
  readonly validatedOnly: boolean;
}

/** What one source has imported. */
export interface ImportedHistory {
  readonly __typename: 'ImportedHistory';
  /** Clicks. */
  readonly clicks: number;
  /** Conversions. */
  readonly conversions: number;
  /** Its first hour. */
  readonly firstHour: string;
  /** Impressions. */
  readonly impressions: number;
  /** Its last hour. */
  readonly lastHour: string;
  /** Requests. */
  readonly requests: number;
  /** Revenue. */
  readonly revenue: string;
  /** Revenue. With its currency. */
  readonly revenueMoney: Money | null;
  /** Its rows. */
  readonly rows: number;
  /** The name of the source. */
  readonly source: string;
  /** Rows that reports and counters do not have yet. */
  readonly waitingRows: number;
}

/** Which impressions a conversion may be credited to when there was no click. */
export type ImpressionTouches = 'IMPRESSIONS' | 'VIEWABLE_IMPRESSIONS';

/** A decision to inspect: exactly one of `bidRequest`, `form`, `whyLink` and `requestId`. */
export interface InspectDecisionInput {
  /** Decide as of this instant with the present bookings; default now. */
  readonly at?: string | null | undefined;
  /** An OpenRTB bid request as the bid endpoint accepts it, with at most 10 impressions. */
  readonly bidRequest?: unknown;
  /** A request as a person describes it. */
  readonly form?: InspectionFormInput | null | undefined;
  /** The id of a bid request of the last 24 hours, or `requestId` of an ad response: its logged decision. */
  readonly requestId?: string | null | undefined;
  /** The same seed repeats the draws; default 1. */
  readonly seed?: number | null | undefined;
  /** Imagined changes, at most 10. */
  readonly whatIf?: readonly WhatIfInput[] | null | undefined;
  /** The address of the page "Why this ad?" of an ad that was seen, or of its click or impression. */
  readonly whyLink?: string | null | undefined;
}

/** What the signed link of a served ad says of it. */
export interface InspectedAd {
  readonly __typename: 'InspectedAd';
  /** Its ad unit. */
  readonly adUnitId: string | null;
  /** Country of the request. */
  readonly country: string;
  /** Its creative. */
  readonly creativeId: string;
  /** When it was decided. */
  readonly decidedAt: string;
  /** Device of the request. */
  readonly deviceType: string;
  /** Its line item. */
  readonly lineItemId: string;
  /** Name of the line item; empty when it is gone. */
  readonly lineItemName: string;
  /** Whether ads could not be personalised. */
  readonly npa: boolean;
  /** Price of the line item at that time. */
  readonly price: string;
  /** Price of the line item at that time. With its currency. */
  readonly priceMoney: Money | null;
  /** Its site. */
  readonly siteId: string | null;
  /** Its size, such as 300x250. */
  readonly size: string;
  /** Whether it was a test, which counts nothing. */
  readonly test: boolean;
}

/** What imagined changes do to one line item in one slot. */
export interface InspectedChange {
  readonly __typename: 'InspectedChange';
  /** `won`, or the loss reason. */
  readonly after: string;
  /** `won`, or the loss reason. */
  readonly before: string;
  /** The line item. */
  readonly lineItemId: string;
  /** Its name. */
  readonly name: string;
  /** The slot. */
  readonly slotId: string;
}

/** A decision with its reasons. It is never counted, billed or shown. */
export interface InspectedDecision {
  readonly __typename: 'InspectedDecision';
  /** The arm of the experiment that runs at that time; null: none does. A request without a user is explained in the arm `REST`; workers draw its arm. */
  readonly arm: DecidedArm | null;
  /** Counters that reasons use and that the log does not hold, because the decision did not need them. */
  readonly assumedValues: number;
  /** The instant of the decision. */
  readonly at: string;
  /** How often each line item wins, most often first; empty for a logged decision, whose draws are known. */
  readonly chances: readonly WinChance[];
  /** Of a logged decision: what the replay gives that the log does not have. */
  readonly differences: readonly string[];
  /** Of a logged decision: whether the replay gives the same ads at the same prices, bit by bit. */
  readonly isSame: boolean | null;
  /** The no-fill reason; null when a slot is filled. */
  readonly noFill: string | null;
  /** By impression. */
  readonly slots: readonly InspectedSlot[];
}

/** A key of the page or of a slot, with its values. */
export interface InspectedKeyValue {
  readonly __typename: 'InspectedKeyValue';
  /** The key. */
  readonly key: string;
  /** Its values. */
  readonly values: readonly string[];
}

/** What the request says, in the terms of decisions. It names no user. */
export interface InspectedRequest {
  readonly __typename: 'InspectedRequest';
  /** Browser; empty = unknown. */
  readonly browser: string;
  /** Country; empty = unknown. */
  readonly country: string;
  /** Device; empty = unknown. */
  readonly deviceType: string;
  /** Whether the user is known. */
  readonly hasUser: boolean;
  /** Key-values of the page. */
  readonly keyValues: readonly InspectedKeyValue[];
  /** Whether ads may not be personalised. */
  readonly npa: boolean;
  /** Operating system; empty = unknown. */
  readonly os: string;
  /** Address of the page. */
  readonly pageUrl: string;
  /** Region; empty = unknown. */
  readonly region: string;
  /** Segments of the user. */
  readonly segmentIds: readonly string[];
  /** Its slots. */
  readonly slots: readonly InspectedRequestSlot[];
}

/** A slot of the request. */
export interface InspectedRequestSlot {
  readonly __typename: 'InspectedRequestSlot';
  /** Its ad unit. */
  readonly adUnitId: string | null;
  /** The floor that the request states, CPM; null: in another currency, so above every price. */
  readonly floor: string | null;
  /** The floor that the request states, CPM; null: in another currency, so above every price. With its currency. */
  readonly floorMoney: Money | null;
  /** All key-values that count for it: its own, and those of the page for other keys. */
  readonly keyValues: readonly InspectedKeyValue[];
  /** What it takes. */
  readonly mediaTypes: readonly MediaType[];
  /** Its site. */
  readonly siteId: string | null;
  /** Its sizes. */
  readonly sizes: readonly string[];
  /** The id of the impression in the request. */
  readonly slotId: string;
}

/** What one slot of the request gets. */
export interface InspectedSlot {
  readonly __typename: 'InspectedSlot';
  /** Losers beyond those listed. */
  readonly furtherLosers: number;
  /** The losers, at most 500. */
  readonly losers: readonly ExplainedLoser[];
  /** The id of the impression in the request. */
  readonly slotId: string;
  /** The winner; null = no fill. */
  readonly winner: ExplainedWinner | null;
}

/** A kind of device, as targeting names it. */
export type InspectionDevice = 'DESKTOP' | 'MOBILE' | 'TABLET' | 'TV';

/** A request as a person describes it. What is left out is not in the request. */
export interface InspectionFormInput {
  /** The ad unit; default: any of the site that fits. */
  readonly adUnitId?: string | null | undefined;
  /** The area of the site. */
  readonly areaId?: string | null | undefined;
  /** City. */
  readonly city?: string | null | undefined;
  /** Country, ISO 3166-1 alpha-2. */
  readonly country?: string | null | undefined;
  /** Code of a deal that the request offers. */
  readonly dealCode?: string | null | undefined;
  /** The device. */
  readonly device?: InspectionDevice | null | undefined;
  /** Whether the request names a user; default true. */
  readonly isKnownUser?: boolean | null | undefined;
  /** Key-values of the page, at most 50. */
  readonly keyValues?: readonly InspectionKeyValueInput[] | null | undefined;
  /** What it takes; default: as the ad unit. */
  readonly mediaTypes?: readonly MediaType[] | null | undefined;
  /** Whether ads may not be personalised; default false. */
  readonly npa?: boolean | null | undefined;
  /** Region, the part of ISO 3166-2 after the country. */
  readonly region?: string | null | undefined;
  /** Segments that the user is a member of, at most 50. */
  readonly segmentIds?: readonly string[] | null | undefined;
  /** The site; needed without an ad unit. */
  readonly siteId?: string | null | undefined;
  /** Sizes of the slot; default: those of the ad unit. */
  readonly sizes?: readonly SizeInput[] | null | undefined;
  /** First-party id of the user; default: a user who has seen nothing yet. */
  readonly userId?: string | null | undefined;
}

/** A key of the page with its values. */
export interface InspectionKeyValueInput {
  /** The key. */
  readonly key: string;
  /** Its values, at most 50. */
  readonly values: readonly string[];
}

/** Comparisons of a field; all that are given must hold. */
export interface IntWhere {
  /** Equal to this; null: empty. */
  readonly eq?: number | null | undefined;
  /** At least this; of instants: at or after it. */
  readonly gte?: number | null | undefined;
  /** Equal to one of these, at most 500. */
  readonly in?: readonly number[] | null | undefined;
  /** Less than this; of instants: before it. */
  readonly lt?: number | null | undefined;
  /** None of this. */
  readonly not?: IntWhere | null | undefined;
}

/** An invitation that has not been accepted yet. */
export interface Invitation {
  readonly __typename: 'Invitation';
  /** When. */
  readonly createdAt: string;
  /** The member who sent the invitation. */
  readonly createdBy: string;
  /** How the link gets to the invited. */
  readonly delivery: InvitationDelivery;
  /** Why the mail was given up, or why its last try failed. */
  readonly deliveryError: string | null;
  /** The invited address. */
  readonly email: string;
  /** When it expires. */
  readonly expiresAt: string;
  /** Decimal id. */
  readonly id: string;
  /** The role they will have. */
  readonly role: Role | null;
}

/** How the link of an invitation reaches the invited person. */
export type InvitationDelivery = 'FAILED' | 'OPERATOR' | 'QUEUED' | 'SENT';

/** Whose key it is. */
export type KeyScope = 'BUYER' | 'NETWORK';

/** A key that requests carry with values, described for targeting. Requests may carry other keys too. */
export interface KeyValue {
  readonly __typename: 'KeyValue';
  /** When it was made. */
  readonly createdAt: string;
  /** Values of the custom fields of the network, by key; at most 50. The whole set is replaced. */
  readonly customFields: unknown;
  /** Decimal id, unique in its kind, in every version of the API. */
  readonly databaseId: string;
  /** What it means. */
  readonly description: string;
  /** Id that is unique among all types, as `node` takes it. */
  readonly globalId: string;
  /** Its id: the decimal one, or the global one where the version of the API shows global ids. */
  readonly id: string;
  /** Whether it is archived: it does not serve. */
  readonly isArchived: boolean;
  /** The key as requests write it; unique in the network; cannot change. */
  readonly key: string;
  /** Labels to find it by. At most 10. */
  readonly labels: readonly string[];
  /** Name for people. */
  readonly name: string;
  /** Notes for people, with line breaks; at most 2000 characters. */
  readonly notes: string;
  /** The e-mail address of the member of the network who looks after it; null = nobody. */
  readonly owner: string | null;
  /** Whether reports list its values separately, in a dimension `kv_<key>`; this holds for events after it is set. At most 10 keys of a network; archived ones count, because reports still cover their past. */
  readonly reportable: boolean;
  /** Whether it is in use. */
  readonly status: Lifecycle;
  /** The team that looks after it. */
  readonly team: Team | null;
  /** The team that looks after it; null = none. */
  readonly teamId: string | null;
  /** When it was last changed. */
  readonly updatedAt: string;
  /** Who changed it last, as the audit log names them; empty: the system. */
  readonly updatedBy: string;
  /** Known values, to choose from; requests may carry others. */
  readonly values: readonly string[];
  /** Grows with every change; send it with an update to detect concurrent changes. */
  readonly version: number;
}

/** The result of a bulk change of key-values. */
export interface KeyValueBulkPayload {
  readonly __typename: 'KeyValueBulkPayload';
  /** How many rows were changed (0 when only validated, or all undone). */
  readonly changedCount: number;
  /** How many rows were wrong. */
  readonly failedCount: number;
  /** One result for each row, in the order of the input. */
  readonly results: readonly KeyValueBulkResult[];
  /** The mistakes in all rows, and those of the call as a whole; empty when all is valid. */
  readonly userErrors: readonly UserError[];
}

/** The result of one row of a bulk change of key-values. */
export interface KeyValueBulkResult {
  readonly __typename: 'KeyValueBulkResult';
  /** Error code of this row; null when the row is valid. */
  readonly code: UserErrorCode | null;
  /** Its index in the input, from 0. */
  readonly index: number;
  /** The object after the change; null when this row was not changed. */
  readonly keyValue: KeyValue | null;
  /** What to do about the error. */
  readonly message: string | null;
  /** Wrong fields of this row. */
  readonly problems: readonly FieldProblem[];
  /** The mistakes in this row; empty when it is valid. */
  readonly userErrors: readonly UserError[];
  /** Doubtful fields of this row. */
  readonly warnings: readonly FieldProblem[];
}

/** A page of a list of key-values. */
export interface KeyValueConnection {
  readonly __typename: 'KeyValueConnection';
  /** The objects of this page, each with its cursor. */
  readonly edges: readonly KeyValueEdge[];
  /** The objects of this page, without their cursors. */
  readonly nodes: readonly KeyValue[];
  /** The position of this page in the list. */
  readonly pageInfo: PageInfo;
  /** How many objects match the filter, over all pages. Costs a count of its own. */
  readonly totalCount: number;
}

/** One key-value in a list. */
export interface KeyValueEdge {
  readonly __typename: 'KeyValueEdge';
  /** Opaque position in the list, for `after` and `before`. */
  readonly cursor: string;
  /** The object. */
  readonly node: KeyValue;
}

/** Filters a list of key-values. All given parts must match; a list means any of its values. */
export interface KeyValueFilter {
  /** Only with all of these values of custom fields, such as {"region": "North"}. */
  readonly customFields?: unknown;
  /** Only these. */
  readonly ids?: readonly string[] | null | undefined;
  /** Only these keys. */
  readonly keys?: readonly string[] | null | undefined;
  /** Only with one of these labels. */
  readonly labels?: readonly string[] | null | undefined;
  /** Only of these owners. */
  readonly owners?: readonly string[] | null | undefined;
  /** Only those whose name (or code, or external id) contains this text, in any case; or that have this very id. */
  readonly search?: string | null | undefined;
  /** Only with one of these statuses. */
  readonly statuses?: readonly Lifecycle[] | null | undefined;
  /** Only of these teams. */
  readonly teamIds?: readonly string[] | null | undefined;
  /** Only those changed at or after this instant. */
  readonly updatedSince?: string | null | undefined;
}

/** The order of a list of key-values. */
export interface KeyValueOrder {
  /** The direction; default ASC. */
  readonly direction?: SortDirection | null | undefined;
  /** What to sort by. */
  readonly field: KeyValueOrderField;
}

/** What a list of key-values can be sorted by. Empty values are last; empty texts are first. */
export type KeyValueOrderField =
  | 'CREATED_AT'
  | 'DESCRIPTION'
  | 'ID'
  | 'KEY'
  | 'NAME'
  | 'NOTES'
  | 'OWNER'
  | 'REPORTABLE'
  | 'STATUS'
  | 'UPDATED_AT'
  | 'UPDATED_BY'
  | 'VERSION';

/** The result of a change of one key-value. */
export interface KeyValuePayload {
  readonly __typename: 'KeyValuePayload';
  /** The object after the change; null when it was only validated. */
  readonly keyValue: KeyValue | null;
  /** The mistakes in the input; empty when the change was made. Where it is selected, mistakes are told of here, and not in `errors`. */
  readonly userErrors: readonly UserError[];
  /** Whether only validation was requested, so that nothing was changed. */
  readonly validatedOnly: boolean;
  /** Warnings: allowed, but probably unintended. */
  readonly warnings: readonly FieldProblem[];
}

/** A filter of key-values by any field, at most 100 comparisons. All that is given must hold. */
export interface KeyValueWhere {
  /** All of these. */
  readonly and?: readonly KeyValueWhere[] | null | undefined;
  /** When it was made. */
  readonly createdAt?: DateTimeWhere | null | undefined;
  /** What it means. */
  readonly description?: StringWhere | null | undefined;
  /** Its id. */
  readonly id?: IDWhere | null | undefined;
  /** The key as requests write it; unique in the network; cannot change. */
  readonly key?: StringWhere | null | undefined;
  /** Labels to find it by. At most 10. */
  readonly labels?: StringListWhere | null | undefined;
  /** Name for people. */
  readonly name?: StringWhere | null | undefined;
  /** None of this. */
  readonly not?: KeyValueWhere | null | undefined;
  /** Notes for people, with line breaks; at most 2000 characters. */
  readonly notes?: StringWhere | null | undefined;
  /** One of these. */
  readonly or?: readonly KeyValueWhere[] | null | undefined;
  /** The e-mail address of the member of the network who looks after it; null = nobody. */
  readonly owner?: StringWhere | null | undefined;
  /** Whether reports list its values separately, in a dimension `kv_<key>`; this holds for events after it is set. At most 10 keys of a network; archived ones count, because reports still cover their past. */
  readonly reportable?: BooleanWhere | null | undefined;
  /** Whether it is in use. */
  readonly status?: LifecycleWhere | null | undefined;
  /** The team that looks after it. */
  readonly team?: TeamWhere | null | undefined;
  /** The team that looks after it; null = none. */
  readonly teamId?: IDWhere | null | undefined;
  /** When it was last changed. */
  readonly updatedAt?: DateTimeWhere | null | undefined;
  /** Who changed it last. */
  readonly updatedBy?: StringWhere | null | undefined;
  /** Known values, to choose from; requests may carry others. */
  readonly values?: StringListWhere | null | undefined;
  /** Its version. */
  readonly version?: IntWhere | null | undefined;
}

/** How often one user sees ads that bear a label, of any advertiser: labels of line items, campaigns and advertisers. */
export interface LabelCap {
  readonly __typename: 'LabelCap';
  /** Limits per user; the strictest applies. */
  readonly frequencyCaps: readonly FrequencyCap[];
  /** The label. */
  readonly label: string;
}

/** How often one user sees ads that bear a label. */
export interface LabelCapInput {
  /** Limits per user or household, 1 to 2. */
  readonly frequencyCaps: readonly FrequencyCapInput[];
  /** The label, at most 50 characters. */
  readonly label: string;
}

/** Where clicks may lead. */
export type LandingPage = 'ANY' | 'PUBLISHER_INCLUDED' | 'PUBLISHER_ONLY';

/** A creative in the library of an advertiser: associate it with line items of that advertiser; a change of it reaches all of them. */
export interface LibraryCreative {
  readonly __typename: 'LibraryCreative';
  /** Its advertiser. */
  readonly advertiser: Advertiser | null;
  /** Its advertiser; cannot change. */
  readonly advertiserId: string;
  /** Its associations with line items, by id: creatives with a weight, a flight and caps of their own. */
  readonly associations: (args?: {
    /** Cursor after which the page begins. */
    readonly after?: string | null | undefined;
    /** Size of the page, 1…100; default 25. */
    readonly first?: number | null | undefined;
    /** Only those that are so. */
    readonly where?: CreativeWhere | null | undefined;
  }) => CreativeConnection;
  /** OpenRTB creative attributes, which publishers can block. */
  readonly attributes: readonly number[];
  /** Landing address, http or https. */
  readonly clickUrl: string;
  /** What is shown; its shape is the format. */
  readonly content: CreativeContent;
  /** When it was made. */
  readonly createdAt: string;
  /** Values of the custom fields of the network, by key; at most 50. The whole set is replaced. */
  readonly customFields: unknown;
  /** Decimal id, unique in its kind, in every version of the API. */
  readonly databaseId: string;
  /** Id in your own system. */
  readonly externalId: string | null;
  /** Its format, as the content has it. */
  readonly format: CreativeFormat;
  /** Id that is unique among all types, as `node` takes it. */
  readonly globalId: string;
  /** Height in CSS pixels; 0 × 0 fits any size (native, video). */
  readonly height: number;
  /** Its id: the decimal one, or the global one where the version of the API shows global ids. */
  readonly id: string;
  /** Whether it is archived: it does not serve. */
  readonly isArchived: boolean;
  /** Labels to find it by. At most 10. */
  readonly labels: readonly string[];
  /** Language of its text, ISO 639, such as "pl". */
  readonly language: string | null;
  /** Name. */
  readonly name: string;
  /** Notes for people, with line breaks; at most 2000 characters. */
  readonly notes: string;
  /** The e-mail address of the member of the network who looks after it; null = nobody. */
  readonly owner: string | null;
  /** A signed address that shows it, in whatever state it is. */
  readonly preview: (args?: {
    /** How long it works, 1…720 hours; default 72. */
    readonly hours?: number | null | undefined;
  }) => CreativePreview;
  /** Why it was rejected, or a remark of the review; a new review state without one clears it. */
  readonly reviewReason: string | null;
  /** The result of its review; only APPROVED serves. */
  readonly reviewState: ReviewState;
  /** What its code and its addresses do. */
  readonly scan: CreativeScan;
  /** Whether all its addresses are https, so that it may serve on https pages. */
  readonly secure: boolean;
  /** Whether it is in use. ARCHIVED archives all its associations; ACTIVE again restores none of them. */
  readonly status: Lifecycle;
  /** The team that looks after it. */
  readonly team: Team | null;
  /** The team that looks after it; null = none. */
  readonly teamId: string | null;
  /** Third-party tracking addresses. */
  readonly trackers: ThirdPartyTrackers;
  /** When it was last changed. */
  readonly updatedAt: string;
  /** Who changed it last, as the audit log names them; empty: the system. */
  readonly updatedBy: string;
  /** Grows with every change; send it with an update to detect concurrent changes. */
  readonly version: number;
  /** Width in CSS pixels; 0 × 0 fits any size (native, video). */
  readonly width: number;
}

/** The result of a bulk change of library creatives. */
export interface LibraryCreativeBulkPayload {
  readonly __typename: 'LibraryCreativeBulkPayload';
  /** How many rows were changed (0 when only validated, or all undone). */
  readonly changedCount: number;
  /** How many rows were wrong. */
  readonly failedCount: number;
  /** One result for each row, in the order of the input. */
  readonly results: readonly LibraryCreativeBulkResult[];
  /** The mistakes in all rows, and those of the call as a whole; empty when all is valid. */
  readonly userErrors: readonly UserError[];
}

/** The result of one row of a bulk change of library creatives. */
export interface LibraryCreativeBulkResult {
  readonly __typename: 'LibraryCreativeBulkResult';
  /** Error code of this row; null when the row is valid. */
  readonly code: UserErrorCode | null;
  /** Its index in the input, from 0. */
  readonly index: number;
  /** The object after the change; null when this row was not changed. */
  readonly libraryCreative: LibraryCreative | null;
  /** What to do about the error. */
  readonly message: string | null;
  /** Wrong fields of this row. */
  readonly problems: readonly FieldProblem[];
  /** The mistakes in this row; empty when it is valid. */
  readonly userErrors: readonly UserError[];
  /** Doubtful fields of this row. */
  readonly warnings: readonly FieldProblem[];
}

/** A filter by the library creatives that belong to an object. */
export interface LibraryCreativeChildrenWhere {
  /** None of them is so. */
  readonly none?: LibraryCreativeWhere | null | undefined;
  /** At least one of them is so. */
  readonly some?: LibraryCreativeWhere | null | undefined;
}

/** A page of a list of library creatives. */
export interface LibraryCreativeConnection {
  readonly __typename: 'LibraryCreativeConnection';
  /** The objects of this page, each with its cursor. */
  readonly edges: readonly LibraryCreativeEdge[];
  /** The objects of this page, without their cursors. */
  readonly nodes: readonly LibraryCreative[];
  /** The position of this page in the list. */
  readonly pageInfo: PageInfo;
  /** How many objects match the filter, over all pages. Costs a count of its own. */
  readonly totalCount: number;
}

/** One library creative in a list. */
export interface LibraryCreativeEdge {
  readonly __typename: 'LibraryCreativeEdge';
  /** Opaque position in the list, for `after` and `before`. */
  readonly cursor: string;
  /** The object. */
  readonly node: LibraryCreative;
}

/** Filters a list of library creatives. All given parts must match; a list means any of its values. */
export interface LibraryCreativeFilter {
  /** Only of these advertisers. */
  readonly advertiserIds?: readonly string[] | null | undefined;
  /** Only with all of these values of custom fields, such as {"region": "North"}. */
  readonly customFields?: unknown;
  /** Only with one of these external ids. */
  readonly externalIds?: readonly string[] | null | undefined;
  /** Only of these formats (IMAGE, HTML, NATIVE, VIDEO, AUDIO). */
  readonly formats?: readonly CreativeFormat[] | null | undefined;
  /** Only of one of these heights. */
  readonly heights?: readonly number[] | null | undefined;
  /** Only these. */
  readonly ids?: readonly string[] | null | undefined;
  /** Only with one of these labels. */
  readonly labels?: readonly string[] | null | undefined;
  /** Only of these owners. */
  readonly owners?: readonly string[] | null | undefined;
  /** Only in one of these review states. */
  readonly reviewStates?: readonly ReviewState[] | null | undefined;
  /** Only those whose name (or code, or external id) contains this text, in any case; or that have this very id. */
  readonly search?: string | null | undefined;
  /** Only with one of these statuses. */
  readonly statuses?: readonly Lifecycle[] | null | undefined;
  /** Only of these teams. */
  readonly teamIds?: readonly string[] | null | undefined;
  /** Only those changed at or after this instant. */
  readonly updatedSince?: string | null | undefined;
  /** Only of one of these widths. */
  readonly widths?: readonly number[] | null | undefined;
}

/** The order of a list of library creatives. */
export interface LibraryCreativeOrder {
  /** The direction; default ASC. */
  readonly direction?: SortDirection | null | undefined;
  /** What to sort by. */
  readonly field: LibraryCreativeOrderField;
}

/** What a list of library creatives can be sorted by. Empty values are last; empty texts are first. */
export type LibraryCreativeOrderField =
  | 'CLICK_URL'
  | 'CREATED_AT'
  | 'EXTERNAL_ID'
  | 'FORMAT'
  | 'HEIGHT'
  | 'ID'
  | 'LANGUAGE'
  | 'NAME'
  | 'NOTES'
  | 'OWNER'
  | 'REVIEW_REASON'
  | 'REVIEW_STATE'
  | 'SECURE'
  | 'STATUS'
  | 'UPDATED_AT'
  | 'UPDATED_BY'
  | 'VERSION'
  | 'WIDTH';

/** The result of a change of one library creative. */
export interface LibraryCreativePayload {
  readonly __typename: 'LibraryCreativePayload';
  /** The object after the change; null when it was only validated. */
  readonly libraryCreative: LibraryCreative | null;
  /** The mistakes in the input; empty when the change was made. Where it is selected, mistakes are told of here, and not in `errors`. */
  readonly userErrors: readonly UserError[];
  /** Whether only validation was requested, so that nothing was changed. */
  readonly validatedOnly: boolean;
  /** Warnings: allowed, but probably unintended. */
  readonly warnings: readonly FieldProblem[];
}

/** A filter of library creatives by any field, at most 100 comparisons. All that is given must hold. */
export interface LibraryCreativeWhere {
  /** Its advertiser. */
  readonly advertiser?: AdvertiserWhere | null | undefined;
  /** Its advertiser; cannot change. */
  readonly advertiserId?: IDWhere | null | undefined;
  /** All of these. */
  readonly and?: readonly LibraryCreativeWhere[] | null | undefined;
  /** Its associations with line items, by id: creatives with a weight, a flight and caps of their own. */
  readonly associations?: CreativeChildrenWhere | null | undefined;
  /** Landing address, http or https. */
  readonly clickUrl?: StringWhere | null | undefined;
  /** When it was made. */
  readonly createdAt?: DateTimeWhere | null | undefined;
  /** Id in your own system. */
  readonly externalId?: StringWhere | null | undefined;
  /** Its format, as the content has it. */
  readonly format?: CreativeFormatWhere | null | undefined;
  /** Height in CSS pixels; 0 × 0 fits any size (native, video). */
  readonly height?: IntWhere | null | undefined;
  /** Its id. */
  readonly id?: IDWhere | null | undefined;
  /** Labels to find it by. At most 10. */
  readonly labels?: StringListWhere | null | undefined;
  /** Language of its text, ISO 639, such as "pl". */
  readonly language?: StringWhere | null | undefined;
  /** Name. */
  readonly name?: StringWhere | null | undefined;
  /** None of this. */
  readonly not?: LibraryCreativeWhere | null | undefined;
  /** Notes for people, with line breaks; at most 2000 characters. */
  readonly notes?: StringWhere | null | undefined;
  /** One of these. */
  readonly or?: readonly LibraryCreativeWhere[] | null | undefined;
  /** The e-mail address of the member of the network who looks after it; null = nobody. */
  readonly owner?: StringWhere | null | undefined;
  /** Why it was rejected, or a remark of the review; a new review state without one clears it. */
  readonly reviewReason?: StringWhere | null | undefined;
  /** The result of its review; only APPROVED serves. */
  readonly reviewState?: ReviewStateWhere | null | undefined;
  /** Whether all its addresses are https, so that it may serve on https pages. */
  readonly secure?: BooleanWhere | null | undefined;
  /** Whether it is in use. ARCHIVED archives all its associations; ACTIVE again restores none of them. */
  readonly status?: LifecycleWhere | null | undefined;
  /** The team that looks after it. */
  readonly team?: TeamWhere | null | undefined;
  /** The team that looks after it; null = none. */
  readonly teamId?: IDWhere | null | undefined;
  /** When it was last changed. */
  readonly updatedAt?: DateTimeWhere | null | undefined;
  /** Who changed it last. */
  readonly updatedBy?: StringWhere | null | undefined;
  /** Its version. */
  readonly version?: IntWhere | null | undefined;
  /** Width in CSS pixels; 0 × 0 fits any size (native, video). */
  readonly width?: IntWhere | null | undefined;
}

/** Whether an object is in use. */
export type Lifecycle = 'ACTIVE' | 'ARCHIVED';

/** Comparisons of a field; all that are given must hold. */
export interface LifecycleWhere {
  /** Equal to this; null: empty. */
  readonly eq?: Lifecycle | null | undefined;
  /** Equal to one of these, at most 500. */
  readonly in?: readonly Lifecycle[] | null | undefined;
  /** None of this. */
  readonly not?: LifecycleWhere | null | undefined;
}

/** A booking: targeting, flight, goal, limits and price. */
export interface LineItem {
  readonly __typename: 'LineItem';
  /** The product it is sold as. */
  readonly advertisingProduct: AdvertisingProduct | null;
  /** The product it is sold as; null = none. */
  readonly advertisingProductId: string | null;
  /** Whether it may go live: guaranteed bookings may need the approval of another member. */
  readonly approval: BookingApproval;
  /** Its snooze and its hand-over, while it needs attention. */
  readonly attention: LineItemAttention;
  /** What it was booked for, from a product; null: it was not booked from a product. */
  readonly budget: string | null;
  /** What it was booked for, from a product; null: it was not booked from a product. With its currency. */
  readonly budgetMoney: Money | null;
  /** Its campaign. */
  readonly campaign: Campaign | null;
  /** Its campaign; cannot change. */
  readonly campaignId: string;
  /** Hard limits per day and in total. */
  readonly caps: DeliveryCaps;
  /** Whether its companions stand beside their masters; other than NONE only with roadblock ONE. */
  readonly companionMode: CompanionMode;
  /** The activities whose conversions are credited to it: they count toward its goal, and CPA pays for them. Empty = every activity. At most 50. */
  readonly countedActivities: readonly CountedActivity[];
  /** When it was made. */
  readonly createdAt: string;
  /** How one of several fitting creatives is chosen. */
  readonly creativeRotation: CreativeRotation;
  /** Its creatives, by id. */
  readonly creatives: (args?: {
    /** Cursor after which the page begins. */
    readonly after?: string | null | undefined;
    /** Size of the page, 1…100; default 25. */
    readonly first?: number | null | undefined;
    /** Only those that are so. */
    readonly where?: CreativeWhere | null | undefined;
  }) => CreativeConnection;
  /** Values of the custom fields of the network, by key; at most 50. The whole set is replaced. */
  readonly customFields: unknown;
  /** Decimal id, unique in its kind, in every version of the API. */
  readonly databaseId: string;
  /** When in the week it serves; empty = always. At most 50. */
  readonly dayParts: readonly DayPart[];
  /** The deal it serves. */
  readonly deal: Deal | null;
  /** The deal it serves; null = open. */
  readonly dealId: string | null;
  /** What it has delivered so far; null while the counters are unavailable. */
  readonly delivery: Delivery | null;
  /** Its delivery diagnosis, from a sample of the decisions of the last 24 hours. */
  readonly deliveryDiagnosis: DeliveryDiagnosis;
  /** End of serving, exclusive; null = open-ended. */
  readonly endsAt: string | null;
  /** Two ads that share a label never appear in one response. */
  readonly exclusionLabels: readonly string[];
  /** Id in your own system. */
  readonly externalId: string | null;
  /** Its latest stored forecast; null before there is one. */
  readonly forecastRecord: ForecastRecord | null;
  /** Limits per user; the strictest applies. At most 20. */
  readonly frequencyCaps: readonly FrequencyCap[];
  /** Id that is unique among all types, as `node` takes it. */
  readonly globalId: string;
  /** Its goal; null = none. */
  readonly goal: Goal | null;
  /** Its id: the decimal one, or the global one where the version of the API shows global ids. */
  readonly id: string;
  /** Whether it is archived: it does not serve. */
  readonly isArchived: boolean;
  /** Labels of the line item. Caps of the network by label (`labelCaps`) count all ads that bear one. At most 10. */
  readonly labels: readonly string[];
  /** Rank within its tier (SPONSORSHIP, STANDARD): 1 is decided first, 16 last. */
  readonly level: number;
  /** Name. */
  readonly name: string;
  /** Notes for people, with line breaks; at most 2000 characters. */
  readonly notes: string;
  /** What it maximises: OPTIMISED rotation chooses the creative by the rate of this event, and a paced line item that has more opportunities than its goal needs chooses the ad units. null = nothing. */
  readonly optimisationGoal: OptimisationGoal | null;
  /** The e-mail address of the member of the network who looks after it; null = nobody. */
  readonly owner: string | null;
  /** How delivery is spread. */
  readonly pacing: Pacing;
  /** Whether it stops at its goal. */
  readonly pauseAfterGoal: boolean;
  /** CPM, VCPM: per thousand; CPC, CPA, CPCV: each; FLAT: per day. */
  readonly price: string;
  /** CPM, VCPM: per thousand; CPC, CPA, CPCV: each; FLAT: per day. With its currency. */
  readonly priceMoney: Money;
  /** The price option of the product by which it was booked; null: it was not booked from a product. */
  readonly priceOptionId: string | null;
  /** Which event earns the price. */
  readonly pricingModel: PricingModel;
  /** No effect: goals bid for opportunities (docs/pacing.md). Was the percentage of its goal that is spread evenly over all of its traffic. */
  readonly representativePercent: number | null;
  /** Whether its creatives fill several slots of one request. */
  readonly roadblock: Roadblock;
  /** Whether it serves to unidentified users although it has frequency caps. */
  readonly serveWithoutUser: boolean;
  /** Share of voice in percent (SPONSORSHIP) or weight of the draw (HOUSE); null elsewhere. */
  readonly sharePercent: number | null;
  /** Where it stands, and why, as found in the last minute. */
  readonly standing: LineItemStanding | null;
  /** Start of serving; null = at once. */
  readonly startsAt: string | null;
  /** Status; DRAFT at first. */
  readonly status: DeliveryStatus;
  /** Its targeting; null = all inventory and all users. */
  readonly targeting: Targeting | null;
  /** The team that looks after it. */
  readonly team: Team | null;
  /** The team that looks after it; null = none. */
  readonly teamId: string | null;
  /** IANA time zone of its days and day-parts; null = the network's. */
  readonly timezone: string | null;
  /** Its tier. */
  readonly type: LineItemType;
  /** When it was last changed. */
  readonly updatedAt: string;
  /** Who changed it last, as the audit log names them; empty: the system. */
  readonly updatedBy: string;
  /** Grows with every change; send it with an update to detect concurrent changes. */
  readonly version: number;
}

/** The snooze and the hand-over of a line item that needs attention. They hold while the line item needs attention for the same reason. */
export interface LineItemAttention {
  readonly __typename: 'LineItemAttention';
  /** When it was handed over. */
  readonly handedAt: string | null;
  /** The member who handed it over. */
  readonly handedBy: TeamMember | null;
  /** The member who looks after it. */
  readonly handedTo: TeamMember | null;
  /** Until when the signed-in member has snoozed it. */
  readonly snoozedUntil: string | null;
}

/** The result of snoozing or handing over a line item that needs attention. */
export interface LineItemAttentionPayload {
  readonly __typename: 'LineItemAttentionPayload';
  /** The line item. */
  readonly lineItem: LineItem | null;
  /** The mistakes in the input; empty when the change was made. Where it is selected, mistakes are told of here, and not in `errors`. */
  readonly userErrors: readonly UserError[];
}

/** The result of a bulk change of line items. */
export interface LineItemBulkPayload {
  readonly __typename: 'LineItemBulkPayload';
  /** How many rows were changed (0 when only validated, or all undone). */
  readonly changedCount: number;
  /** How many rows were wrong. */
  readonly failedCount: number;
  /** One result for each row, in the order of the input. */
  readonly results: readonly LineItemBulkResult[];
  /** The mistakes in all rows, and those of the call as a whole; empty when all is valid. */
  readonly userErrors: readonly UserError[];
}

/** The result of one row of a bulk change of line items. */
export interface LineItemBulkResult {
  readonly __typename: 'LineItemBulkResult';
  /** Error code of this row; null when the row is valid. */
  readonly code: UserErrorCode | null;
  /** Its index in the input, from 0. */
  readonly index: number;
  /** The object after the change; null when this row was not changed. */
  readonly lineItem: LineItem | null;
  /** What to do about the error. */
  readonly message: string | null;
  /** Wrong fields of this row. */
  readonly problems: readonly FieldProblem[];
  /** The mistakes in this row; empty when it is valid. */
  readonly userErrors: readonly UserError[];
  /** Doubtful fields of this row. */
  readonly warnings: readonly FieldProblem[];
}

/** Fields that a line item gets. Absent fields stay as they are. */
export interface LineItemChangesInput {
  /** The product it is sold as; null = none. */
  readonly advertisingProductId?: string | null | undefined;
  /** Hard limits per day and in total. */
  readonly caps?: DeliveryCapsInput | null | undefined;
  /** Whether its companions stand beside their masters; other than NONE only with roadblock ONE. */
  readonly companionMode?: CompanionMode | null | undefined;
  /** The activities whose conversions are credited to it: they count toward its goal, and CPA pays for them. Empty = every activity. At most 50. */
  readonly countedActivities?: readonly CountedActivityInput[] | null | undefined;
  /** How one of several fitting creatives is chosen. */
  readonly creativeRotation?: CreativeRotation | null | undefined;
  /** Values of the custom fields of the network, by key; at most 50. The whole set is replaced. */
  readonly customFields?: unknown;
  /** When in the week it serves; empty = always. At most 50. */
  readonly dayParts?: readonly DayPartInput[] | null | undefined;
  /** The deal it serves; null = open. */
  readonly dealId?: string | null | undefined;
  /** End of serving, exclusive; null = open-ended. */
  readonly endsAt?: string | null | undefined;
  /** Two ads that share a label never appear in one response. */
  readonly exclusionLabels?: readonly string[] | null | undefined;
  /** Id in your own system. */
  readonly externalId?: string | null | undefined;
  /** Limits per user; the strictest applies. At most 20. */
  readonly frequencyCaps?: readonly FrequencyCapInput[] | null | undefined;
  /** Its goal; null = none. */
  readonly goal?: GoalInput | null | undefined;
  /** Labels of the line item. Caps of the network by label (`labelCaps`) count all ads that bear one. At most 10. */
  readonly labels?: readonly string[] | null | undefined;
  /** Rank within its tier (SPONSORSHIP, STANDARD): 1 is decided first, 16 last. */
  readonly level?: number | null | undefined;
  /** Name. Required for a new object. */
  readonly name?: string | null | undefined;
  /** Notes for people, with line breaks; at most 2000 characters. */
  readonly notes?: string | null | undefined;
  /** What it maximises: OPTIMISED rotation chooses the creative by the rate of this event, and a paced line item that has more opportunities than its goal needs chooses the ad units. null = nothing. */
  readonly optimisationGoal?: OptimisationGoal | null | undefined;
  /** The e-mail address of the member of the network who looks after it; null = nobody. */
  readonly owner?: string | null | undefined;
  /** How delivery is spread. */
  readonly pacing?: Pacing | null | undefined;
  /** Whether it stops at its goal. */
  readonly pauseAfterGoal?: boolean | null | undefined;
  /** CPM, VCPM: per thousand; CPC, CPA, CPCV: each; FLAT: per day. */
  readonly price?: string | null | undefined;
  /** Which event earns the price. */
  readonly pricingModel?: PricingModel | null | undefined;
  /** No effect: goals bid for opportunities (docs/pacing.md). Was the percentage of its goal that is spread evenly over all of its traffic. */
  readonly representativePercent?: number | null | undefined;
  /** Whether its creatives fill several slots of one request. */
  readonly roadblock?: Roadblock | null | undefined;
  /** Whether it serves to unidentified users although it has frequency caps. */
  readonly serveWithoutUser?: boolean | null | undefined;
  /** Share of voice in percent (SPONSORSHIP) or weight of the draw (HOUSE); null elsewhere. */
  readonly sharePercent?: number | null | undefined;
  /** Start of serving; null = at once. */
  readonly startsAt?: string | null | undefined;
  /** Status; DRAFT at first. */
  readonly status?: DeliveryStatus | null | undefined;
  /** Its targeting; null = all inventory and all users. */
  readonly targeting?: TargetingInput | null | undefined;
  /** The team that looks after it; null = none. */
  readonly teamId?: string | null | undefined;
  /** IANA time zone of its days and day-parts; null = the network's. */
  readonly timezone?: string | null | undefined;
  /** Its tier. Required for a new object. */
  readonly type?: LineItemType | null | undefined;
}

/** A filter by the line items that belong to an object. */
export interface LineItemChildrenWhere {
  /** None of them is so. */
  readonly none?: LineItemWhere | null | undefined;
  /** At least one of them is so. */
  readonly some?: LineItemWhere | null | undefined;
}

/** A page of a list of line items. */
export interface LineItemConnection {
  readonly __typename: 'LineItemConnection';
  /** The objects of this page, each with its cursor. */
  readonly edges: readonly LineItemEdge[];
  /** The objects of this page, without their cursors. */
  readonly nodes: readonly LineItem[];
  /** The position of this page in the list. */
  readonly pageInfo: PageInfo;
  /** How many objects match the filter, over all pages. Costs a count of its own. */
  readonly totalCount: number;
}

/** One line item in a list. */
export interface LineItemEdge {
  readonly __typename: 'LineItemEdge';
  /** Opaque position in the list, for `after` and `before`. */
  readonly cursor: string;
  /** The object. */
  readonly node: LineItem;
}

/** Filters a list of line items. All given parts must match; a list means any of its values. */
export interface LineItemFilter {
  /** Only of campaigns of these advertisers. */
  readonly advertiserIds?: readonly string[] | null | undefined;
  /** Only of these advertising products. */
  readonly advertisingProductIds?: readonly string[] | null | undefined;
  /** Only of these campaigns. */
  readonly campaignIds?: readonly string[] | null | undefined;
  /** Only with all of these values of custom fields, such as {"region": "North"}. */
  readonly customFields?: unknown;
  /** Only of these deals. */
  readonly dealIds?: readonly string[] | null | undefined;
  /** Only with an end before this instant. */
  readonly endsBefore?: string | null | undefined;
  /** Only with an end at or after this instant. */
  readonly endsSince?: string | null | undefined;
  /** Only with one of these external ids. */
  readonly externalIds?: readonly string[] | null | undefined;
  /** Whether it has a creative that is ACTIVE and APPROVED. */
  readonly hasApprovedCreative?: boolean | null | undefined;
  /** Only with one of these statuses of the goal, as they were found last: every five minutes, for line items that serve. */
  readonly health?: readonly GoalStatus[] | null | undefined;
  /** Only these. */
  readonly ids?: readonly string[] | null | undefined;
  /** Only with one of these labels. */
  readonly labels?: readonly string[] | null | undefined;
  /** Only of these owners. */
  readonly owners?: readonly string[] | null | undefined;
  /** Only with one of these pricing models. */
  readonly pricingModels?: readonly PricingModel[] | null | undefined;
  /** Only those whose name (or code, or external id) contains this text, in any case; or that have this very id. */
  readonly search?: string | null | undefined;
  /** Only with a start before this instant. */
  readonly startsBefore?: string | null | undefined;
  /** Only with one of these statuses. */
  readonly statuses?: readonly DeliveryStatus[] | null | undefined;
  /** Only of these teams. */
  readonly teamIds?: readonly string[] | null | undefined;
  /** Only of these tiers. */
  readonly types?: readonly LineItemType[] | null | undefined;
  /** Only those changed at or after this instant. */
  readonly updatedSince?: string | null | undefined;
}

/** The order of a list of line items. */
export interface LineItemOrder {
  /** The direction; default ASC. */
  readonly direction?: SortDirection | null | undefined;
  /** What to sort by. */
  readonly field: LineItemOrderField;
}

/** What a list of line items can be sorted by. Empty values are last; empty texts are first. */
export type LineItemOrderField =
  | 'BUDGET'
  | 'COMPANION_MODE'
  | 'CREATED_AT'
  | 'CREATIVE_ROTATION'
  | 'ENDS_AT'
  | 'EXTERNAL_ID'
  | 'ID'
  | 'LEVEL'
  | 'NAME'
  | 'NOTES'
  | 'OPTIMISATION_GOAL'
  | 'OWNER'
  | 'PACING'
  | 'PAUSE_AFTER_GOAL'
  | 'PRICE'
  | 'PRICING_MODEL'
  | 'REPRESENTATIVE_PERCENT'
  | 'ROADBLOCK'
  | 'SERVE_WITHOUT_USER'
  | 'SHARE_PERCENT'
  | 'STARTS_AT'
  | 'STATUS'
  | 'TIMEZONE'
  | 'TYPE'
  | 'UPDATED_AT'
  | 'UPDATED_BY'
  | 'VERSION';

/** The result of a change of one line item. */
export interface LineItemPayload {
  readonly __typename: 'LineItemPayload';
  /** The object after the change; null when it was only validated. */
  readonly lineItem: LineItem | null;
  /** The mistakes in the input; empty when the change was made. Where it is selected, mistakes are told of here, and not in `errors`. */
  readonly userErrors: readonly UserError[];
  /** Whether only validation was requested, so that nothing was changed. */
  readonly validatedOnly: boolean;
  /** Warnings: allowed, but probably unintended. */
  readonly warnings: readonly FieldProblem[];
}

/** Where a line item stands, and why. */
export interface LineItemStanding {
  readonly __typename: 'LineItemStanding';
  /** The money that it may miss: what its goal lacks, at its price, or all that is left of the goal while nothing is shown. 0 without a goal. */
  readonly atRisk: string;
  /** The money that it may miss: what its goal lacks, at its price, or all that is left of the goal while nothing is shown. With its currency. */
  readonly atRiskMoney: Money | null;
  /** When its impressions were last found to have grown, to the minute; null before the first look. */
  readonly movedAt: string | null;
  /** Why. */
  readonly reason: StandingReason;
  /** The tab of the desk that shows it; null when it is archived. */
  readonly tab: LineItemTab | null;
}

/** A tab of the desk: every living line item is in one. */
export type LineItemTab = 'BEHIND' | 'DELIVERING' | 'DRAFT' | 'ENDED' | 'NOT_DELIVERING' | 'UPCOMING';

/** How many line items a tab has. */
export interface LineItemTabCount {
  readonly __typename: 'LineItemTabCount';
  /** Its line items. */
  readonly count: number;
  /** The tab. */
  readonly tab: LineItemTab;
}

/** A window of a table of line items. */
export interface LineItemTableConnection {
  readonly __typename: 'LineItemTableConnection';
  /** Its line items, in order. */
  readonly nodes: readonly LineItem[];
  /** How many line items the table has. */
  readonly totalCount: number;
}

/** Which line items a table shows. All given parts must match; a list means any of its values. */
export interface LineItemTableFilter {
  /** Only of these advertisers. */
  readonly advertiserIds?: readonly string[] | null | undefined;
  /** Only of these campaigns. */
  readonly campaignIds?: readonly string[] | null | undefined;
  /** Only whose flight ends before this instant. */
  readonly endsBefore?: string | null | undefined;
  /** Only these. */
  readonly ids?: readonly string[] | null | undefined;
  /** false: without those that the signed-in member has snoozed. true or absent: with them. */
  readonly isSnoozed?: boolean | null | undefined;
  /** Only with one of these labels. */
  readonly labels?: readonly string[] | null | undefined;
  /** Only on one of these levels. */
  readonly levels?: readonly number[] | null | undefined;
  /** Only line items in the table for one of these reasons. */
  readonly reasons?: readonly StandingReason[] | null | undefined;
  /** Whose name, external id or campaign name contains this text, or with this id. */
  readonly search?: string | null | undefined;
  /** Only with one of these statuses. */
  readonly statuses?: readonly DeliveryStatus[] | null | undefined;
  /** Only whose targeting tests this. */
  readonly targets?: LineItemTargetsFilter | null | undefined;
  /** Only of these tiers. */
  readonly types?: readonly LineItemType[] | null | undefined;
}

/** What a table is sorted by; rows without a value come last. */
export type LineItemTableSort =
  | 'AT_RISK'
  | 'CREATED_AT'
  | 'ENDS_AT'
  | 'ID'
  | 'IMPRESSIONS'
  | 'NAME'
  | 'PACE'
  | 'SPEND'
  | 'STARTS_AT'
  | 'UPDATED_AT';

/** What a targeting tests, at any depth; a test that excludes counts too. */
export interface LineItemTargetsFilter {
  /** The dimension. */
  readonly dimension: TargetingDimension;
  /** With one of these values; objects by their decimal id. Absent: any. */
  readonly values?: readonly string[] | null | undefined;
}

/** The tier of a line item, highest first: a lower tier is decided only when higher ones leave the slot unfilled. */
export type LineItemType = 'HOUSE' | 'PRICE' | 'SPONSORSHIP' | 'STANDARD';

/** Comparisons of a field; all that are given must hold. */
export interface LineItemTypeWhere {
  /** Equal to this; null: empty. */
  readonly eq?: LineItemType | null | undefined;
  /** Equal to one of these, at most 500. */
  readonly in?: readonly LineItemType[] | null | undefined;
  /** None of this. */
  readonly not?: LineItemTypeWhere | null | undefined;
}

/** A filter of line items by any field, at most 100 comparisons. All that is given must hold. */
export interface LineItemWhere {
  /** The product it is sold as. */
  readonly advertisingProduct?: AdvertisingProductWhere | null | undefined;
  /** The product it is sold as; null = none. */
  readonly advertisingProductId?: IDWhere | null | undefined;
  /** All of these. */
  readonly and?: readonly LineItemWhere[] | null | undefined;
  /** What it was booked for, from a product; null: it was not booked from a product. */
  readonly budget?: DecimalWhere | null | undefined;
  /** Its campaign. */
  readonly campaign?: CampaignWhere | null | undefined;
  /** Its campaign; cannot change. */
  readonly campaignId?: IDWhere | null | undefined;
  /** Whether its companions stand beside their masters; other than NONE only with roadblock ONE. */
  readonly companionMode?: CompanionModeWhere | null | undefined;
  /** When it was made. */
  readonly createdAt?: DateTimeWhere | null | undefined;
  /** How one of several fitting creatives is chosen. */
  readonly creativeRotation?: CreativeRotationWhere | null | undefined;
  /** Its creatives, by id. */
  readonly creatives?: CreativeChildrenWhere | null | undefined;
  /** The deal it serves. */
  readonly deal?: DealWhere | null | undefined;
  /** The deal it serves; null = open. */
  readonly dealId?: IDWhere | null | undefined;
  /** End of serving, exclusive; null = open-ended. */
  readonly endsAt?: DateTimeWhere | null | undefined;
  /** Two ads that share a label never appear in one response. */
  readonly exclusionLabels?: StringListWhere | null | undefined;
  /** Id in your own system. */
  readonly externalId?: StringWhere | null | undefined;
  /** Its id. */
  readonly id?: IDWhere | null | undefined;
  /** Labels of the line item. Caps of the network by label (`labelCaps`) count all ads that bear one. At most 10. */
  readonly labels?: StringListWhere | null | undefined;
  /** Rank within its tier (SPONSORSHIP, STANDARD): 1 is decided first, 16 last. */
  readonly level?: IntWhere | null | undefined;
  /** Name. */
  readonly name?: StringWhere | null | undefined;
  /** None of this. */
  readonly not?: LineItemWhere | null | undefined;
  /** Notes for people, with line breaks; at most 2000 characters. */
  readonly notes?: StringWhere | null | undefined;
  /** What it maximises: OPTIMISED rotation chooses the creative by the rate of this event, and a paced line item that has more opportunities than its goal needs chooses the ad units. null = nothing. */
  readonly optimisationGoal?: OptimisationGoalWhere | null | undefined;
  /** One of these. */
  readonly or?: readonly LineItemWhere[] | null | undefined;
  /** The e-mail address of the member of the network who looks after it; null = nobody. */
  readonly owner?: StringWhere | null | undefined;
  /** How delivery is spread. */
  readonly pacing?: PacingWhere | null | undefined;
  /** Whether it stops at its goal. */
  readonly pauseAfterGoal?: BooleanWhere | null | undefined;
  /** CPM, VCPM: per thousand; CPC, CPA, CPCV: each; FLAT: per day. */
  readonly price?: DecimalWhere | null | undefined;
  /** The price option of the product by which it was booked; null: it was not booked from a product. */
  readonly priceOptionId?: IDWhere | null | undefined;
  /** Which event earns the price. */
  readonly pricingModel?: PricingModelWhere | null | undefined;
  /** No effect: goals bid for opportunities (docs/pacing.md). Was the percentage of its goal that is spread evenly over all of its traffic. */
  readonly representativePercent?: FloatWhere | null | undefined;
  /** Whether its creatives fill several slots of one request. */
  readonly roadblock?: RoadblockWhere | null | undefined;
  /** Whether it serves to unidentified users although it has frequency caps. */
  readonly serveWithoutUser?: BooleanWhere | null | undefined;
  /** Share of voice in percent (SPONSORSHIP) or weight of the draw (HOUSE); null elsewhere. */
  readonly sharePercent?: FloatWhere | null | undefined;
  /** Start of serving; null = at once. */
  readonly startsAt?: DateTimeWhere | null | undefined;
  /** Status; DRAFT at first. */
  readonly status?: DeliveryStatusWhere | null | undefined;
  /** The team that looks after it. */
  readonly team?: TeamWhere | null | undefined;
  /** The team that looks after it; null = none. */
  readonly teamId?: IDWhere | null | undefined;
  /** IANA time zone of its days and day-parts; null = the network's. */
  readonly timezone?: StringWhere | null | undefined;
  /** Its tier. */
  readonly type?: LineItemTypeWhere | null | undefined;
  /** When it was last changed. */
  readonly updatedAt?: DateTimeWhere | null | undefined;
  /** Who changed it last. */
  readonly updatedBy?: StringWhere | null | undefined;
  /** Its version. */
  readonly version?: IntWhere | null | undefined;
}

/** A new key with its value. */
export interface MadeApiKey {
  readonly __typename: 'MadeApiKey';
  /** The key as listings show it; null when nothing was changed. */
  readonly apiKey: ApiKey | null;
  /** The mistakes in the input; empty when the change was made. Where it is selected, mistakes are told of here, and not in `errors`. */
  readonly userErrors: readonly UserError[];
  /** The value. It is shown once, here. */
  readonly value: string;
}

/** A new login with its token. */
export interface MadeHeaderCredential {
  readonly __typename: 'MadeHeaderCredential';
  /** Its id. */
  readonly id: string;
  /** The value of x-internal-auth-login. */
  readonly login: string;
  /** The value of x-internal-auth-token. It is shown once, here. */
  readonly token: string;
  /** The mistakes in the input; empty when the change was made. Where it is selected, mistakes are told of here, and not in `errors`. */
  readonly userErrors: readonly UserError[];
}

/** A new invitation. Its link goes to the invited person only. */
export interface MadeInvitation {
  readonly __typename: 'MadeInvitation';
  /** How the link gets to the invited. */
  readonly delivery: InvitationDelivery;
  /** Decimal id. */
  readonly id: string;
  /** The mistakes in the input; empty when the change was made. Where it is selected, mistakes are told of here, and not in `errors`. */
  readonly userErrors: readonly UserError[];
}

/** The result of reading notifications. */
export interface MarkNotificationsReadPayload {
  readonly __typename: 'MarkNotificationsReadPayload';
  /** How many became read. */
  readonly readCount: number | null;
  /** The mistakes in the input; empty when the change was made. Where it is selected, mistakes are told of here, and not in `errors`. */
  readonly userErrors: readonly UserError[];
}

/** One encoding of a video. */
export interface MediaFile {
  readonly __typename: 'MediaFile';
  /** Bit rate in kbit/s. */
  readonly bitrateKbps: number | null;
  /** Height in pixels. */
  readonly height: number;
  /** Its type, such as "video/mp4". */
  readonly mimeType: string;
  /** Its address. */
  readonly url: string;
  /** Width in pixels. */
  readonly width: number;
}

/** One encoding of a video. */
export interface MediaFileInput {
  /** Bit rate in kbit/s. */
  readonly bitrateKbps?: number | null | undefined;
  /** Height in pixels. */
  readonly height: number;
  /** Its type, such as "video/mp4". */
  readonly mimeType: string;
  /** Its address. */
  readonly url: string;
  /** Width in pixels. */
  readonly width: number;
}

/** What an ad unit can show. */
export type MediaType = 'AUDIO' | 'BANNER' | 'NATIVE' | 'VIDEO';

/** Comparisons of a field; all that are given must hold. */
export interface MediaTypeListWhere {
  /** With this value among them. */
  readonly has?: MediaType | null | undefined;
  /** With one of these values among them, at most 500. */
  readonly hasAny?: readonly MediaType[] | null | undefined;
  /** None of this. */
  readonly not?: MediaTypeListWhere | null | undefined;
}

/** A part of the platform that a key can be limited to. */
export type Module = 'AUDIENCE' | 'DELIVERY' | 'INVENTORY' | 'REPORTS';

/** An amount of money with its currency. */
export interface Money {
  readonly __typename: 'Money';
  /** The exact amount. */
  readonly amount: string;
  /** ISO 4217 code: that of the network. */
  readonly currencyCode: string;
}

/** All changes. Each field is one transaction that succeeds or fails as a whole. */
export interface Mutation {
  readonly __typename: 'Mutation';
  /** Says something about an object. The members whom it mentions, and those who commented before, are told. */
  readonly addComment: (args: {
    /** Plain text, 1…4000 characters. */
    readonly body: string;
    /** Accounts of members of the network whom it mentions, at most 20. */
    readonly mentionedIds?: readonly string[] | null | undefined;
    /** Id of the object. */
    readonly objectId: string;
    /** Kind of the object. */
    readonly objectKind: DiscussedKind;
  }) => CommentPayload | null;
  /** Approves the present terms of a guaranteed booking. Who wrote it since its last approval, or made the key that did, cannot; neither can anybody where a key that no member made wrote it. */
  readonly approveBooking: (args: {
    /** The version of its campaign that was read, whose dates it has where it has none of its own; a newer version fails as `conflict`. Absent: any version. */
    readonly campaignVersion?: number | null | undefined;
    /** Id of the line item. */
    readonly id: string;
    /** The version that was read; a newer version fails as `conflict`. */
    readonly version: number;
  }) => BookingApprovalPayload | null;
  /** Archives up to 500 activities in one call. */
  readonly archiveActivities: (args: {
    /** 1…500 decimal ids. */
    readonly ids: readonly string[];
    /** The effect of a failure on the other rows; default ALL_OR_NOTHING. */
    readonly mode?: BulkMode | null | undefined;
  }) => ActivityBulkPayload | null;
  /** Archives one activity: it stops serving and keeps its history. An update of its status restores it. */
  readonly archiveActivity: (args: {
    /** Its decimal id. */
    readonly id: string;
    /** The version that was read; a newer version fails as `conflict`. Absent: no check. */
    readonly version?: number | null | undefined;
  }) => ActivityPayload | null;
  /** Archives one ad unit: it stops serving and keeps its history. An update of its status restores it. */
  readonly archiveAdUnit: (args: {
    /** Its decimal id. */
    readonly id: string;
    /** The version that was read; a newer version fails as `conflict`. Absent: no check. */
    readonly version?: number | null | undefined;
  }) => AdUnitPayload | null;
  /** Archives up to 500 ad units in one call. */
  readonly archiveAdUnits: (args: {
    /** 1…500 decimal ids. */
    readonly ids: readonly string[];
    /** The effect of a failure on the other rows; default ALL_OR_NOTHING. */
    readonly mode?: BulkMode | null | undefined;
  }) => AdUnitBulkPayload | null;
  /** Archives one advertiser: it stops serving and keeps its history. An update of its status restores it. */
  readonly archiveAdvertiser: (args: {
    /** Its decimal id. */
    readonly id: string;
    /** The version that was read; a newer version fails as `conflict`. Absent: no check. */
    readonly version?: number | null | undefined;
  }) => AdvertiserPayload | null;
  /** Archives up to 500 advertisers in one call. */
  readonly archiveAdvertisers: (args: {
    /** 1…500 decimal ids. */
    readonly ids: readonly string[];
    /** The effect of a failure on the other rows; default ALL_OR_NOTHING. */
    readonly mode?: BulkMode | null | undefined;
  }) => AdvertiserBulkPayload | null;
  /** Archives one advertising product: it stops serving and keeps its history. An update of its status restores it. */
  readonly archiveAdvertisingProduct: (args: {
    /** Its decimal id. */
    readonly id: string;
    /** The version that was read; a newer version fails as `conflict`. Absent: no check. */
    readonly version?: number | null | undefined;
  }) => AdvertisingProductPayload | null;
  /** Archives up to 500 advertising products in one call. */
  readonly archiveAdvertisingProducts: (args: {
    /** 1…500 decimal ids. */
    readonly ids: readonly string[];
    /** The effect of a failure on the other rows; default ALL_OR_NOTHING. */
    readonly mode?: BulkMode | null | undefined;
  }) => AdvertisingProductBulkPayload | null;
  /** Archives one area: it stops serving and keeps its history. An update of its status restores it. */
  readonly archiveArea: (args: {
    /** Its decimal id. */
    readonly id: string;
    /** The version that was read; a newer version fails as `conflict`. Absent: no check. */
    readonly version?: number | null | undefined;
  }) => AreaPayload | null;
  /** Archives up to 500 areas in one call. */
  readonly archiveAreas: (args: {
    /** 1…500 decimal ids. */
    readonly ids: readonly string[];
    /** The effect of a failure on the other rows; default ALL_OR_NOTHING. */
    readonly mode?: BulkMode | null | undefined;
  }) => AreaBulkPayload | null;
  /** Archives one campaign: it stops serving and keeps its history. An update of its status restores it. */
  readonly archiveCampaign: (args: {
    /** Its decimal id. */
    readonly id: string;
    /** The version that was read; a newer version fails as `conflict`. Absent: no check. */
    readonly version?: number | null | undefined;
  }) => CampaignPayload | null;
  /** Archives up to 500 campaigns in one call. */
  readonly archiveCampaigns: (args: {
    /** 1…500 decimal ids. */
    readonly ids: readonly string[];
    /** The effect of a failure on the other rows; default ALL_OR_NOTHING. */
    readonly mode?: BulkMode | null | undefined;
  }) => CampaignBulkPayload | null;
  /** Archives one creative: it stops serving and keeps its history. An update of its status restores it. */
  readonly archiveCreative: (args: {
    /** Its decimal id. */
    readonly id: string;
    /** The version that was read; a newer version fails as `conflict`. Absent: no check. */
    readonly version?: number | null | undefined;
  }) => CreativePayload | null;
  /** Archives up to 500 creatives in one call. */
  readonly archiveCreatives: (args: {
    /** 1…500 decimal ids. */
    readonly ids: readonly string[];
    /** The effect of a failure on the other rows; default ALL_OR_NOTHING. */
    readonly mode?: BulkMode | null | undefined;
  }) => CreativeBulkPayload | null;
  /** Archives one custom field: it stops serving and keeps its history. An update of its status restores it. */
  readonly archiveCustomField: (args: {
    /** Its decimal id. */
    readonly id: string;
    /** The version that was read; a newer version fails as `conflict`. Absent: no check. */
    readonly version?: number | null | undefined;
  }) => CustomFieldPayload | null;
  /** Archives up to 500 custom fields in one call. */
  readonly archiveCustomFields: (args: {
    /** 1…500 decimal ids. */
    readonly ids: readonly string[];
    /** The effect of a failure on the other rows; default ALL_OR_NOTHING. */
    readonly mode?: BulkMode | null | undefined;
  }) => CustomFieldBulkPayload | null;
  /** Archives one deal: it stops serving and keeps its history. An update of its status restores it. */
  readonly archiveDeal: (args: {
    /** Its decimal id. */
    readonly id: string;
    /** The version that was read; a newer version fails as `conflict`. Absent: no check. */
    readonly version?: number | null | undefined;
  }) => DealPayload | null;
  /** Archives up to 500 deals in one call. */
  readonly archiveDeals: (args: {
    /** 1…500 decimal ids. */
    readonly ids: readonly string[];
    /** The effect of a failure on the other rows; default ALL_OR_NOTHING. */
    readonly mode?: BulkMode | null | undefined;
  }) => DealBulkPayload | null;
  /** Archives one experiment: it stops serving and keeps its history. An update of its status restores it. */
  readonly archiveExperiment: (args: {
    /** Its decimal id. */
    readonly id: string;
    /** The version that was read; a newer version fails as `conflict`. Absent: no check. */
    readonly version?: number | null | undefined;
  }) => ExperimentPayload | null;
  /** Archives up to 500 experiments in one call. */
  readonly archiveExperiments: (args: {
    /** 1…500 decimal ids. */
    readonly ids: readonly string[];
    /** The effect of a failure on the other rows; default ALL_OR_NOTHING. */
    readonly mode?: BulkMode | null | undefined;
  }) => ExperimentBulkPayload | null;
  /** Archives one floor: it stops serving and keeps its history. An update of its status restores it. */
  readonly archiveFloor: (args: {
    /** Its decimal id. */
    readonly id: string;
    /** The version that was read; a newer version fails as `conflict`. Absent: no check. */
    readonly version?: number | null | undefined;
  }) => FloorPayload | null;
  /** Archives up to 500 floors in one call. */
  readonly archiveFloors: (args: {
    /** 1…500 decimal ids. */
    readonly ids: readonly string[];
    /** The effect of a failure on the other rows; default ALL_OR_NOTHING. */
    readonly mode?: BulkMode | null | undefined;
  }) => FloorBulkPayload | null;
  /** Archives one key-value: it stops serving and keeps its history. An update of its status restores it. */
  readonly archiveKeyValue: (args: {
    /** Its decimal id. */
    readonly id: string;
    /** The version that was read; a newer version fails as `conflict`. Absent: no check. */
    readonly version?: number | null | undefined;
  }) => KeyValuePayload | null;
  /** Archives up to 500 key-values in one call. */
  readonly archiveKeyValues: (args: {
    /** 1…500 decimal ids. */
    readonly ids: readonly string[];
    /** The effect of a failure on the other rows; default ALL_OR_NOTHING. */
    readonly mode?: BulkMode | null | undefined;
  }) => KeyValueBulkPayload | null;
  /** Archives one library creative: it stops serving and keeps its history. An update of its status restores it. */
  readonly archiveLibraryCreative: (args: {
    /** Its decimal id. */
    readonly id: string;
    /** The version that was read; a newer version fails as `conflict`. Absent: no check. */
    readonly version?: number | null | undefined;
  }) => LibraryCreativePayload | null;
  /** Archives up to 500 library creatives in one call. */
  readonly archiveLibraryCreatives: (args: {
    /** 1…500 decimal ids. */
    readonly ids: readonly string[];
    /** The effect of a failure on the other rows; default ALL_OR_NOTHING. */
    readonly mode?: BulkMode | null | undefined;
  }) => LibraryCreativeBulkPayload | null;
  /** Archives one line item: it stops serving and keeps its history. An update of its status restores it. */
  readonly archiveLineItem: (args: {
    /** Its decimal id. */
    readonly id: string;
    /** The version that was read; a newer version fails as `conflict`. Absent: no check. */
    readonly version?: number | null | undefined;
  }) => LineItemPayload | null;
  /** Archives up to 500 line items in one call. */
  readonly archiveLineItems: (args: {
    /** 1…500 decimal ids. */
    readonly ids: readonly string[];
    /** The effect of a failure on the other rows; default ALL_OR_NOTHING. */
    readonly mode?: BulkMode | null | undefined;
  }) => LineItemBulkPayload | null;
  /** Archives one segment: it stops serving and keeps its history. An update of its status restores it. */
  readonly archiveSegment: (args: {
    /** Its decimal id. */
    readonly id: string;
    /** The version that was read; a newer version fails as `conflict`. Absent: no check. */
    readonly version?: number | null | undefined;
  }) => SegmentPayload | null;
  /** Archives up to 500 segments in one call. */
  readonly archiveSegments: (args: {
    /** 1…500 decimal ids. */
    readonly ids: readonly string[];
    /** The effect of a failure on the other rows; default ALL_OR_NOTHING. */
    readonly mode?: BulkMode | null | undefined;
  }) => SegmentBulkPayload | null;
  /** Archives one site: it stops serving and keeps its history. An update of its status restores it. */
  readonly archiveSite: (args: {
    /** Its decimal id. */
    readonly id: string;
    /** The version that was read; a newer version fails as `conflict`. Absent: no check. */
    readonly version?: number | null | undefined;
  }) => SitePayload | null;
  /** Archives up to 500 sites in one call. */
  readonly archiveSites: (args: {
    /** 1…500 decimal ids. */
    readonly ids: readonly string[];
    /** The effect of a failure on the other rows; default ALL_OR_NOTHING. */
    readonly mode?: BulkMode | null | undefined;
  }) => SiteBulkPayload | null;
  /** Archives one targeting preset: it stops serving and keeps its history. An update of its status restores it. */
  readonly archiveTargetingPreset: (args: {
    /** Its decimal id. */
    readonly id: string;
    /** The version that was read; a newer version fails as `conflict`. Absent: no check. */
    readonly version?: number | null | undefined;
  }) => TargetingPresetPayload | null;
  /** Archives up to 500 targeting presets in one call. */
  readonly archiveTargetingPresets: (args: {
    /** 1…500 decimal ids. */
    readonly ids: readonly string[];
    /** The effect of a failure on the other rows; default ALL_OR_NOTHING. */
    readonly mode?: BulkMode | null | undefined;
  }) => TargetingPresetBulkPayload | null;
  /** Archives one team: it stops serving and keeps its history. An update of its status restores it. */
  readonly archiveTeam: (args: {
    /** Its decimal id. */
    readonly id: string;
    /** The version that was read; a newer version fails as `conflict`. Absent: no check. */
    readonly version?: number | null | undefined;
  }) => TeamPayload | null;
  /** Archives up to 500 teams in one call. */
  readonly archiveTeams: (args: {
    /** 1…500 decimal ids. */
    readonly ids: readonly string[];
    /** The effect of a failure on the other rows; default ALL_OR_NOTHING. */
    readonly mode?: BulkMode | null | undefined;
  }) => TeamBulkPayload | null;
  /** Associates up to 500 pairs of a library creative and a line item of its advertiser. Each association is a creative of the line item, with an id, counters and reports of its own; one that exists gets the given weight, flight and caps, and one that is archived serves again with those that it had, unless others are given. */
  readonly associateCreatives: (args: {
    /** The associations. */
    readonly inputs: readonly AssociateCreativeInput[];
    /** The effect of a failure on the other rows; default ALL_OR_NOTHING. */
    readonly mode?: BulkMode | null | undefined;
    /** Validates everything and returns problems and warnings without a change. */
    readonly validateOnly?: boolean | null | undefined;
  }) => CreativeAssociationsPayload | null;
  /** Notes what a buyer's agent asks for, before it is done. The same key of the same caller begins once. */
  readonly beginAgentRequest: (args: {
    /** The request. */
    readonly input: BeginAgentRequestInput;
  }) => BeginAgentRequestPayload | null;
  /** Books a product: makes a DRAFT line item in a campaign by one of its price options. Inventory, tier, price, goal and limits follow from the product; dates, amount and added targeting are checked against its terms. */
  readonly bookProduct: (args: {
    /** The booking. */
    readonly input: BookProductInput;
    /** Validates everything and returns problems and warnings without a booking; the line item is null. */
    readonly validateOnly?: boolean | null | undefined;
  }) => BookingPayload | null;
  /** Changes the terms of a line item that was booked from a product. All of its terms are checked against the product again. */
  readonly changeBooking: (args: {
    /** The line item. */
    readonly id: string;
    /** The new terms. */
    readonly input: ChangeBookingInput;
    /** Validates everything and returns problems and warnings without a booking; the line item is null. */
    readonly validateOnly?: boolean | null | undefined;
    /** The version that was read; a newer version fails as `conflict`. */
    readonly version?: number | null | undefined;
  }) => BookingPayload | null;
  /** Changes where the signed-in member is told of events in this network; events that are not given stay. */
  readonly chooseNotifications: (args: {
    /** At most one for each event. */
    readonly choices: readonly NotificationChoiceInput[];
  }) => ChooseNotificationsPayload | null;
  /** Ties a link that works to your membership: it no longer ends when the member leaves who made it. For signed-in admins. */
  readonly claimReportShare: (args: {
    /** Its id. */
    readonly id: string;
  }) => ReportSharePayload | null;
  /** Copies a campaign with its line items and creatives (archived ones left out); campaign and line items become DRAFT. At most 500 line items. */
  readonly copyCampaign: (args: {
    /** The campaign to copy. */
    readonly id: string;
    /** Name of the copy; default: the old one with " (copy)". */
    readonly name?: string | null | undefined;
    /** By how many days of the clock all flights are moved, instead of `startsAt`; default 0. Midnight stays midnight. */
    readonly shiftDays?: number | null | undefined;
    /** Start of the copy: all its flights are moved by the same span, on the clocks of their time zones. Absent: flights stay. */
    readonly startsAt?: string | null | undefined;
    /** Validates everything, as when it copies, without a change; `copy` of the response is null. */
    readonly validateOnly?: boolean | null | undefined;
  }) => CopyCampaignPayload | null;
  /** Copies line items with their creatives (archived ones left out), in one transaction. The copies become DRAFT. At most 100. */
  readonly copyLineItems: (args: {
    /** Fields that every copy gets. Absent: name with " (copy)". */
    readonly changes?: LineItemChangesInput | null | undefined;
    /** The line items to copy. */
    readonly ids: readonly string[];
    /** By how many days of the clock flights are moved; default 0. Midnight stays midnight. */
    readonly shiftDays?: number | null | undefined;
    /** Validates everything, as when it copies, without a change. */
    readonly validateOnly?: boolean | null | undefined;
  }) => CopyLineItemsPayload | null;
  /** Creates up to 500 activities in one call. */
  readonly createActivities: (args: {
    /** 1…500 new objects. */
    readonly inputs: readonly CreateActivityInput[];
    /** The effect of a failure on the other rows; default ALL_OR_NOTHING. */
    readonly mode?: BulkMode | null | undefined;
    /** Validates everything and returns problems and warnings without a change; the object of the response is null. */
    readonly validateOnly?: boolean | null | undefined;
  }) => ActivityBulkPayload | null;
  /** Creates one activity. */
  readonly createActivity: (args: {
    /** Its fields. */
    readonly input: CreateActivityInput;
    /** Validates everything and returns problems and warnings without a change; the object of the response is null. */
    readonly validateOnly?: boolean | null | undefined;
  }) => ActivityPayload | null;
  /** Creates one ad unit. */
  readonly createAdUnit: (args: {
    /** Its fields. */
    readonly input: CreateAdUnitInput;
    /** Validates everything and returns problems and warnings without a change; the object of the response is null. */
    readonly validateOnly?: boolean | null | undefined;
  }) => AdUnitPayload | null;
  /** Creates up to 500 ad units in one call. */
  readonly createAdUnits: (args: {
    /** 1…500 new objects. */
    readonly inputs: readonly CreateAdUnitInput[];
    /** The effect of a failure on the other rows; default ALL_OR_NOTHING. */
    readonly mode?: BulkMode | null | undefined;
    /** Validates everything and returns problems and warnings without a change; the object of the response is null. */
    readonly validateOnly?: boolean | null | undefined;
  }) => AdUnitBulkPayload | null;
  /** Creates one advertiser. */
  readonly createAdvertiser: (args: {
    /** Its fields. */
    readonly input: CreateAdvertiserInput;
    /** Validates everything and returns problems and warnings without a change; the object of the response is null. */
    readonly validateOnly?: boolean | null | undefined;
  }) => AdvertiserPayload | null;
  /** Creates up to 500 advertisers in one call. */
  readonly createAdvertisers: (args: {
    /** 1…500 new objects. */
    readonly inputs: readonly CreateAdvertiserInput[];
    /** The effect of a failure on the other rows; default ALL_OR_NOTHING. */
    readonly mode?: BulkMode | null | undefined;
    /** Validates everything and returns problems and warnings without a change; the object of the response is null. */
    readonly validateOnly?: boolean | null | undefined;
  }) => AdvertiserBulkPayload | null;
  /** Creates one advertising product. */
  readonly createAdvertisingProduct: (args: {
    /** Its fields. */
    readonly input: CreateAdvertisingProductInput;
    /** Validates everything and returns problems and warnings without a change; the object of the response is null. */
    readonly validateOnly?: boolean | null | undefined;
  }) => AdvertisingProductPayload | null;
  /** Creates up to 500 advertising products in one call. */
  readonly createAdvertisingProducts: (args: {
    /** 1…500 new objects. */
    readonly inputs: readonly CreateAdvertisingProductInput[];
    /** The effect of a failure on the other rows; default ALL_OR_NOTHING. */
    readonly mode?: BulkMode | null | undefined;
    /** Validates everything and returns problems and warnings without a change; the object of the response is null. */
    readonly validateOnly?: boolean | null | undefined;
  }) => AdvertisingProductBulkPayload | null;
  /** Makes an API key. Its value is shown once, here. Takes no Idempotency-Key. */
  readonly createApiKey: (args: {
    /** Its fields. */
    readonly input: CreateApiKeyInput;
  }) => MadeApiKey | null;
  /** Creates one area. */
  readonly createArea: (args: {
    /** Its fields. */
    readonly input: CreateAreaInput;
    /** Validates everything and returns problems and warnings without a change; the object of the response is null. */
    readonly validateOnly?: boolean | null | undefined;
  }) => AreaPayload | null;
  /** Creates up to 500 areas in one call. */
  readonly createAreas: (args: {
    /** 1…500 new objects. */
    readonly inputs: readonly CreateAreaInput[];
    /** The effect of a failure on the other rows; default ALL_OR_NOTHING. */
    readonly mode?: BulkMode | null | undefined;
    /** Validates everything and returns problems and warnings without a change; the object of the response is null. */
    readonly validateOnly?: boolean | null | undefined;
  }) => AreaBulkPayload | null;
  /** Creates one campaign. */
  readonly createCampaign: (args: {
    /** Its fields. */
    readonly input: CreateCampaignInput;
    /** Validates everything and returns problems and warnings without a change; the object of the response is null. */
    readonly validateOnly?: boolean | null | undefined;
  }) => CampaignPayload | null;
  /** Creates up to 500 campaigns in one call. */
  readonly createCampaigns: (args: {
    /** 1…500 new objects. */
    readonly inputs: readonly CreateCampaignInput[];
    /** The effect of a failure on the other rows; default ALL_OR_NOTHING. */
    readonly mode?: BulkMode | null | undefined;
    /** Validates everything and returns problems and warnings without a change; the object of the response is null. */
    readonly validateOnly?: boolean | null | undefined;
  }) => CampaignBulkPayload | null;
  /** Creates one creative. */
  readonly createCreative: (args: {
    /** Its fields. */
    readonly input: CreateCreativeInput;
    /** Validates everything and returns problems and warnings without a change; the object of the response is null. */
    readonly validateOnly?: boolean | null | undefined;
  }) => CreativePayload | null;
  /** Creates up to 500 creatives in one call. */
  readonly createCreatives: (args: {
    /** 1…500 new objects. */
    readonly inputs: readonly CreateCreativeInput[];
    /** The effect of a failure on the other rows; default ALL_OR_NOTHING. */
    readonly mode?: BulkMode | null | undefined;
    /** Validates everything and returns problems and warnings without a change; the object of the response is null. */
    readonly validateOnly?: boolean | null | undefined;
  }) => CreativeBulkPayload | null;
  /** Creates one custom field. */
  readonly createCustomField: (args: {
    /** Its fields. */
    readonly input: CreateCustomFieldInput;
    /** Validates everything and returns problems and warnings without a change; the object of the response is null. */
    readonly validateOnly?: boolean | null | undefined;
  }) => CustomFieldPayload | null;
  /** Creates up to 500 custom fields in one call. */
  readonly createCustomFields: (args: {
    /** 1…500 new objects. */
    readonly inputs: readonly CreateCustomFieldInput[];
    /** The effect of a failure on the other rows; default ALL_OR_NOTHING. */
    readonly mode?: BulkMode | null | undefined;
    /** Validates everything and returns problems and warnings without a change; the object of the response is null. */
    readonly validateOnly?: boolean | null | undefined;
  }) => CustomFieldBulkPayload | null;
  /** Creates one deal. */
  readonly createDeal: (args: {
    /** Its fields. */
    readonly input: CreateDealInput;
    /** Validates everything and returns problems and warnings without a change; the object of the response is null. */
    readonly validateOnly?: boolean | null | undefined;
  }) => DealPayload | null;
  /** Creates up to 500 deals in one call. */
  readonly createDeals: (args: {
    /** 1…500 new objects. */
    readonly inputs: readonly CreateDealInput[];
    /** The effect of a failure on the other rows; default ALL_OR_NOTHING. */
    readonly mode?: BulkMode | null | undefined;
    /** Validates everything and returns problems and warnings without a change; the object of the response is null. */
    readonly validateOnly?: boolean | null | undefined;
  }) => DealBulkPayload | null;
  /** Creates one experiment. */
  readonly createExperiment: (args: {
    /** Its fields. */
    readonly input: CreateExperimentInput;
    /** Validates everything and returns problems and warnings without a change; the object of the response is null. */
    readonly validateOnly?: boolean | null | undefined;
  }) => ExperimentPayload | null;
  /** Creates up to 500 experiments in one call. */
  readonly createExperiments: (args: {
    /** 1…500 new objects. */
    readonly inputs: readonly CreateExperimentInput[];
    /** The effect of a failure on the other rows; default ALL_OR_NOTHING. */
    readonly mode?: BulkMode | null | undefined;
    /** Validates everything and returns problems and warnings without a change; the object of the response is null. */
    readonly validateOnly?: boolean | null | undefined;
  }) => ExperimentBulkPayload | null;
  /** Creates one floor. */
  readonly createFloor: (args: {
    /** Its fields. */
    readonly input: CreateFloorInput;
    /** Validates everything and returns problems and warnings without a change; the object of the response is null. */
    readonly validateOnly?: boolean | null | undefined;
  }) => FloorPayload | null;
  /** Creates up to 500 floors in one call. */
  readonly createFloors: (args: {
    /** 1…500 new objects. */
    readonly inputs: readonly CreateFloorInput[];
    /** The effect of a failure on the other rows; default ALL_OR_NOTHING. */
    readonly mode?: BulkMode | null | undefined;
    /** Validates everything and returns problems and warnings without a change; the object of the response is null. */
    readonly validateOnly?: boolean | null | undefined;
  }) => FloorBulkPayload | null;
  /** Makes report credentials. The token is shown once, here. Takes no Idempotency-Key. */
  readonly createHeaderCredential: (args: {
    /** Which environment; default: where this request works. */
    readonly environment?: Environment | null | undefined;
    /** Login, unique in the installation; absent: a random one. */
    readonly login?: string | null | undefined;
    /** Name, 1 to 200 characters. */
    readonly name: string;
  }) => MadeHeaderCredential | null;
  /** Creates one key-value. */
  readonly createKeyValue: (args: {
    /** Its fields. */
    readonly input: CreateKeyValueInput;
    /** Validates everything and returns problems and warnings without a change; the object of the response is null. */
    readonly validateOnly?: boolean | null | undefined;
  }) => KeyValuePayload | null;
  /** Creates up to 500 key-values in one call. */
  readonly createKeyValues: (args: {
    /** 1…500 new objects. */
    readonly inputs: readonly CreateKeyValueInput[];
    /** The effect of a failure on the other rows; default ALL_OR_NOTHING. */
    readonly mode?: BulkMode | null | undefined;
    /** Validates everything and returns problems and warnings without a change; the object of the response is null. */
    readonly validateOnly?: boolean | null | undefined;
  }) => KeyValueBulkPayload | null;
  /** Creates one library creative. */
  readonly createLibraryCreative: (args: {
    /** Its fields. */
    readonly input: CreateLibraryCreativeInput;
    /** Validates everything and returns problems and warnings without a change; the object of the response is null. */
    readonly validateOnly?: boolean | null | undefined;
  }) => LibraryCreativePayload | null;
  /** Creates up to 500 library creatives in one call. */
  readonly createLibraryCreatives: (args: {
    /** 1…500 new objects. */
    readonly inputs: readonly CreateLibraryCreativeInput[];
    /** The effect of a failure on the other rows; default ALL_OR_NOTHING. */
    readonly mode?: BulkMode | null | undefined;
    /** Validates everything and returns problems and warnings without a change; the object of the response is null. */
    readonly validateOnly?: boolean | null | undefined;
  }) => LibraryCreativeBulkPayload | null;
  /** Creates one line item. */
  readonly createLineItem: (args: {
    /** Its fields. */
    readonly input: CreateLineItemInput;
    /** Validates everything and returns problems and warnings without a change; the object of the response is null. */
    readonly validateOnly?: boolean | null | undefined;
  }) => LineItemPayload | null;
  /** Creates up to 500 line items in one call. */
  readonly createLineItems: (args: {
    /** 1…500 new objects. */
    readonly inputs: readonly CreateLineItemInput[];
    /** The effect of a failure on the other rows; default ALL_OR_NOTHING. */
    readonly mode?: BulkMode | null | undefined;
    /** Validates everything and returns problems and warnings without a change; the object of the response is null. */
    readonly validateOnly?: boolean | null | undefined;
  }) => LineItemBulkPayload | null;
  /** Creates a schedule. The response shows the webhook secret once. */
  readonly createReportSchedule: (args: {
    /** The schedule. */
    readonly input: CreateReportScheduleInput;
  }) => ReportSchedulePayload | null;
  /** Creates one segment. */
  readonly createSegment: (args: {
    /** Its fields. */
    readonly input: CreateSegmentInput;
    /** Validates everything and returns problems and warnings without a change; the object of the response is null. */
    readonly validateOnly?: boolean | null | undefined;
  }) => SegmentPayload | null;
  /** Creates up to 500 segments in one call. */
  readonly createSegments: (args: {
    /** 1…500 new objects. */
    readonly inputs: readonly CreateSegmentInput[];
    /** The effect of a failure on the other rows; default ALL_OR_NOTHING. */
    readonly mode?: BulkMode | null | undefined;
    /** Validates everything and returns problems and warnings without a change; the object of the response is null. */
    readonly validateOnly?: boolean | null | undefined;
  }) => SegmentBulkPayload | null;
  /** Creates one site. */
  readonly createSite: (args: {
    /** Its fields. */
    readonly input: CreateSiteInput;
    /** Validates everything and returns problems and warnings without a change; the object of the response is null. */
    readonly validateOnly?: boolean | null | undefined;
  }) => SitePayload | null;
  /** Creates up to 500 sites in one call. */
  readonly createSites: (args: {
    /** 1…500 new objects. */
    readonly inputs: readonly CreateSiteInput[];
    /** The effect of a failure on the other rows; default ALL_OR_NOTHING. */
    readonly mode?: BulkMode | null | undefined;
    /** Validates everything and returns problems and warnings without a change; the object of the response is null. */
    readonly validateOnly?: boolean | null | undefined;
  }) => SiteBulkPayload | null;
  /** Creates one targeting preset. */
  readonly createTargetingPreset: (args: {
    /** Its fields. */
    readonly input: CreateTargetingPresetInput;
    /** Validates everything and returns problems and warnings without a change; the object of the response is null. */
    readonly validateOnly?: boolean | null | undefined;
  }) => TargetingPresetPayload | null;
  /** Creates up to 500 targeting presets in one call. */
  readonly createTargetingPresets: (args: {
    /** 1…500 new objects. */
    readonly inputs: readonly CreateTargetingPresetInput[];
    /** The effect of a failure on the other rows; default ALL_OR_NOTHING. */
    readonly mode?: BulkMode | null | undefined;
    /** Validates everything and returns problems and warnings without a change; the object of the response is null. */
    readonly validateOnly?: boolean | null | undefined;
  }) => TargetingPresetBulkPayload | null;
  /** Creates one team. */
  readonly createTeam: (args: {
    /** Its fields. */
    readonly input: CreateTeamInput;
    /** Validates everything and returns problems and warnings without a change; the object of the response is null. */
    readonly validateOnly?: boolean | null | undefined;
  }) => TeamPayload | null;
  /** Creates up to 500 teams in one call. */
  readonly createTeams: (args: {
    /** 1…500 new objects. */
    readonly inputs: readonly CreateTeamInput[];
    /** The effect of a failure on the other rows; default ALL_OR_NOTHING. */
    readonly mode?: BulkMode | null | undefined;
    /** Validates everything and returns problems and warnings without a change; the object of the response is null. */
    readonly validateOnly?: boolean | null | undefined;
  }) => TeamBulkPayload | null;
  /** Creates a webhook; it is told of changes from now on. The response shows its secret once. */
  readonly createWebhook: (args: {
    /** The webhook. */
    readonly input: CreateWebhookInput;
  }) => WebhookPayload | null;
  /** Approves or rejects a request that waits. Before it is approved, its campaign has to be ACTIVE, with line items of which none is a DRAFT. A rejection archives the drafts; the agent reads its reason. */
  readonly decideAgentRequest: (args: {
    /** The decision. */
    readonly decision: AgentRequestDecision;
    /** Its id. */
    readonly id: string;
    /** Why, at most 500 characters. A rejection needs it. */
    readonly reason?: string | null | undefined;
  }) => AgentRequestPayload | null;
  /** Deletes a comment: one's own, or as an admin anybody's. Returns it as it was. */
  readonly deleteComment: (args: {
    /** Its id. */
    readonly id: string;
  }) => CommentPayload | null;
  /** Deletes a schedule with the list of its runs. */
  readonly deleteReportSchedule: (args: {
    /** Its id. */
    readonly id: string;
  }) => DeleteReportSchedulePayload | null;
  /** Deletes a webhook with the list of its messages. */
  readonly deleteWebhook: (args: {
    /** Its id. */
    readonly id: string;
  }) => DeleteWebhookPayload | null;
  /** Disables report credentials at once and for good. */
  readonly disableHeaderCredential: (args: {
    /** Which environment; default: where this request works. */
    readonly environment?: Environment | null | undefined;
    /** Their id. */
    readonly id: string;
  }) => HeaderCredential | null;
  /** Notes that a request failed: its key is free again. Only its caller does. */
  readonly discardAgentRequest: (args: {
    /** Its id. */
    readonly id: string;
    /** What the agent is told. */
    readonly response: unknown;
  }) => AgentRequestPayload | null;
  /** Ends up to 500 associations, all or none: the creatives of the line items are archived and keep their history. */
  readonly dissociateCreatives: (args: {
    /** The associations to end. */
    readonly inputs: readonly CreativePairInput[];
    /** Validates everything and returns problems and warnings without a change. */
    readonly validateOnly?: boolean | null | undefined;
  }) => CreativeAssociationsPayload | null;
  /** Notes the response to a request that runs. Only its caller ends it. */
  readonly endAgentRequest: (args: {
    /** Its id. */
    readonly id: string;
    /** The response. */
    readonly input: EndAgentRequestInput;
  }) => AgentRequestPayload | null;
  /** Ends one session that this network's own sign-in provider started; returns its id. To end a person's access, take them out of the network. */
  readonly endSession: (args: {
    /** The session. */
    readonly id: string;
    /** The user. */
    readonly userId: string;
  }) => string | null;
  /** Queues a report. Wrong attributes are named, and no task is made. */
  readonly generate_report: (args: {
    /** What is to be made. */
    readonly task: ReportTaskInput;
  }) => ReportTask | null;
  /** Hands a line item that needs attention to a member of the network, who is told. */
  readonly handOverAttention: (args: {
    /** Id of the line item. */
    readonly lineItemId: string;
    /** Account of the member; `colleagues` lists them. null: nobody looks after it. */
    readonly toId?: string | null | undefined;
  }) => LineItemAttentionPayload | null;
  /** Imports up to 1000 hours that another ad server delivered, all or none. Reports, pacing, goals, limits and forecasts then count them. A row that the source imported before is not counted again, so that a call can be repeated. */
  readonly importHistory: (args: {
    /** The hours. */
    readonly inputs: readonly HistoryHourInput[];
    /** Your name of the system that delivered, at most 50 characters, such as "revive". */
    readonly source: string;
    /** Validates everything and returns the result without a change. */
    readonly validateOnly?: boolean | null | undefined;
  }) => ImportHistoryPayload | null;
  /** Invites an address into the network and replaces its open invitation. The link works once, for 7 days, and goes to the invited person only: by mail, or by the operator where no mail is sent. */
  readonly inviteUser: (args: {
    /** The address to invite. */
    readonly email: string;
    /** The role they will have. */
    readonly role: Role;
  }) => MadeInvitation | null;
  /** Marks the notifications of the signed-in member up to one as read. */
  readonly markNotificationsRead: (args: {
    /** The id of the newest one that was seen. */
    readonly upTo: string;
  }) => MarkNotificationsReadPayload | null;
  /** Sends messages again: all after a change, or single ones. */
  readonly redeliverWebhook: (args: {
    /** The number of a change: messages of all later ones are sent again. */
    readonly after?: string | null | undefined;
    /** Ids of messages, at most 1,000. */
    readonly deliveryIds?: readonly string[] | null | undefined;
    /** Its id. */
    readonly id: string;
  }) => RedeliverWebhookPayload | null;
  /** Removes a member from the network; returns their id. The last admin stays. */
  readonly removeMembership: (args: {
    /** The user. */
    readonly userId: string;
  }) => string | null;
  /** Report tasks; `generate_report` is also on the root. */
  readonly report: ReportMutations;
  /** Asks the members who may approve a guaranteed booking to do so. */
  readonly requestBookingApproval: (args: {
    /** Id of the line item. */
    readonly id: string;
  }) => BookingApprovalPayload | null;
  /** Revokes an API key at once and for good. */
  readonly revokeApiKey: (args: {
    /** Which environment; default: where this request works. */
    readonly environment?: Environment | null | undefined;
    /** Its id. */
    readonly id: string;
  }) => RevokeApiKeyPayload | null;
  /** Revokes report credentials at once and for good. */
  readonly revokeHeaderCredential: (args: {
    /** Which environment; default: where this request works. */
    readonly environment?: Environment | null | undefined;
    /** Their id. */
    readonly id: string;
  }) => RevokePayload | null;
  /** Withdraws an open invitation. */
  readonly revokeInvitation: (args: {
    /** Its decimal id. */
    readonly id: string;
  }) => RevokePayload | null;
  /** Takes a member out of the network. The last admin stays. */
  readonly revokeMembership: (args: {
    /** The user. */
    readonly userId: string;
  }) => RevokePayload | null;
  /** Makes a link useless at once. */
  readonly revokeReportShare: (args: {
    /** Its id. */
    readonly id: string;
  }) => ReportSharePayload | null;
  /** Ends one session that this network's own sign-in provider started. To end a person's access, take them out of the network. */
  readonly revokeSession: (args: {
    /** The session. */
    readonly id: string;
    /** The user. */
    readonly userId: string;
  }) => RevokePayload | null;
  /** Makes a new key with the settings of an old one, which goes on working until a chosen instant. */
  readonly rotateApiKey: (args: {
    /** Which environment; default: where this request works. */
    readonly environment?: Environment | null | undefined;
    /** When the new key stops working; absent = never. */
    readonly expiresAt?: string | null | undefined;
    /** The old key. */
    readonly id: string;
    /** When the old key stops working. */
    readonly oldExpiresAt: string;
  }) => MadeApiKey | null;
  /** Runs a schedule now, in addition to its rule. */
  readonly runReportSchedule: (args: {
    /** Its id. */
    readonly id: string;
  }) => RunReportSchedulePayload | null;
  /** Creates or changes a campaign with its line items and creatives in one transaction: all of it, or nothing when anything is wrong. At most 1000 objects. */
  readonly saveCampaign: (args: {
    /** Archives the children that a given list leaves out. Default: they stay as they are. */
    readonly archiveOthers?: boolean | null | undefined;
    /** The campaign. */
    readonly input: SaveCampaignInput;
    /** Validates everything and returns problems and warnings without a change. */
    readonly validateOnly?: boolean | null | undefined;
  }) => SaveCampaignPayload | null;
  /** Makes a link by which anybody who has it reads the report of a campaign until it expires. Takes no Idempotency-Key. */
  readonly shareCampaignReport: (args: {
    /** The campaign. */
    readonly campaignId: string;
    /** How long it works, 1…366 days; default 30. */
    readonly days?: number | null | undefined;
    /** For whom it is, 1…200 characters. */
    readonly name: string;
    /** Whether it shows money; default false. */
    readonly showsSpend?: boolean | null | undefined;
  }) => NewReportShare | null;
  /** Snoozes a line item for the signed-in member: the line item comes back at this instant, or earlier when it needs attention for another reason. */
  readonly snoozeAttention: (args: {
    /** Id of the line item. */
    readonly lineItemId: string;
    /** Until when, at most 90 days from now; null: it comes back now. */
    readonly until?: string | null | undefined;
  }) => LineItemAttentionPayload | null;
  /** Makes two line items of one, in one transaction: a copy with its creatives and status, and a change of each, such as a share of the goal or of the targeting. What was delivered stays with the old one. Where a guaranteed booking needs approval, the new one is a DRAFT, and its approval is asked for. */
  readonly splitLineItem: (args: {
    /** What changes of the old one. */
    readonly change: LineItemChangesInput;
    /** The line item to split. */
    readonly id: string;
    /** What is other in the new one. */
    readonly part: LineItemChangesInput;
    /** The version that was read; a newer version fails as `conflict`. Absent: no check. */
    readonly version?: number | null | undefined;
  }) => SplitLineItemPayload | null;
  /** Sends a message of the type `webhook.test`. */
  readonly testWebhook: (args: {
    /** Its id. */
    readonly id: string;
  }) => TestWebhookPayload | null;
  /** Changes up to 500 activities in one call, each with its own fields (also to pause many at once). */
  readonly updateActivities: (args: {
    /** The effect of a failure on the other rows; default ALL_OR_NOTHING. */
    readonly mode?: BulkMode | null | undefined;
    /** 1…500 changes. */
    readonly updates: readonly UpdateActivityEntry[];
    /** Validates everything and returns problems and warnings without a change; the object of the response is null. */
    readonly validateOnly?: boolean | null | undefined;
  }) => ActivityBulkPayload | null;
  /** Changes the given fields of one activity. Absent fields stay as they are; null clears a field that may be empty. */
  readonly updateActivity: (args: {
    /** Its decimal id. */
    readonly id: string;
    /** The fields to change. */
    readonly input: UpdateActivityInput;
    /** Validates everything and returns problems and warnings without a change; the object of the response is null. */
    readonly validateOnly?: boolean | null | undefined;
    /** The version that was read; a newer version fails as `conflict`. Absent: no check. */
    readonly version?: number | null | undefined;
  }) => ActivityPayload | null;
  /** Changes the given fields of one ad unit. Absent fields stay as they are; null clears a field that may be empty. */
  readonly updateAdUnit: (args: {
    /** Its decimal id. */
    readonly id: string;
    /** The fields to change. */
    readonly input: UpdateAdUnitInput;
    /** Validates everything and returns problems and warnings without a change; the object of the response is null. */
    readonly validateOnly?: boolean | null | undefined;
    /** The version that was read; a newer version fails as `conflict`. Absent: no check. */
    readonly version?: number | null | undefined;
  }) => AdUnitPayload | null;
  /** Changes up to 500 ad units in one call, each with its own fields (also to pause many at once). */
  readonly updateAdUnits: (args: {
    /** The effect of a failure on the other rows; default ALL_OR_NOTHING. */
    readonly mode?: BulkMode | null | undefined;
    /** 1…500 changes. */
    readonly updates: readonly UpdateAdUnitEntry[];
    /** Validates everything and returns problems and warnings without a change; the object of the response is null. */
    readonly validateOnly?: boolean | null | undefined;
  }) => AdUnitBulkPayload | null;
  /** Changes the given fields of one advertiser. Absent fields stay as they are; null clears a field that may be empty. */
  readonly updateAdvertiser: (args: {
    /** Its decimal id. */
    readonly id: string;
    /** The fields to change. */
    readonly input: UpdateAdvertiserInput;
    /** Validates everything and returns problems and warnings without a change; the object of the response is null. */
    readonly validateOnly?: boolean | null | undefined;
    /** The version that was read; a newer version fails as `conflict`. Absent: no check. */
    readonly version?: number | null | undefined;
  }) => AdvertiserPayload | null;
  /** Changes up to 500 advertisers in one call, each with its own fields (also to pause many at once). */
  readonly updateAdvertisers: (args: {
    /** The effect of a failure on the other rows; default ALL_OR_NOTHING. */
    readonly mode?: BulkMode | null | undefined;
    /** 1…500 changes. */
    readonly updates: readonly UpdateAdvertiserEntry[];
    /** Validates everything and returns problems and warnings without a change; the object of the response is null. */
    readonly validateOnly?: boolean | null | undefined;
  }) => AdvertiserBulkPayload | null;
  /** Changes the given fields of one advertising product. Absent fields stay as they are; null clears a field that may be empty. */
  readonly updateAdvertisingProduct: (args: {
    /** Its decimal id. */
    readonly id: string;
    /** The fields to change. */
    readonly input: UpdateAdvertisingProductInput;
    /** Validates everything and returns problems and warnings without a change; the object of the response is null. */
    readonly validateOnly?: boolean | null | undefined;
    /** The version that was read; a newer version fails as `conflict`. Absent: no check. */
    readonly version?: number | null | undefined;
  }) => AdvertisingProductPayload | null;
  /** Changes up to 500 advertising products in one call, each with its own fields (also to pause many at once). */
  readonly updateAdvertisingProducts: (args: {
    /** The effect of a failure on the other rows; default ALL_OR_NOTHING. */
    readonly mode?: BulkMode | null | undefined;
    /** 1…500 changes. */
    readonly updates: readonly UpdateAdvertisingProductEntry[];
    /** Validates everything and returns problems and warnings without a change; the object of the response is null. */
    readonly validateOnly?: boolean | null | undefined;
  }) => AdvertisingProductBulkPayload | null;
  /** Changes the given fields of one area. Absent fields stay as they are; null clears a field that may be empty. */
  readonly updateArea: (args: {
    /** Its decimal id. */
    readonly id: string;
    /** The fields to change. */
    readonly input: UpdateAreaInput;
    /** Validates everything and returns problems and warnings without a change; the object of the response is null. */
    readonly validateOnly?: boolean | null | undefined;
    /** The version that was read; a newer version fails as `conflict`. Absent: no check. */
    readonly version?: number | null | undefined;
  }) => AreaPayload | null;
  /** Changes up to 500 areas in one call, each with its own fields (also to pause many at once). */
  readonly updateAreas: (args: {
    /** The effect of a failure on the other rows; default ALL_OR_NOTHING. */
    readonly mode?: BulkMode | null | undefined;
    /** 1…500 changes. */
    readonly updates: readonly UpdateAreaEntry[];
    /** Validates everything and returns problems and warnings without a change; the object of the response is null. */
    readonly validateOnly?: boolean | null | undefined;
  }) => AreaBulkPayload | null;
  /** Changes the given fields of one campaign. Absent fields stay as they are; null clears a field that may be empty. */
  readonly updateCampaign: (args: {
    /** Its decimal id. */
    readonly id: string;
    /** The fields to change. */
    readonly input: UpdateCampaignInput;
    /** Validates everything and returns problems and warnings without a change; the object of the response is null. */
    readonly validateOnly?: boolean | null | undefined;
    /** The version that was read; a newer version fails as `conflict`. Absent: no check. */
    readonly version?: number | null | undefined;
  }) => CampaignPayload | null;
  /** Changes up to 500 campaigns in one call, each with its own fields (also to pause many at once). */
  readonly updateCampaigns: (args: {
    /** The effect of a failure on the other rows; default ALL_OR_NOTHING. */
    readonly mode?: BulkMode | null | undefined;
    /** 1…500 changes. */
    readonly updates: readonly UpdateCampaignEntry[];
    /** Validates everything and returns problems and warnings without a change; the object of the response is null. */
    readonly validateOnly?: boolean | null | undefined;
  }) => CampaignBulkPayload | null;
  /** Changes the given fields of one creative. Absent fields stay as they are; null clears a field that may be empty. */
  readonly updateCreative: (args: {
    /** Its decimal id. */
    readonly id: string;
    /** The fields to change. */
    readonly input: UpdateCreativeInput;
    /** Validates everything and returns problems and warnings without a change; the object of the response is null. */
    readonly validateOnly?: boolean | null | undefined;
    /** The version that was read; a newer version fails as `conflict`. Absent: no check. */
    readonly version?: number | null | undefined;
  }) => CreativePayload | null;
  /** Changes up to 500 creatives in one call, each with its own fields (also to pause many at once). */
  readonly updateCreatives: (args: {
    /** The effect of a failure on the other rows; default ALL_OR_NOTHING. */
    readonly mode?: BulkMode | null | undefined;
    /** 1…500 changes. */
    readonly updates: readonly UpdateCreativeEntry[];
    /** Validates everything and returns problems and warnings without a change; the object of the response is null. */
    readonly validateOnly?: boolean | null | undefined;
  }) => CreativeBulkPayload | null;
  /** Changes the given fields of one custom field. Absent fields stay as they are; null clears a field that may be empty. */
  readonly updateCustomField: (args: {
    /** Its decimal id. */
    readonly id: string;
    /** The fields to change. */
    readonly input: UpdateCustomFieldInput;
    /** Validates everything and returns problems and warnings without a change; the object of the response is null. */
    readonly validateOnly?: boolean | null | undefined;
    /** The version that was read; a newer version fails as `conflict`. Absent: no check. */
    readonly version?: number | null | undefined;
  }) => CustomFieldPayload | null;
  /** Changes up to 500 custom fields in one call, each with its own fields (also to pause many at once). */
  readonly updateCustomFields: (args: {
    /** The effect of a failure on the other rows; default ALL_OR_NOTHING. */
    readonly mode?: BulkMode | null | undefined;
    /** 1…500 changes. */
    readonly updates: readonly UpdateCustomFieldEntry[];
    /** Validates everything and returns problems and warnings without a change; the object of the response is null. */
    readonly validateOnly?: boolean | null | undefined;
  }) => CustomFieldBulkPayload | null;
  /** Changes the given fields of one deal. Absent fields stay as they are; null clears a field that may be empty. */
  readonly updateDeal: (args: {
    /** Its decimal id. */
    readonly id: string;
    /** The fields to change. */
    readonly input: UpdateDealInput;
    /** Validates everything and returns problems and warnings without a change; the object of the response is null. */
    readonly validateOnly?: boolean | null | undefined;
    /** The version that was read; a newer version fails as `conflict`. Absent: no check. */
    readonly version?: number | null | undefined;
  }) => DealPayload | null;
  /** Changes up to 500 deals in one call, each with its own fields (also to pause many at once). */
  readonly updateDeals: (args: {
    /** The effect of a failure on the other rows; default ALL_OR_NOTHING. */
    readonly mode?: BulkMode | null | undefined;
    /** 1…500 changes. */
    readonly updates: readonly UpdateDealEntry[];
    /** Validates everything and returns problems and warnings without a change; the object of the response is null. */
    readonly validateOnly?: boolean | null | undefined;
  }) => DealBulkPayload | null;
  /** Changes the given fields of one experiment. Absent fields stay as they are; null clears a field that may be empty. */
  readonly updateExperiment: (args: {
    /** Its decimal id. */
    readonly id: string;
    /** The fields to change. */
    readonly input: UpdateExperimentInput;
    /** Validates everything and returns problems and warnings without a change; the object of the response is null. */
    readonly validateOnly?: boolean | null | undefined;
    /** The version that was read; a newer version fails as `conflict`. Absent: no check. */
    readonly version?: number | null | undefined;
  }) => ExperimentPayload | null;
  /** Changes up to 500 experiments in one call, each with its own fields (also to pause many at once). */
  readonly updateExperiments: (args: {
    /** The effect of a failure on the other rows; default ALL_OR_NOTHING. */
    readonly mode?: BulkMode | null | undefined;
    /** 1…500 changes. */
    readonly updates: readonly UpdateExperimentEntry[];
    /** Validates everything and returns problems and warnings without a change; the object of the response is null. */
    readonly validateOnly?: boolean | null | undefined;
  }) => ExperimentBulkPayload | null;
  /** Changes the given fields of one floor. Absent fields stay as they are; null clears a field that may be empty. */
  readonly updateFloor: (args: {
    /** Its decimal id. */
    readonly id: string;
    /** The fields to change. */
    readonly input: UpdateFloorInput;
    /** Validates everything and returns problems and warnings without a change; the object of the response is null. */
    readonly validateOnly?: boolean | null | undefined;
    /** The version that was read; a newer version fails as `conflict`. Absent: no check. */
    readonly version?: number | null | undefined;
  }) => FloorPayload | null;
  /** Changes up to 500 floors in one call, each with its own fields (also to pause many at once). */
  readonly updateFloors: (args: {
    /** The effect of a failure on the other rows; default ALL_OR_NOTHING. */
    readonly mode?: BulkMode | null | undefined;
    /** 1…500 changes. */
    readonly updates: readonly UpdateFloorEntry[];
    /** Validates everything and returns problems and warnings without a change; the object of the response is null. */
    readonly validateOnly?: boolean | null | undefined;
  }) => FloorBulkPayload | null;
  /** Changes the given fields of one key-value. Absent fields stay as they are; null clears a field that may be empty. */
  readonly updateKeyValue: (args: {
    /** Its decimal id. */
    readonly id: string;
    /** The fields to change. */
    readonly input: UpdateKeyValueInput;
    /** Validates everything and returns problems and warnings without a change; the object of the response is null. */
    readonly validateOnly?: boolean | null | undefined;
    /** The version that was read; a newer version fails as `conflict`. Absent: no check. */
    readonly version?: number | null | undefined;
  }) => KeyValuePayload | null;
  /** Changes up to 500 key-values in one call, each with its own fields (also to pause many at once). */
  readonly updateKeyValues: (args: {
    /** The effect of a failure on the other rows; default ALL_OR_NOTHING. */
    readonly mode?: BulkMode | null | undefined;
    /** 1…500 changes. */
    readonly updates: readonly UpdateKeyValueEntry[];
    /** Validates everything and returns problems and warnings without a change; the object of the response is null. */
    readonly validateOnly?: boolean | null | undefined;
  }) => KeyValueBulkPayload | null;
  /** Changes the given fields of one library creative. Absent fields stay as they are; null clears a field that may be empty. */
  readonly updateLibraryCreative: (args: {
    /** Its decimal id. */
    readonly id: string;
    /** The fields to change. */
    readonly input: UpdateLibraryCreativeInput;
    /** Validates everything and returns problems and warnings without a change; the object of the response is null. */
    readonly validateOnly?: boolean | null | undefined;
    /** The version that was read; a newer version fails as `conflict`. Absent: no check. */
    readonly version?: number | null | undefined;
  }) => LibraryCreativePayload | null;
  /** Changes up to 500 library creatives in one call, each with its own fields (also to pause many at once). */
  readonly updateLibraryCreatives: (args: {
    /** The effect of a failure on the other rows; default ALL_OR_NOTHING. */
    readonly mode?: BulkMode | null | undefined;
    /** 1…500 changes. */
    readonly updates: readonly UpdateLibraryCreativeEntry[];
    /** Validates everything and returns problems and warnings without a change; the object of the response is null. */
    readonly validateOnly?: boolean | null | undefined;
  }) => LibraryCreativeBulkPayload | null;
  /** Changes the given fields of one line item. Absent fields stay as they are; null clears a field that may be empty. */
  readonly updateLineItem: (args: {
    /** Its decimal id. */
    readonly id: string;
    /** The fields to change. */
    readonly input: UpdateLineItemInput;
    /** Validates everything and returns problems and warnings without a change; the object of the response is null. */
    readonly validateOnly?: boolean | null | undefined;
    /** The version that was read; a newer version fails as `conflict`. Absent: no check. */
    readonly version?: number | null | undefined;
  }) => LineItemPayload | null;
  /** Changes up to 500 line items in one call, each with its own fields (also to pause many at once). */
  readonly updateLineItems: (args: {
    /** The effect of a failure on the other rows; default ALL_OR_NOTHING. */
    readonly mode?: BulkMode | null | undefined;
    /** 1…500 changes. */
    readonly updates: readonly UpdateLineItemEntry[];
    /** Validates everything and returns problems and warnings without a change; the object of the response is null. */
    readonly validateOnly?: boolean | null | undefined;
  }) => LineItemBulkPayload | null;
  /** Changes the role of a user of the network. The last admin keeps the role. */
  readonly updateMembership: (args: {
    /** The new role. */
    readonly role: Role;
    /** The user. */
    readonly userId: string;
  }) => UpdateMembershipPayload | null;
  /** Changes settings of the network. They hold for both environments. */
  readonly updateNetwork: (args: {
    /** What to change. */
    readonly input: UpdateNetworkInput;
    /** Checks everything and changes nothing. */
    readonly validateOnly?: boolean | null | undefined;
    /** The version that was read; a newer version fails as `conflict`. */
    readonly version?: number | null | undefined;
  }) => UpdateNetworkPayload | null;
  /** Changes a schedule. */
  readonly updateReportSchedule: (args: {
    /** Its id. */
    readonly id: string;
    /** What is to be changed. */
    readonly input: UpdateReportScheduleInput;
    /** The version that was read; a newer version fails as `conflict`. */
    readonly version?: number | null | undefined;
  }) => ReportSchedulePayload | null;
  /** Changes the given fields of one segment. Absent fields stay as they are; null clears a field that may be empty. */
  readonly updateSegment: (args: {
    /** Its decimal id. */
    readonly id: string;
    /** The fields to change. */
    readonly input: UpdateSegmentInput;
    /** Validates everything and returns problems and warnings without a change; the object of the response is null. */
    readonly validateOnly?: boolean | null | undefined;
    /** The version that was read; a newer version fails as `conflict`. Absent: no check. */
    readonly version?: number | null | undefined;
  }) => SegmentPayload | null;
  /** Changes up to 500 segments in one call, each with its own fields (also to pause many at once). */
  readonly updateSegments: (args: {
    /** The effect of a failure on the other rows; default ALL_OR_NOTHING. */
    readonly mode?: BulkMode | null | undefined;
    /** 1…500 changes. */
    readonly updates: readonly UpdateSegmentEntry[];
    /** Validates everything and returns problems and warnings without a change; the object of the response is null. */
    readonly validateOnly?: boolean | null | undefined;
  }) => SegmentBulkPayload | null;
  /** Changes the given fields of one site. Absent fields stay as they are; null clears a field that may be empty. */
  readonly updateSite: (args: {
    /** Its decimal id. */
    readonly id: string;
    /** The fields to change. */
    readonly input: UpdateSiteInput;
    /** Validates everything and returns problems and warnings without a change; the object of the response is null. */
    readonly validateOnly?: boolean | null | undefined;
    /** The version that was read; a newer version fails as `conflict`. Absent: no check. */
    readonly version?: number | null | undefined;
  }) => SitePayload | null;
  /** Changes up to 500 sites in one call, each with its own fields (also to pause many at once). */
  readonly updateSites: (args: {
    /** The effect of a failure on the other rows; default ALL_OR_NOTHING. */
    readonly mode?: BulkMode | null | undefined;
    /** 1…500 changes. */
    readonly updates: readonly UpdateSiteEntry[];
    /** Validates everything and returns problems and warnings without a change; the object of the response is null. */
    readonly validateOnly?: boolean | null | undefined;
  }) => SiteBulkPayload | null;
  /** Changes the given fields of one targeting preset. Absent fields stay as they are; null clears a field that may be empty. */
  readonly updateTargetingPreset: (args: {
    /** Its decimal id. */
    readonly id: string;
    /** The fields to change. */
    readonly input: UpdateTargetingPresetInput;
    /** Validates everything and returns problems and warnings without a change; the object of the response is null. */
    readonly validateOnly?: boolean | null | undefined;
    /** The version that was read; a newer version fails as `conflict`. Absent: no check. */
    readonly version?: number | null | undefined;
  }) => TargetingPresetPayload | null;
  /** Changes up to 500 targeting presets in one call, each with its own fields (also to pause many at once). */
  readonly updateTargetingPresets: (args: {
    /** The effect of a failure on the other rows; default ALL_OR_NOTHING. */
    readonly mode?: BulkMode | null | undefined;
    /** 1…500 changes. */
    readonly updates: readonly UpdateTargetingPresetEntry[];
    /** Validates everything and returns problems and warnings without a change; the object of the response is null. */
    readonly validateOnly?: boolean | null | undefined;
  }) => TargetingPresetBulkPayload | null;
  /** Changes the given fields of one team. Absent fields stay as they are; null clears a field that may be empty. */
  readonly updateTeam: (args: {
    /** Its decimal id. */
    readonly id: string;
    /** The fields to change. */
    readonly input: UpdateTeamInput;
    /** Validates everything and returns problems and warnings without a change; the object of the response is null. */
    readonly validateOnly?: boolean | null | undefined;
    /** The version that was read; a newer version fails as `conflict`. Absent: no check. */
    readonly version?: number | null | undefined;
  }) => TeamPayload | null;
  /** Changes up to 500 teams in one call, each with its own fields (also to pause many at once). */
  readonly updateTeams: (args: {
    /** The effect of a failure on the other rows; default ALL_OR_NOTHING. */
    readonly mode?: BulkMode | null | undefined;
    /** 1…500 changes. */
    readonly updates: readonly UpdateTeamEntry[];
    /** Validates everything and returns problems and warnings without a change; the object of the response is null. */
    readonly validateOnly?: boolean | null | undefined;
  }) => TeamBulkPayload | null;
  /** Changes a webhook. */
  readonly updateWebhook: (args: {
    /** Its id. */
    readonly id: string;
    /** What is to be changed. */
    readonly input: UpdateWebhookInput;
    /** The version that was read; a newer version fails as `conflict`. */
    readonly version?: number | null | undefined;
  }) => WebhookPayload | null;
  /** Creates or changes up to 500 advertisers in one call by their external ids: a row whose externalId is new creates, any other changes the given fields. Of several objects with one externalId, those that are not archived come first. */
  readonly upsertAdvertisers: (args: {
    /** 1…500 objects, each externalId once. */
    readonly inputs: readonly UpsertAdvertiserInput[];
    /** The effect of a failure on the other rows; default ALL_OR_NOTHING. */
    readonly mode?: BulkMode | null | undefined;
    /** Validates everything and returns problems and warnings without a change; the object of the response is null. */
    readonly validateOnly?: boolean | null | undefined;
  }) => AdvertiserBulkPayload | null;
  /** Creates or changes up to 500 campaigns in one call by their external ids: a row whose externalId is new creates, any other changes the given fields. Of several objects with one externalId, those that are not archived come first. */
  readonly upsertCampaigns: (args: {
    /** 1…500 objects, each externalId once. */
    readonly inputs: readonly UpsertCampaignInput[];
    /** The effect of a failure on the other rows; default ALL_OR_NOTHING. */
    readonly mode?: BulkMode | null | undefined;
    /** Validates everything and returns problems and warnings without a change; the object of the response is null. */
    readonly validateOnly?: boolean | null | undefined;
  }) => CampaignBulkPayload | null;
  /** Creates or changes up to 500 creatives in one call by their external ids: a row whose externalId is new creates, any other changes the given fields. Of several objects with one externalId, those that are not archived come first. */
  readonly upsertCreatives: (args: {
    /** 1…500 objects, each externalId once. */
    readonly inputs: readonly UpsertCreativeInput[];
    /** The effect of a failure on the other rows; default ALL_OR_NOTHING. */
    readonly mode?: BulkMode | null | undefined;
    /** Validates everything and returns problems and warnings without a change; the object of the response is null. */
    readonly validateOnly?: boolean | null | undefined;
  }) => CreativeBulkPayload | null;
  /** Creates or changes up to 500 library creatives in one call by their external ids: a row whose externalId is new creates, any other changes the given fields. Of several objects with one externalId, those that are not archived come first. */
  readonly upsertLibraryCreatives: (args: {
    /** 1…500 objects, each externalId once. */
    readonly inputs: readonly UpsertLibraryCreativeInput[];
    /** The effect of a failure on the other rows; default ALL_OR_NOTHING. */
    readonly mode?: BulkMode | null | undefined;
    /** Validates everything and returns problems and warnings without a change; the object of the response is null. */
    readonly validateOnly?: boolean | null | undefined;
  }) => LibraryCreativeBulkPayload | null;
  /** Creates or changes up to 500 line items in one call by their external ids: a row whose externalId is new creates, any other changes the given fields. Of several objects with one externalId, those that are not archived come first. */
  readonly upsertLineItems: (args: {
    /** 1…500 objects, each externalId once. */
    readonly inputs: readonly UpsertLineItemInput[];
    /** The effect of a failure on the other rows; default ALL_OR_NOTHING. */
    readonly mode?: BulkMode | null | undefined;
    /** Validates everything and returns problems and warnings without a change; the object of the response is null. */
    readonly validateOnly?: boolean | null | undefined;
  }) => LineItemBulkPayload | null;
}

/** The parts of a native ad. */
export interface NativeContent {
  readonly __typename: 'NativeContent';
  /** Text below the headline. */
  readonly body: string;
  /** Text of the button. */
  readonly callToAction: string;
  /** Address of the icon or logo. */
  readonly iconUrl: string | null;
  /** Its height in pixels. */
  readonly imageHeight: number;
  /** Address of the main picture. */
  readonly imageUrl: string;
  /** Its width in pixels. */
  readonly imageWidth: number;
  /** Who is named as sponsor. */
  readonly sponsoredBy: string;
  /** Headline. */
  readonly title: string;
}

/** The parts of a native ad. */
export interface NativeContentInput {
  /** Text below the headline. */
  readonly body: string;
  /** Text of the button. */
  readonly callToAction: string;
  /** Address of the icon or logo. */
  readonly iconUrl?: string | null | undefined;
  /** Its height in pixels. */
  readonly imageHeight: number;
  /** Address of the main picture. */
  readonly imageUrl: string;
  /** Its width in pixels. */
  readonly imageWidth: number;
  /** Who is named as sponsor. */
  readonly sponsoredBy: string;
  /** Headline. */
  readonly title: string;
}

/** A tenant: a publisher with its inventory, bookings and reports. */
export interface Network {
  readonly __typename: 'Network';
  /** Whether another member has to approve a guaranteed booking before it goes live. */
  readonly approvalRequired: boolean;
  /** When it was made. */
  readonly createdAt: string;
  /** Whether creatives are reviewed before they serve. */
  readonly creativeReview: CreativeReview;
  /** ISO 4217 code; all money of the network is in it. */
  readonly currency: string;
  /** What other currencies are worth, by currency and day. Without a rate, floors in another currency get no bid. */
  readonly exchangeRates: readonly ExchangeRate[];
  /** Floor price as CPM; 0 = none. */
  readonly floor: string;
  /** Floor price as CPM; 0 = none. With its currency. */
  readonly floorMoney: Money | null;
  /** How guaranteed line items meet what is sold by price. */
  readonly goalCompetition: GoalCompetition;
  /** Decimal id. */
  readonly id: string;
  /** Which impressions a conversion may be credited to when there was no click. */
  readonly impressionTouches: ImpressionTouches;
  /** How often one user sees ads that bear a label. */
  readonly labelCaps: readonly LabelCap[];
  /** Languages of the "Why this ad?" page; the first is the fallback. */
  readonly languages: readonly string[];
  /** The operator's ceiling for each limit; it applies where `limits` has none. */
  readonly limitCeilings: NetworkLimits;
  /** Rate limits of its own. */
  readonly limits: NetworkLimits;
  /** Name. */
  readonly name: string;
  /** No effect: goals bid for opportunities (docs/pacing.md). Was the percentage of each goal that is spread evenly over all of its traffic. */
  readonly representativePercent: number;
  /** How long single events are kept, in whole UTC days; null = for ever. Reports of days keep their figures. */
  readonly retentionDays: number | null;
  /** Whether it serves and accepts changes. */
  readonly status: NetworkStatus;
  /** Storage of this environment, with its quotas. */
  readonly storage: readonly StorageUse[];
  /** IANA time zone; a day of the network is a day there. */
  readonly timezone: string;
  /** When it was last changed. */
  readonly updatedAt: string;
  /** Grows with every change; send it with an update to detect concurrent changes. */
  readonly version: number;
}

/** Rate limits, each per day or per second; null = none of its own. */
export interface NetworkLimits {
  readonly __typename: 'NetworkLimits';
  /** Ad requests a second. */
  readonly ads: number | null;
  /** Activity events a day. */
  readonly events: number | null;
  /** Management API requests a day. */
  readonly management: number | null;
  /** Reports API requests and downloads a day. */
  readonly reports: number | null;
}

/** Limits of the network, each at most its ceiling; absent or null = the ceiling. The whole set is replaced. */
export interface NetworkLimitsInput {
  /** Ad requests a second. */
  readonly ads?: number | null | undefined;
  /** Activity events a day. */
  readonly events?: number | null | undefined;
  /** Management API requests a day. */
  readonly management?: number | null | undefined;
  /** Reports API requests and downloads a day. */
  readonly reports?: number | null | undefined;
}

/** Status of a network. */
export type NetworkStatus = 'ACTIVE' | 'PAUSED' | 'SUSPENDED';

/** A new link. Its address holds the secret and is shown once. */
export interface NewReportShare {
  readonly __typename: 'NewReportShare';
  /** The link. */
  readonly share: ReportShare | null;
  /** The path of the page, below the address of the console. It is shown once, here. */
  readonly url: string | null;
  /** The mistakes in the input; empty when the change was made. Where it is selected, mistakes are told of here, and not in `errors`. */
  readonly userErrors: readonly UserError[];
}

/** Why a whole request gets no ad. */
export type NoFillCause = 'BUDGET' | 'CAPPED' | 'FLOOR' | 'HEADER_BID' | 'NETWORK_PAUSED' | 'NO_MATCH';

/** An object with an id of its own. */
export interface Node {
  readonly __typename: 'Activity' | 'AdUnit' | 'Advertiser' | 'AdvertisingProduct' | 'ApiKey' | 'Area' | 'Campaign' | 'Creative' | 'CustomField' | 'Deal' | 'Experiment' | 'Floor' | 'HeaderCredential' | 'KeyValue' | 'LibraryCreative' | 'LineItem' | 'ReportSchedule' | 'Segment' | 'Site' | 'TargetingPreset' | 'Team' | 'User' | 'Webhook';
  /** Its id: global in versions of the API from 2026-11-25 on, before them the decimal one, unique in its kind. */
  readonly id: string;
  readonly on_Activity: Activity;
  readonly on_AdUnit: AdUnit;
  readonly on_Advertiser: Advertiser;
  readonly on_AdvertisingProduct: AdvertisingProduct;
  readonly on_ApiKey: ApiKey;
  readonly on_Area: Area;
  readonly on_Campaign: Campaign;
  readonly on_Creative: Creative;
  readonly on_CustomField: CustomField;
  readonly on_Deal: Deal;
  readonly on_Experiment: Experiment;
  readonly on_Floor: Floor;
  readonly on_HeaderCredential: HeaderCredential;
  readonly on_KeyValue: KeyValue;
  readonly on_LibraryCreative: LibraryCreative;
  readonly on_LineItem: LineItem;
  readonly on_ReportSchedule: ReportSchedule;
  readonly on_Segment: Segment;
  readonly on_Site: Site;
  readonly on_TargetingPreset: TargetingPreset;
  readonly on_Team: Team;
  readonly on_User: User;
  readonly on_Webhook: Webhook;
}

/** A type of objects that `node` finds. */
export type NodeType =
  | 'Activity'
  | 'AdUnit'
  | 'Advertiser'
  | 'AdvertisingProduct'
  | 'ApiKey'
  | 'Area'
  | 'Campaign'
  | 'Creative'
  | 'CustomField'
  | 'Deal'
  | 'Experiment'
  | 'Floor'
  | 'HeaderCredential'
  | 'KeyValue'
  | 'LibraryCreative'
  | 'LineItem'
  | 'ReportSchedule'
  | 'Segment'
  | 'Site'
  | 'TargetingPreset'
  | 'Team'
  | 'User'
  | 'Webhook';

/** What the signed-in member is told. */
export interface Notification {
  readonly __typename: 'Notification';
  /** Who did it, by name. */
  readonly actor: string;
  /** When. */
  readonly createdAt: string;
  /** Further facts, by event. */
  readonly details: unknown;
  /** What happened. */
  readonly event: NotificationEvent;
  /** Its id; later ones have higher ids. */
  readonly id: string;
  /** Whether the member has read it. */
  readonly isRead: boolean;
  /** Id of the object. */
  readonly objectId: string;
  /** Kind of the object: `campaign`, `lineItem`, `creative` or `libraryCreative`. */
  readonly objectKind: string;
  /** Name of the object at that time. */
  readonly objectName: string;
}

/** Where the signed-in member is told of an event in this network. */
export interface NotificationChoice {
  readonly __typename: 'NotificationChoice';
  /** The event. */
  readonly event: NotificationEvent;
  /** In the console. */
  readonly inApp: boolean;
  /** By mail. */
  readonly mail: boolean;
}

/** Where to be told of an event. */
export interface NotificationChoiceInput {
  /** The event. */
  readonly event: NotificationEvent;
  /** In the console. */
  readonly inApp: boolean;
  /** By mail. */
  readonly mail: boolean;
}

/** What a member can be told of. */
export type NotificationEvent =
  | 'APPROVAL_REQUESTED'
  | 'APPROVED'
  | 'BEHIND_GOAL'
  | 'COMMENTED'
  | 'CREATIVE_REJECTED'
  | 'HANDED_OVER'
  | 'MENTIONED'
  | 'REVIEW_REQUESTED';

/** A site, as buyers see it. */
export interface OfferedSite {
  readonly __typename: 'OfferedSite';
  /** Its domain. */
  readonly domain: string;
  /** Its id. */
  readonly id: string;
  /** Its name. */
  readonly name: string;
}

/** What buyers know of a network besides its products. */
export interface Offering {
  readonly __typename: 'Offering';
  /** ISO 4217 code; all money of the network is in it. */
  readonly currency: string;
  /** Its sites that are in use, by id, at most 1000. */
  readonly sites: readonly OfferedSite[];
  /** IANA time zone; a day of the network is a day there. */
  readonly timezone: string;
}

/** What a line item maximises besides reaching its goal. */
export type OptimisationGoal = 'CLICKS' | 'COMPLETED_VIEWS' | 'CONVERSIONS' | 'VIEWABLE_IMPRESSIONS';

/** Comparisons of a field; all that are given must hold. */
export interface OptimisationGoalWhere {
  /** Equal to this; null: empty. */
  readonly eq?: OptimisationGoal | null | undefined;
  /** Equal to one of these, at most 500. */
  readonly in?: readonly OptimisationGoal[] | null | undefined;
  /** None of this. */
  readonly not?: OptimisationGoalWhere | null | undefined;
}

/** How delivery is spread over the flight. */
export type Pacing = 'ASAP' | 'EVEN' | 'FRONT_LOADED';

/** Comparisons of a field; all that are given must hold. */
export interface PacingWhere {
  /** Equal to this; null: empty. */
  readonly eq?: Pacing | null | undefined;
  /** Equal to one of these, at most 500. */
  readonly in?: readonly Pacing[] | null | undefined;
  /** None of this. */
  readonly not?: PacingWhere | null | undefined;
}

/** The position of a page in its list. */
export interface PageInfo {
  readonly __typename: 'PageInfo';
  /** Cursor of the last edge; send it as `after` to get the next page. */
  readonly endCursor: string | null;
  /** Whether more follows after this page. */
  readonly hasNextPage: boolean;
  /** Whether objects precede this page. */
  readonly hasPreviousPage: boolean;
  /** Cursor of the first edge; null on an empty page. */
  readonly startCursor: string | null;
}

/** The result of a mutation. */
export interface Payload {
  readonly __typename: 'ActivityBulkPayload' | 'ActivityPayload' | 'AdUnitBulkPayload' | 'AdUnitPayload' | 'AdvertiserBulkPayload' | 'AdvertiserPayload' | 'AdvertisingProductBulkPayload' | 'AdvertisingProductPayload' | 'AgentRequestPayload' | 'AreaBulkPayload' | 'AreaPayload' | 'BeginAgentRequestPayload' | 'BookingApprovalPayload' | 'BookingPayload' | 'CampaignBulkPayload' | 'CampaignPayload' | 'ChooseNotificationsPayload' | 'CommentPayload' | 'CopyCampaignPayload' | 'CopyLineItemsPayload' | 'CreativeAssociationsPayload' | 'CreativeBulkPayload' | 'CreativePayload' | 'CustomFieldBulkPayload' | 'CustomFieldPayload' | 'DealBulkPayload' | 'DealPayload' | 'DeleteReportSchedulePayload' | 'DeleteWebhookPayload' | 'ExperimentBulkPayload' | 'ExperimentPayload' | 'FloorBulkPayload' | 'FloorPayload' | 'ImportHistoryPayload' | 'KeyValueBulkPayload' | 'KeyValuePayload' | 'LibraryCreativeBulkPayload' | 'LibraryCreativePayload' | 'LineItemAttentionPayload' | 'LineItemBulkPayload' | 'LineItemPayload' | 'MadeApiKey' | 'MadeHeaderCredential' | 'MadeInvitation' | 'MarkNotificationsReadPayload' | 'NewReportShare' | 'RedeliverWebhookPayload' | 'ReportSchedulePayload' | 'ReportSharePayload' | 'RevokeApiKeyPayload' | 'RevokePayload' | 'RunReportSchedulePayload' | 'SaveCampaignPayload' | 'SegmentBulkPayload' | 'SegmentPayload' | 'SiteBulkPayload' | 'SitePayload' | 'SplitLineItemPayload' | 'TargetingPresetBulkPayload' | 'TargetingPresetPayload' | 'TeamBulkPayload' | 'TeamPayload' | 'TestWebhookPayload' | 'UpdateMembershipPayload' | 'UpdateNetworkPayload' | 'WebhookPayload';
  /** The mistakes in the input; empty when the change was made. Where it is selected, mistakes are told of here, and not in `errors`. */
  readonly userErrors: readonly UserError[];
  readonly on_ActivityBulkPayload: ActivityBulkPayload;
  readonly on_ActivityPayload: ActivityPayload;
  readonly on_AdUnitBulkPayload: AdUnitBulkPayload;
  readonly on_AdUnitPayload: AdUnitPayload;
  readonly on_AdvertiserBulkPayload: AdvertiserBulkPayload;
  readonly on_AdvertiserPayload: AdvertiserPayload;
  readonly on_AdvertisingProductBulkPayload: AdvertisingProductBulkPayload;
  readonly on_AdvertisingProductPayload: AdvertisingProductPayload;
  readonly on_AgentRequestPayload: AgentRequestPayload;
  readonly on_AreaBulkPayload: AreaBulkPayload;
  readonly on_AreaPayload: AreaPayload;
  readonly on_BeginAgentRequestPayload: BeginAgentRequestPayload;
  readonly on_BookingApprovalPayload: BookingApprovalPayload;
  readonly on_BookingPayload: BookingPayload;
  readonly on_CampaignBulkPayload: CampaignBulkPayload;
  readonly on_CampaignPayload: CampaignPayload;
  readonly on_ChooseNotificationsPayload: ChooseNotificationsPayload;
  readonly on_CommentPayload: CommentPayload;
  readonly on_CopyCampaignPayload: CopyCampaignPayload;
  readonly on_CopyLineItemsPayload: CopyLineItemsPayload;
  readonly on_CreativeAssociationsPayload: CreativeAssociationsPayload;
  readonly on_CreativeBulkPayload: CreativeBulkPayload;
  readonly on_CreativePayload: CreativePayload;
  readonly on_CustomFieldBulkPayload: CustomFieldBulkPayload;
  readonly on_CustomFieldPayload: CustomFieldPayload;
  readonly on_DealBulkPayload: DealBulkPayload;
  readonly on_DealPayload: DealPayload;
  readonly on_DeleteReportSchedulePayload: DeleteReportSchedulePayload;
  readonly on_DeleteWebhookPayload: DeleteWebhookPayload;
  readonly on_ExperimentBulkPayload: ExperimentBulkPayload;
  readonly on_ExperimentPayload: ExperimentPayload;
  readonly on_FloorBulkPayload: FloorBulkPayload;
  readonly on_FloorPayload: FloorPayload;
  readonly on_ImportHistoryPayload: ImportHistoryPayload;
  readonly on_KeyValueBulkPayload: KeyValueBulkPayload;
  readonly on_KeyValuePayload: KeyValuePayload;
  readonly on_LibraryCreativeBulkPayload: LibraryCreativeBulkPayload;
  readonly on_LibraryCreativePayload: LibraryCreativePayload;
  readonly on_LineItemAttentionPayload: LineItemAttentionPayload;
  readonly on_LineItemBulkPayload: LineItemBulkPayload;
  readonly on_LineItemPayload: LineItemPayload;
  readonly on_MadeApiKey: MadeApiKey;
  readonly on_MadeHeaderCredential: MadeHeaderCredential;
  readonly on_MadeInvitation: MadeInvitation;
  readonly on_MarkNotificationsReadPayload: MarkNotificationsReadPayload;
  readonly on_NewReportShare: NewReportShare;
  readonly on_RedeliverWebhookPayload: RedeliverWebhookPayload;
  readonly on_ReportSchedulePayload: ReportSchedulePayload;
  readonly on_ReportSharePayload: ReportSharePayload;
  readonly on_RevokeApiKeyPayload: RevokeApiKeyPayload;
  readonly on_RevokePayload: RevokePayload;
  readonly on_RunReportSchedulePayload: RunReportSchedulePayload;
  readonly on_SaveCampaignPayload: SaveCampaignPayload;
  readonly on_SegmentBulkPayload: SegmentBulkPayload;
  readonly on_SegmentPayload: SegmentPayload;
  readonly on_SiteBulkPayload: SiteBulkPayload;
  readonly on_SitePayload: SitePayload;
  readonly on_SplitLineItemPayload: SplitLineItemPayload;
  readonly on_TargetingPresetBulkPayload: TargetingPresetBulkPayload;
  readonly on_TargetingPresetPayload: TargetingPresetPayload;
  readonly on_TeamBulkPayload: TeamBulkPayload;
  readonly on_TeamPayload: TeamPayload;
  readonly on_TestWebhookPayload: TestWebhookPayload;
  readonly on_UpdateMembershipPayload: UpdateMembershipPayload;
  readonly on_UpdateNetworkPayload: UpdateNetworkPayload;
  readonly on_WebhookPayload: WebhookPayload;
}

/** What a key may do; each includes the one before it. */
export type Permission = 'ADMIN' | 'READ_ONLY' | 'READ_WRITE';

/** What bookings by a price option with a floor paid in the last 30 days, by the figures of reports, in the unit of the pricing model and two significant digits. */
export interface PriceGuidance {
  readonly __typename: 'PriceGuidance';
  /** 25 % of the units cost at most this. */
  readonly p25: string;
  /** 50 % of the units cost at most this. */
  readonly p50: string;
  /** 75 % of the units cost at most this. */
  readonly p75: string;
  /** 90 % of the units cost at most this. */
  readonly p90: string;
  /** The id of the price option. */
  readonly priceOptionId: string;
}

/** A way to pay for a product: a fixed price, or a floor over which the buyer bids. */
export interface PriceOption {
  readonly __typename: 'PriceOption';
  /** The advertisers that the option is for (a rate card), by id; empty = all. */
  readonly advertiserIds: readonly string[];
  /** The lowest bid in the unit of the pricing model; null = the price is fixed. */
  readonly floor: string | null;
  /** The lowest bid in the unit of the pricing model; null = the price is fixed. With its currency. */
  readonly floorMoney: Money | null;
  /** Its id, unique in the product; it stays while the terms of the option change. */
  readonly id: string;
  /** The lowest budget of a booking by this option; null = that of the product. */
  readonly minimumSpend: string | null;
  /** The lowest budget of a booking by this option; null = that of the product. With its currency. */
  readonly minimumSpendMoney: Money | null;
  /** The fixed price in the unit of the pricing model; null = the buyer bids over `floor`. */
  readonly price: string | null;
  /** The fixed price in the unit of the pricing model; null = the buyer bids over `floor`. With its currency. */
  readonly priceMoney: Money | null;
  /** Which event earns the price. */
  readonly pricingModel: PricingModel;
  /** The share of voice that a day buys, in percent; for FLAT only. */
  readonly sharePercent: number | null;
}

/** A way to pay for a product. Give exactly one of price and floor. */
export interface PriceOptionInput {
  /** The advertisers that the option is for (a rate card), by id; empty = all. At most 200. */
  readonly advertiserIds?: readonly string[] | null | undefined;
  /** The lowest bid in the unit of the pricing model; null = the price is fixed. */
  readonly floor?: string | null | undefined;
  /** Its id, unique in the product; it stays while the terms of the option change. Lower-case letters, digits and . _ - between them. */
  readonly id: string;
  /** The lowest budget of a booking by this option; null = that of the product. */
  readonly minimumSpend?: string | null | undefined;
  /** The fixed price in the unit of the pricing model; null = the buyer bids over `floor`. */
  readonly price?: string | null | undefined;
  /** Which event earns the price. */
  readonly pricingModel: PricingModel;
  /** The share of voice that a day buys, in percent; for FLAT only. */
  readonly sharePercent?: number | null | undefined;
}

/** Which event earns the price. */
export type PricingModel = 'CPA' | 'CPC' | 'CPCV' | 'CPM' | 'FLAT' | 'VCPM';

/** Comparisons of a field; all that are given must hold. */
export interface PricingModelWhere {
  /** Equal to this; null: empty. */
  readonly eq?: PricingModel | null | undefined;
  /** Equal to one of these, at most 500. */
  readonly in?: readonly PricingModel[] | null | undefined;
  /** None of this. */
  readonly not?: PricingModelWhere | null | undefined;
}

/** What is wrong with a field. Later versions may add codes. */
export type ProblemCode =
  | 'AMBIGUOUS'
  | 'APPROVAL_REQUIRED'
  | 'ARCHIVED'
  | 'BAD_CHARACTER'
  | 'BAD_LENGTH'
  | 'BAD_LOGIN'
  | 'BEFORE_START'
  | 'BELOW_FLOOR'
  | 'BELOW_SPENT'
  | 'CANNOT_CHANGE'
  | 'COMPANIONS_UNUSED'
  | 'CONFLICT'
  | 'CONTROL_CHARACTERS'
  | 'CUSTOM'
  | 'DOCUMENT_WRITE'
  | 'DSA_INCOMPLETE'
  | 'DUPLICATE'
  | 'EMPTY'
  | 'FIXED'
  | 'FROM_LIBRARY'
  | 'GOAL_REACHED'
  | 'GUARANTEED_DEAL'
  | 'HAS_CREDENTIALS'
  | 'HOLDS_EMAIL'
  | 'INTERNAL_ERROR'
  | 'INVALID'
  | 'INVALID_CRON'
  | 'INVALID_DATE'
  | 'INVALID_ELEMENT'
  | 'INVALID_FORMAT'
  | 'INVALID_KEY'
  | 'INVALID_LENGTH'
  | 'INVALID_NAME'
  | 'INVALID_QUERY'
  | 'INVALID_REQUEST'
  | 'INVALID_TYPE'
  | 'INVALID_TYPES'
  | 'INVALID_UNION'
  | 'INVALID_VALUE'
  | 'INVALID_VALUES'
  | 'INVALID_WEBHOOK_URL'
  | 'IN_FUTURE'
  | 'IN_THE_PAST'
  | 'IS_COMPANION'
  | 'IS_MEMBER'
  | 'LINE_ITEMS_DIFFER'
  | 'MALFORMED'
  | 'MISSING_FILE'
  | 'NEEDS_GOAL'
  | 'NEGATIVE'
  | 'NOT_ALLOWED'
  | 'NOT_AN_ADDRESS'
  | 'NOT_AN_EMAIL'
  | 'NOT_AN_ID'
  | 'NOT_ASSOCIATED'
  | 'NOT_A_MEMBER'
  | 'NOT_BOOLEAN'
  | 'NOT_CLICK_ID'
  | 'NOT_COUNT'
  | 'NOT_CURRENCY'
  | 'NOT_DECIMAL'
  | 'NOT_FOR_IDS'
  | 'NOT_HTTPS'
  | 'NOT_INSTANT'
  | 'NOT_MONEY'
  | 'NOT_MULTIPLE_OF'
  | 'NOT_PRODUCTS'
  | 'NOT_SHOWN'
  | 'NOT_TEXT'
  | 'NOT_UPLOADED'
  | 'NO_CLICK_MACRO'
  | 'NO_COMPANIONS'
  | 'NO_CREATIVE'
  | 'NO_EFFECT'
  | 'NULL_NOT_ALLOWED'
  | 'ONE_EXPERIMENT'
  | 'ONE_OBJECT'
  | 'ONE_OF'
  | 'ONE_SOURCE'
  | 'OTHER_ADVERTISER'
  | 'OTHER_CURRENCY'
  | 'OTHER_DURATION'
  | 'OTHER_LINE_ITEM'
  | 'OTHER_PARENT'
  | 'OTHER_PROPORTIONS'
  | 'OTHER_SITE'
  | 'OTHER_TERMS'
  | 'OUTSIDE_CAMPAIGN'
  | 'OUT_OF_RANGE'
  | 'OVER_CEILING'
  | 'OVER_LIFETIME'
  | 'PARENT_NOT_ACTIVE'
  | 'RANGE_TOO_LONG'
  | 'REASON_MISSING'
  | 'REPEATED'
  | 'REQUIRED'
  | 'REVIEW_PENDING'
  | 'SAME'
  | 'SIZE_NOT_OFFERED'
  | 'SPEND_LIMIT'
  | 'TAKEN'
  | 'TOO_BIG'
  | 'TOO_DEEP'
  | 'TOO_LARGE'
  | 'TOO_LONG'
  | 'TOO_MANY'
  | 'TOO_MANY_KEYS'
  | 'TOO_OLD'
  | 'TOO_SHORT'
  | 'TOO_SIMPLE'
  | 'TOO_SMALL'
  | 'UNDEFINED_KEY'
  | 'UNKNOWN'
  | 'UNKNOWN_DEFINITION'
  | 'UNKNOWN_DIMENSION'
  | 'UNKNOWN_FILTER_TYPE'
  | 'UNKNOWN_GRANULARITY'
  | 'UNKNOWN_KIND'
  | 'UNKNOWN_MACRO'
  | 'UNKNOWN_METRIC'
  | 'UNKNOWN_MODULE'
  | 'UNKNOWN_PERMISSION'
  | 'UNKNOWN_ROLE'
  | 'UNKNOWN_TIMEZONE'
  | 'UNKNOWN_VALUE'
  | 'UNKNOWN_WORKSPACE'
  | 'UNREACHABLE'
  | 'UNRECOGNIZED_KEYS'
  | 'USES_COOKIES'
  | 'USES_STORAGE'
  | 'VALIDATION_FAILED'
  | 'WRONG_CODE'
  | 'WRONG_PASSKEY'
  | 'WRONG_TYPE';

/** Whether a product promises an amount. */
export type ProductDelivery = 'GUARANTEED' | 'NON_GUARANTEED';

/** Comparisons of a field; all that are given must hold. */
export interface ProductDeliveryWhere {
  /** Equal to this; null: empty. */
  readonly eq?: ProductDelivery | null | undefined;
  /** Equal to one of these, at most 500. */
  readonly in?: readonly ProductDelivery[] | null | undefined;
  /** None of this. */
  readonly not?: ProductDeliveryWhere | null | undefined;
}

/** What a booking from a product could get over its flight. */
export interface ProductForecast {
  readonly __typename: 'ProductForecast';
  /** Matched slots that higher tiers and levels, or the allocation plan, leave to it. */
  readonly available: number;
  /** The line items that get less, the largest loss of revenue first, at most 20. Not for keys of buyers. */
  readonly displaced: readonly ForecastDisplaced[];
  /** What all others earn less because of it. Not for keys of buyers. */
  readonly displacedRevenue: string;
  /** What all others earn less because of it. Not for keys of buyers. With its currency. */
  readonly displacedRevenueMoney: Money | null;
  /** How many of the possible slots are shown, by the share of this network's responses that were shown up to now. */
  readonly impressions: number;
  /** Upper end of that interval. */
  readonly likelyHigh: number;
  /** Lower end of an 80 % interval of `possible`. */
  readonly likelyLow: number;
  /** Slots that the draft matches by targeting, format and day-parts. */
  readonly matched: number;
  /** Remarks on the numbers, such as a small sample. Not for keys of buyers. */
  readonly notes: readonly string[];
  /** Slots expected in the network over the flight. */
  readonly opportunities: number;
  /** Matched slots that it wins in the replay, at this price and share, within its goal and limits. */
  readonly possible: number;
  /** Upper end of that interval. */
  readonly possibleHigh: number;
  /** Lower end of a 95 % interval of `possible`: by the size of the sample, by how busy the flight may be, and by how the days of parts of the traffic differ. Future changes are left out. */
  readonly possibleLow: number;
  /** How much was replayed. */
  readonly precision: ForecastPrecision;
  /** Requests in the sample. */
  readonly sampleSize: number;
  /** How long the sample was gathered. */
  readonly sampledHours: number;
}

/** A booking from a product that is not made yet. */
export interface ProductForecastInput {
  /** The price that is bid; for options with a floor only. */
  readonly bid?: string | null | undefined;
  /** What the booking may cost; default: all that there is. */
  readonly budget?: string | null | undefined;
  /** What a thousand impressions are expected to earn, for options that are not CPM: a price by event is compared by it. Required for those of a product that promises nothing. */
  readonly cpm?: string | null | undefined;
  /** End of the flight, at most a year on. */
  readonly endsAt: string;
  /** Limits per user; default none. */
  readonly frequencyCaps?: readonly FrequencyCapInput[] | null | undefined;
  /** How delivery is spread; default EVEN. */
  readonly pacing?: Pacing | null | undefined;
  /** The id of one of its price options. */
  readonly priceOptionId: string;
  /** The product. */
  readonly productId: string;
  /** How many units are booked; instead of `budget`. */
  readonly quantity?: number | null | undefined;
  /** Start of the flight. */
  readonly startsAt: string;
  /** Targeting that narrows the product; default none. */
  readonly targeting?: TargetingInput | null | undefined;
}

/** A format that creatives of a product may have. */
export interface ProductFormat {
  readonly __typename: 'ProductFormat';
  /** Their longest duration in ms, for formats that a player plays; null = no bound. */
  readonly durationMaxMs: number | null;
  /** Their shortest duration in ms, for formats that a player plays; null = no bound. */
  readonly durationMinMs: number | null;
  /** The format of creatives. */
  readonly format: CreativeFormat;
  /** Their sizes; empty = any that the inventory offers. */
  readonly sizes: readonly Size[];
}

/** A format that creatives of a product may have. */
export interface ProductFormatInput {
  /** Their longest duration in ms, for formats that a player plays; null = no bound. */
  readonly durationMaxMs?: number | null | undefined;
  /** Their shortest duration in ms, for formats that a player plays; null = no bound. */
  readonly durationMinMs?: number | null | undefined;
  /** The format of creatives. */
  readonly format: CreativeFormat;
  /** Their sizes; empty = any that the inventory offers. */
  readonly sizes?: readonly SizeInput[] | null | undefined;
}

/** How delivery of a product is measured. */
export interface ProductMeasurement {
  readonly __typename: 'ProductMeasurement';
  /** Who counts what is billed. */
  readonly countedBy: CountingParty;
  /** Further terms of measurement, in words; null = none. */
  readonly terms: string | null;
  /** The vendor that counts, where a third party does; else null. */
  readonly vendor: string | null;
  /** The vendor that measures viewability; null = this ad server. */
  readonly viewabilityVendor: string | null;
}

/** How delivery of a product is measured. */
export interface ProductMeasurementInput {
  /** Who counts what is billed. */
  readonly countedBy: CountingParty;
  /** Further terms of measurement, in words; null = none. */
  readonly terms?: string | null | undefined;
  /** The vendor that counts, where a third party does; else null. */
  readonly vendor?: string | null | undefined;
  /** The vendor that measures viewability; null = this ad server. */
  readonly viewabilityVendor?: string | null | undefined;
}

/** Everything that can be read in the network and environment that the credentials belong to. */
export interface Query {
  readonly __typename: 'Query';
  /** The activities of the network, page by page, archived ones included unless a filter excludes them. */
  readonly activities: (args?: {
    /** Cursor after which the page begins. */
    readonly after?: string | null | undefined;
    /** Cursor before which the page ends. */
    readonly before?: string | null | undefined;
    /** The filter; all parts must match. */
    readonly filter?: ActivityFilter | null | undefined;
    /** Size of the page from the front, 1…100; default 25. */
    readonly first?: number | null | undefined;
    /** Size of the page from the back, 1…100; not together with `first`. */
    readonly last?: number | null | undefined;
    /** In which order, by any field; instead of `sort`. */
    readonly orderBy?: ActivityOrder | null | undefined;
    /** In which order; default by id, ascending. */
    readonly sort?: SortInput | null | undefined;
    /** A filter by any field, and by the objects that belong to them; beside `filter`. */
    readonly where?: ActivityWhere | null | undefined;
  }) => ActivityConnection;
  /** One activity by id; null for an unknown id and for one of another network or environment. */
  readonly activity: (args: {
    /** Its decimal id. */
    readonly id: string;
  }) => Activity | null;
  /** One ad unit by id; null for an unknown id and for one of another network or environment. */
  readonly adUnit: (args: {
    /** Its decimal id. */
    readonly id: string;
  }) => AdUnit | null;
  /** The ad units of the network, page by page, archived ones included unless a filter excludes them. */
  readonly adUnits: (args?: {
    /** Cursor after which the page begins. */
    readonly after?: string | null | undefined;
    /** Cursor before which the page ends. */
    readonly before?: string | null | undefined;
    /** The filter; all parts must match. */
    readonly filter?: AdUnitFilter | null | undefined;
    /** Size of the page from the front, 1…100; default 25. */
    readonly first?: number | null | undefined;
    /** Size of the page from the back, 1…100; not together with `first`. */
    readonly last?: number | null | undefined;
    /** In which order, by any field; instead of `sort`. */
    readonly orderBy?: AdUnitOrder | null | undefined;
    /** In which order; default by id, ascending. */
    readonly sort?: SortInput | null | undefined;
    /** A filter by any field, and by the objects that belong to them; beside `filter`. */
    readonly where?: AdUnitWhere | null | undefined;
  }) => AdUnitConnection;
  /** One advertiser by id; null for an unknown id and for one of another network or environment. */
  readonly advertiser: (args: {
    /** Its decimal id. */
    readonly id: string;
  }) => Advertiser | null;
  /** The advertisers of the network, page by page, archived ones included unless a filter excludes them. */
  readonly advertisers: (args?: {
    /** Cursor after which the page begins. */
    readonly after?: string | null | undefined;
    /** Cursor before which the page ends. */
    readonly before?: string | null | undefined;
    /** The filter; all parts must match. */
    readonly filter?: AdvertiserFilter | null | undefined;
    /** Size of the page from the front, 1…100; default 25. */
    readonly first?: number | null | undefined;
    /** Size of the page from the back, 1…100; not together with `first`. */
    readonly last?: number | null | undefined;
    /** In which order, by any field; instead of `sort`. */
    readonly orderBy?: AdvertiserOrder | null | undefined;
    /** In which order; default by id, ascending. */
    readonly sort?: SortInput | null | undefined;
    /** A filter by any field, and by the objects that belong to them; beside `filter`. */
    readonly where?: AdvertiserWhere | null | undefined;
  }) => AdvertiserConnection;
  /** One advertising product by id; null for an unknown id and for one of another network or environment. */
  readonly advertisingProduct: (args: {
    /** Its decimal id. */
    readonly id: string;
  }) => AdvertisingProduct | null;
  /** The advertising products of the network, page by page, archived ones included unless a filter excludes them. */
  readonly advertisingProducts: (args?: {
    /** Cursor after which the page begins. */
    readonly after?: string | null | undefined;
    /** Cursor before which the page ends. */
    readonly before?: string | null | undefined;
    /** The filter; all parts must match. */
    readonly filter?: AdvertisingProductFilter | null | undefined;
    /** Size of the page from the front, 1…100; default 25. */
    readonly first?: number | null | undefined;
    /** Size of the page from the back, 1…100; not together with `first`. */
    readonly last?: number | null | undefined;
    /** In which order, by any field; instead of `sort`. */
    readonly orderBy?: AdvertisingProductOrder | null | undefined;
    /** In which order; default by id, ascending. */
    readonly sort?: SortInput | null | undefined;
    /** A filter by any field, and by the objects that belong to them; beside `filter`. */
    readonly where?: AdvertisingProductWhere | null | undefined;
  }) => AdvertisingProductConnection;
  /** A request of a buyer's agent; null where there is none. */
  readonly agentRequest: (args: {
    /** Its id. */
    readonly id: string;
  }) => AgentRequest | null;
  /** What buyers' agents asked for, newest first. */
  readonly agentRequests: (args?: {
    /** The id of the last one of the page before. */
    readonly after?: string | null | undefined;
    /** Only those of these campaigns, at most 100. */
    readonly campaignIds?: readonly string[] | null | undefined;
    /** How many, 1…100; default 25. A full page may have more behind it. */
    readonly first?: number | null | undefined;
    /** Only those that are so far. */
    readonly states?: readonly AgentRequestState[] | null | undefined;
    /** Only calls of these tools, at most 100. */
    readonly tools?: readonly string[] | null | undefined;
  }) => readonly AgentRequest[];
  /** The links to reports of all campaigns, newest first: those that work, or all. For admins. */
  readonly allReportShares: (args?: {
    /** Cursor after which the page begins. */
    readonly after?: string | null | undefined;
    /** Size of the page, 1…100; default 25. */
    readonly first?: number | null | undefined;
    /** Whether revoked and expired links too. */
    readonly includeEnded?: boolean | null | undefined;
  }) => ReportShareConnection;
  /** One API key by id; null when the network has none. */
  readonly apiKey: (args: {
    /** Which environment; default: where this request works. */
    readonly environment?: Environment | null | undefined;
    /** Its id. */
    readonly id: string;
  }) => ApiKey | null;
  /** The API keys of the network, newest first. */
  readonly apiKeys: (args?: {
    /** The id of the last one of the page before. */
    readonly after?: string | null | undefined;
    /** Which environment; default: where this request works. */
    readonly environment?: Environment | null | undefined;
    /** How many, 1…1000; default 1000. A full page may have more behind it. */
    readonly first?: number | null | undefined;
    /** Also revoked and expired ones. */
    readonly includeInactive?: boolean | null | undefined;
  }) => readonly ApiKey[];
  /** One area by id; null for an unknown id and for one of another network or environment. */
  readonly area: (args: {
    /** Its decimal id. */
    readonly id: string;
  }) => Area | null;
  /** The areas of the network, page by page, archived ones included unless a filter excludes them. */
  readonly areas: (args?: {
    /** Cursor after which the page begins. */
    readonly after?: string | null | undefined;
    /** Cursor before which the page ends. */
    readonly before?: string | null | undefined;
    /** The filter; all parts must match. */
    readonly filter?: AreaFilter | null | undefined;
    /** Size of the page from the front, 1…100; default 25. */
    readonly first?: number | null | undefined;
    /** Size of the page from the back, 1…100; not together with `first`. */
    readonly last?: number | null | undefined;
    /** In which order, by any field; instead of `sort`. */
    readonly orderBy?: AreaOrder | null | undefined;
    /** In which order; default by id, ascending. */
    readonly sort?: SortInput | null | undefined;
    /** A filter by any field, and by the objects that belong to them; beside `filter`. */
    readonly where?: AreaWhere | null | undefined;
  }) => AreaConnection;
  /** One uploaded file; null when the environment has none at this address. */
  readonly asset: (args: {
    /** Its `url`. */
    readonly url: string;
  }) => Asset | null;
  /** The uploaded files of the environment, the latest upload first. */
  readonly assets: (args?: {
    /** `endCursor` of the page before. */
    readonly after?: string | null | undefined;
    /** Only those that are so. */
    readonly filter?: AssetFilter | null | undefined;
    /** Size of the page, 1…100; default 25. */
    readonly first?: number | null | undefined;
  }) => AssetConnection;
  /** The audit log of the network, both environments, newest first. */
  readonly auditLog: (args?: {
    /** Cursor after which the page begins. */
    readonly after?: string | null | undefined;
    /** Which entries. */
    readonly filter?: AuditFilter | null | undefined;
    /** Size of the page, 1…100; default 25. */
    readonly first?: number | null | undefined;
    /** Of each change set, only the newest change of each kind of objects and actor; `changeSetSize` says how many there are. */
    readonly foldChangeSets?: boolean | null | undefined;
  }) => AuditConnection;
  /** What is sold, reserved and free of some inventory in the next weeks, day by day. */
  readonly availability: (args: {
    /** Which inventory. */
    readonly input: AvailabilityInput;
  }) => Availability;
  /** Guaranteed line items whose present terms wait for approval, newest first: those for which a member asked, and live ones. Empty where the network asks for no approval. */
  readonly bookingsToApprove: (args?: {
    /** The last line item of the page before. */
    readonly after?: string | null | undefined;
    /** How many, 1…200; default 200. A full page may have more behind it. */
    readonly first?: number | null | undefined;
  }) => readonly LineItem[];
  /** One campaign by id; null for an unknown id and for one of another network or environment. */
  readonly campaign: (args: {
    /** Its decimal id. */
    readonly id: string;
  }) => Campaign | null;
  /** The campaigns of the network, page by page, archived ones included unless a filter excludes them. */
  readonly campaigns: (args?: {
    /** Cursor after which the page begins. */
    readonly after?: string | null | undefined;
    /** Cursor before which the page ends. */
    readonly before?: string | null | undefined;
    /** The filter; all parts must match. */
    readonly filter?: CampaignFilter | null | undefined;
    /** Size of the page from the front, 1…100; default 25. */
    readonly first?: number | null | undefined;
    /** Size of the page from the back, 1…100; not together with `first`. */
    readonly last?: number | null | undefined;
    /** In which order, by any field; instead of `sort`. */
    readonly orderBy?: CampaignOrder | null | undefined;
    /** In which order; default by id, ascending. */
    readonly sort?: SortInput | null | undefined;
    /** A filter by any field, and by the objects that belong to them; beside `filter`. */
    readonly where?: CampaignWhere | null | undefined;
  }) => CampaignConnection;
  /** All changes of objects of this environment, oldest first. Keep `pageInfo.endCursor` and ask again with it: no change is left out or repeated. */
  readonly changes: (args?: {
    /** `endCursor` of the page before. Absent: from the first change. `now`: no changes, only the cursor of this moment. */
    readonly after?: string | null | undefined;
    /** `startCursor` of the page after it. Absent: from the newest change. Only with `last`. */
    readonly before?: string | null | undefined;
    /** Only parts of this change of many objects. */
    readonly changeSet?: string | null | undefined;
    /** Size of the page, 1…100; default 25. */
    readonly first?: number | null | undefined;
    /** Of each change set, only the newest change of each kind of objects and actor; `changeSetSize` says how many there are. Only with `last`. */
    readonly foldChangeSets?: boolean | null | undefined;
    /** Kinds of objects, such as `lineItem`; default: all that the caller may read, except `comment` (its text is in `comments`) and `bookingApproval` (its id is that of the line item), which have to be named. */
    readonly kinds?: readonly string[] | null | undefined;
    /** Size of the page where it is read backwards, 1…100: the newest changes before `before`, oldest first. Takes no `first` and no `after`. */
    readonly last?: number | null | undefined;
  }) => ChangeConnection;
  /** The members of the network by name, at most 500: whom a comment can mention. */
  readonly colleagues: readonly TeamMember[];
  /** The comments on an object, newest first. */
  readonly comments: (args: {
    /** The id of the last one of the page before. */
    readonly after?: string | null | undefined;
    /** How many, 1…100; default 25. A full page may have more behind it. */
    readonly first?: number | null | undefined;
    /** Id of the object. */
    readonly objectId: string;
    /** Kind of the object. */
    readonly objectKind: DiscussedKind;
  }) => readonly Comment[];
  /** One creative by id; null for an unknown id and for one of another network or environment. */
  readonly creative: (args: {
    /** Its decimal id. */
    readonly id: string;
  }) => Creative | null;
  /** The creatives of the network, page by page, archived ones included unless a filter excludes them. */
  readonly creatives: (args?: {
    /** Cursor after which the page begins. */
    readonly after?: string | null | undefined;
    /** Cursor before which the page ends. */
    readonly before?: string | null | undefined;
    /** The filter; all parts must match. */
    readonly filter?: CreativeFilter | null | undefined;
    /** Size of the page from the front, 1…100; default 25. */
    readonly first?: number | null | undefined;
    /** Size of the page from the back, 1…100; not together with `first`. */
    readonly last?: number | null | undefined;
    /** In which order, by any field; instead of `sort`. */
    readonly orderBy?: CreativeOrder | null | undefined;
    /** In which order; default by id, ascending. */
    readonly sort?: SortInput | null | undefined;
    /** A filter by any field, and by the objects that belong to them; beside `filter`. */
    readonly where?: CreativeWhere | null | undefined;
  }) => CreativeConnection;
  /** One custom field by id; null for an unknown id and for one of another network or environment. */
  readonly customField: (args: {
    /** Its decimal id. */
    readonly id: string;
  }) => CustomField | null;
  /** The custom fields of the network, page by page, archived ones included unless a filter excludes them. */
  readonly customFields: (args?: {
    /** Cursor after which the page begins. */
    readonly after?: string | null | undefined;
    /** Cursor before which the page ends. */
    readonly before?: string | null | undefined;
    /** The filter; all parts must match. */
    readonly filter?: CustomFieldFilter | null | undefined;
    /** Size of the page from the front, 1…100; default 25. */
    readonly first?: number | null | undefined;
    /** Size of the page from the back, 1…100; not together with `first`. */
    readonly last?: number | null | undefined;
    /** In which order, by any field; instead of `sort`. */
    readonly orderBy?: CustomFieldOrder | null | undefined;
    /** In which order; default by id, ascending. */
    readonly sort?: SortInput | null | undefined;
    /** A filter by any field, and by the objects that belong to them; beside `filter`. */
    readonly where?: CustomFieldWhere | null | undefined;
  }) => CustomFieldConnection;
  /** One deal by id; null for an unknown id and for one of another network or environment. */
  readonly deal: (args: {
    /** Its decimal id. */
    readonly id: string;
  }) => Deal | null;
  /** The deals of the network, page by page, archived ones included unless a filter excludes them. */
  readonly deals: (args?: {
    /** Cursor after which the page begins. */
    readonly after?: string | null | undefined;
    /** Cursor before which the page ends. */
    readonly before?: string | null | undefined;
    /** The filter; all parts must match. */
    readonly filter?: DealFilter | null | undefined;
    /** Size of the page from the front, 1…100; default 25. */
    readonly first?: number | null | undefined;
    /** Size of the page from the back, 1…100; not together with `first`. */
    readonly last?: number | null | undefined;
    /** In which order, by any field; instead of `sort`. */
    readonly orderBy?: DealOrder | null | undefined;
    /** In which order; default by id, ascending. */
    readonly sort?: SortInput | null | undefined;
    /** A filter by any field, and by the objects that belong to them; beside `filter`. */
    readonly where?: DealWhere | null | undefined;
  }) => DealConnection;
  /** One experiment by id; null for an unknown id and for one of another network or environment. */
  readonly experiment: (args: {
    /** Its decimal id. */
    readonly id: string;
  }) => Experiment | null;
  /** The experiments of the network, page by page, archived ones included unless a filter excludes them. */
  readonly experiments: (args?: {
    /** Cursor after which the page begins. */
    readonly after?: string | null | undefined;
    /** Cursor before which the page ends. */
    readonly before?: string | null | undefined;
    /** The filter; all parts must match. */
    readonly filter?: ExperimentFilter | null | undefined;
    /** Size of the page from the front, 1…100; default 25. */
    readonly first?: number | null | undefined;
    /** Size of the page from the back, 1…100; not together with `first`. */
    readonly last?: number | null | undefined;
    /** In which order, by any field; instead of `sort`. */
    readonly orderBy?: ExperimentOrder | null | undefined;
    /** In which order; default by id, ascending. */
    readonly sort?: SortInput | null | undefined;
    /** A filter by any field, and by the objects that belong to them; beside `filter`. */
    readonly where?: ExperimentWhere | null | undefined;
  }) => ExperimentConnection;
  /** What a bid request would get, and the loss reason of every other line item. */
  readonly explainDecision: (args: {
    /** The request. */
    readonly input: ExplainDecisionInput;
  }) => ExplainedDecision;
  /** One floor by id; null for an unknown id and for one of another network or environment. */
  readonly floor: (args: {
    /** Its decimal id. */
    readonly id: string;
  }) => Floor | null;
  /** Floors of ad units that would have earned more with the bids of the last 14 days, the largest gain first, at most 100. Nothing is changed. */
  readonly floorSuggestions: (args?: {
    /** Only for these ad units, at most 100; default all. */
    readonly adUnitIds?: readonly string[] | null | undefined;
    /** How far header bidders bid below what an impression is worth to them, 0 to 90; default 0: they never pay more than they bid. */
    readonly headerBidShadingPercent?: number | null | undefined;
  }) => readonly FloorSuggestion[];
  /** The floors of the network, page by page, archived ones included unless a filter excludes them. */
  readonly floors: (args?: {
    /** Cursor after which the page begins. */
    readonly after?: string | null | undefined;
    /** Cursor before which the page ends. */
    readonly before?: string | null | undefined;
    /** The filter; all parts must match. */
    readonly filter?: FloorFilter | null | undefined;
    /** Size of the page from the front, 1…100; default 25. */
    readonly first?: number | null | undefined;
    /** Size of the page from the back, 1…100; not together with `first`. */
    readonly last?: number | null | undefined;
    /** In which order, by any field; instead of `sort`. */
    readonly orderBy?: FloorOrder | null | undefined;
    /** In which order; default by id, ascending. */
    readonly sort?: SortInput | null | undefined;
    /** A filter by any field, and by the objects that belong to them; beside `filter`. */
    readonly where?: FloorWhere | null | undefined;
  }) => FloorConnection;
  /** What a draft of a line item could get. */
  readonly forecast: (args: {
    /** The draft. */
    readonly input: ForecastInput;
    /** How much is replayed; default FULL. Ask for a rough forecast first where a person waits. */
    readonly precision?: ForecastPrecision | null | undefined;
  }) => Forecast;
  /** How good the forecasts of flights were that ended in a span of at most 400 days. */
  readonly forecastAccuracy: (args: {
    /** The earliest end of a flight. */
    readonly from: string;
    /** The end of the span, exclusive. */
    readonly to: string;
  }) => ForecastAccuracy;
  /** The report credentials of the network, newest first. */
  readonly headerCredentials: (args?: {
    /** The id of the last one of the page before. */
    readonly after?: string | null | undefined;
    /** Which environment; default: where this request works. */
    readonly environment?: Environment | null | undefined;
    /** How many, 1…1000; default 1000. A full page may have more behind it. */
    readonly first?: number | null | undefined;
    /** Also disabled ones. */
    readonly includeDisabled?: boolean | null | undefined;
  }) => readonly HeaderCredential[];
  /** What was imported, by source; at most 100 sources. */
  readonly importedHistory: readonly ImportedHistory[];
  /** What the activity pixel API would make of an event now: accepted, a duplicate or refused, and the ad that it is credited to. Nothing is recorded. */
  readonly inspectActivityEvent: (args: {
    /** The event, as the body of the API has it. */
    readonly event: unknown;
  }) => ActivityEventInspection;
  /** One decision in full: the winner, why each other line item lost, the same decision from the decision log, and what would change with other prices, limits or priorities. */
  readonly inspectDecision: (args: {
    /** Which decision. */
    readonly input: InspectDecisionInput;
  }) => DecisionInspection;
  /** Open invitations into the network, newest first, at most 500. */
  readonly invitations: readonly Invitation[];
  /** Whether counters still get history of the environment, imported or of the demo. Line items are called neither late nor early until then. */
  readonly isHistoryLoading: boolean;
  /** One key-value by id; null for an unknown id and for one of another network or environment. */
  readonly keyValue: (args: {
    /** Its decimal id. */
    readonly id: string;
  }) => KeyValue | null;
  /** The key-values of the network, page by page, archived ones included unless a filter excludes them. */
  readonly keyValues: (args?: {
    /** Cursor after which the page begins. */
    readonly after?: string | null | undefined;
    /** Cursor before which the page ends. */
    readonly before?: string | null | undefined;
    /** The filter; all parts must match. */
    readonly filter?: KeyValueFilter | null | undefined;
    /** Size of the page from the front, 1…100; default 25. */
    readonly first?: number | null | undefined;
    /** Size of the page from the back, 1…100; not together with `first`. */
    readonly last?: number | null | undefined;
    /** In which order, by any field; instead of `sort`. */
    readonly orderBy?: KeyValueOrder | null | undefined;
    /** In which order; default by id, ascending. */
    readonly sort?: SortInput | null | undefined;
    /** A filter by any field, and by the objects that belong to them; beside `filter`. */
    readonly where?: KeyValueWhere | null | undefined;
  }) => KeyValueConnection;
  /** One library creative by id; null for an unknown id and for one of another network or environment. */
  readonly libraryCreative: (args: {
    /** Its decimal id. */
    readonly id: string;
  }) => LibraryCreative | null;
  /** The library creatives of the network, page by page, archived ones included unless a filter excludes them. */
  readonly libraryCreatives: (args?: {
    /** Cursor after which the page begins. */
    readonly after?: string | null | undefined;
    /** Cursor before which the page ends. */
    readonly before?: string | null | undefined;
    /** The filter; all parts must match. */
    readonly filter?: LibraryCreativeFilter | null | undefined;
    /** Size of the page from the front, 1…100; default 25. */
    readonly first?: number | null | undefined;
    /** Size of the page from the back, 1…100; not together with `first`. */
    readonly last?: number | null | undefined;
    /** In which order, by any field; instead of `sort`. */
    readonly orderBy?: LibraryCreativeOrder | null | undefined;
    /** In which order; default by id, ascending. */
    readonly sort?: SortInput | null | undefined;
    /** A filter by any field, and by the objects that belong to them; beside `filter`. */
    readonly where?: LibraryCreativeWhere | null | undefined;
  }) => LibraryCreativeConnection;
  /** One line item by id; null for an unknown id and for one of another network or environment. */
  readonly lineItem: (args: {
    /** Its decimal id. */
    readonly id: string;
  }) => LineItem | null;
  /** A window of the line items of the network, from any position of a list of any length. Archived ones only by status. */
  readonly lineItemTable: (args?: {
    /** The largest first; default false. */
    readonly descending?: boolean | null | undefined;
    /** Which line items. */
    readonly filter?: LineItemTableFilter | null | undefined;
    /** Size of the window, 1…100; default 25. */
    readonly first?: number | null | undefined;
    /** How many to leave out, 0…1000000; default 0. */
    readonly offset?: number | null | undefined;
    /** In which order; default ID. */
    readonly sort?: LineItemTableSort | null | undefined;
    /** Only of this tab. */
    readonly tab?: LineItemTab | null | undefined;
  }) => LineItemTableConnection;
  /** How many line items each tab has; tabs without any are there too. */
  readonly lineItemTabs: (args?: {
    /** Which line items. */
    readonly filter?: LineItemTableFilter | null | undefined;
  }) => readonly LineItemTabCount[];
  /** The line items of the network, page by page, archived ones included unless a filter excludes them. */
  readonly lineItems: (args?: {
    /** Cursor after which the page begins. */
    readonly after?: string | null | undefined;
    /** Cursor before which the page ends. */
    readonly before?: string | null | undefined;
    /** The filter; all parts must match. */
    readonly filter?: LineItemFilter | null | undefined;
    /** Size of the page from the front, 1…100; default 25. */
    readonly first?: number | null | undefined;
    /** Size of the page from the back, 1…100; not together with `first`. */
    readonly last?: number | null | undefined;
    /** In which order, by any field; instead of `sort`. */
    readonly orderBy?: LineItemOrder | null | undefined;
    /** In which order; default by id, ascending. */
    readonly sort?: SortInput | null | undefined;
    /** A filter by any field, and by the objects that belong to them; beside `filter`. */
    readonly where?: LineItemWhere | null | undefined;
  }) => LineItemConnection;
  /** The caller and its permissions. */
  readonly me: Caller;
  /** The network of the credentials, by its id; null for any other. */
  readonly network: (args: {
    /** Its decimal id. */
    readonly id: string;
  }) => Network | null;
  /** The object with this id; null for an unknown id and for one of another network or environment. */
  readonly node: (args: {
    /** Its global id. `nodes` also takes decimal ids with their type. */
    readonly id: string;
  }) => Node | null;
  /** The objects with these ids, in their order, at most 100; null at the position of each unknown one. */
  readonly nodes: (args: {
    /** Global ids; or decimal ids together with `type`. */
    readonly ids: readonly string[];
    /** The type of decimal ids; global ids have their own. */
    readonly type?: NodeType | null | undefined;
  }) => readonly (Node | null)[];
  /** Where the signed-in member is told of each event in this network. */
  readonly notificationChoices: readonly NotificationChoice[];
  /** What the signed-in member was told, newest first. The last 500 are kept. */
  readonly notifications: (args?: {
    /** The id of the last one of the page before. */
    readonly after?: string | null | undefined;
    /** How many, 1…100; default 25. A full page may have more behind it. */
    readonly first?: number | null | undefined;
    /** Only those that are not read. */
    readonly unreadOnly?: boolean | null | undefined;
  }) => readonly Notification[];
  /** The currency, the days and the sites of the network of the key. */
  readonly offering: Offering;
  /** What a booking from a product could get: its inventory, formats and price with the dates, amount and added targeting that are given, by the same replay as `forecast`. */
  readonly productForecast: (args: {
    /** The booking. */
    readonly input: ProductForecastInput;
    /** How much is replayed; default ROUGH. */
    readonly precision?: ForecastPrecision | null | undefined;
  }) => ProductForecast;
  /** The headroom of the daily limit, and the cost of this document. */
  readonly rateLimit: RateLimit;
  /** Report tasks; `report_defs` and `report_task` are also on the root. */
  readonly report: ReportQueries;
  /** A report schedule by its id; null when there is none. */
  readonly reportSchedule: (args: {
    /** Its id. */
    readonly id: string;
  }) => ReportSchedule | null;
  /** The report schedules of the network by name, at most 100. */
  readonly reportSchedules: readonly ReportSchedule[];
  /** The links to the report of a campaign, newest first, at most 100. */
  readonly reportShares: (args: {
    /** The campaign. */
    readonly campaignId: string;
  }) => readonly ReportShare[];
  /** The definitions that report tasks can be made from. */
  readonly report_defs: ReportDefinitionList;
  /** A report task by its number; null when there is none. Poll it until `task_status` is DONE or FAILED. */
  readonly report_task: (args: {
    /** Its number. */
    readonly task_id: number;
  }) => ReportTask | null;
  /** Objects of all kinds that the caller may read: each word of the text is in their name, external id, code, values of custom fields or the name of their parent, or is their id. The closest first, at most 50; without a text, what changed last. */
  readonly search: (args: {
    /** How many, 1…50; default 20. */
    readonly first?: number | null | undefined;
    /** Only of these kinds. */
    readonly kinds?: readonly SearchedKind[] | null | undefined;
    /** What to look for, at most 200 characters. */
    readonly text: string;
  }) => readonly SearchHit[];
  /** One segment by id; null for an unknown id and for one of another network or environment. */
  readonly segment: (args: {
    /** Its decimal id. */
    readonly id: string;
  }) => Segment | null;
  /** The segments of the network, page by page, archived ones included unless a filter excludes them. */
  readonly segments: (args?: {
    /** Cursor after which the page begins. */
    readonly after?: string | null | undefined;
    /** Cursor before which the page ends. */
    readonly before?: string | null | undefined;
    /** The filter; all parts must match. */
    readonly filter?: SegmentFilter | null | undefined;
    /** Size of the page from the front, 1…100; default 25. */
    readonly first?: number | null | undefined;
    /** Size of the page from the back, 1…100; not together with `first`. */
    readonly last?: number | null | undefined;
    /** In which order, by any field; instead of `sort`. */
    readonly orderBy?: SegmentOrder | null | undefined;
    /** In which order; default by id, ascending. */
    readonly sort?: SortInput | null | undefined;
    /** A filter by any field, and by the objects that belong to them; beside `filter`. */
    readonly where?: SegmentWhere | null | undefined;
  }) => SegmentConnection;
  /** One site by id; null for an unknown id and for one of another network or environment. */
  readonly site: (args: {
    /** Its decimal id. */
    readonly id: string;
  }) => Site | null;
  /** The sites of the network, page by page, archived ones included unless a filter excludes them. */
  readonly sites: (args?: {
    /** Cursor after which the page begins. */
    readonly after?: string | null | undefined;
    /** Cursor before which the page ends. */
    readonly before?: string | null | undefined;
    /** The filter; all parts must match. */
    readonly filter?: SiteFilter | null | undefined;
    /** Size of the page from the front, 1…100; default 25. */
    readonly first?: number | null | undefined;
    /** Size of the page from the back, 1…100; not together with `first`. */
    readonly last?: number | null | undefined;
    /** In which order, by any field; instead of `sort`. */
    readonly orderBy?: SiteOrder | null | undefined;
    /** In which order; default by id, ascending. */
    readonly sort?: SortInput | null | undefined;
    /** A filter by any field, and by the objects that belong to them; beside `filter`. */
    readonly where?: SiteWhere | null | undefined;
  }) => SiteConnection;
  /** One targeting preset by id; null for an unknown id and for one of another network or environment. */
  readonly targetingPreset: (args: {
    /** Its decimal id. */
    readonly id: string;
  }) => TargetingPreset | null;
  /** The targeting presets of the network, page by page, archived ones included unless a filter excludes them. */
  readonly targetingPresets: (args?: {
    /** Cursor after which the page begins. */
    readonly after?: string | null | undefined;
    /** Cursor before which the page ends. */
    readonly before?: string | null | undefined;
    /** The filter; all parts must match. */
    readonly filter?: TargetingPresetFilter | null | undefined;
    /** Size of the page from the front, 1…100; default 25. */
    readonly first?: number | null | undefined;
    /** Size of the page from the back, 1…100; not together with `first`. */
    readonly last?: number | null | undefined;
    /** In which order, by any field; instead of `sort`. */
    readonly orderBy?: TargetingPresetOrder | null | undefined;
    /** In which order; default by id, ascending. */
    readonly sort?: SortInput | null | undefined;
    /** A filter by any field, and by the objects that belong to them; beside `filter`. */
    readonly where?: TargetingPresetWhere | null | undefined;
  }) => TargetingPresetConnection;
  /** One team by id; null for an unknown id and for one of another network or environment. */
  readonly team: (args: {
    /** Its decimal id. */
    readonly id: string;
  }) => Team | null;
  /** The teams of the network, page by page, archived ones included unless a filter excludes them. */
  readonly teams: (args?: {
    /** Cursor after which the page begins. */
    readonly after?: string | null | undefined;
    /** Cursor before which the page ends. */
    readonly before?: string | null | undefined;
    /** The filter; all parts must match. */
    readonly filter?: TeamFilter | null | undefined;
    /** Size of the page from the front, 1…100; default 25. */
    readonly first?: number | null | undefined;
    /** Size of the page from the back, 1…100; not together with `first`. */
    readonly last?: number | null | undefined;
    /** In which order, by any field; instead of `sort`. */
    readonly orderBy?: TeamOrder | null | undefined;
    /** In which order; default by id, ascending. */
    readonly sort?: SortInput | null | undefined;
    /** A filter by any field, and by the objects that belong to them; beside `filter`. */
    readonly where?: TeamWhere | null | undefined;
  }) => TeamConnection;
  /** How many notifications the signed-in member has not read. */
  readonly unreadNotifications: number;
  /** The users of the network, by address. */
  readonly users: (args?: {
    /** The id of the last one of the page before. */
    readonly after?: string | null | undefined;
    /** How many, 1…1000; default 1000. A full page may have more behind it. */
    readonly first?: number | null | undefined;
  }) => readonly User[];
  /** A webhook by its id; null when there is none. */
  readonly webhook: (args: {
    /** Its id. */
    readonly id: string;
  }) => Webhook | null;
  /** The webhooks of the environment by name, at most 20. */
  readonly webhooks: readonly Webhook[];
}

/** What the network may still ask today, and what this request costs. */
export interface RateLimit {
  readonly __typename: 'RateLimit';
  /** The points of this document; at most 100,000. */
  readonly cost: number;
  /** Requests a day of the network and environment; null where none are counted. */
  readonly limit: number | null;
  /** How many of them are left after this one. */
  readonly remaining: number | null;
  /** When all of them are there again. */
  readonly resetAt: string | null;
}

/** The result of sending messages again. */
export interface RedeliverWebhookPayload {
  readonly __typename: 'RedeliverWebhookPayload';
  /** How many single messages are sent again; null with `after`. */
  readonly messageCount: number | null;
  /** The mistakes in the input; empty when the change was made. Where it is selected, mistakes are told of here, and not in `errors`. */
  readonly userErrors: readonly UserError[];
}

/** A template that report tasks are made from. */
export interface ReportDefinition {
  readonly __typename: 'ReportDefinition';
  /** Its parameters, each with type, default and allowed values. */
  readonly report_definition_body: unknown;
  /** What its reports show. */
  readonly report_definition_description: string;
  /** Its name, for `generate_report`. */
  readonly report_definition_name: string;
}

/** The report definitions. */
export interface ReportDefinitionList {
  readonly __typename: 'ReportDefinitionList';
  /** The definitions; their fields are on the edge itself. */
  readonly edges: readonly ReportDefinition[];
}

/** The delivery state of the webhook message. */
export type ReportDeliveryStatus = 'DELIVERED' | 'FAILED' | 'NONE' | 'PENDING';

/** The form of the files of a report. */
export type ReportFileFormat = 'CSV' | 'CSV_BOM' | 'XLSX';

/** Making of report tasks. Opens with header credentials only. */
export interface ReportMutations {
  readonly __typename: 'ReportMutations';
  /** Queues a report. Wrong attributes are named, and no task is made. */
  readonly generate_report: (args: {
    /** What is to be made. */
    readonly task: ReportTaskInput;
  }) => ReportTask | null;
}

/** Reading of report tasks. Opens with header credentials only. */
export interface ReportQueries {
  readonly __typename: 'ReportQueries';
  /** The definitions that report tasks can be made from. */
  readonly report_defs: ReportDefinitionList;
  /** A report task by its number; null when there is none. Poll it until `task_status` is DONE or FAILED. */
  readonly report_task: (args: {
    /** Its number. */
    readonly task_id: number;
  }) => ReportTask | null;
  /** The report tasks of the network, newest first. */
  readonly report_tasks: (args?: {
    /** Only tasks with a lower number: the last one of the page before. */
    readonly before_task_id?: number | null | undefined;
    /** How many, 1…100; default 25. */
    readonly limit?: number | null | undefined;
    /** Only tasks with this external id. */
    readonly task_external_id?: string | null | undefined;
    /** Only tasks with this external type. */
    readonly task_external_type?: string | null | undefined;
    /** Only tasks with this status. */
    readonly task_status?: ReportTaskStatus | null | undefined;
  }) => readonly ReportTask[];
}

/** One run of a report schedule. */
export interface ReportRun {
  readonly __typename: 'ReportRun';
  /** How often the message was sent. */
  readonly deliveryAttempts: number;
  /** Why the last try of the message failed. */
  readonly deliveryError: string | null;
  /** The delivery state of the webhook message. */
  readonly deliveryStatus: ReportDeliveryStatus;
  /** In the form of the schedule, for 7 days; opens with a key of the REPORTS module or header credentials. `?format=raw`: JSON lines. */
  readonly downloadUrl: string | null;
  /** When it was DONE or FAILED. */
  readonly endedAt: string | null;
  /** Why it FAILED. */
  readonly errorMessage: string | null;
  /** Decimal id. */
  readonly id: string;
  /** Percent done, 0…100. */
  readonly progress: number;
  /** Rows of the finished report. */
  readonly rowCount: number | null;
  /** The instant of the rule; relative dates of the query refer to it. */
  readonly scheduledFor: string;
  /** When work on it began. */
  readonly startedAt: string | null;
  /** Its state. */
  readonly status: ReportTaskStatus;
}

/** A saved query of the Reports API that runs by a rule; its results are kept as files. */
export interface ReportSchedule {
  readonly __typename: 'ReportSchedule';
  /** When it was made. */
  readonly createdAt: string;
  /** Minute, hour, day of month, month, weekday. */
  readonly cron: string;
  /** Decimal id, unique in its kind, in every version of the API. */
  readonly databaseId: string;
  /** The form of the files in mails and behind the links of its runs. */
  readonly fileFormat: ReportFileFormat;
  /** Id that is unique among all types, as `node` takes it. */
  readonly globalId: string;
  /** Its id: the decimal one, or the global one where the version of the API shows global ids. */
  readonly id: string;
  /** Addresses of members who get each result by mail: attached up to 5 MB, else as a link. */
  readonly mailTo: readonly string[];
  /** Name. */
  readonly name: string;
  /** When it runs next; null while PAUSED. */
  readonly nextRunAt: string | null;
  /** A query of the Reports API; relative dateRanges are read at each run. */
  readonly query: unknown;
  /** Its latest runs, newest first. */
  readonly runs: (args?: {
    /** The id of the last one of the page before. */
    readonly after?: string | null | undefined;
    /** How many, 1…100; default 25. A full page may have more behind it. */
    readonly first?: number | null | undefined;
  }) => readonly ReportRun[];
  /** Whether it runs. */
  readonly status: ReportScheduleStatus;
  /** Time zone of the rule: that of the network. */
  readonly timezone: string;
  /** When it was last changed. */
  readonly updatedAt: string;
  /** Counts up with every change; give it back on update. */
  readonly version: number;
  /** Where a signed message is sent when a run has ended. */
  readonly webhookUrl: string | null;
}

/** The result of a change of a schedule. */
export interface ReportSchedulePayload {
  readonly __typename: 'ReportSchedulePayload';
  /** The schedule; null when nothing was changed. */
  readonly saved: ReportSchedule | null;
  /** The schedule; null when nothing was changed. */
  readonly schedule: ReportSchedule | null;
  /** The mistakes in the input; empty when the change was made. Where it is selected, mistakes are told of here, and not in `errors`. */
  readonly userErrors: readonly UserError[];
  /** The secret that signs messages, when it is new. It is shown once. */
  readonly webhookSecret: string | null;
}

/** Whether a schedule runs. */
export type ReportScheduleStatus = 'ACTIVE' | 'PAUSED';

/** A link by which somebody without an account reads the report of one campaign, and nothing else. */
export interface ReportShare {
  readonly __typename: 'ReportShare';
  /** The campaign. */
  readonly campaignId: string;
  /** Name of the campaign. */
  readonly campaignName: string;
  /** When. */
  readonly createdAt: string;
  /** Who made it. */
  readonly createdBy: string;
  /** Until when it works. */
  readonly expiresAt: string;
  /** Its id. */
  readonly id: string;
  /** When it was last opened. */
  readonly lastOpenedAt: string | null;
  /** For whom it is. */
  readonly name: string;
  /** How often it was opened. */
  readonly opened: number;
  /** The user with whose membership it ends: who made it, who made the key that made it, or who took it over. Null: nobody; it ends when it expires or is revoked. */
  readonly ownerId: string | null;
  /** Name of that user. */
  readonly ownerName: string | null;
  /** When it was revoked; null: it was not. */
  readonly revokedAt: string | null;
  /** Whether it shows money. */
  readonly showsSpend: boolean;
}

/** A page of links to reports. */
export interface ReportShareConnection {
  readonly __typename: 'ReportShareConnection';
  /** The objects of this page, each with its cursor. */
  readonly edges: readonly ReportShareEdge[];
  /** The objects of this page, without their cursors. */
  readonly nodes: readonly ReportShare[];
  /** The position of this page in the list. */
  readonly pageInfo: PageInfo;
  /** How many objects match the filter, over all pages. Costs a count of its own. */
  readonly totalCount: number;
}

/** A link to a report. */
export interface ReportShareEdge {
  readonly __typename: 'ReportShareEdge';
  /** Opaque position in the list, for `after` and `before`. */
  readonly cursor: string;
  /** The object. */
  readonly node: ReportShare;
}

/** The result of changing a link. */
export interface ReportSharePayload {
  readonly __typename: 'ReportSharePayload';
  /** The link. */
  readonly share: ReportShare | null;
  /** The mistakes in the input; empty when the change was made. Where it is selected, mistakes are told of here, and not in `errors`. */
  readonly userErrors: readonly UserError[];
}

/** A report that is made in the background. */
export interface ReportTask {
  readonly __typename: 'ReportTask';
  /** Definition that it was made from. */
  readonly report_definition_name: string;
  /** Where it can be downloaded with the header credentials; null unless DONE, and after it has expired. */
  readonly task_download_url: string | null;
  /** Seconds from start to end; null before the end. */
  readonly task_duration: number | null;
  /** When it was DONE or FAILED; null before. */
  readonly task_end_time: string | null;
  /** Why it FAILED; null otherwise. */
  readonly task_error_message: string | null;
  /** Your own id of it. */
  readonly task_external_id: string | null;
  /** The kind of that id. */
  readonly task_external_type: string | null;
  /** Its number, as text; `report_task` takes it as an Int. */
  readonly task_id: string;
  /** Name of the report. */
  readonly task_name: string;
  /** Percent done, 0…100; 100 when DONE. */
  readonly task_progress: number;
  /** Rows of the finished report. */
  readonly task_row_count: number | null;
  /** When work on it began; null before. */
  readonly task_start_time: string | null;
  /** Its state. */
  readonly task_status: ReportTaskStatus;
  /** Last segment of the download address. */
  readonly task_token: string;
}

/** Parameters of a report; which of them apply, and their defaults, are in `report_definition_body`. */
export interface ReportTaskAttrInput {
  /** What the report covers. Required. */
  readonly date_range?: ReportTaskDateRangeInput | null | undefined;
  /** Conditions, all of which must hold. */
  readonly filters?: readonly ReportTaskFilterInput[] | null | undefined;
  /** "hour", "day", "week", "month" or "total". */
  readonly granularity?: string | null | undefined;
  /** Metrics to include, such as filled_emission and adclick. */
  readonly metric?: readonly string[] | null | undefined;
  /** Dimensions to split by. */
  readonly split?: readonly string[] | null | undefined;
  /** IANA time zone that data is bucketed in; default: the time zone of the network. */
  readonly timezone?: string | null | undefined;
}

/** What a report covers. Dates are local times in the time zone of the report, both inclusive. */
export interface ReportTaskDateRangeInput {
  /** Start, as YYYY-MM-DD HH:MM:SS; in a dynamic range also a name such as last_7_days. */
  readonly date_from?: string | null | undefined;
  /** End, as YYYY-MM-DD HH:MM:SS. */
  readonly date_to?: string | null | undefined;
  /** "static": both dates. "dynamic": both dates, or the name of a relative range in `date_from`. Default: static. */
  readonly kind?: string | null | undefined;
}

/** A condition on the rows that are counted. */
export interface ReportTaskFilterInput {
  /** Name of a dimension, such as line_item_id. */
  readonly dimension?: string | null | undefined;
  /** "in", "not_in" or "contains". Default: in. */
  readonly type?: string | null | undefined;
  /** The values that are compared with. */
  readonly values?: readonly ReportTaskFilterValueInput[] | null | undefined;
}

/** One value of a filter. */
export interface ReportTaskFilterValueInput {
  /** The value. */
  readonly value?: string | null | undefined;
}

/** The fields of a new report task. */
export interface ReportTaskInput {
  /** What it computes. */
  readonly attributes: ReportTaskAttrInput;
  /** Name of the definition. */
  readonly report_definition_name: string;
  /** Name of the report, 1…200 characters. */
  readonly report_name: string;
  /** Your own id, stored with the task and searchable. */
  readonly task_external_id?: string | null | undefined;
  /** The kind of that id. */
  readonly task_external_type?: string | null | undefined;
}

/** The state of a report task. */
export type ReportTaskStatus = 'DONE' | 'FAILED' | 'PENDING' | 'PROCESSING';

/** The result of the review of a creative. Only APPROVED serves. */
export type ReviewState = 'APPROVED' | 'PENDING' | 'REJECTED';

/** Comparisons of a field; all that are given must hold. */
export interface ReviewStateWhere {
  /** Equal to this; null: empty. */
  readonly eq?: ReviewState | null | undefined;
  /** Equal to one of these, at most 500. */
  readonly in?: readonly ReviewState[] | null | undefined;
  /** None of this. */
  readonly not?: ReviewStateWhere | null | undefined;
}

/** The result of revoking an API key. */
export interface RevokeApiKeyPayload {
  readonly __typename: 'RevokeApiKeyPayload';
  /** The revoked key. */
  readonly apiKey: ApiKey | null;
  /** The mistakes in the input; empty when the change was made. Where it is selected, mistakes are told of here, and not in `errors`. */
  readonly userErrors: readonly UserError[];
}

/** The result of revoking an access. */
export interface RevokePayload {
  readonly __typename: 'RevokePayload';
  /** Id of the revoked object; null when nothing was revoked. */
  readonly revokedId: string | null;
  /** The mistakes in the input; empty when the change was made. Where it is selected, mistakes are told of here, and not in `errors`. */
  readonly userErrors: readonly UserError[];
}

/** Whether creatives of a line item fill several slots of one request together. */
export type Roadblock = 'ALL' | 'AS_MANY_AS_POSSIBLE' | 'ONE';

/** Comparisons of a field; all that are given must hold. */
export interface RoadblockWhere {
  /** Equal to this; null: empty. */
  readonly eq?: Roadblock | null | undefined;
  /** Equal to one of these, at most 500. */
  readonly in?: readonly Roadblock[] | null | undefined;
  /** None of this. */
  readonly not?: RoadblockWhere | null | undefined;
}

/** What a user may do in a network. */
export type Role = 'ADMIN' | 'EDITOR' | 'VIEWER';

/** The result of running a schedule. */
export interface RunReportSchedulePayload {
  readonly __typename: 'RunReportSchedulePayload';
  /** The run. */
  readonly run: ReportRun | null;
  /** The mistakes in the input; empty when the change was made. Where it is selected, mistakes are told of here, and not in `errors`. */
  readonly userErrors: readonly UserError[];
}

/** A campaign with its line items and creatives. Of an existing object, absent fields stay as they are. */
export interface SaveCampaignInput {
  /** External id of the object that advertiserId names; instead of advertiserId. */
  readonly advertiserExternalId?: string | null | undefined;
  /** The advertiser; cannot change. Required for a new object. */
  readonly advertiserId?: string | null | undefined;
  /** Hard limits per day and in total. */
  readonly caps?: DeliveryCapsInput | null | undefined;
  /** People of the order outside of the network, such as "Ann Lee, ann@example.com". At most 20. */
  readonly contacts?: readonly string[] | null | undefined;
  /** Values of the custom fields of the network, by key; at most 50. The whole set is replaced. */
  readonly customFields?: unknown;
  /** End of serving, exclusive; null = open-ended. */
  readonly endsAt?: string | null | undefined;
  /** Id in your own system. */
  readonly externalId?: string | null | undefined;
  /** Limits per user; the strictest applies. At most 20. */
  readonly frequencyCaps?: readonly FrequencyCapInput[] | null | undefined;
  /** The object to change. Absent: externalId finds it; without both, or when there is none, it is created. */
  readonly id?: string | null | undefined;
  /** Your own name of the object inside this call; the payload has it beside the id. */
  readonly key?: string | null | undefined;
  /** Labels of all its line items. Caps of the network by label (`labelCaps`) count all ads that bear one. At most 10. */
  readonly labels?: readonly string[] | null | undefined;
  /** Its line items. Absent: they stay as they are. */
  readonly lineItems?: readonly SaveLineItemInput[] | null | undefined;
  /** Name. Required for a new object. */
  readonly name?: string | null | undefined;
  /** Notes for people, with line breaks; at most 2000 characters. */
  readonly notes?: string | null | undefined;
  /** Number of the order, as invoices name it. */
  readonly orderNumber?: string | null | undefined;
  /** The e-mail address of the member of the network who looks after it; null = nobody. */
  readonly owner?: string | null | undefined;
  /** The e-mail address of the member of the network who sold the order; null = nobody. */
  readonly salesperson?: string | null | undefined;
  /** Start of serving; null = at once. */
  readonly startsAt?: string | null | undefined;
  /** Status; DRAFT at first. */
  readonly status?: DeliveryStatus | null | undefined;
  /** The team that looks after it; null = none. */
  readonly teamId?: string | null | undefined;
  /** The version that was read; a newer version fails as `conflict`. Absent: no check. */
  readonly version?: number | null | undefined;
}

/** The result of saving a campaign as a whole. */
export interface SaveCampaignPayload {
  readonly __typename: 'SaveCampaignPayload';
  /** How many children archiveOthers archived. */
  readonly archivedCount: number;
  /** The campaign after the change; null when it was only validated. */
  readonly campaign: Campaign | null;
  /** The objects of the input, each parent before its children. */
  readonly objects: readonly SavedObject[];
  /** The mistakes in the input; empty when the change was made. Where it is selected, mistakes are told of here, and not in `errors`. */
  readonly userErrors: readonly UserError[];
  /** Whether only validation was requested, so that nothing was changed. */
  readonly validatedOnly: boolean;
  /** Warnings: allowed, but probably unintended. */
  readonly warnings: readonly FieldProblem[];
}

/** One creative of a campaign that is saved as a whole. */
export interface SaveCreativeInput {
  /** OpenRTB creative attributes, which publishers can block. */
  readonly attributes?: readonly number[] | null | undefined;
  /** Landing address, http or https. Required for a new object. */
  readonly clickUrl?: string | null | undefined;
  /** What is shown; its shape is the format. Required for a new object. */
  readonly content?: CreativeContentInput | null | undefined;
  /** Values of the custom fields of the network, by key; at most 50. The whole set is replaced. */
  readonly customFields?: unknown;
  /** End of serving, exclusive; null = with its line item. */
  readonly endsAt?: string | null | undefined;
  /** Id in your own system. */
  readonly externalId?: string | null | undefined;
  /** Limits per user; the strictest applies. At most 20. */
  readonly frequencyCaps?: readonly FrequencyCapInput[] | null | undefined;
  /** Height in CSS pixels; 0 × 0 fits any size (native, video). */
  readonly height?: number | null | undefined;
  /** The object to change. Absent: externalId finds it; without both, or when there is none, it is created. */
  readonly id?: string | null | undefined;
  /** Your own name of the object inside this call; the payload has it beside the id. */
  readonly key?: string | null | undefined;
  /** Labels to find it by. At most 10. */
  readonly labels?: readonly string[] | null | undefined;
  /** Language of its text, ISO 639, such as "pl". */
  readonly language?: string | null | undefined;
  /** External id of the object that masterCreativeId names; instead of masterCreativeId. */
  readonly masterCreativeExternalId?: string | null | undefined;
  /** For a companion: the creative of the same line item beside which this banner stands; null = it is shown by itself. Cannot change. */
  readonly masterCreativeId?: string | null | undefined;
  /** Key of the creative of this line item that it accompanies; instead of masterCreativeId. */
  readonly masterCreativeKey?: string | null | undefined;
  /** Name. Required for a new object. */
  readonly name?: string | null | undefined;
  /** Notes for people, with line breaks; at most 2000 characters. */
  readonly notes?: string | null | undefined;
  /** The e-mail address of the member of the network who looks after it; null = nobody. */
  readonly owner?: string | null | undefined;
  /** Why it was rejected, or a remark of the review; a new review state without one clears it. */
  readonly reviewReason?: string | null | undefined;
  /** The result of its review; only APPROVED serves. */
  readonly reviewState?: ReviewState | null | undefined;
  /** Start of serving; null = with its line item. */
  readonly startsAt?: string | null | undefined;
  /** Status; ACTIVE at first. */
  readonly status?: CreativeStatus | null | undefined;
  /** The team that looks after it; null = none. */
  readonly teamId?: string | null | undefined;
  /** Third-party tracking addresses. */
  readonly trackers?: ThirdPartyTrackersInput | null | undefined;
  /** The version that was read; a newer version fails as `conflict`. Absent: no check. */
  readonly version?: number | null | undefined;
  /** Share of the draw among its siblings. */
  readonly weight?: number | null | undefined;
  /** Width in CSS pixels; 0 × 0 fits any size (native, video). */
  readonly width?: number | null | undefined;
}

/** One line item of a campaign that is saved as a whole. */
export interface SaveLineItemInput {
  /** The product it is sold as; null = none. */
  readonly advertisingProductId?: string | null | undefined;
  /** Hard limits per day and in total. */
  readonly caps?: DeliveryCapsInput | null | undefined;
  /** Whether its companions stand beside their masters; other than NONE only with roadblock ONE. */
  readonly companionMode?: CompanionMode | null | undefined;
  /** The activities whose conversions are credited to it: they count toward its goal, and CPA pays for them. Empty = every activity. At most 50. */
  readonly countedActivities?: readonly CountedActivityInput[] | null | undefined;
  /** How one of several fitting creatives is chosen. */
  readonly creativeRotation?: CreativeRotation | null | undefined;
  /** Its creatives. Absent: they stay as they are. */
  readonly creatives?: readonly SaveCreativeInput[] | null | undefined;
  /** Values of the custom fields of the network, by key; at most 50. The whole set is replaced. */
  readonly customFields?: unknown;
  /** When in the week it serves; empty = always. At most 50. */
  readonly dayParts?: readonly DayPartInput[] | null | undefined;
  /** The deal it serves; null = open. */
  readonly dealId?: string | null | undefined;
  /** End of serving, exclusive; null = open-ended. */
  readonly endsAt?: string | null | undefined;
  /** Two ads that share a label never appear in one response. */
  readonly exclusionLabels?: readonly string[] | null | undefined;
  /** Id in your own system. */
  readonly externalId?: string | null | undefined;
  /** Limits per user; the strictest applies. At most 20. */
  readonly frequencyCaps?: readonly FrequencyCapInput[] | null | undefined;
  /** Its goal; null = none. */
  readonly goal?: GoalInput | null | undefined;
  /** The object to change. Absent: externalId finds it; without both, or when there is none, it is created. */
  readonly id?: string | null | undefined;
  /** Your own name of the object inside this call; the payload has it beside the id. */
  readonly key?: string | null | undefined;
  /** Labels of the line item. Caps of the network by label (`labelCaps`) count all ads that bear one. At most 10. */
  readonly labels?: readonly string[] | null | undefined;
  /** Rank within its tier (SPONSORSHIP, STANDARD): 1 is decided first, 16 last. */
  readonly level?: number | null | undefined;
  /** Name. Required for a new object. */
  readonly name?: string | null | undefined;
  /** Notes for people, with line breaks; at most 2000 characters. */
  readonly notes?: string | null | undefined;
  /** What it maximises: OPTIMISED rotation chooses the creative by the rate of this event, and a paced line item that has more opportunities than its goal needs chooses the ad units. null = nothing. */
  readonly optimisationGoal?: OptimisationGoal | null | undefined;
  /** The e-mail address of the member of the network who looks after it; null = nobody. */
  readonly owner?: string | null | undefined;
  /** How delivery is spread. */
  readonly pacing?: Pacing | null | undefined;
  /** Whether it stops at its goal. */
  readonly pauseAfterGoal?: boolean | null | undefined;
  /** CPM, VCPM: per thousand; CPC, CPA, CPCV: each; FLAT: per day. */
  readonly price?: string | null | undefined;
  /** Which event earns the price. */
  readonly pricingModel?: PricingModel | null | undefined;
  /** No effect: goals bid for opportunities (docs/pacing.md). Was the percentage of its goal that is spread evenly over all of its traffic. */
  readonly representativePercent?: number | null | undefined;
  /** Whether its creatives fill several slots of one request. */
  readonly roadblock?: Roadblock | null | undefined;
  /** Whether it serves to unidentified users although it has frequency caps. */
  readonly serveWithoutUser?: boolean | null | undefined;
  /** Share of voice in percent (SPONSORSHIP) or weight of the draw (HOUSE); null elsewhere. */
  readonly sharePercent?: number | null | undefined;
  /** Start of serving; null = at once. */
  readonly startsAt?: string | null | undefined;
  /** Status; DRAFT at first. */
  readonly status?: DeliveryStatus | null | undefined;
  /** Its targeting; null = all inventory and all users. */
  readonly targeting?: TargetingInput | null | undefined;
  /** The team that looks after it; null = none. */
  readonly teamId?: string | null | undefined;
  /** IANA time zone of its days and day-parts; null = the network's. */
  readonly timezone?: string | null | undefined;
  /** Its tier. Required for a new object. */
  readonly type?: LineItemType | null | undefined;
  /** The version that was read; a newer version fails as `conflict`. Absent: no check. */
  readonly version?: number | null | undefined;
}

/** What an object of a saved campaign is. */
export type SavedKind = 'Campaign' | 'Creative' | 'LineItem';

/** One object of a saved campaign. */
export interface SavedObject {
  readonly __typename: 'SavedObject';
  /** Its id; null for a new object that was only validated. */
  readonly id: string | null;
  /** Whether it is new. */
  readonly isCreated: boolean;
  /** Its key in the input. */
  readonly key: string | null;
  /** What it is. */
  readonly kind: SavedKind;
  /** Where it is in the request, such as `input.lineItems.2`. */
  readonly path: string;
}

/** An object that a search found. */
export interface SearchHit {
  readonly __typename: 'SearchHit';
  /** Its external id; of deals, sites, activities and keys, their code. */
  readonly code: string | null;
  /** Its decimal id. */
  readonly id: string;
  /** What it is. */
  readonly kind: SearchedKind;
  /** Its name. */
  readonly name: string;
  /** The name of its campaign, advertiser, line item or site. */
  readonly parentName: string | null;
  /** Its status, as its kind has it. */
  readonly status: string;
  /** Its version. */
  readonly version: number;
}

/** The kinds of objects that a search finds. */
export type SearchedKind =
  | 'ACTIVITY'
  | 'ADVERTISER'
  | 'AD_UNIT'
  | 'AREA'
  | 'CAMPAIGN'
  | 'CREATIVE'
  | 'DEAL'
  | 'FLOOR'
  | 'KEY_VALUE'
  | 'LIBRARY_CREATIVE'
  | 'LINE_ITEM'
  | 'PRODUCT'
  | 'SEGMENT'
  | 'SITE'
  | 'TARGETING_PRESET'
  | 'TEAM';

/** A named set of users. Members are uploaded to `POST /segments/<id>/members` or match a rule; only keyed hashes of their ids are stored. */
export interface Segment {
  readonly __typename: 'Segment';
  /** When it was made. */
  readonly createdAt: string;
  /** Values of the custom fields of the network, by key; at most 50. The whole set is replaced. */
  readonly customFields: unknown;
  /** Decimal id, unique in its kind, in every version of the API. */
  readonly databaseId: string;
  /** Who is in it. */
  readonly description: string;
  /** Id that is unique among all types, as `node` takes it. */
  readonly globalId: string;
  /** Its id: the decimal one, or the global one where the version of the API shows global ids. */
  readonly id: string;
  /** Whether it is archived: it does not serve. */
  readonly isArchived: boolean;
  /** Labels to find it by. At most 10. */
  readonly labels: readonly string[];
  /** How long a user stays a member, in days: from the upload (which may set another time), or from the last match of the rule. */
  readonly membershipDays: number;
  /** Name. */
  readonly name: string;
  /** Notes for people, with line breaks; at most 2000 characters. */
  readonly notes: string;
  /** The e-mail address of the member of the network who looks after it; null = nobody. */
  readonly owner: string | null;
  /** The rule that makes users members for `membershipDays` days after their last match; null = uploads only. Users who may not be profiled are left out. A changed rule starts with an empty segment. */
  readonly rule: SegmentRule | null;
  /** Approximate number of members: uploaded less removed ones (expired ones still count), plus the users who matched the rule in the last `membershipDays` days. */
  readonly sizeEstimate: number;
  /** Its size at the beginning of each of the last days, oldest first; of the day on which it was made, soon after that. Days without a size are left out. */
  readonly sizeHistory: (args?: {
    /** How many days up to today, 1…400; default 90. */
    readonly days?: number | null | undefined;
  }) => readonly SegmentSize[];
  /** Whether it is in use. */
  readonly status: Lifecycle;
  /** The team that looks after it. */
  readonly team: Team | null;
  /** The team that looks after it; null = none. */
  readonly teamId: string | null;
  /** When it was last changed. */
  readonly updatedAt: string;
  /** Who changed it last, as the audit log names them; empty: the system. */
  readonly updatedBy: string;
  /** When members were last uploaded; null = never. */
  readonly uploadedAt: string | null;
  /** Grows with every change; send it with an update to detect concurrent changes. */
  readonly version: number;
}

/** An event of an activity that was recorded. */
export interface SegmentActivity {
  readonly __typename: 'SegmentActivity';
  /** The activity, by id. */
  readonly activityId: string;
  /** Only this event of it; null = every one. */
  readonly event: string | null;
}

/** An event of an activity that was recorded. */
export interface SegmentActivityInput {
  /** The activity, by id. */
  readonly activityId: string;
  /** Only this event of it; absent = every one. */
  readonly event?: string | null | undefined;
}

/** The result of a bulk change of segments. */
export interface SegmentBulkPayload {
  readonly __typename: 'SegmentBulkPayload';
  /** How many rows were changed (0 when only validated, or all undone). */
  readonly changedCount: number;
  /** How many rows were wrong. */
  readonly failedCount: number;
  /** One result for each row, in the order of the input. */
  readonly results: readonly SegmentBulkResult[];
  /** The mistakes in all rows, and those of the call as a whole; empty when all is valid. */
  readonly userErrors: readonly UserError[];
}

/** The result of one row of a bulk change of segments. */
export interface SegmentBulkResult {
  readonly __typename: 'SegmentBulkResult';
  /** Error code of this row; null when the row is valid. */
  readonly code: UserErrorCode | null;
  /** Its index in the input, from 0. */
  readonly index: number;
  /** What to do about the error. */
  readonly message: string | null;
  /** Wrong fields of this row. */
  readonly problems: readonly FieldProblem[];
  /** The object after the change; null when this row was not changed. */
  readonly segment: Segment | null;
  /** The mistakes in this row; empty when it is valid. */
  readonly userErrors: readonly UserError[];
  /** Doubtful fields of this row. */
  readonly warnings: readonly FieldProblem[];
}

/** What makes a user a member; exactly one of its fields is set. */
export interface SegmentCondition {
  readonly __typename: 'SegmentCondition';
  /** A recorded activity. */
  readonly activity: SegmentActivity | null;
  /** A request with a key-value. */
  readonly keyValue: SegmentKeyValue | null;
}

/** What makes a user a member: set exactly one field. */
export interface SegmentConditionInput {
  /** A recorded activity. */
  readonly activity?: SegmentActivityInput | null | undefined;
  /** A request with a key-value. */
  readonly keyValue?: SegmentKeyValueInput | null | undefined;
}

/** A page of a list of segments. */
export interface SegmentConnection {
  readonly __typename: 'SegmentConnection';
  /** The objects of this page, each with its cursor. */
  readonly edges: readonly SegmentEdge[];
  /** The objects of this page, without their cursors. */
  readonly nodes: readonly Segment[];
  /** The position of this page in the list. */
  readonly pageInfo: PageInfo;
  /** How many objects match the filter, over all pages. Costs a count of its own. */
  readonly totalCount: number;
}

/** One segment in a list. */
export interface SegmentEdge {
  readonly __typename: 'SegmentEdge';
  /** Opaque position in the list, for `after` and `before`. */
  readonly cursor: string;
  /** The object. */
  readonly node: Segment;
}

/** Filters a list of segments. All given parts must match; a list means any of its values. */
export interface SegmentFilter {
  /** Only with all of these values of custom fields, such as {"region": "North"}. */
  readonly customFields?: unknown;
  /** Only these. */
  readonly ids?: readonly string[] | null | undefined;
  /** Only with one of these labels. */
  readonly labels?: readonly string[] | null | undefined;
  /** Only of these owners. */
  readonly owners?: readonly string[] | null | undefined;
  /** Only those whose name (or code, or external id) contains this text, in any case; or that have this very id. */
  readonly search?: string | null | undefined;
  /** Only with one of these statuses. */
  readonly statuses?: readonly Lifecycle[] | null | undefined;
  /** Only of these teams. */
  readonly teamIds?: readonly string[] | null | undefined;
  /** Only those changed at or after this instant. */
  readonly updatedSince?: string | null | undefined;
}

/** A request that carried a key with one of these values. */
export interface SegmentKeyValue {
  readonly __typename: 'SegmentKeyValue';
  /** The key, in lower case. */
  readonly key: string;
  /** The values, in lower case; empty = any value. */
  readonly values: readonly string[];
}

/** A request that carried a key with one of these values. */
export interface SegmentKeyValueInput {
  /** The key; letter case does not matter. */
  readonly key: string;
  /** Up to 500 values; letter case does not matter; none = any value. */
  readonly values?: readonly string[] | null | undefined;
}

/** The order of a list of segments. */
export interface SegmentOrder {
  /** The direction; default ASC. */
  readonly direction?: SortDirection | null | undefined;
  /** What to sort by. */
  readonly field: SegmentOrderField;
}

/** What a list of segments can be sorted by. Empty values are last; empty texts are first. */
export type SegmentOrderField =
  | 'CREATED_AT'
  | 'DESCRIPTION'
  | 'ID'
  | 'MEMBERSHIP_DAYS'
  | 'NAME'
  | 'NOTES'
  | 'OWNER'
  | 'STATUS'
  | 'UPDATED_AT'
  | 'UPDATED_BY'
  | 'UPLOADED_AT'
  | 'VERSION';

/** The result of a change of one segment. */
export interface SegmentPayload {
  readonly __typename: 'SegmentPayload';
  /** The object after the change; null when it was only validated. */
  readonly segment: Segment | null;
  /** The mistakes in the input; empty when the change was made. Where it is selected, mistakes are told of here, and not in `errors`. */
  readonly userErrors: readonly UserError[];
  /** Whether only validation was requested, so that nothing was changed. */
  readonly validatedOnly: boolean;
  /** Warnings: allowed, but probably unintended. */
  readonly warnings: readonly FieldProblem[];
}

/** Users who match it become members. */
export interface SegmentRule {
  readonly __typename: 'SegmentRule';
  /** Any of these is enough. */
  readonly any: readonly SegmentCondition[];
}

/** Users who match it become members. */
export interface SegmentRuleInput {
  /** 1…50 conditions; any of them is enough. */
  readonly any: readonly SegmentConditionInput[];
}

/** The size of a segment at the beginning of one day of the network’s time zone. */
export interface SegmentSize {
  readonly __typename: 'SegmentSize';
  /** The day, `YYYY-MM-DD`. */
  readonly day: string;
  /** Approximate number of members, as `sizeEstimate` counts them. */
  readonly size: number;
}

/** A filter of segments by any field, at most 100 comparisons. All that is given must hold. */
export interface SegmentWhere {
  /** All of these. */
  readonly and?: readonly SegmentWhere[] | null | undefined;
  /** When it was made. */
  readonly createdAt?: DateTimeWhere | null | undefined;
  /** Who is in it. */
  readonly description?: StringWhere | null | undefined;
  /** Its id. */
  readonly id?: IDWhere | null | undefined;
  /** Labels to find it by. At most 10. */
  readonly labels?: StringListWhere | null | undefined;
  /** How long a user stays a member, in days: from the upload (which may set another time), or from the last match of the rule. */
  readonly membershipDays?: IntWhere | null | undefined;
  /** Name. */
  readonly name?: StringWhere | null | undefined;
  /** None of this. */
  readonly not?: SegmentWhere | null | undefined;
  /** Notes for people, with line breaks; at most 2000 characters. */
  readonly notes?: StringWhere | null | undefined;
  /** One of these. */
  readonly or?: readonly SegmentWhere[] | null | undefined;
  /** The e-mail address of the member of the network who looks after it; null = nobody. */
  readonly owner?: StringWhere | null | undefined;
  /** Whether it is in use. */
  readonly status?: LifecycleWhere | null | undefined;
  /** The team that looks after it. */
  readonly team?: TeamWhere | null | undefined;
  /** The team that looks after it; null = none. */
  readonly teamId?: IDWhere | null | undefined;
  /** When it was last changed. */
  readonly updatedAt?: DateTimeWhere | null | undefined;
  /** Who changed it last. */
  readonly updatedBy?: StringWhere | null | undefined;
  /** When members were last uploaded; null = never. */
  readonly uploadedAt?: DateTimeWhere | null | undefined;
  /** Its version. */
  readonly version?: IntWhere | null | undefined;
}

/** A browser that a user is signed in with. */
export interface Session {
  readonly __typename: 'Session';
  /** When it signed in. */
  readonly createdAt: string;
  /** When it ends at the latest. */
  readonly expiresAt: string;
  /** Decimal id. */
  readonly id: string;
  /** When it was last active. */
  readonly lastSeenAt: string;
  /** Where it signed in from. */
  readonly remoteAddress: string;
  /** What the browser calls itself. */
  readonly userAgent: string;
}

/** A site of the publisher. */
export interface Site {
  readonly __typename: 'Site';
  /** Its ad units, by id. */
  readonly adUnits: (args?: {
    /** Cursor after which the page begins. */
    readonly after?: string | null | undefined;
    /** Size of the page, 1…100; default 25. */
    readonly first?: number | null | undefined;
    /** Only those that are so. */
    readonly where?: AdUnitWhere | null | undefined;
  }) => AdUnitConnection;
  /** Its areas, by id. */
  readonly areas: (args?: {
    /** Cursor after which the page begins. */
    readonly after?: string | null | undefined;
    /** Size of the page, 1…100; default 25. */
    readonly first?: number | null | undefined;
    /** Only those that are so. */
    readonly where?: AreaWhere | null | undefined;
  }) => AreaConnection;
  /** Its value of `site.id` in requests; unique in the network. */
  readonly code: string;
  /** When it was made. */
  readonly createdAt: string;
  /** Values of the custom fields of the network, by key; at most 50. The whole set is replaced. */
  readonly customFields: unknown;
  /** Decimal id, unique in its kind, in every version of the API. */
  readonly databaseId: string;
  /** Domain, such as "news.example". A domain in Unicode is stored in its form of ASCII (`xn--…`). */
  readonly domain: string;
  /** Id that is unique among all types, as `node` takes it. */
  readonly globalId: string;
  /** Its id: the decimal one, or the global one where the version of the API shows global ids. */
  readonly id: string;
  /** Whether it is archived: it does not serve. */
  readonly isArchived: boolean;
  /** Labels to find it by. At most 10. */
  readonly labels: readonly string[];
  /** Name. */
  readonly name: string;
  /** Notes for people, with line breaks; at most 2000 characters. */
  readonly notes: string;
  /** The e-mail address of the member of the network who looks after it; null = nobody. */
  readonly owner: string | null;
  /** Whether it is in use. */
  readonly status: Lifecycle;
  /** The team that looks after it. */
  readonly team: Team | null;
  /** The team that looks after it; null = none. */
  readonly teamId: string | null;
  /** When it was last changed. */
  readonly updatedAt: string;
  /** Who changed it last, as the audit log names them; empty: the system. */
  readonly updatedBy: string;
  /** Grows with every change; send it with an update to detect concurrent changes. */
  readonly version: number;
}

/** The result of a bulk change of sites. */
export interface SiteBulkPayload {
  readonly __typename: 'SiteBulkPayload';
  /** How many rows were changed (0 when only validated, or all undone). */
  readonly changedCount: number;
  /** How many rows were wrong. */
  readonly failedCount: number;
  /** One result for each row, in the order of the input. */
  readonly results: readonly SiteBulkResult[];
  /** The mistakes in all rows, and those of the call as a whole; empty when all is valid. */
  readonly userErrors: readonly UserError[];
}

/** The result of one row of a bulk change of sites. */
export interface SiteBulkResult {
  readonly __typename: 'SiteBulkResult';
  /** Error code of this row; null when the row is valid. */
  readonly code: UserErrorCode | null;
  /** Its index in the input, from 0. */
  readonly index: number;
  /** What to do about the error. */
  readonly message: string | null;
  /** Wrong fields of this row. */
  readonly problems: readonly FieldProblem[];
  /** The object after the change; null when this row was not changed. */
  readonly site: Site | null;
  /** The mistakes in this row; empty when it is valid. */
  readonly userErrors: readonly UserError[];
  /** Doubtful fields of this row. */
  readonly warnings: readonly FieldProblem[];
}

/** A page of a list of sites. */
export interface SiteConnection {
  readonly __typename: 'SiteConnection';
  /** The objects of this page, each with its cursor. */
  readonly edges: readonly SiteEdge[];
  /** The objects of this page, without their cursors. */
  readonly nodes: readonly Site[];
  /** The position of this page in the list. */
  readonly pageInfo: PageInfo;
  /** How many objects match the filter, over all pages. Costs a count of its own. */
  readonly totalCount: number;
}

/** One site in a list. */
export interface SiteEdge {
  readonly __typename: 'SiteEdge';
  /** Opaque position in the list, for `after` and `before`. */
  readonly cursor: string;
  /** The object. */
  readonly node: Site;
}

/** Filters a list of sites. All given parts must match; a list means any of its values. */
export interface SiteFilter {
  /** Only with one of these codes. */
  readonly codes?: readonly string[] | null | undefined;
  /** Only with all of these values of custom fields, such as {"region": "North"}. */
  readonly customFields?: unknown;
  /** Only of these domains. */
  readonly domains?: readonly string[] | null | undefined;
  /** Only these. */
  readonly ids?: readonly string[] | null | undefined;
  /** Only with one of these labels. */
  readonly labels?: readonly string[] | null | undefined;
  /** Only of these owners. */
  readonly owners?: readonly string[] | null | undefined;
  /** Only those whose name (or code, or external id) contains this text, in any case; or that have this very id. */
  readonly search?: string | null | undefined;
  /** Only with one of these statuses. */
  readonly statuses?: readonly Lifecycle[] | null | undefined;
  /** Only of these teams. */
  readonly teamIds?: readonly string[] | null | undefined;
  /** Only those changed at or after this instant. */
  readonly updatedSince?: string | null | undefined;
}

/** The order of a list of sites. */
export interface SiteOrder {
  /** The direction; default ASC. */
  readonly direction?: SortDirection | null | undefined;
  /** What to sort by. */
  readonly field: SiteOrderField;
}

/** What a list of sites can be sorted by. Empty values are last; empty texts are first. */
export type SiteOrderField =
  | 'CODE'
  | 'CREATED_AT'
  | 'DOMAIN'
  | 'ID'
  | 'NAME'
  | 'NOTES'
  | 'OWNER'
  | 'STATUS'
  | 'UPDATED_AT'
  | 'UPDATED_BY'
  | 'VERSION';

/** The result of a change of one site. */
export interface SitePayload {
  readonly __typename: 'SitePayload';
  /** The object after the change; null when it was only validated. */
  readonly site: Site | null;
  /** The mistakes in the input; empty when the change was made. Where it is selected, mistakes are told of here, and not in `errors`. */
  readonly userErrors: readonly UserError[];
  /** Whether only validation was requested, so that nothing was changed. */
  readonly validatedOnly: boolean;
  /** Warnings: allowed, but probably unintended. */
  readonly warnings: readonly FieldProblem[];
}

/** A filter of sites by any field, at most 100 comparisons. All that is given must hold. */
export interface SiteWhere {
  /** Its ad units, by id. */
  readonly adUnits?: AdUnitChildrenWhere | null | undefined;
  /** All of these. */
  readonly and?: readonly SiteWhere[] | null | undefined;
  /** Its areas, by id. */
  readonly areas?: AreaChildrenWhere | null | undefined;
  /** Its value of `site.id` in requests; unique in the network. */
  readonly code?: StringWhere | null | undefined;
  /** When it was made. */
  readonly createdAt?: DateTimeWhere | null | undefined;
  /** Domain, such as "news.example". A domain in Unicode is stored in its form of ASCII (`xn--…`). */
  readonly domain?: StringWhere | null | undefined;
  /** Its id. */
  readonly id?: IDWhere | null | undefined;
  /** Labels to find it by. At most 10. */
  readonly labels?: StringListWhere | null | undefined;
  /** Name. */
  readonly name?: StringWhere | null | undefined;
  /** None of this. */
  readonly not?: SiteWhere | null | undefined;
  /** Notes for people, with line breaks; at most 2000 characters. */
  readonly notes?: StringWhere | null | undefined;
  /** One of these. */
  readonly or?: readonly SiteWhere[] | null | undefined;
  /** The e-mail address of the member of the network who looks after it; null = nobody. */
  readonly owner?: StringWhere | null | undefined;
  /** Whether it is in use. */
  readonly status?: LifecycleWhere | null | undefined;
  /** The team that looks after it. */
  readonly team?: TeamWhere | null | undefined;
  /** The team that looks after it; null = none. */
  readonly teamId?: IDWhere | null | undefined;
  /** When it was last changed. */
  readonly updatedAt?: DateTimeWhere | null | undefined;
  /** Who changed it last. */
  readonly updatedBy?: StringWhere | null | undefined;
  /** Its version. */
  readonly version?: IntWhere | null | undefined;
}

/** Width and height in CSS pixels. */
export interface Size {
  readonly __typename: 'Size';
  /** Height in CSS pixels. */
  readonly height: number;
  /** Width in CSS pixels. */
  readonly width: number;
}

/** Width and height in CSS pixels. */
export interface SizeInput {
  /** Height in CSS pixels, 1…10000. */
  readonly height: number;
  /** Width in CSS pixels, 1…10000. */
  readonly width: number;
}

/** The direction of a list. */
export type SortDirection = 'ASC' | 'DESC';

/** What a list can be sorted by. Ties are broken by id. */
export type SortField = 'CREATED_AT' | 'ID' | 'NAME' | 'UPDATED_AT';

/** The order of a list. */
export interface SortInput {
  /** The direction; default ASC. */
  readonly direction?: SortDirection | null | undefined;
  /** What to sort by. */
  readonly field: SortField;
}

/** The result of splitting a line item. */
export interface SplitLineItemPayload {
  readonly __typename: 'SplitLineItemPayload';
  /** What stays of it; null when nothing was split. */
  readonly lineItem: LineItem | null;
  /** The new line item, with its status and copies of its creatives; a DRAFT while it waits for approval; null when nothing was split. */
  readonly part: LineItem | null;
  /** The mistakes in the input; empty when the change was made. Where it is selected, mistakes are told of here, and not in `errors`. */
  readonly userErrors: readonly UserError[];
}

/** Why a line item stands where it stands: the first that holds. */
export type StandingReason =
  | 'ARCHIVED'
  | 'AT_RISK'
  | 'BEHIND'
  | 'CAMPAIGN_STOPPED'
  | 'COMPLETED'
  | 'DRAFT'
  | 'FLIGHT_OVER'
  | 'NOT_BEGUN'
  | 'NO_CREATIVE'
  | 'PAUSED'
  | 'QUIET'
  | 'RESERVED'
  | 'REVIEW_PENDING'
  | 'REVIEW_REJECTED'
  | 'SERVING';

/** The unit of a storage quota. */
export type StorageUnit = 'bytes' | 'count';

/** How much of one storage quota the environment uses. */
export interface StorageUse {
  readonly __typename: 'StorageUse';
  /** The quota; more is refused as `quota_exceeded`. */
  readonly limit: number;
  /** One of assetBytes, reportBytes, segmentMembers, objects, savedViews, schedules, webhooks, bulkJobs, bulkJobBytes; errors use the same name. */
  readonly name: string;
  /** What is counted. */
  readonly title: string;
  /** Its unit. */
  readonly unit: StorageUnit;
  /** Present use. */
  readonly used: number;
}

/** Comparisons of a field; all that are given must hold. */
export interface StringListWhere {
  /** With this value among them. */
  readonly has?: string | null | undefined;
  /** With one of these values among them, at most 500. */
  readonly hasAny?: readonly string[] | null | undefined;
  /** None of this. */
  readonly not?: StringListWhere | null | undefined;
}

/** Comparisons of a field; all that are given must hold. */
export interface StringWhere {
  /** With this text in it, in any case. */
  readonly contains?: string | null | undefined;
  /** Equal to this; null: empty. */
  readonly eq?: string | null | undefined;
  /** Equal to one of these, at most 500. */
  readonly in?: readonly string[] | null | undefined;
  /** None of this. */
  readonly not?: StringWhere | null | undefined;
}

/** One node of a targeting tree; exactly one of its fields is set. */
export interface Targeting {
  readonly __typename: 'Targeting';
  /** All of these must match. */
  readonly all: readonly Targeting[] | null;
  /** One of these must match. */
  readonly any: readonly Targeting[] | null;
  /** This must not match. */
  readonly not: Targeting | null;
  /** One test. */
  readonly test: TargetingTest | null;
}

/** The dimension of a test. */
export type TargetingDimension =
  | 'AD_UNIT'
  | 'AREA'
  | 'BROWSER'
  | 'BROWSER_LANGUAGE'
  | 'CITY'
  | 'COUNTRY'
  | 'DAY_PART'
  | 'DEAL'
  | 'DEVICE_TYPE'
  | 'DOMAIN'
  | 'KEYWORD'
  | 'KEY_VALUE'
  | 'LANGUAGE'
  | 'MEDIA_TYPE'
  | 'OS'
  | 'PAGE_URL'
  | 'POSITION'
  | 'REGION'
  | 'SEGMENT'
  | 'SITE'
  | 'SIZE';

/** Comparisons of a field; all that are given must hold. */
export interface TargetingDimensionListWhere {
  /** With this value among them. */
  readonly has?: TargetingDimension | null | undefined;
  /** With one of these values among them, at most 500. */
  readonly hasAny?: readonly TargetingDimension[] | null | undefined;
  /** None of this. */
  readonly not?: TargetingDimensionListWhere | null | undefined;
}

/** One node of a targeting tree: set exactly one field. At most 500 nodes, 10 levels. */
export interface TargetingInput {
  /** All of these must match. */
  readonly all?: readonly TargetingInput[] | null | undefined;
  /** One of these must match. */
  readonly any?: readonly TargetingInput[] | null | undefined;
  /** This must not match. */
  readonly not?: TargetingInput | null | undefined;
  /** One test. */
  readonly test?: TargetingTestInput | null | undefined;
}

/** How a test compares. */
export type TargetingOperator = 'BEGINS_WITH' | 'CONTAINS' | 'IS' | 'IS_NOT';

/** A targeting under a name, to copy into line items. A later change of it changes no line item. */
export interface TargetingPreset {
  readonly __typename: 'TargetingPreset';
  /** When it was made. */
  readonly createdAt: string;
  /** Decimal id, unique in its kind, in every version of the API. */
  readonly databaseId: string;
  /** The purpose of the preset. */
  readonly description: string;
  /** Id that is unique among all types, as `node` takes it. */
  readonly globalId: string;
  /** Its id: the decimal one, or the global one where the version of the API shows global ids. */
  readonly id: string;
  /** Whether it is archived: it does not serve. */
  readonly isArchived: boolean;
  /** Name. */
  readonly name: string;
  /** Whether it is in use. */
  readonly status: Lifecycle;
  /** The targeting. */
  readonly targeting: Targeting | null;
  /** When it was last changed. */
  readonly updatedAt: string;
  /** Who changed it last, as the audit log names them; empty: the system. */
  readonly updatedBy: string;
  /** Grows with every change; send it with an update to detect concurrent changes. */
  readonly version: number;
}

/** The result of a bulk change of targeting presets. */
export interface TargetingPresetBulkPayload {
  readonly __typename: 'TargetingPresetBulkPayload';
  /** How many rows were changed (0 when only validated, or all undone). */
  readonly changedCount: number;
  /** How many rows were wrong. */
  readonly failedCount: number;
  /** One result for each row, in the order of the input. */
  readonly results: readonly TargetingPresetBulkResult[];
  /** The mistakes in all rows, and those of the call as a whole; empty when all is valid. */
  readonly userErrors: readonly UserError[];
}

/** The result of one row of a bulk change of targeting presets. */
export interface TargetingPresetBulkResult {
  readonly __typename: 'TargetingPresetBulkResult';
  /** Error code of this row; null when the row is valid. */
  readonly code: UserErrorCode | null;
  /** Its index in the input, from 0. */
  readonly index: number;
  /** What to do about the error. */
  readonly message: string | null;
  /** Wrong fields of this row. */
  readonly problems: readonly FieldProblem[];
  /** The object after the change; null when this row was not changed. */
  readonly targetingPreset: TargetingPreset | null;
  /** The mistakes in this row; empty when it is valid. */
  readonly userErrors: readonly UserError[];
  /** Doubtful fields of this row. */
  readonly warnings: readonly FieldProblem[];
}

/** A page of a list of targeting presets. */
export interface TargetingPresetConnection {
  readonly __typename: 'TargetingPresetConnection';
  /** The objects of this page, each with its cursor. */
  readonly edges: readonly TargetingPresetEdge[];
  /** The objects of this page, without their cursors. */
  readonly nodes: readonly TargetingPreset[];
  /** The position of this page in the list. */
  readonly pageInfo: PageInfo;
  /** How many objects match the filter, over all pages. Costs a count of its own. */
  readonly totalCount: number;
}

/** One targeting preset in a list. */
export interface TargetingPresetEdge {
  readonly __typename: 'TargetingPresetEdge';
  /** Opaque position in the list, for `after` and `before`. */
  readonly cursor: string;
  /** The object. */
  readonly node: TargetingPreset;
}

/** Filters a list of targeting presets. All given parts must match; a list means any of its values. */
export interface TargetingPresetFilter {
  /** Only these. */
  readonly ids?: readonly string[] | null | undefined;
  /** Only those whose name (or code, or external id) contains this text, in any case; or that have this very id. */
  readonly search?: string | null | undefined;
  /** Only with one of these statuses. */
  readonly statuses?: readonly Lifecycle[] | null | undefined;
  /** Only those changed at or after this instant. */
  readonly updatedSince?: string | null | undefined;
}

/** The order of a list of targeting presets. */
export interface TargetingPresetOrder {
  /** The direction; default ASC. */
  readonly direction?: SortDirection | null | undefined;
  /** What to sort by. */
  readonly field: TargetingPresetOrderField;
}

/** What a list of targeting presets can be sorted by. Empty values are last; empty texts are first. */
export type TargetingPresetOrderField =
  | 'CREATED_AT'
  | 'DESCRIPTION'
  | 'ID'
  | 'NAME'
  | 'STATUS'
  | 'UPDATED_AT'
  | 'UPDATED_BY'
  | 'VERSION';

/** The result of a change of one targeting preset. */
export interface TargetingPresetPayload {
  readonly __typename: 'TargetingPresetPayload';
  /** The object after the change; null when it was only validated. */
  readonly targetingPreset: TargetingPreset | null;
  /** The mistakes in the input; empty when the change was made. Where it is selected, mistakes are told of here, and not in `errors`. */
  readonly userErrors: readonly UserError[];
  /** Whether only validation was requested, so that nothing was changed. */
  readonly validatedOnly: boolean;
  /** Warnings: allowed, but probably unintended. */
  readonly warnings: readonly FieldProblem[];
}

/** A filter of targeting presets by any field, at most 100 comparisons. All that is given must hold. */
export interface TargetingPresetWhere {
  /** All of these. */
  readonly and?: readonly TargetingPresetWhere[] | null | undefined;
  /** When it was made. */
  readonly createdAt?: DateTimeWhere | null | undefined;
  /** The purpose of the preset. */
  readonly description?: StringWhere | null | undefined;
  /** Its id. */
  readonly id?: IDWhere | null | undefined;
  /** Name. */
  readonly name?: StringWhere | null | undefined;
  /** None of this. */
  readonly not?: TargetingPresetWhere | null | undefined;
  /** One of these. */
  readonly or?: readonly TargetingPresetWhere[] | null | undefined;
  /** Whether it is in use. */
  readonly status?: LifecycleWhere | null | undefined;
  /** When it was last changed. */
  readonly updatedAt?: DateTimeWhere | null | undefined;
  /** Who changed it last. */
  readonly updatedBy?: StringWhere | null | undefined;
  /** Its version. */
  readonly version?: IntWhere | null | undefined;
}

/** One test on one dimension. */
export interface TargetingTest {
  readonly __typename: 'TargetingTest';
  /** The dimension. */
  readonly dimension: TargetingDimension;
  /** The key, for KEY_VALUE. */
  readonly key: string | null;
  /** How it compares. */
  readonly operator: TargetingOperator;
  /** The values. */
  readonly values: readonly string[];
}

/** One test on one dimension. */
export interface TargetingTestInput {
  /** The dimension. */
  readonly dimension: TargetingDimension;
  /** The key, for KEY_VALUE only. */
  readonly key?: string | null | undefined;
  /** How it compares; default IS. */
  readonly operator?: TargetingOperator | null | undefined;
  /** 1…1000 values; any of them is enough. */
  readonly values: readonly string[];
}

/** People who look after objects together. It gives no permissions. */
export interface Team {
  readonly __typename: 'Team';
  /** When it was made. */
  readonly createdAt: string;
  /** Decimal id, unique in its kind, in every version of the API. */
  readonly databaseId: string;
  /** What it looks after. */
  readonly description: string;
  /** Id that is unique among all types, as `node` takes it. */
  readonly globalId: string;
  /** Its id: the decimal one, or the global one where the version of the API shows global ids. */
  readonly id: string;
  /** Whether it is archived: it does not serve. */
  readonly isArchived: boolean;
  /** E-mail addresses of its people. */
  readonly members: readonly string[];
  /** Name. */
  readonly name: string;
  /** Whether it is in use. */
  readonly status: Lifecycle;
  /** When it was last changed. */
  readonly updatedAt: string;
  /** Who changed it last, as the audit log names them; empty: the system. */
  readonly updatedBy: string;
  /** Grows with every change; send it with an update to detect concurrent changes. */
  readonly version: number;
}

/** The result of a bulk change of teams. */
export interface TeamBulkPayload {
  readonly __typename: 'TeamBulkPayload';
  /** How many rows were changed (0 when only validated, or all undone). */
  readonly changedCount: number;
  /** How many rows were wrong. */
  readonly failedCount: number;
  /** One result for each row, in the order of the input. */
  readonly results: readonly TeamBulkResult[];
  /** The mistakes in all rows, and those of the call as a whole; empty when all is valid. */
  readonly userErrors: readonly UserError[];
}

/** The result of one row of a bulk change of teams. */
export interface TeamBulkResult {
  readonly __typename: 'TeamBulkResult';
  /** Error code of this row; null when the row is valid. */
  readonly code: UserErrorCode | null;
  /** Its index in the input, from 0. */
  readonly index: number;
  /** What to do about the error. */
  readonly message: string | null;
  /** Wrong fields of this row. */
  readonly problems: readonly FieldProblem[];
  /** The object after the change; null when this row was not changed. */
  readonly team: Team | null;
  /** The mistakes in this row; empty when it is valid. */
  readonly userErrors: readonly UserError[];
  /** Doubtful fields of this row. */
  readonly warnings: readonly FieldProblem[];
}

/** A page of a list of teams. */
export interface TeamConnection {
  readonly __typename: 'TeamConnection';
  /** The objects of this page, each with its cursor. */
  readonly edges: readonly TeamEdge[];
  /** The objects of this page, without their cursors. */
  readonly nodes: readonly Team[];
  /** The position of this page in the list. */
  readonly pageInfo: PageInfo;
  /** How many objects match the filter, over all pages. Costs a count of its own. */
  readonly totalCount: number;
}

/** One team in a list. */
export interface TeamEdge {
  readonly __typename: 'TeamEdge';
  /** Opaque position in the list, for `after` and `before`. */
  readonly cursor: string;
  /** The object. */
  readonly node: Team;
}

/** Filters a list of teams. All given parts must match; a list means any of its values. */
export interface TeamFilter {
  /** Only these. */
  readonly ids?: readonly string[] | null | undefined;
  /** Only those whose name (or code, or external id) contains this text, in any case; or that have this very id. */
  readonly search?: string | null | undefined;
  /** Only with one of these statuses. */
  readonly statuses?: readonly Lifecycle[] | null | undefined;
  /** Only those changed at or after this instant. */
  readonly updatedSince?: string | null | undefined;
}

/** A member of the network, as other members see them. */
export interface TeamMember {
  readonly __typename: 'TeamMember';
  /** E-mail address, as `owner` of an object has it. */
  readonly email: string;
  /** Id of the account. */
  readonly id: string;
  /** Name. */
  readonly name: string;
}

/** The order of a list of teams. */
export interface TeamOrder {
  /** The direction; default ASC. */
  readonly direction?: SortDirection | null | undefined;
  /** What to sort by. */
  readonly field: TeamOrderField;
}

/** What a list of teams can be sorted by. Empty values are last; empty texts are first. */
export type TeamOrderField =
  | 'CREATED_AT'
  | 'DESCRIPTION'
  | 'ID'
  | 'NAME'
  | 'STATUS'
  | 'UPDATED_AT'
  | 'UPDATED_BY'
  | 'VERSION';

/** The result of a change of one team. */
export interface TeamPayload {
  readonly __typename: 'TeamPayload';
  /** The object after the change; null when it was only validated. */
  readonly team: Team | null;
  /** The mistakes in the input; empty when the change was made. Where it is selected, mistakes are told of here, and not in `errors`. */
  readonly userErrors: readonly UserError[];
  /** Whether only validation was requested, so that nothing was changed. */
  readonly validatedOnly: boolean;
  /** Warnings: allowed, but probably unintended. */
  readonly warnings: readonly FieldProblem[];
}

/** A filter of teams by any field, at most 100 comparisons. All that is given must hold. */
export interface TeamWhere {
  /** All of these. */
  readonly and?: readonly TeamWhere[] | null | undefined;
  /** When it was made. */
  readonly createdAt?: DateTimeWhere | null | undefined;
  /** What it looks after. */
  readonly description?: StringWhere | null | undefined;
  /** Its id. */
  readonly id?: IDWhere | null | undefined;
  /** E-mail addresses of its people. */
  readonly members?: StringListWhere | null | undefined;
  /** Name. */
  readonly name?: StringWhere | null | undefined;
  /** None of this. */
  readonly not?: TeamWhere | null | undefined;
  /** One of these. */
  readonly or?: readonly TeamWhere[] | null | undefined;
  /** Whether it is in use. */
  readonly status?: LifecycleWhere | null | undefined;
  /** When it was last changed. */
  readonly updatedAt?: DateTimeWhere | null | undefined;
  /** Who changed it last. */
  readonly updatedBy?: StringWhere | null | undefined;
  /** Its version. */
  readonly version?: IntWhere | null | undefined;
}

/** The result of testing a webhook. */
export interface TestWebhookPayload {
  readonly __typename: 'TestWebhookPayload';
  /** The message; its state shows the result. */
  readonly delivery: WebhookDelivery | null;
  /** The mistakes in the input; empty when the change was made. Where it is selected, mistakes are told of here, and not in `errors`. */
  readonly userErrors: readonly UserError[];
}

/** Third-party tracking addresses. */
export interface ThirdPartyTrackers {
  readonly __typename: 'ThirdPartyTrackers';
  /** Called at a click. */
  readonly clickUrls: readonly string[];
  /** Called at an impression. */
  readonly impressionUrls: readonly string[];
  /** Called when the ad was viewable. */
  readonly viewableUrls: readonly string[];
}

/** Third-party tracking addresses; https only. The whole set is replaced. */
export interface ThirdPartyTrackersInput {
  /** Called at a click. At most 10. */
  readonly clickUrls?: readonly string[] | null | undefined;
  /** Called at an impression. At most 10. */
  readonly impressionUrls?: readonly string[] | null | undefined;
  /** Called when the ad was viewable. At most 10. */
  readonly viewableUrls?: readonly string[] | null | undefined;
}

/** One row of a bulk update of activities. */
export interface UpdateActivityEntry {
  /** Its decimal id. */
  readonly id: string;
  /** The fields to change. */
  readonly input: UpdateActivityInput;
  /** The version that was read; a newer version fails as `conflict`. Absent: no check. */
  readonly version?: number | null | undefined;
}

/** The fields to change of one activity. Absent: unchanged. null: cleared, where a field may be empty. */
export interface UpdateActivityInput {
  /** Whether pages may send its events without a key, to `GET /<network>/activity`. Anybody can then send them: do not bill by such events alone. */
  readonly acceptsPixel?: boolean | null | undefined;
  /** The advertiser: only clicks and impressions of its ads are credited. null = the last click or impression of any advertiser. */
  readonly advertiserId?: string | null | undefined;
  /** How long after a click it is credited; up to 90 days. */
  readonly clickWindowSeconds?: number | null | undefined;
  /** Values of the custom fields of the network, by key; at most 50. The whole set is replaced. */
  readonly customFields?: unknown;
  /** Labels to find it by. At most 10. */
  readonly labels?: readonly string[] | null | undefined;
  /** Name. */
  readonly name?: string | null | undefined;
  /** Notes for people, with line breaks; at most 2000 characters. */
  readonly notes?: string | null | undefined;
  /** The e-mail address of the member of the network who looks after it; null = nobody. */
  readonly owner?: string | null | undefined;
  /** Without an order reference, a second event of a user within this time does not count; up to 30 days. */
  readonly repeatIntervalSeconds?: number | null | undefined;
  /** Whether it is in use. */
  readonly status?: Lifecycle | null | undefined;
  /** The team that looks after it; null = none. */
  readonly teamId?: string | null | undefined;
  /** How long after an impression it is credited when there was no click; up to 30 days. */
  readonly viewWindowSeconds?: number | null | undefined;
}

/** One row of a bulk update of ad units. */
export interface UpdateAdUnitEntry {
  /** Its decimal id. */
  readonly id: string;
  /** The fields to change. */
  readonly input: UpdateAdUnitInput;
  /** The version that was read; a newer version fails as `conflict`. Absent: no check. */
  readonly version?: number | null | undefined;
}

/** The fields to change of one ad unit. Absent: unchanged. null: cleared, where a field may be empty. */
export interface UpdateAdUnitInput {
  /** Its area; null = the site as a whole. */
  readonly areaId?: string | null | undefined;
  /** Values of the custom fields of the network, by key; at most 50. The whole set is replaced. */
  readonly customFields?: unknown;
  /** Lowest CPM; 0 = none. */
  readonly floor?: string | null | undefined;
  /** Labels to find it by. At most 10. */
  readonly labels?: readonly string[] | null | undefined;
  /** What it can show. */
  readonly mediaTypes?: readonly MediaType[] | null | undefined;
  /** Its code in requests; unique in the network. */
  readonly name?: string | null | undefined;
  /** Notes for people, with line breaks; at most 2000 characters. */
  readonly notes?: string | null | undefined;
  /** The e-mail address of the member of the network who looks after it; null = nobody. */
  readonly owner?: string | null | undefined;
  /** The sizes it takes, at most 50; empty = as the request says. */
  readonly sizes?: readonly SizeInput[] | null | undefined;
  /** Whether it is in use. */
  readonly status?: Lifecycle | null | undefined;
  /** The team that looks after it; null = none. */
  readonly teamId?: string | null | undefined;
}

/** One row of a bulk update of advertisers. */
export interface UpdateAdvertiserEntry {
  /** Its decimal id. */
  readonly id: string;
  /** The fields to change. */
  readonly input: UpdateAdvertiserInput;
  /** The version that was read; a newer version fails as `conflict`. Absent: no check. */
  readonly version?: number | null | undefined;
}

/** The fields to change of one advertiser. Absent: unchanged. null: cleared, where a field may be empty. */
export interface UpdateAdvertiserInput {
  /** IAB content categories, such as "IAB2-3". */
  readonly categories?: readonly string[] | null | undefined;
  /** The total budget; null = no limit. */
  readonly credit?: string | null | undefined;
  /** Values of the custom fields of the network, by key; at most 50. The whole set is replaced. */
  readonly customFields?: unknown;
  /** Domains that its ads lead to, as `adomain` in bids. Domains in Unicode are stored in their form of ASCII (`xn--…`). */
  readonly domains?: readonly string[] | null | undefined;
  /** On whose behalf its ads are shown (DSA); at most 100 characters. */
  readonly dsaBehalf?: string | null | undefined;
  /** Who pays for them (DSA); at most 100 characters. */
  readonly dsaPaid?: string | null | undefined;
  /** Two ads that share a label never appear in one response. */
  readonly exclusionLabels?: readonly string[] | null | undefined;
  /** Id in your own system. */
  readonly externalId?: string | null | undefined;
  /** Limits per user; the strictest applies. At most 20. */
  readonly frequencyCaps?: readonly FrequencyCapInput[] | null | undefined;
  /** Labels of all its line items. Caps of the network by label (`labelCaps`) count all ads that bear one. At most 10. */
  readonly labels?: readonly string[] | null | undefined;
  /** Name. */
  readonly name?: string | null | undefined;
  /** Notes for people, with line breaks; at most 2000 characters. */
  readonly notes?: string | null | undefined;
  /** The e-mail address of the member of the network who looks after it; null = nobody. */
  readonly owner?: string | null | undefined;
  /** Whether it is in use; none of its campaigns serves while ARCHIVED. */
  readonly status?: Lifecycle | null | undefined;
  /** The team that looks after it; null = none. */
  readonly teamId?: string | null | undefined;
}

/** One row of a bulk update of advertising products. */
export interface UpdateAdvertisingProductEntry {
  /** Its decimal id. */
  readonly id: string;
  /** The fields to change. */
  readonly input: UpdateAdvertisingProductInput;
  /** The version that was read; a newer version fails as `conflict`. Absent: no check. */
  readonly version?: number | null | undefined;
}

/** The fields to change of one advertising product. Absent: unchanged. null: cleared, where a field may be empty. */
export interface UpdateAdvertisingProductInput {
  /** The dimensions of targeting that a buyer may add; empty = none. */
  readonly buyerDimensions?: readonly TargetingDimension[] | null | undefined;
  /** Days from a cancellation to its effect. */
  readonly cancellationNoticeDays?: number | null | undefined;
  /** The media channels that it is sold in. */
  readonly channels?: readonly Channel[] | null | undefined;
  /** What its creatives have to be like; null = nothing besides its formats. */
  readonly creativePolicy?: CreativePolicyInput | null | undefined;
  /** Values of the custom fields of the network, by key; at most 50. The whole set is replaced. */
  readonly customFields?: unknown;
  /** Whether it promises an amount; default: NON_GUARANTEED. */
  readonly delivery?: ProductDelivery | null | undefined;
  /** What buyers get. */
  readonly description?: string | null | undefined;
  /** The formats that its creatives may have; empty = all that the inventory shows. At most 20. */
  readonly formats?: readonly ProductFormatInput[] | null | undefined;
  /** Labels to find it by. At most 10. */
  readonly labels?: readonly string[] | null | undefined;
  /** Hours from a booking to its earliest start. */
  readonly leadTimeHours?: number | null | undefined;
  /** Longest flight of a booking in days; null = none. */
  readonly maximumDays?: number | null | undefined;
  /** How its delivery is measured; null = not agreed. */
  readonly measurement?: ProductMeasurementInput | null | undefined;
  /** Shortest flight of a booking in days; null = none. */
  readonly minimumDays?: number | null | undefined;
  /** The lowest budget of a booking; null = none. */
  readonly minimumSpend?: string | null | undefined;
  /** Name. */
  readonly name?: string | null | undefined;
  /** Notes for people, with line breaks; at most 2000 characters. */
  readonly notes?: string | null | undefined;
  /** The advertisers whose keys of buyers see it, by id; empty = all. At most 1000. */
  readonly offeredAdvertiserIds?: readonly string[] | null | undefined;
  /** Whether keys of buyers, such as their agents', see it and may book it. */
  readonly offeredToBuyers?: boolean | null | undefined;
  /** The e-mail address of the member of the network who looks after it; null = nobody. */
  readonly owner?: string | null | undefined;
  /** The ways to pay for it; empty = it has no price yet. The whole list is replaced. At most 100. */
  readonly priceOptions?: readonly PriceOptionInput[] | null | undefined;
  /** Whether it is in use. */
  readonly status?: Lifecycle | null | undefined;
  /** Its inventory and audiences; null = all inventory and all users. */
  readonly targeting?: TargetingInput | null | undefined;
  /** The team that looks after it; null = none. */
  readonly teamId?: string | null | undefined;
}

/** One row of a bulk update of areas. */
export interface UpdateAreaEntry {
  /** Its decimal id. */
  readonly id: string;
  /** The fields to change. */
  readonly input: UpdateAreaInput;
  /** The version that was read; a newer version fails as `conflict`. Absent: no check. */
  readonly version?: number | null | undefined;
}

/** The fields to change of one area. Absent: unchanged. null: cleared, where a field may be empty. */
export interface UpdateAreaInput {
  /** Its value of `site.ext.area` in requests; unique in its site. */
  readonly code?: string | null | undefined;
  /** Values of the custom fields of the network, by key; at most 50. The whole set is replaced. */
  readonly customFields?: unknown;
  /** Labels to find it by. At most 10. */
  readonly labels?: readonly string[] | null | undefined;
  /** Name. */
  readonly name?: string | null | undefined;
  /** Notes for people, with line breaks; at most 2000 characters. */
  readonly notes?: string | null | undefined;
  /** The e-mail address of the member of the network who looks after it; null = nobody. */
  readonly owner?: string | null | undefined;
  /** Whether it is in use. */
  readonly status?: Lifecycle | null | undefined;
  /** The team that looks after it; null = none. */
  readonly teamId?: string | null | undefined;
}

/** One row of a bulk update of campaigns. */
export interface UpdateCampaignEntry {
  /** Its decimal id. */
  readonly id: string;
  /** The fields to change. */
  readonly input: UpdateCampaignInput;
  /** The version that was read; a newer version fails as `conflict`. Absent: no check. */
  readonly version?: number | null | undefined;
}

/** The fields to change of one campaign. Absent: unchanged. null: cleared, where a field may be empty. */
export interface UpdateCampaignInput {
  /** Hard limits per day and in total. */
  readonly caps?: DeliveryCapsInput | null | undefined;
  /** People of the order outside of the network, such as "Ann Lee, ann@example.com". At most 20. */
  readonly contacts?: readonly string[] | null | undefined;
  /** Values of the custom fields of the network, by key; at most 50. The whole set is replaced. */
  readonly customFields?: unknown;
  /** End of serving, exclusive; null = open-ended. */
  readonly endsAt?: string | null | undefined;
  /** Id in your own system. */
  readonly externalId?: string | null | undefined;
  /** Limits per user; the strictest applies. At most 20. */
  readonly frequencyCaps?: readonly FrequencyCapInput[] | null | undefined;
  /** Labels of all its line items. Caps of the network by label (`labelCaps`) count all ads that bear one. At most 10. */
  readonly labels?: readonly string[] | null | undefined;
  /** Name. */
  readonly name?: string | null | undefined;
  /** Notes for people, with line breaks; at most 2000 characters. */
  readonly notes?: string | null | undefined;
  /** Number of the order, as invoices name it. */
  readonly orderNumber?: string | null | undefined;
  /** The e-mail address of the member of the network who looks after it; null = nobody. */
  readonly owner?: string | null | undefined;
  /** The e-mail address of the member of the network who sold the order; null = nobody. */
  readonly salesperson?: string | null | undefined;
  /** Start of serving; null = at once. */
  readonly startsAt?: string | null | undefined;
  /** Status; DRAFT at first. */
  readonly status?: DeliveryStatus | null | undefined;
  /** The team that looks after it; null = none. */
  readonly teamId?: string | null | undefined;
}

/** One row of a bulk update of creatives. */
export interface UpdateCreativeEntry {
  /** Its decimal id. */
  readonly id: string;
  /** The fields to change. */
  readonly input: UpdateCreativeInput;
  /** The version that was read; a newer version fails as `conflict`. Absent: no check. */
  readonly version?: number | null | undefined;
}

/** The fields to change of one creative. Absent: unchanged. null: cleared, where a field may be empty. */
export interface UpdateCreativeInput {
  /** OpenRTB creative attributes, which publishers can block. */
  readonly attributes?: readonly number[] | null | undefined;
  /** Landing address, http or https. */
  readonly clickUrl?: string | null | undefined;
  /** What is shown; its shape is the format. */
  readonly content?: CreativeContentInput | null | undefined;
  /** Values of the custom fields of the network, by key; at most 50. The whole set is replaced. */
  readonly customFields?: unknown;
  /** End of serving, exclusive; null = with its line item. */
  readonly endsAt?: string | null | undefined;
  /** Id in your own system. */
  readonly externalId?: string | null | undefined;
  /** Limits per user; the strictest applies. At most 20. */
  readonly frequencyCaps?: readonly FrequencyCapInput[] | null | undefined;
  /** Height in CSS pixels; 0 × 0 fits any size (native, video). */
  readonly height?: number | null | undefined;
  /** Labels to find it by. At most 10. */
  readonly labels?: readonly string[] | null | undefined;
  /** Language of its text, ISO 639, such as "pl". */
  readonly language?: string | null | undefined;
  /** Name. */
  readonly name?: string | null | undefined;
  /** Notes for people, with line breaks; at most 2000 characters. */
  readonly notes?: string | null | undefined;
  /** The e-mail address of the member of the network who looks after it; null = nobody. */
  readonly owner?: string | null | undefined;
  /** Why it was rejected, or a remark of the review; a new review state without one clears it. */
  readonly reviewReason?: string | null | undefined;
  /** The result of its review; only APPROVED serves. */
  readonly reviewState?: ReviewState | null | undefined;
  /** Start of serving; null = with its line item. */
  readonly startsAt?: string | null | undefined;
  /** Status; ACTIVE at first. */
  readonly status?: CreativeStatus | null | undefined;
  /** The team that looks after it; null = none. */
  readonly teamId?: string | null | undefined;
  /** Third-party tracking addresses. */
  readonly trackers?: ThirdPartyTrackersInput | null | undefined;
  /** Share of the draw among its siblings. */
  readonly weight?: number | null | undefined;
  /** Width in CSS pixels; 0 × 0 fits any size (native, video). */
  readonly width?: number | null | undefined;
}

/** One row of a bulk update of custom fields. */
export interface UpdateCustomFieldEntry {
  /** Its decimal id. */
  readonly id: string;
  /** The fields to change. */
  readonly input: UpdateCustomFieldInput;
  /** The version that was read; a newer version fails as `conflict`. Absent: no check. */
  readonly version?: number | null | undefined;
}

/** The fields to change of one custom field. Absent: unchanged. null: cleared, where a field may be empty. */
export interface UpdateCustomFieldInput {
  /** The values to choose from, for CHOICE. */
  readonly choices?: readonly string[] | null | undefined;
  /** What it means. */
  readonly description?: string | null | undefined;
  /** The kinds of objects that have it, among advertiser, advertisingProduct, deal, site, area, adUnit, floor, activity, keyValue, segment, campaign, lineItem, creative, libraryCreative, experiment; empty = all. */
  readonly kinds?: readonly string[] | null | undefined;
  /** Name for people. */
  readonly name?: string | null | undefined;
  /** Whether it is in use. */
  readonly status?: Lifecycle | null | undefined;
}

/** One row of a bulk update of deals. */
export interface UpdateDealEntry {
  /** Its decimal id. */
  readonly id: string;
  /** The fields to change. */
  readonly input: UpdateDealInput;
  /** The version that was read; a newer version fails as `conflict`. Absent: no check. */
  readonly version?: number | null | undefined;
}

/** The fields to change of one deal. Absent: unchanged. null: cleared, where a field may be empty. */
export interface UpdateDealInput {
  /** Its code in bid requests and responses, unique in the network. */
  readonly code?: string | null | undefined;
  /** Values of the custom fields of the network, by key; at most 50. The whole set is replaced. */
  readonly customFields?: unknown;
  /** Fixed CPM; null = the line item's price. */
  readonly fixedPrice?: string | null | undefined;
  /** Lowest CPM; 0 = none. */
  readonly floor?: string | null | undefined;
  /** The kind of agreement; default: PRIVATE. */
  readonly kind?: DealKind | null | undefined;
  /** Labels to find it by. At most 10. */
  readonly labels?: readonly string[] | null | undefined;
  /** Name. */
  readonly name?: string | null | undefined;
  /** Notes for people, with line breaks; at most 2000 characters. */
  readonly notes?: string | null | undefined;
  /** The e-mail address of the member of the network who looks after it; null = nobody. */
  readonly owner?: string | null | undefined;
  /** Buyers that may use it; empty = all. */
  readonly seats?: readonly string[] | null | undefined;
  /** Whether it is in use. */
  readonly status?: Lifecycle | null | undefined;
  /** The team that looks after it; null = none. */
  readonly teamId?: string | null | undefined;
}

/** One row of a bulk update of experiments. */
export interface UpdateExperimentEntry {
  /** Its decimal id. */
  readonly id: string;
  /** The fields to change. */
  readonly input: UpdateExperimentInput;
  /** The version that was read; a newer version fails as `conflict`. Absent: no check. */
  readonly version?: number | null | undefined;
}

/** The fields to change of one experiment. Absent: unchanged. null: cleared, where a field may be empty. */
export interface UpdateExperimentInput {
  /** When it ends, at most 366 days after it begins. The present instant stops it. It is fixed once the experiment has ended. */
  readonly endsAt?: string | null | undefined;
  /** Name. */
  readonly name?: string | null | undefined;
  /** The share of users, and of requests without a user, that the rule decides, in percent: 1…50. It is fixed once the experiment has begun. */
  readonly sharePercent?: number | null | undefined;
  /** When it begins. It is fixed once the experiment has begun. */
  readonly startsAt?: string | null | undefined;
  /** Whether it is kept in lists. Archiving ends it. */
  readonly status?: Lifecycle | null | undefined;
}

/** One row of a bulk update of floors. */
export interface UpdateFloorEntry {
  /** Its decimal id. */
  readonly id: string;
  /** The fields to change. */
  readonly input: UpdateFloorInput;
  /** The version that was read; a newer version fails as `conflict`. Absent: no check. */
  readonly version?: number | null | undefined;
}

/** The fields to change of one floor. Absent: unchanged. null: cleared, where a field may be empty. */
export interface UpdateFloorInput {
  /** Only in this ad unit. */
  readonly adUnitId?: string | null | undefined;
  /** Only in this area. */
  readonly areaId?: string | null | undefined;
  /** Only for users in these countries, ISO 3166 alpha-2; empty = any. An unknown country matches no listed one. */
  readonly countries?: readonly string[] | null | undefined;
  /** Values of the custom fields of the network, by key; at most 50. The whole set is replaced. */
  readonly customFields?: unknown;
  /** Only for line items of this deal. Without one, it does not apply to what is bid under a deal that the request offers: deals have floors of their own. */
  readonly dealId?: string | null | undefined;
  /** Lowest CPM. */
  readonly floor?: string | null | undefined;
  /** Labels to find it by. At most 10. */
  readonly labels?: readonly string[] | null | undefined;
  /** Only for these kinds of ads; empty = any. */
  readonly mediaTypes?: readonly MediaType[] | null | undefined;
  /** Name. */
  readonly name?: string | null | undefined;
  /** Notes for people, with line breaks; at most 2000 characters. */
  readonly notes?: string | null | undefined;
  /** The e-mail address of the member of the network who looks after it; null = nobody. */
  readonly owner?: string | null | undefined;
  /** The higher goes first. */
  readonly priority?: number | null | undefined;
  /** Only on this site. */
  readonly siteId?: string | null | undefined;
  /** Only for ads of these sizes, at most 50; empty = any. */
  readonly sizes?: readonly SizeInput[] | null | undefined;
  /** Whether it is in use. */
  readonly status?: Lifecycle | null | undefined;
  /** The team that looks after it; null = none. */
  readonly teamId?: string | null | undefined;
}

/** One row of a bulk update of key-values. */
export interface UpdateKeyValueEntry {
  /** Its decimal id. */
  readonly id: string;
  /** The fields to change. */
  readonly input: UpdateKeyValueInput;
  /** The version that was read; a newer version fails as `conflict`. Absent: no check. */
  readonly version?: number | null | undefined;
}

/** The fields to change of one key-value. Absent: unchanged. null: cleared, where a field may be empty. */
export interface UpdateKeyValueInput {
  /** Values of the custom fields of the network, by key; at most 50. The whole set is replaced. */
  readonly customFields?: unknown;
  /** What it means. */
  readonly description?: string | null | undefined;
  /** Labels to find it by. At most 10. */
  readonly labels?: readonly string[] | null | undefined;
  /** Name for people. */
  readonly name?: string | null | undefined;
  /** Notes for people, with line breaks; at most 2000 characters. */
  readonly notes?: string | null | undefined;
  /** The e-mail address of the member of the network who looks after it; null = nobody. */
  readonly owner?: string | null | undefined;
  /** Whether reports list its values separately, in a dimension `kv_<key>`; this holds for events after it is set. At most 10 keys of a network; archived ones count, because reports still cover their past. */
  readonly reportable?: boolean | null | undefined;
  /** Whether it is in use. */
  readonly status?: Lifecycle | null | undefined;
  /** The team that looks after it; null = none. */
  readonly teamId?: string | null | undefined;
  /** Known values, to choose from; requests may carry others. */
  readonly values?: readonly string[] | null | undefined;
}

/** One row of a bulk update of library creatives. */
export interface UpdateLibraryCreativeEntry {
  /** Its decimal id. */
  readonly id: string;
  /** The fields to change. */
  readonly input: UpdateLibraryCreativeInput;
  /** The version that was read; a newer version fails as `conflict`. Absent: no check. */
  readonly version?: number | null | undefined;
}

/** The fields to change of one library creative. Absent: unchanged. null: cleared, where a field may be empty. */
export interface UpdateLibraryCreativeInput {
  /** OpenRTB creative attributes, which publishers can block. */
  readonly attributes?: readonly number[] | null | undefined;
  /** Landing address, http or https. */
  readonly clickUrl?: string | null | undefined;
  /** What is shown; its shape is the format. */
  readonly content?: CreativeContentInput | null | undefined;
  /** Values of the custom fields of the network, by key; at most 50. The whole set is replaced. */
  readonly customFields?: unknown;
  /** Id in your own system. */
  readonly externalId?: string | null | undefined;
  /** Height in CSS pixels; 0 × 0 fits any size (native, video). */
  readonly height?: number | null | undefined;
  /** Labels to find it by. At most 10. */
  readonly labels?: readonly string[] | null | undefined;
  /** Language of its text, ISO 639, such as "pl". */
  readonly language?: string | null | undefined;
  /** Name. */
  readonly name?: string | null | undefined;
  /** Notes for people, with line breaks; at most 2000 characters. */
  readonly notes?: string | null | undefined;
  /** The e-mail address of the member of the network who looks after it; null = nobody. */
  readonly owner?: string | null | undefined;
  /** Why it was rejected, or a remark of the review; a new review state without one clears it. */
  readonly reviewReason?: string | null | undefined;
  /** The result of its review; only APPROVED serves. */
  readonly reviewState?: ReviewState | null | undefined;
  /** Whether it is in use. ARCHIVED archives all its associations; ACTIVE again restores none of them. */
  readonly status?: Lifecycle | null | undefined;
  /** The team that looks after it; null = none. */
  readonly teamId?: string | null | undefined;
  /** Third-party tracking addresses. */
  readonly trackers?: ThirdPartyTrackersInput | null | undefined;
  /** Width in CSS pixels; 0 × 0 fits any size (native, video). */
  readonly width?: number | null | undefined;
}

/** One row of a bulk update of line items. */
export interface UpdateLineItemEntry {
  /** Its decimal id. */
  readonly id: string;
  /** The fields to change. */
  readonly input: UpdateLineItemInput;
  /** The version that was read; a newer version fails as `conflict`. Absent: no check. */
  readonly version?: number | null | undefined;
}

/** The fields to change of one line item. Absent: unchanged. null: cleared, where a field may be empty. */
export interface UpdateLineItemInput {
  /** The product it is sold as; null = none. */
  readonly advertisingProductId?: string | null | undefined;
  /** Hard limits per day and in total. */
  readonly caps?: DeliveryCapsInput | null | undefined;
  /** Whether its companions stand beside their masters; other than NONE only with roadblock ONE. */
  readonly companionMode?: CompanionMode | null | undefined;
  /** The activities whose conversions are credited to it: they count toward its goal, and CPA pays for them. Empty = every activity. At most 50. */
  readonly countedActivities?: readonly CountedActivityInput[] | null | undefined;
  /** How one of several fitting creatives is chosen. */
  readonly creativeRotation?: CreativeRotation | null | undefined;
  /** Values of the custom fields of the network, by key; at most 50. The whole set is replaced. */
  readonly customFields?: unknown;
  /** When in the week it serves; empty = always. At most 50. */
  readonly dayParts?: readonly DayPartInput[] | null | undefined;
  /** The deal it serves; null = open. */
  readonly dealId?: string | null | undefined;
  /** End of serving, exclusive; null = open-ended. */
  readonly endsAt?: string | null | undefined;
  /** Two ads that share a label never appear in one response. */
  readonly exclusionLabels?: readonly string[] | null | undefined;
  /** Id in your own system. */
  readonly externalId?: string | null | undefined;
  /** Limits per user; the strictest applies. At most 20. */
  readonly frequencyCaps?: readonly FrequencyCapInput[] | null | undefined;
  /** Its goal; null = none. */
  readonly goal?: GoalInput | null | undefined;
  /** Labels of the line item. Caps of the network by label (`labelCaps`) count all ads that bear one. At most 10. */
  readonly labels?: readonly string[] | null | undefined;
  /** Rank within its tier (SPONSORSHIP, STANDARD): 1 is decided first, 16 last. */
  readonly level?: number | null | undefined;
  /** Name. */
  readonly name?: string | null | undefined;
  /** Notes for people, with line breaks; at most 2000 characters. */
  readonly notes?: string | null | undefined;
  /** What it maximises: OPTIMISED rotation chooses the creative by the rate of this event, and a paced line item that has more opportunities than its goal needs chooses the ad units. null = nothing. */
  readonly optimisationGoal?: OptimisationGoal | null | undefined;
  /** The e-mail address of the member of the network who looks after it; null = nobody. */
  readonly owner?: string | null | undefined;
  /** How delivery is spread. */
  readonly pacing?: Pacing | null | undefined;
  /** Whether it stops at its goal. */
  readonly pauseAfterGoal?: boolean | null | undefined;
  /** CPM, VCPM: per thousand; CPC, CPA, CPCV: each; FLAT: per day. */
  readonly price?: string | null | undefined;
  /** Which event earns the price. */
  readonly pricingModel?: PricingModel | null | undefined;
  /** No effect: goals bid for opportunities (docs/pacing.md). Was the percentage of its goal that is spread evenly over all of its traffic. */
  readonly representativePercent?: number | null | undefined;
  /** Whether its creatives fill several slots of one request. */
  readonly roadblock?: Roadblock | null | undefined;
  /** Whether it serves to unidentified users although it has frequency caps. */
  readonly serveWithoutUser?: boolean | null | undefined;
  /** Share of voice in percent (SPONSORSHIP) or weight of the draw (HOUSE); null elsewhere. */
  readonly sharePercent?: number | null | undefined;
  /** Start of serving; null = at once. */
  readonly startsAt?: string | null | undefined;
  /** Status; DRAFT at first. */
  readonly status?: DeliveryStatus | null | undefined;
  /** Its targeting; null = all inventory and all users. */
  readonly targeting?: TargetingInput | null | undefined;
  /** The team that looks after it; null = none. */
  readonly teamId?: string | null | undefined;
  /** IANA time zone of its days and day-parts; null = the network's. */
  readonly timezone?: string | null | undefined;
  /** Its tier. */
  readonly type?: LineItemType | null | undefined;
}

/** The result of changing a role. */
export interface UpdateMembershipPayload {
  readonly __typename: 'UpdateMembershipPayload';
  /** The user with the new role. */
  readonly user: User | null;
  /** The mistakes in the input; empty when the change was made. Where it is selected, mistakes are told of here, and not in `errors`. */
  readonly userErrors: readonly UserError[];
}

/** Settings of the network to change. Absent: stays. */
export interface UpdateNetworkInput {
  /** Whether another member has to approve a guaranteed booking before it goes live; null = no. What is live stays so, and waits in `bookingsToApprove` until its terms are approved. */
  readonly approvalRequired?: boolean | null | undefined;
  /** Whether new creatives, and those whose content changes, are reviewed before they serve; null = NONE. Creatives that serve already stay as they are. */
  readonly creativeReview?: CreativeReview | null | undefined;
  /** ISO 4217 code; fixed once a line item has a price. */
  readonly currency?: string | null | undefined;
  /** What other currencies are worth, at most 400 entries; null = unknown. The whole list is replaced. */
  readonly exchangeRates?: readonly ExchangeRateInput[] | null | undefined;
  /** Floor price as CPM; 0 = none. */
  readonly floor?: string | null | undefined;
  /** How guaranteed line items meet what is sold by price; null = BIDS. */
  readonly goalCompetition?: GoalCompetition | null | undefined;
  /** Which impressions a conversion may be credited to when there was no click; null = IMPRESSIONS. Applies to impressions from then on. */
  readonly impressionTouches?: ImpressionTouches | null | undefined;
  /** How often one user sees ads that bear a label, at most 60 labels; null = no limits. The whole list is replaced. */
  readonly labelCaps?: readonly LabelCapInput[] | null | undefined;
  /** Languages of the "Why this ad?" page, of en, pl, de, fr, es. */
  readonly languages?: readonly string[] | null | undefined;
  /** Rate limits of its own. */
  readonly limits?: NetworkLimitsInput | null | undefined;
  /** Name. */
  readonly name?: string | null | undefined;
  /** No effect: goals bid for opportunities. 0…100; null = 50. */
  readonly representativePercent?: number | null | undefined;
  /** How long single events are kept, 30…3650 days; null = for ever. Older ones are deleted once a day. */
  readonly retentionDays?: number | null | undefined;
  /** ACTIVE or PAUSED; SUSPENDED is for the operator. */
  readonly status?: NetworkStatus | null | undefined;
  /** IANA time zone, such as "Europe/Warsaw". */
  readonly timezone?: string | null | undefined;
}

/** The result of changing a network. */
export interface UpdateNetworkPayload {
  readonly __typename: 'UpdateNetworkPayload';
  /** The network; with `validateOnly`, as it would be. */
  readonly network: Network | null;
  /** The mistakes in the input; empty when the change was made. Where it is selected, mistakes are told of here, and not in `errors`. */
  readonly userErrors: readonly UserError[];
}

/** The fields to change; absent fields stay. */
export interface UpdateReportScheduleInput {
  /** Five fields in the time zone of the network, such as "0 6 * * 1"; runs at least 15 minutes apart. */
  readonly cron?: string | null | undefined;
  /** The form of its files; default CSV. Runs before the change have it, too. */
  readonly fileFormat?: ReportFileFormat | null | undefined;
  /** Addresses of members of the network who get each result by mail, at most 20; empty: nobody. */
  readonly mailTo?: readonly string[] | null | undefined;
  /** Name, 1…200 characters. */
  readonly name?: string | null | undefined;
  /** A query of the Reports API, as /load accepts it. Without a limit it returns all rows. */
  readonly query?: unknown;
  /** Makes a new webhook secret, which the response shows. */
  readonly rotateSecret?: boolean | null | undefined;
  /** ACTIVE (default) or PAUSED. */
  readonly status?: ReportScheduleStatus | null | undefined;
  /** https:// address of a public host. null: none. */
  readonly webhookUrl?: string | null | undefined;
}

/** One row of a bulk update of segments. */
export interface UpdateSegmentEntry {
  /** Its decimal id. */
  readonly id: string;
  /** The fields to change. */
  readonly input: UpdateSegmentInput;
  /** The version that was read; a newer version fails as `conflict`. Absent: no check. */
  readonly version?: number | null | undefined;
}

/** The fields to change of one segment. Absent: unchanged. null: cleared, where a field may be empty. */
export interface UpdateSegmentInput {
  /** Values of the custom fields of the network, by key; at most 50. The whole set is replaced. */
  readonly customFields?: unknown;
  /** Who is in it. */
  readonly description?: string | null | undefined;
  /** Labels to find it by. At most 10. */
  readonly labels?: readonly string[] | null | undefined;
  /** How long a user stays a member, in days: from the upload (which may set another time), or from the last match of the rule. */
  readonly membershipDays?: number | null | undefined;
  /** Name. */
  readonly name?: string | null | undefined;
  /** Notes for people, with line breaks; at most 2000 characters. */
  readonly notes?: string | null | undefined;
  /** The e-mail address of the member of the network who looks after it; null = nobody. */
  readonly owner?: string | null | undefined;
  /** The rule that makes users members for `membershipDays` days after their last match; null = uploads only. Users who may not be profiled are left out. A changed rule starts with an empty segment. */
  readonly rule?: SegmentRuleInput | null | undefined;
  /** Whether it is in use. */
  readonly status?: Lifecycle | null | undefined;
  /** The team that looks after it; null = none. */
  readonly teamId?: string | null | undefined;
}

/** One row of a bulk update of sites. */
export interface UpdateSiteEntry {
  /** Its decimal id. */
  readonly id: string;
  /** The fields to change. */
  readonly input: UpdateSiteInput;
  /** The version that was read; a newer version fails as `conflict`. Absent: no check. */
  readonly version?: number | null | undefined;
}

/** The fields to change of one site. Absent: unchanged. null: cleared, where a field may be empty. */
export interface UpdateSiteInput {
  /** Its value of `site.id` in requests; unique in the network. */
  readonly code?: string | null | undefined;
  /** Values of the custom fields of the network, by key; at most 50. The whole set is replaced. */
  readonly customFields?: unknown;
  /** Domain, such as "news.example". A domain in Unicode is stored in its form of ASCII (`xn--…`). */
  readonly domain?: string | null | undefined;
  /** Labels to find it by. At most 10. */
  readonly labels?: readonly string[] | null | undefined;
  /** Name. */
  readonly name?: string | null | undefined;
  /** Notes for people, with line breaks; at most 2000 characters. */
  readonly notes?: string | null | undefined;
  /** The e-mail address of the member of the network who looks after it; null = nobody. */
  readonly owner?: string | null | undefined;
  /** Whether it is in use. */
  readonly status?: Lifecycle | null | undefined;
  /** The team that looks after it; null = none. */
  readonly teamId?: string | null | undefined;
}

/** One row of a bulk update of targeting presets. */
export interface UpdateTargetingPresetEntry {
  /** Its decimal id. */
  readonly id: string;
  /** The fields to change. */
  readonly input: UpdateTargetingPresetInput;
  /** The version that was read; a newer version fails as `conflict`. Absent: no check. */
  readonly version?: number | null | undefined;
}

/** The fields to change of one targeting preset. Absent: unchanged. null: cleared, where a field may be empty. */
export interface UpdateTargetingPresetInput {
  /** The purpose of the preset. */
  readonly description?: string | null | undefined;
  /** Name. */
  readonly name?: string | null | undefined;
  /** Whether it is in use. */
  readonly status?: Lifecycle | null | undefined;
  /** The targeting. */
  readonly targeting?: TargetingInput | null | undefined;
}

/** One row of a bulk update of teams. */
export interface UpdateTeamEntry {
  /** Its decimal id. */
  readonly id: string;
  /** The fields to change. */
  readonly input: UpdateTeamInput;
  /** The version that was read; a newer version fails as `conflict`. Absent: no check. */
  readonly version?: number | null | undefined;
}

/** The fields to change of one team. Absent: unchanged. null: cleared, where a field may be empty. */
export interface UpdateTeamInput {
  /** What it looks after. */
  readonly description?: string | null | undefined;
  /** E-mail addresses of its people. */
  readonly members?: readonly string[] | null | undefined;
  /** Name. */
  readonly name?: string | null | undefined;
  /** Whether it is in use. */
  readonly status?: Lifecycle | null | undefined;
}

/** The fields to change; absent fields stay. */
export interface UpdateWebhookInput {
  /** Name, 1…200 characters. */
  readonly name?: string | null | undefined;
  /** Makes a new secret, which the response shows. */
  readonly rotateSecret?: boolean | null | undefined;
  /** ACTIVE (default) or PAUSED. */
  readonly status?: WebhookStatus | null | undefined;
  /** Which changes: "*" for all, "lineItem.*" for a kind, "lineItem.update" for one type; 1…50. */
  readonly types?: readonly string[] | null | undefined;
  /** https:// address of a public host. */
  readonly url?: string | null | undefined;
}

/** One advertiser by its external id: the fields of a new one, or the fields to change. */
export interface UpsertAdvertiserInput {
  /** IAB content categories, such as "IAB2-3". */
  readonly categories?: readonly string[] | null | undefined;
  /** The total budget; null = no limit. */
  readonly credit?: string | null | undefined;
  /** Values of the custom fields of the network, by key; at most 50. The whole set is replaced. */
  readonly customFields?: unknown;
  /** Domains that its ads lead to, as `adomain` in bids. Domains in Unicode are stored in their form of ASCII (`xn--…`). */
  readonly domains?: readonly string[] | null | undefined;
  /** On whose behalf its ads are shown (DSA); at most 100 characters. */
  readonly dsaBehalf?: string | null | undefined;
  /** Who pays for them (DSA); at most 100 characters. */
  readonly dsaPaid?: string | null | undefined;
  /** Two ads that share a label never appear in one response. */
  readonly exclusionLabels?: readonly string[] | null | undefined;
  /** Id in your own system; finds the object. */
  readonly externalId: string;
  /** Limits per user; the strictest applies. At most 20. */
  readonly frequencyCaps?: readonly FrequencyCapInput[] | null | undefined;
  /** Labels of all its line items. Caps of the network by label (`labelCaps`) count all ads that bear one. At most 10. */
  readonly labels?: readonly string[] | null | undefined;
  /** Name. Required for a new object. */
  readonly name?: string | null | undefined;
  /** Notes for people, with line breaks; at most 2000 characters. */
  readonly notes?: string | null | undefined;
  /** The e-mail address of the member of the network who looks after it; null = nobody. */
  readonly owner?: string | null | undefined;
  /** Whether it is in use; none of its campaigns serves while ARCHIVED. */
  readonly status?: Lifecycle | null | undefined;
  /** The team that looks after it; null = none. */
  readonly teamId?: string | null | undefined;
  /** The version that was read; a newer version fails as `conflict`. Absent: no check. */
  readonly version?: number | null | undefined;
}

/** One campaign by its external id: the fields of a new one, or the fields to change. */
export interface UpsertCampaignInput {
  /** External id of the object that advertiserId names; instead of advertiserId. */
  readonly advertiserExternalId?: string | null | undefined;
  /** The advertiser; cannot change. Required for a new object. */
  readonly advertiserId?: string | null | undefined;
  /** Hard limits per day and in total. */
  readonly caps?: DeliveryCapsInput | null | undefined;
  /** People of the order outside of the network, such as "Ann Lee, ann@example.com". At most 20. */
  readonly contacts?: readonly string[] | null | undefined;
  /** Values of the custom fields of the network, by key; at most 50. The whole set is replaced. */
  readonly customFields?: unknown;
  /** End of serving, exclusive; null = open-ended. */
  readonly endsAt?: string | null | undefined;
  /** Id in your own system; finds the object. */
  readonly externalId: string;
  /** Limits per user; the strictest applies. At most 20. */
  readonly frequencyCaps?: readonly FrequencyCapInput[] | null | undefined;
  /** Labels of all its line items. Caps of the network by label (`labelCaps`) count all ads that bear one. At most 10. */
  readonly labels?: readonly string[] | null | undefined;
  /** Name. Required for a new object. */
  readonly name?: string | null | undefined;
  /** Notes for people, with line breaks; at most 2000 characters. */
  readonly notes?: string | null | undefined;
  /** Number of the order, as invoices name it. */
  readonly orderNumber?: string | null | undefined;
  /** The e-mail address of the member of the network who looks after it; null = nobody. */
  readonly owner?: string | null | undefined;
  /** The e-mail address of the member of the network who sold the order; null = nobody. */
  readonly salesperson?: string | null | undefined;
  /** Start of serving; null = at once. */
  readonly startsAt?: string | null | undefined;
  /** Status; DRAFT at first. */
  readonly status?: DeliveryStatus | null | undefined;
  /** The team that looks after it; null = none. */
  readonly teamId?: string | null | undefined;
  /** The version that was read; a newer version fails as `conflict`. Absent: no check. */
  readonly version?: number | null | undefined;
}

/** One creative by its external id: the fields of a new one, or the fields to change. */
export interface UpsertCreativeInput {
  /** OpenRTB creative attributes, which publishers can block. */
  readonly attributes?: readonly number[] | null | undefined;
  /** Landing address, http or https. Required for a new object. */
  readonly clickUrl?: string | null | undefined;
  /** What is shown; its shape is the format. Required for a new object. */
  readonly content?: CreativeContentInput | null | undefined;
  /** Values of the custom fields of the network, by key; at most 50. The whole set is replaced. */
  readonly customFields?: unknown;
  /** End of serving, exclusive; null = with its line item. */
  readonly endsAt?: string | null | undefined;
  /** Id in your own system; finds the object. */
  readonly externalId: string;
  /** Limits per user; the strictest applies. At most 20. */
  readonly frequencyCaps?: readonly FrequencyCapInput[] | null | undefined;
  /** Height in CSS pixels; 0 × 0 fits any size (native, video). */
  readonly height?: number | null | undefined;
  /** Labels to find it by. At most 10. */
  readonly labels?: readonly string[] | null | undefined;
  /** Language of its text, ISO 639, such as "pl". */
  readonly language?: string | null | undefined;
  /** External id of the object that lineItemId names; instead of lineItemId. */
  readonly lineItemExternalId?: string | null | undefined;
  /** Its line item; cannot change. Required for a new object. */
  readonly lineItemId?: string | null | undefined;
  /** External id of the object that masterCreativeId names; instead of masterCreativeId. */
  readonly masterCreativeExternalId?: string | null | undefined;
  /** For a companion: the creative of the same line item beside which this banner stands; null = it is shown by itself. Cannot change. */
  readonly masterCreativeId?: string | null | undefined;
  /** Name. Required for a new object. */
  readonly name?: string | null | undefined;
  /** Notes for people, with line breaks; at most 2000 characters. */
  readonly notes?: string | null | undefined;
  /** The e-mail address of the member of the network who looks after it; null = nobody. */
  readonly owner?: string | null | undefined;
  /** Why it was rejected, or a remark of the review; a new review state without one clears it. */
  readonly reviewReason?: string | null | undefined;
  /** The result of its review; only APPROVED serves. */
  readonly reviewState?: ReviewState | null | undefined;
  /** Start of serving; null = with its line item. */
  readonly startsAt?: string | null | undefined;
  /** Status; ACTIVE at first. */
  readonly status?: CreativeStatus | null | undefined;
  /** The team that looks after it; null = none. */
  readonly teamId?: string | null | undefined;
  /** Third-party tracking addresses. */
  readonly trackers?: ThirdPartyTrackersInput | null | undefined;
  /** The version that was read; a newer version fails as `conflict`. Absent: no check. */
  readonly version?: number | null | undefined;
  /** Share of the draw among its siblings. */
  readonly weight?: number | null | undefined;
  /** Width in CSS pixels; 0 × 0 fits any size (native, video). */
  readonly width?: number | null | undefined;
}

/** One library creative by its external id: the fields of a new one, or the fields to change. */
export interface UpsertLibraryCreativeInput {
  /** External id of the object that advertiserId names; instead of advertiserId. */
  readonly advertiserExternalId?: string | null | undefined;
  /** Its advertiser; cannot change. Required for a new object. */
  readonly advertiserId?: string | null | undefined;
  /** OpenRTB creative attributes, which publishers can block. */
  readonly attributes?: readonly number[] | null | undefined;
  /** Landing address, http or https. Required for a new object. */
  readonly clickUrl?: string | null | undefined;
  /** What is shown; its shape is the format. Required for a new object. */
  readonly content?: CreativeContentInput | null | undefined;
  /** Values of the custom fields of the network, by key; at most 50. The whole set is replaced. */
  readonly customFields?: unknown;
  /** Id in your own system; finds the object. */
  readonly externalId: string;
  /** Height in CSS pixels; 0 × 0 fits any size (native, video). */
  readonly height?: number | null | undefined;
  /** Labels to find it by. At most 10. */
  readonly labels?: readonly string[] | null | undefined;
  /** Language of its text, ISO 639, such as "pl". */
  readonly language?: string | null | undefined;
  /** Name. Required for a new object. */
  readonly name?: string | null | undefined;
  /** Notes for people, with line breaks; at most 2000 characters. */
  readonly notes?: string | null | undefined;
  /** The e-mail address of the member of the network who looks after it; null = nobody. */
  readonly owner?: string | null | undefined;
  /** Why it was rejected, or a remark of the review; a new review state without one clears it. */
  readonly reviewReason?: string | null | undefined;
  /** The result of its review; only APPROVED serves. */
  readonly reviewState?: ReviewState | null | undefined;
  /** Whether it is in use. ARCHIVED archives all its associations; ACTIVE again restores none of them. */
  readonly status?: Lifecycle | null | undefined;
  /** The team that looks after it; null = none. */
  readonly teamId?: string | null | undefined;
  /** Third-party tracking addresses. */
  readonly trackers?: ThirdPartyTrackersInput | null | undefined;
  /** The version that was read; a newer version fails as `conflict`. Absent: no check. */
  readonly version?: number | null | undefined;
  /** Width in CSS pixels; 0 × 0 fits any size (native, video). */
  readonly width?: number | null | undefined;
}

/** One line item by its external id: the fields of a new one, or the fields to change. */
export interface UpsertLineItemInput {
  /** The product it is sold as; null = none. */
  readonly advertisingProductId?: string | null | undefined;
  /** External id of the object that campaignId names; instead of campaignId. */
  readonly campaignExternalId?: string | null | undefined;
  /** Its campaign; cannot change. Required for a new object. */
  readonly campaignId?: string | null | undefined;
  /** Hard limits per day and in total. */
  readonly caps?: DeliveryCapsInput | null | undefined;
  /** Whether its companions stand beside their masters; other than NONE only with roadblock ONE. */
  readonly companionMode?: CompanionMode | null | undefined;
  /** The activities whose conversions are credited to it: they count toward its goal, and CPA pays for them. Empty = every activity. At most 50. */
  readonly countedActivities?: readonly CountedActivityInput[] | null | undefined;
  /** How one of several fitting creatives is chosen. */
  readonly creativeRotation?: CreativeRotation | null | undefined;
  /** Values of the custom fields of the network, by key; at most 50. The whole set is replaced. */
  readonly customFields?: unknown;
  /** When in the week it serves; empty = always. At most 50. */
  readonly dayParts?: readonly DayPartInput[] | null | undefined;
  /** The deal it serves; null = open. */
  readonly dealId?: string | null | undefined;
  /** End of serving, exclusive; null = open-ended. */
  readonly endsAt?: string | null | undefined;
  /** Two ads that share a label never appear in one response. */
  readonly exclusionLabels?: readonly string[] | null | undefined;
  /** Id in your own system; finds the object. */
  readonly externalId: string;
  /** Limits per user; the strictest applies. At most 20. */
  readonly frequencyCaps?: readonly FrequencyCapInput[] | null | undefined;
  /** Its goal; null = none. */
  readonly goal?: GoalInput | null | undefined;
  /** Labels of the line item. Caps of the network by label (`labelCaps`) count all ads that bear one. At most 10. */
  readonly labels?: readonly string[] | null | undefined;
  /** Rank within its tier (SPONSORSHIP, STANDARD): 1 is decided first, 16 last. */
  readonly level?: number | null | undefined;
  /** Name. Required for a new object. */
  readonly name?: string | null | undefined;
  /** Notes for people, with line breaks; at most 2000 characters. */
  readonly notes?: string | null | undefined;
  /** What it maximises: OPTIMISED rotation chooses the creative by the rate of this event, and a paced line item that has more opportunities than its goal needs chooses the ad units. null = nothing. */
  readonly optimisationGoal?: OptimisationGoal | null | undefined;
  /** The e-mail address of the member of the network who looks after it; null = nobody. */
  readonly owner?: string | null | undefined;
  /** How delivery is spread. */
  readonly pacing?: Pacing | null | undefined;
  /** Whether it stops at its goal. */
  readonly pauseAfterGoal?: boolean | null | undefined;
  /** CPM, VCPM: per thousand; CPC, CPA, CPCV: each; FLAT: per day. */
  readonly price?: string | null | undefined;
  /** Which event earns the price. */
  readonly pricingModel?: PricingModel | null | undefined;
  /** No effect: goals bid for opportunities (docs/pacing.md). Was the percentage of its goal that is spread evenly over all of its traffic. */
  readonly representativePercent?: number | null | undefined;
  /** Whether its creatives fill several slots of one request. */
  readonly roadblock?: Roadblock | null | undefined;
  /** Whether it serves to unidentified users although it has frequency caps. */
  readonly serveWithoutUser?: boolean | null | undefined;
  /** Share of voice in percent (SPONSORSHIP) or weight of the draw (HOUSE); null elsewhere. */
  readonly sharePercent?: number | null | undefined;
  /** Start of serving; null = at once. */
  readonly startsAt?: string | null | undefined;
  /** Status; DRAFT at first. */
  readonly status?: DeliveryStatus | null | undefined;
  /** Its targeting; null = all inventory and all users. */
  readonly targeting?: TargetingInput | null | undefined;
  /** The team that looks after it; null = none. */
  readonly teamId?: string | null | undefined;
  /** IANA time zone of its days and day-parts; null = the network's. */
  readonly timezone?: string | null | undefined;
  /** Its tier. Required for a new object. */
  readonly type?: LineItemType | null | undefined;
  /** The version that was read; a newer version fails as `conflict`. Absent: no check. */
  readonly version?: number | null | undefined;
}

/** A person with an account, and their role in this network. */
export interface User {
  readonly __typename: 'User';
  /** When the account was made. */
  readonly createdAt: string;
  /** Decimal id, unique in its kind, in every version of the API. */
  readonly databaseId: string;
  /** When the account was disabled. */
  readonly disabledAt: string | null;
  /** Address they sign in with. */
  readonly email: string;
  /** Id that is unique among all types, as `node` takes it. */
  readonly globalId: string;
  /** Its id: the decimal one, or the global one where the version of the API shows global ids. */
  readonly id: string;
  /** Name. */
  readonly name: string;
  /** Role in this network. */
  readonly role: Role;
  /** Browsers signed in by this network's own sign-in provider, newest first, at most 100. Other sessions are visible to the member only. */
  readonly sessions: readonly Session[];
}

/** One mistake in the input of a mutation. */
export interface UserError {
  readonly __typename: 'UserError';
  /** What is wrong. */
  readonly code: UserErrorCode;
  /** Where it is in the arguments, such as `input.frequencyCaps.0.count`; null: the mutation as a whole. */
  readonly field: string | null;
  /** What to do about it. */
  readonly message: string;
}

/** What is wrong with an input. Later versions may add codes. */
export type UserErrorCode =
  | 'AMBIGUOUS'
  | 'APPROVAL_REQUIRED'
  | 'ARCHIVED'
  | 'BAD_CHARACTER'
  | 'BAD_LENGTH'
  | 'BAD_LOGIN'
  | 'BEFORE_START'
  | 'BELOW_FLOOR'
  | 'BELOW_SPENT'
  | 'CANNOT_CHANGE'
  | 'COMPANIONS_UNUSED'
  | 'CONFLICT'
  | 'CONTROL_CHARACTERS'
  | 'CUSTOM'
  | 'DOCUMENT_WRITE'
  | 'DSA_INCOMPLETE'
  | 'DUPLICATE'
  | 'EMPTY'
  | 'FIXED'
  | 'FROM_LIBRARY'
  | 'GOAL_REACHED'
  | 'GONE'
  | 'GUARANTEED_DEAL'
  | 'HAS_CREDENTIALS'
  | 'HOLDS_EMAIL'
  | 'INTERNAL_ERROR'
  | 'INVALID'
  | 'INVALID_CRON'
  | 'INVALID_DATE'
  | 'INVALID_ELEMENT'
  | 'INVALID_FORMAT'
  | 'INVALID_KEY'
  | 'INVALID_LENGTH'
  | 'INVALID_NAME'
  | 'INVALID_QUERY'
  | 'INVALID_REQUEST'
  | 'INVALID_TYPE'
  | 'INVALID_TYPES'
  | 'INVALID_UNION'
  | 'INVALID_VALUE'
  | 'INVALID_VALUES'
  | 'INVALID_WEBHOOK_URL'
  | 'IN_FUTURE'
  | 'IN_THE_PAST'
  | 'IS_COMPANION'
  | 'IS_MEMBER'
  | 'LINE_ITEMS_DIFFER'
  | 'MALFORMED'
  | 'MISSING_FILE'
  | 'NEEDS_GOAL'
  | 'NEGATIVE'
  | 'NOT_ALLOWED'
  | 'NOT_AN_ADDRESS'
  | 'NOT_AN_EMAIL'
  | 'NOT_AN_ID'
  | 'NOT_ASSOCIATED'
  | 'NOT_A_MEMBER'
  | 'NOT_BOOLEAN'
  | 'NOT_CLICK_ID'
  | 'NOT_COUNT'
  | 'NOT_CURRENCY'
  | 'NOT_DECIMAL'
  | 'NOT_FOR_IDS'
  | 'NOT_FOUND'
  | 'NOT_HTTPS'
  | 'NOT_INSTANT'
  | 'NOT_MONEY'
  | 'NOT_MULTIPLE_OF'
  | 'NOT_PRODUCTS'
  | 'NOT_SHOWN'
  | 'NOT_TEXT'
  | 'NOT_UPLOADED'
  | 'NO_CLICK_MACRO'
  | 'NO_COMPANIONS'
  | 'NO_CREATIVE'
  | 'NO_EFFECT'
  | 'NULL_NOT_ALLOWED'
  | 'ONE_EXPERIMENT'
  | 'ONE_OBJECT'
  | 'ONE_OF'
  | 'ONE_SOURCE'
  | 'OTHER_ADVERTISER'
  | 'OTHER_CURRENCY'
  | 'OTHER_DURATION'
  | 'OTHER_LINE_ITEM'
  | 'OTHER_PARENT'
  | 'OTHER_PROPORTIONS'
  | 'OTHER_SITE'
  | 'OTHER_TERMS'
  | 'OUTSIDE_CAMPAIGN'
  | 'OUT_OF_RANGE'
  | 'OVER_CEILING'
  | 'OVER_LIFETIME'
  | 'PARENT_NOT_ACTIVE'
  | 'QUOTA_EXCEEDED'
  | 'RANGE_TOO_LONG'
  | 'REASON_MISSING'
  | 'REPEATED'
  | 'REPORT_SPACE_USED_UP'
  | 'REQUIRED'
  | 'REVIEW_PENDING'
  | 'SAME'
  | 'SIZE_NOT_OFFERED'
  | 'SPEND_LIMIT'
  | 'TAKEN'
  | 'TOO_BIG'
  | 'TOO_DEEP'
  | 'TOO_LARGE'
  | 'TOO_LONG'
  | 'TOO_MANY'
  | 'TOO_MANY_KEYS'
  | 'TOO_OLD'
  | 'TOO_SHORT'
  | 'TOO_SIMPLE'
  | 'TOO_SMALL'
  | 'UNDEFINED_KEY'
  | 'UNKNOWN'
  | 'UNKNOWN_ACTIVITY'
  | 'UNKNOWN_AD_UNIT'
  | 'UNKNOWN_DEFINITION'
  | 'UNKNOWN_DIMENSION'
  | 'UNKNOWN_FILTER_TYPE'
  | 'UNKNOWN_GRANULARITY'
  | 'UNKNOWN_KIND'
  | 'UNKNOWN_MACRO'
  | 'UNKNOWN_METRIC'
  | 'UNKNOWN_MODULE'
  | 'UNKNOWN_NETWORK'
  | 'UNKNOWN_PERMISSION'
  | 'UNKNOWN_ROLE'
  | 'UNKNOWN_TIMEZONE'
  | 'UNKNOWN_VALUE'
  | 'UNKNOWN_WORKSPACE'
  | 'UNREACHABLE'
  | 'UNRECOGNIZED_KEYS'
  | 'USES_COOKIES'
  | 'USES_STORAGE'
  | 'VALIDATION_FAILED'
  | 'WRONG_CODE'
  | 'WRONG_PASSKEY'
  | 'WRONG_TYPE';

/** An object that counts its changes, and says who made the last one. */
export interface Versioned {
  readonly __typename: 'Activity' | 'AdUnit' | 'Advertiser' | 'AdvertisingProduct' | 'Area' | 'Campaign' | 'Creative' | 'CustomField' | 'Deal' | 'Experiment' | 'Floor' | 'KeyValue' | 'LibraryCreative' | 'LineItem' | 'Segment' | 'Site' | 'TargetingPreset' | 'Team';
  /** When it was made. */
  readonly createdAt: string;
  /** Decimal id, unique in its kind, in every version of the API. */
  readonly databaseId: string;
  /** Its id: global in versions of the API from 2026-11-25 on, before them the decimal one, unique in its kind. */
  readonly id: string;
  /** When it was last changed. */
  readonly updatedAt: string;
  /** Who changed it last, as the audit log names them; empty: the system. */
  readonly updatedBy: string;
  /** Grows with every change; send it with an update to detect concurrent changes. */
  readonly version: number;
  readonly on_Activity: Activity;
  readonly on_AdUnit: AdUnit;
  readonly on_Advertiser: Advertiser;
  readonly on_AdvertisingProduct: AdvertisingProduct;
  readonly on_Area: Area;
  readonly on_Campaign: Campaign;
  readonly on_Creative: Creative;
  readonly on_CustomField: CustomField;
  readonly on_Deal: Deal;
  readonly on_Experiment: Experiment;
  readonly on_Floor: Floor;
  readonly on_KeyValue: KeyValue;
  readonly on_LibraryCreative: LibraryCreative;
  readonly on_LineItem: LineItem;
  readonly on_Segment: Segment;
  readonly on_Site: Site;
  readonly on_TargetingPreset: TargetingPreset;
  readonly on_Team: Team;
}

/** A video: own media files, or the address of a third party's VAST tag. */
export interface VideoContent {
  readonly __typename: 'VideoContent';
  /** Length in milliseconds. */
  readonly durationMs: number;
  /** The encodings; empty with a VAST tag. */
  readonly mediaFiles: readonly MediaFile[];
  /** When it can be skipped, in milliseconds; null = never. */
  readonly skipOffsetMs: number | null;
  /** Title. */
  readonly title: string;
  /** Address of a third party's VAST tag. */
  readonly vastTagUrl: string | null;
}

/** A video: media files, or a VAST tag; not both. */
export interface VideoContentInput {
  /** Length in milliseconds, up to an hour. */
  readonly durationMs: number;
  /** The encodings. */
  readonly mediaFiles?: readonly MediaFileInput[] | null | undefined;
  /** When it can be skipped, in milliseconds; absent = never. */
  readonly skipOffsetMs?: number | null | undefined;
  /** Title. */
  readonly title: string;
  /** Address of a third party's VAST tag. */
  readonly vastTagUrl?: string | null | undefined;
}

/** An address that is told of changes. */
export interface Webhook {
  readonly __typename: 'Webhook';
  /** When it was made. */
  readonly createdAt: string;
  /** Decimal id, unique in its kind, in every version of the API. */
  readonly databaseId: string;
  /** Its latest messages, newest first. Ended ones are kept for 30 days, at most 10,000. */
  readonly deliveries: (args?: {
    /** The id of the last one of the page before. */
    readonly after?: string | null | undefined;
    /** How many, 1…100; default 25. A full page may have more behind it. */
    readonly first?: number | null | undefined;
    /** Only those in this state. */
    readonly status?: WebhookDeliveryStatus | null | undefined;
  }) => readonly WebhookDelivery[];
  /** Since when every try has failed; null when the last one was accepted. */
  readonly failingSince: string | null;
  /** Id that is unique among all types, as `node` takes it. */
  readonly globalId: string;
  /** Its id: the decimal one, or the global one where the version of the API shows global ids. */
  readonly id: string;
  /** Name. */
  readonly name: string;
  /** The number of the change up to which messages were made. */
  readonly position: string;
  /** Whether it sends messages. */
  readonly status: WebhookStatus;
  /** Which changes it is told of. */
  readonly types: readonly string[];
  /** When it was last changed. */
  readonly updatedAt: string;
  /** Where messages go. */
  readonly url: string;
  /** Counts up with every change; give it back on update. */
  readonly version: number;
}

/** One message to a webhook. */
export interface WebhookDelivery {
  readonly __typename: 'WebhookDelivery';
  /** How often it was sent. */
  readonly attempts: number;
  /** When it was made. */
  readonly createdAt: string;
  /** When it was DELIVERED or FAILED. */
  readonly endedAt: string | null;
  /** Why the last try failed. */
  readonly error: string | null;
  /** Its id, the header `X-Placard-Delivery`. */
  readonly id: string;
  /** When it is sent next; null when it has ended. */
  readonly nextAttemptAt: string | null;
  /** The status of the response to the last try; null when there was none. */
  readonly responseStatus: number | null;
  /** The number of its change; null for a test. */
  readonly sequence: string | null;
  /** Its state. */
  readonly status: WebhookDeliveryStatus;
  /** When the last try ended; null before the first one. */
  readonly triedAt: string | null;
  /** The type of its change. */
  readonly type: string;
}

/** The state of a message to a webhook. */
export type WebhookDeliveryStatus = 'DELIVERED' | 'FAILED' | 'PENDING';

/** The result of a change of a webhook. */
export interface WebhookPayload {
  readonly __typename: 'WebhookPayload';
  /** The webhook; null when nothing was changed. */
  readonly saved: Webhook | null;
  /** The secret that signs messages, when it is new. It is shown once. */
  readonly secret: string | null;
  /** The mistakes in the input; empty when the change was made. Where it is selected, mistakes are told of here, and not in `errors`. */
  readonly userErrors: readonly UserError[];
  /** The webhook; null when nothing was changed. */
  readonly webhook: Webhook | null;
}

/** Whether a webhook sends messages. */
export type WebhookStatus = 'ACTIVE' | 'PAUSED';

/** An imagined change of a line item or of the floor of an ad unit. What is left out stays as it is. */
export interface WhatIfInput {
  /** The ad unit. */
  readonly adUnitId?: string | null | undefined;
  /** Its hard limits: the whole set is replaced. */
  readonly caps?: DeliveryCapsInput | null | undefined;
  /** Floor of the ad unit, CPM. */
  readonly floor?: string | null | undefined;
  /** Its level within the tier, 1…16. */
  readonly level?: number | null | undefined;
  /** The line item; either this or `adUnitId`. */
  readonly lineItemId?: string | null | undefined;
  /** Its price, for the unit of its pricing model. */
  readonly price?: string | null | undefined;
  /** Its share of voice or weight. */
  readonly sharePercent?: number | null | undefined;
  /** Status of the line item. */
  readonly status?: ImaginedStatus | null | undefined;
  /** Tier of the line item. */
  readonly type?: LineItemType | null | undefined;
  /** Without its frequency caps. */
  readonly withoutFrequencyCaps?: boolean | null | undefined;
  /** Without its goal, so that nothing paces it. */
  readonly withoutGoal?: boolean | null | undefined;
}

/** How often a line item wins a slot when the same request is decided 200 times with other draws. */
export interface WinChance {
  readonly __typename: 'WinChance';
  /** The line item. */
  readonly lineItemId: string;
  /** Its name. */
  readonly name: string;
  /** Percentage of the decisions. */
  readonly percent: number;
  /** The slot. */
  readonly slotId: string;
}

/** Of each type the fields with arguments, and those that lead to one: type of the value, then arguments with their types. */
export const SHAPE: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Activity: {
    advertiser: 'Advertiser()',
  },
  ActivityBulkPayload: {
    results: 'ActivityBulkResult()',
  },
  ActivityBulkResult: {
    activity: 'Activity()',
  },
  ActivityConnection: {
    edges: 'ActivityEdge()',
    nodes: 'Activity()',
  },
  ActivityCredit: {
    creative: 'Creative()',
    lineItem: 'LineItem()',
  },
  ActivityEdge: {
    node: 'Activity()',
  },
  ActivityEventInspection: {
    activity: 'Activity()',
    credit: 'ActivityCredit()',
  },
  ActivityPayload: {
    activity: 'Activity()',
  },
  AdUnit: {
    area: 'Area()',
    site: 'Site()',
  },
  AdUnitBulkPayload: {
    results: 'AdUnitBulkResult()',
  },
  AdUnitBulkResult: {
    adUnit: 'AdUnit()',
  },
  AdUnitConnection: {
    edges: 'AdUnitEdge()',
    nodes: 'AdUnit()',
  },
  AdUnitEdge: {
    node: 'AdUnit()',
  },
  AdUnitPayload: {
    adUnit: 'AdUnit()',
  },
  Advertiser: {
    campaigns: 'CampaignConnection(after:String,first:Int,where:CampaignWhere)',
    libraryCreatives: 'LibraryCreativeConnection(after:String,first:Int,where:LibraryCreativeWhere)',
  },
  AdvertiserBulkPayload: {
    results: 'AdvertiserBulkResult()',
  },
  AdvertiserBulkResult: {
    advertiser: 'Advertiser()',
  },
  AdvertiserConnection: {
    edges: 'AdvertiserEdge()',
    nodes: 'Advertiser()',
  },
  AdvertiserEdge: {
    node: 'Advertiser()',
  },
  AdvertiserPayload: {
    advertiser: 'Advertiser()',
  },
  AdvertisingProduct: {
    lineItems: 'LineItemConnection(after:String,first:Int,where:LineItemWhere)',
  },
  AdvertisingProductBulkPayload: {
    results: 'AdvertisingProductBulkResult()',
  },
  AdvertisingProductBulkResult: {
    advertisingProduct: 'AdvertisingProduct()',
  },
  AdvertisingProductConnection: {
    edges: 'AdvertisingProductEdge()',
    nodes: 'AdvertisingProduct()',
  },
  AdvertisingProductEdge: {
    node: 'AdvertisingProduct()',
  },
  AdvertisingProductPayload: {
    advertisingProduct: 'AdvertisingProduct()',
  },
  Area: {
    adUnits: 'AdUnitConnection(after:String,first:Int,where:AdUnitWhere)',
    site: 'Site()',
  },
  AreaBulkPayload: {
    results: 'AreaBulkResult()',
  },
  AreaBulkResult: {
    area: 'Area()',
  },
  AreaConnection: {
    edges: 'AreaEdge()',
    nodes: 'Area()',
  },
  AreaEdge: {
    node: 'Area()',
  },
  AreaPayload: {
    area: 'Area()',
  },
  BookingApprovalPayload: {
    lineItem: 'LineItem()',
  },
  BookingPayload: {
    lineItem: 'LineItem()',
  },
  Campaign: {
    advertiser: 'Advertiser()',
    lineItems: 'LineItemConnection(after:String,first:Int,where:LineItemWhere)',
  },
  CampaignBulkPayload: {
    results: 'CampaignBulkResult()',
  },
  CampaignBulkResult: {
    campaign: 'Campaign()',
  },
  CampaignConnection: {
    edges: 'CampaignEdge()',
    nodes: 'Campaign()',
  },
  CampaignEdge: {
    node: 'Campaign()',
  },
  CampaignPayload: {
    campaign: 'Campaign()',
  },
  CopyCampaignPayload: {
    campaign: 'Campaign()',
    copy: 'Campaign()',
  },
  CopyLineItemsPayload: {
    lineItems: 'LineItem()',
  },
  Creative: {
    companions: 'CreativeConnection(after:String,first:Int,where:CreativeWhere)',
    libraryCreative: 'LibraryCreative()',
    lineItem: 'LineItem()',
    masterCreative: 'Creative()',
    preview: 'CreativePreview(hours:Int)',
  },
  CreativeAssociationsPayload: {
    creatives: 'Creative()',
    results: 'CreativeBulkResult()',
  },
  CreativeBulkPayload: {
    results: 'CreativeBulkResult()',
  },
  CreativeBulkResult: {
    creative: 'Creative()',
  },
  CreativeConnection: {
    edges: 'CreativeEdge()',
    nodes: 'Creative()',
  },
  CreativeEdge: {
    node: 'Creative()',
  },
  CreativePayload: {
    creative: 'Creative()',
  },
  Deal: {
    lineItems: 'LineItemConnection(after:String,first:Int,where:LineItemWhere)',
  },
  DealBulkPayload: {
    results: 'DealBulkResult()',
  },
  DealBulkResult: {
    deal: 'Deal()',
  },
  DealConnection: {
    edges: 'DealEdge()',
    nodes: 'Deal()',
  },
  DealEdge: {
    node: 'Deal()',
  },
  DealPayload: {
    deal: 'Deal()',
  },
  DeleteReportSchedulePayload: {
    schedule: 'ReportSchedule()',
  },
  DeleteWebhookPayload: {
    webhook: 'Webhook()',
  },
  Floor: {
    adUnit: 'AdUnit()',
    area: 'Area()',
    deal: 'Deal()',
    site: 'Site()',
  },
  FloorBulkPayload: {
    results: 'FloorBulkResult()',
  },
  FloorBulkResult: {
    floor: 'Floor()',
  },
  FloorConnection: {
    edges: 'FloorEdge()',
    nodes: 'Floor()',
  },
  FloorEdge: {
    node: 'Floor()',
  },
  FloorPayload: {
    floor: 'Floor()',
  },
  LibraryCreative: {
    advertiser: 'Advertiser()',
    associations: 'CreativeConnection(after:String,first:Int,where:CreativeWhere)',
    preview: 'CreativePreview(hours:Int)',
  },
  LibraryCreativeBulkPayload: {
    results: 'LibraryCreativeBulkResult()',
  },
  LibraryCreativeBulkResult: {
    libraryCreative: 'LibraryCreative()',
  },
  LibraryCreativeConnection: {
    edges: 'LibraryCreativeEdge()',
    nodes: 'LibraryCreative()',
  },
  LibraryCreativeEdge: {
    node: 'LibraryCreative()',
  },
  LibraryCreativePayload: {
    libraryCreative: 'LibraryCreative()',
  },
  LineItem: {
    advertisingProduct: 'AdvertisingProduct()',
    campaign: 'Campaign()',
    creatives: 'CreativeConnection(after:String,first:Int,where:CreativeWhere)',
    deal: 'Deal()',
  },
  LineItemAttentionPayload: {
    lineItem: 'LineItem()',
  },
  LineItemBulkPayload: {
    results: 'LineItemBulkResult()',
  },
  LineItemBulkResult: {
    lineItem: 'LineItem()',
  },
  LineItemConnection: {
    edges: 'LineItemEdge()',
    nodes: 'LineItem()',
  },
  LineItemEdge: {
    node: 'LineItem()',
  },
  LineItemPayload: {
    lineItem: 'LineItem()',
  },
  LineItemTableConnection: {
    nodes: 'LineItem()',
  },
  Mutation: {
    addComment: 'CommentPayload(body:String!,mentionedIds:[ID!],objectId:ID!,objectKind:DiscussedKind!)',
    approveBooking: 'BookingApprovalPayload(campaignVersion:Int,id:ID!,version:Int!)',
    archiveActivities: 'ActivityBulkPayload(ids:[ID!]!,mode:BulkMode)',
    archiveActivity: 'ActivityPayload(id:ID!,version:Int)',
    archiveAdUnit: 'AdUnitPayload(id:ID!,version:Int)',
    archiveAdUnits: 'AdUnitBulkPayload(ids:[ID!]!,mode:BulkMode)',
    archiveAdvertiser: 'AdvertiserPayload(id:ID!,version:Int)',
    archiveAdvertisers: 'AdvertiserBulkPayload(ids:[ID!]!,mode:BulkMode)',
    archiveAdvertisingProduct: 'AdvertisingProductPayload(id:ID!,version:Int)',
    archiveAdvertisingProducts: 'AdvertisingProductBulkPayload(ids:[ID!]!,mode:BulkMode)',
    archiveArea: 'AreaPayload(id:ID!,version:Int)',
    archiveAreas: 'AreaBulkPayload(ids:[ID!]!,mode:BulkMode)',
    archiveCampaign: 'CampaignPayload(id:ID!,version:Int)',
    archiveCampaigns: 'CampaignBulkPayload(ids:[ID!]!,mode:BulkMode)',
    archiveCreative: 'CreativePayload(id:ID!,version:Int)',
    archiveCreatives: 'CreativeBulkPayload(ids:[ID!]!,mode:BulkMode)',
    archiveCustomField: 'CustomFieldPayload(id:ID!,version:Int)',
    archiveCustomFields: 'CustomFieldBulkPayload(ids:[ID!]!,mode:BulkMode)',
    archiveDeal: 'DealPayload(id:ID!,version:Int)',
    archiveDeals: 'DealBulkPayload(ids:[ID!]!,mode:BulkMode)',
    archiveExperiment: 'ExperimentPayload(id:ID!,version:Int)',
    archiveExperiments: 'ExperimentBulkPayload(ids:[ID!]!,mode:BulkMode)',
    archiveFloor: 'FloorPayload(id:ID!,version:Int)',
    archiveFloors: 'FloorBulkPayload(ids:[ID!]!,mode:BulkMode)',
    archiveKeyValue: 'KeyValuePayload(id:ID!,version:Int)',
    archiveKeyValues: 'KeyValueBulkPayload(ids:[ID!]!,mode:BulkMode)',
    archiveLibraryCreative: 'LibraryCreativePayload(id:ID!,version:Int)',
    archiveLibraryCreatives: 'LibraryCreativeBulkPayload(ids:[ID!]!,mode:BulkMode)',
    archiveLineItem: 'LineItemPayload(id:ID!,version:Int)',
    archiveLineItems: 'LineItemBulkPayload(ids:[ID!]!,mode:BulkMode)',
    archiveSegment: 'SegmentPayload(id:ID!,version:Int)',
    archiveSegments: 'SegmentBulkPayload(ids:[ID!]!,mode:BulkMode)',
    archiveSite: 'SitePayload(id:ID!,version:Int)',
    archiveSites: 'SiteBulkPayload(ids:[ID!]!,mode:BulkMode)',
    archiveTargetingPreset: 'TargetingPresetPayload(id:ID!,version:Int)',
    archiveTargetingPresets: 'TargetingPresetBulkPayload(ids:[ID!]!,mode:BulkMode)',
    archiveTeam: 'TeamPayload(id:ID!,version:Int)',
    archiveTeams: 'TeamBulkPayload(ids:[ID!]!,mode:BulkMode)',
    associateCreatives: 'CreativeAssociationsPayload(inputs:[AssociateCreativeInput!]!,mode:BulkMode,validateOnly:Boolean)',
    beginAgentRequest: 'BeginAgentRequestPayload(input:BeginAgentRequestInput!)',
    bookProduct: 'BookingPayload(input:BookProductInput!,validateOnly:Boolean)',
    changeBooking: 'BookingPayload(id:ID!,input:ChangeBookingInput!,validateOnly:Boolean,version:Int)',
    chooseNotifications: 'ChooseNotificationsPayload(choices:[NotificationChoiceInput!]!)',
    claimReportShare: 'ReportSharePayload(id:ID!)',
    copyCampaign: 'CopyCampaignPayload(id:ID!,name:String,shiftDays:Int,startsAt:DateTime,validateOnly:Boolean)',
    copyLineItems: 'CopyLineItemsPayload(changes:LineItemChangesInput,ids:[ID!]!,shiftDays:Int,validateOnly:Boolean)',
    createActivities: 'ActivityBulkPayload(inputs:[CreateActivityInput!]!,mode:BulkMode,validateOnly:Boolean)',
    createActivity: 'ActivityPayload(input:CreateActivityInput!,validateOnly:Boolean)',
    createAdUnit: 'AdUnitPayload(input:CreateAdUnitInput!,validateOnly:Boolean)',
    createAdUnits: 'AdUnitBulkPayload(inputs:[CreateAdUnitInput!]!,mode:BulkMode,validateOnly:Boolean)',
    createAdvertiser: 'AdvertiserPayload(input:CreateAdvertiserInput!,validateOnly:Boolean)',
    createAdvertisers: 'AdvertiserBulkPayload(inputs:[CreateAdvertiserInput!]!,mode:BulkMode,validateOnly:Boolean)',
    createAdvertisingProduct: 'AdvertisingProductPayload(input:CreateAdvertisingProductInput!,validateOnly:Boolean)',
    createAdvertisingProducts: 'AdvertisingProductBulkPayload(inputs:[CreateAdvertisingProductInput!]!,mode:BulkMode,validateOnly:Boolean)',
    createApiKey: 'MadeApiKey(input:CreateApiKeyInput!)',
    createArea: 'AreaPayload(input:CreateAreaInput!,validateOnly:Boolean)',
    createAreas: 'AreaBulkPayload(inputs:[CreateAreaInput!]!,mode:BulkMode,validateOnly:Boolean)',
    createCampaign: 'CampaignPayload(input:CreateCampaignInput!,validateOnly:Boolean)',
    createCampaigns: 'CampaignBulkPayload(inputs:[CreateCampaignInput!]!,mode:BulkMode,validateOnly:Boolean)',
    createCreative: 'CreativePayload(input:CreateCreativeInput!,validateOnly:Boolean)',
    createCreatives: 'CreativeBulkPayload(inputs:[CreateCreativeInput!]!,mode:BulkMode,validateOnly:Boolean)',
    createCustomField: 'CustomFieldPayload(input:CreateCustomFieldInput!,validateOnly:Boolean)',
    createCustomFields: 'CustomFieldBulkPayload(inputs:[CreateCustomFieldInput!]!,mode:BulkMode,validateOnly:Boolean)',
    createDeal: 'DealPayload(input:CreateDealInput!,validateOnly:Boolean)',
    createDeals: 'DealBulkPayload(inputs:[CreateDealInput!]!,mode:BulkMode,validateOnly:Boolean)',
    createExperiment: 'ExperimentPayload(input:CreateExperimentInput!,validateOnly:Boolean)',
    createExperiments: 'ExperimentBulkPayload(inputs:[CreateExperimentInput!]!,mode:BulkMode,validateOnly:Boolean)',
    createFloor: 'FloorPayload(input:CreateFloorInput!,validateOnly:Boolean)',
    createFloors: 'FloorBulkPayload(inputs:[CreateFloorInput!]!,mode:BulkMode,validateOnly:Boolean)',
    createHeaderCredential: 'MadeHeaderCredential(environment:Environment,login:String,name:String!)',
    createKeyValue: 'KeyValuePayload(input:CreateKeyValueInput!,validateOnly:Boolean)',
    createKeyValues: 'KeyValueBulkPayload(inputs:[CreateKeyValueInput!]!,mode:BulkMode,validateOnly:Boolean)',
    createLibraryCreative: 'LibraryCreativePayload(input:CreateLibraryCreativeInput!,validateOnly:Boolean)',
    createLibraryCreatives: 'LibraryCreativeBulkPayload(inputs:[CreateLibraryCreativeInput!]!,mode:BulkMode,validateOnly:Boolean)',
    createLineItem: 'LineItemPayload(input:CreateLineItemInput!,validateOnly:Boolean)',
    createLineItems: 'LineItemBulkPayload(inputs:[CreateLineItemInput!]!,mode:BulkMode,validateOnly:Boolean)',
    createReportSchedule: 'ReportSchedulePayload(input:CreateReportScheduleInput!)',
    createSegment: 'SegmentPayload(input:CreateSegmentInput!,validateOnly:Boolean)',
    createSegments: 'SegmentBulkPayload(inputs:[CreateSegmentInput!]!,mode:BulkMode,validateOnly:Boolean)',
    createSite: 'SitePayload(input:CreateSiteInput!,validateOnly:Boolean)',
    createSites: 'SiteBulkPayload(inputs:[CreateSiteInput!]!,mode:BulkMode,validateOnly:Boolean)',
    createTargetingPreset: 'TargetingPresetPayload(input:CreateTargetingPresetInput!,validateOnly:Boolean)',
    createTargetingPresets: 'TargetingPresetBulkPayload(inputs:[CreateTargetingPresetInput!]!,mode:BulkMode,validateOnly:Boolean)',
    createTeam: 'TeamPayload(input:CreateTeamInput!,validateOnly:Boolean)',
    createTeams: 'TeamBulkPayload(inputs:[CreateTeamInput!]!,mode:BulkMode,validateOnly:Boolean)',
    createWebhook: 'WebhookPayload(input:CreateWebhookInput!)',
    decideAgentRequest: 'AgentRequestPayload(decision:AgentRequestDecision!,id:ID!,reason:String)',
    deleteComment: 'CommentPayload(id:ID!)',
    deleteReportSchedule: 'DeleteReportSchedulePayload(id:ID!)',
    deleteWebhook: 'DeleteWebhookPayload(id:ID!)',
    disableHeaderCredential: 'HeaderCredential(environment:Environment,id:ID!)',
    discardAgentRequest: 'AgentRequestPayload(id:ID!,response:JSON!)',
    dissociateCreatives: 'CreativeAssociationsPayload(inputs:[CreativePairInput!]!,validateOnly:Boolean)',
    endAgentRequest: 'AgentRequestPayload(id:ID!,input:EndAgentRequestInput!)',
    endSession: '(id:ID!,userId:ID!)',
    generate_report: 'ReportTask(task:ReportTaskInput!)',
    handOverAttention: 'LineItemAttentionPayload(lineItemId:ID!,toId:ID)',
    importHistory: 'ImportHistoryPayload(inputs:[HistoryHourInput!]!,source:String!,validateOnly:Boolean)',
    inviteUser: 'MadeInvitation(email:String!,role:Role!)',
    markNotificationsRead: 'MarkNotificationsReadPayload(upTo:ID!)',
    redeliverWebhook: 'RedeliverWebhookPayload(after:String,deliveryIds:[ID!],id:ID!)',
    removeMembership: '(userId:ID!)',
    report: 'ReportMutations()',
    requestBookingApproval: 'BookingApprovalPayload(id:ID!)',
    revokeApiKey: 'RevokeApiKeyPayload(environment:Environment,id:ID!)',
    revokeHeaderCredential: 'RevokePayload(environment:Environment,id:ID!)',
    revokeInvitation: 'RevokePayload(id:ID!)',
    revokeMembership: 'RevokePayload(userId:ID!)',
    revokeReportShare: 'ReportSharePayload(id:ID!)',
    revokeSession: 'RevokePayload(id:ID!,userId:ID!)',
    rotateApiKey: 'MadeApiKey(environment:Environment,expiresAt:DateTime,id:ID!,oldExpiresAt:DateTime!)',
    runReportSchedule: 'RunReportSchedulePayload(id:ID!)',
    saveCampaign: 'SaveCampaignPayload(archiveOthers:Boolean,input:SaveCampaignInput!,validateOnly:Boolean)',
    shareCampaignReport: 'NewReportShare(campaignId:ID!,days:Int,name:String!,showsSpend:Boolean)',
    snoozeAttention: 'LineItemAttentionPayload(lineItemId:ID!,until:DateTime)',
    splitLineItem: 'SplitLineItemPayload(change:LineItemChangesInput!,id:ID!,part:LineItemChangesInput!,version:Int)',
    testWebhook: 'TestWebhookPayload(id:ID!)',
    updateActivities: 'ActivityBulkPayload(mode:BulkMode,updates:[UpdateActivityEntry!]!,validateOnly:Boolean)',
    updateActivity: 'ActivityPayload(id:ID!,input:UpdateActivityInput!,validateOnly:Boolean,version:Int)',
    updateAdUnit: 'AdUnitPayload(id:ID!,input:UpdateAdUnitInput!,validateOnly:Boolean,version:Int)',
    updateAdUnits: 'AdUnitBulkPayload(mode:BulkMode,updates:[UpdateAdUnitEntry!]!,validateOnly:Boolean)',
    updateAdvertiser: 'AdvertiserPayload(id:ID!,input:UpdateAdvertiserInput!,validateOnly:Boolean,version:Int)',
    updateAdvertisers: 'AdvertiserBulkPayload(mode:BulkMode,updates:[UpdateAdvertiserEntry!]!,validateOnly:Boolean)',
    updateAdvertisingProduct: 'AdvertisingProductPayload(id:ID!,input:UpdateAdvertisingProductInput!,validateOnly:Boolean,version:Int)',
    updateAdvertisingProducts: 'AdvertisingProductBulkPayload(mode:BulkMode,updates:[UpdateAdvertisingProductEntry!]!,validateOnly:Boolean)',
    updateArea: 'AreaPayload(id:ID!,input:UpdateAreaInput!,validateOnly:Boolean,version:Int)',
    updateAreas: 'AreaBulkPayload(mode:BulkMode,updates:[UpdateAreaEntry!]!,validateOnly:Boolean)',
    updateCampaign: 'CampaignPayload(id:ID!,input:UpdateCampaignInput!,validateOnly:Boolean,version:Int)',
    updateCampaigns: 'CampaignBulkPayload(mode:BulkMode,updates:[UpdateCampaignEntry!]!,validateOnly:Boolean)',
    updateCreative: 'CreativePayload(id:ID!,input:UpdateCreativeInput!,validateOnly:Boolean,version:Int)',
    updateCreatives: 'CreativeBulkPayload(mode:BulkMode,updates:[UpdateCreativeEntry!]!,validateOnly:Boolean)',
    updateCustomField: 'CustomFieldPayload(id:ID!,input:UpdateCustomFieldInput!,validateOnly:Boolean,version:Int)',
    updateCustomFields: 'CustomFieldBulkPayload(mode:BulkMode,updates:[UpdateCustomFieldEntry!]!,validateOnly:Boolean)',
    updateDeal: 'DealPayload(id:ID!,input:UpdateDealInput!,validateOnly:Boolean,version:Int)',
    updateDeals: 'DealBulkPayload(mode:BulkMode,updates:[UpdateDealEntry!]!,validateOnly:Boolean)',
    updateExperiment: 'ExperimentPayload(id:ID!,input:UpdateExperimentInput!,validateOnly:Boolean,version:Int)',
    updateExperiments: 'ExperimentBulkPayload(mode:BulkMode,updates:[UpdateExperimentEntry!]!,validateOnly:Boolean)',
    updateFloor: 'FloorPayload(id:ID!,input:UpdateFloorInput!,validateOnly:Boolean,version:Int)',
    updateFloors: 'FloorBulkPayload(mode:BulkMode,updates:[UpdateFloorEntry!]!,validateOnly:Boolean)',
    updateKeyValue: 'KeyValuePayload(id:ID!,input:UpdateKeyValueInput!,validateOnly:Boolean,version:Int)',
    updateKeyValues: 'KeyValueBulkPayload(mode:BulkMode,updates:[UpdateKeyValueEntry!]!,validateOnly:Boolean)',
    updateLibraryCreative: 'LibraryCreativePayload(id:ID!,input:UpdateLibraryCreativeInput!,validateOnly:Boolean,version:Int)',
    updateLibraryCreatives: 'LibraryCreativeBulkPayload(mode:BulkMode,updates:[UpdateLibraryCreativeEntry!]!,validateOnly:Boolean)',
    updateLineItem: 'LineItemPayload(id:ID!,input:UpdateLineItemInput!,validateOnly:Boolean,version:Int)',
    updateLineItems: 'LineItemBulkPayload(mode:BulkMode,updates:[UpdateLineItemEntry!]!,validateOnly:Boolean)',
    updateMembership: 'UpdateMembershipPayload(role:Role!,userId:ID!)',
    updateNetwork: 'UpdateNetworkPayload(input:UpdateNetworkInput!,validateOnly:Boolean,version:Int)',
    updateReportSchedule: 'ReportSchedulePayload(id:ID!,input:UpdateReportScheduleInput!,version:Int)',
    updateSegment: 'SegmentPayload(id:ID!,input:UpdateSegmentInput!,validateOnly:Boolean,version:Int)',
    updateSegments: 'SegmentBulkPayload(mode:BulkMode,updates:[UpdateSegmentEntry!]!,validateOnly:Boolean)',
    updateSite: 'SitePayload(id:ID!,input:UpdateSiteInput!,validateOnly:Boolean,version:Int)',
    updateSites: 'SiteBulkPayload(mode:BulkMode,updates:[UpdateSiteEntry!]!,validateOnly:Boolean)',
    updateTargetingPreset: 'TargetingPresetPayload(id:ID!,input:UpdateTargetingPresetInput!,validateOnly:Boolean,version:Int)',
    updateTargetingPresets: 'TargetingPresetBulkPayload(mode:BulkMode,updates:[UpdateTargetingPresetEntry!]!,validateOnly:Boolean)',
    updateTeam: 'TeamPayload(id:ID!,input:UpdateTeamInput!,validateOnly:Boolean,version:Int)',
    updateTeams: 'TeamBulkPayload(mode:BulkMode,updates:[UpdateTeamEntry!]!,validateOnly:Boolean)',
    updateWebhook: 'WebhookPayload(id:ID!,input:UpdateWebhookInput!,version:Int)',
    upsertAdvertisers: 'AdvertiserBulkPayload(inputs:[UpsertAdvertiserInput!]!,mode:BulkMode,validateOnly:Boolean)',
    upsertCampaigns: 'CampaignBulkPayload(inputs:[UpsertCampaignInput!]!,mode:BulkMode,validateOnly:Boolean)',
    upsertCreatives: 'CreativeBulkPayload(inputs:[UpsertCreativeInput!]!,mode:BulkMode,validateOnly:Boolean)',
    upsertLibraryCreatives: 'LibraryCreativeBulkPayload(inputs:[UpsertLibraryCreativeInput!]!,mode:BulkMode,validateOnly:Boolean)',
    upsertLineItems: 'LineItemBulkPayload(inputs:[UpsertLineItemInput!]!,mode:BulkMode,validateOnly:Boolean)',
  },
  Query: {
    activities: 'ActivityConnection(after:String,before:String,filter:ActivityFilter,first:Int,last:Int,orderBy:ActivityOrder,sort:SortInput,where:ActivityWhere)',
    activity: 'Activity(id:ID!)',
    adUnit: 'AdUnit(id:ID!)',
    adUnits: 'AdUnitConnection(after:String,before:String,filter:AdUnitFilter,first:Int,last:Int,orderBy:AdUnitOrder,sort:SortInput,where:AdUnitWhere)',
    advertiser: 'Advertiser(id:ID!)',
    advertisers: 'AdvertiserConnection(after:String,before:String,filter:AdvertiserFilter,first:Int,last:Int,orderBy:AdvertiserOrder,sort:SortInput,where:AdvertiserWhere)',
    advertisingProduct: 'AdvertisingProduct(id:ID!)',
    advertisingProducts: 'AdvertisingProductConnection(after:String,before:String,filter:AdvertisingProductFilter,first:Int,last:Int,orderBy:AdvertisingProductOrder,sort:SortInput,where:AdvertisingProductWhere)',
    agentRequest: 'AgentRequest(id:ID!)',
    agentRequests: 'AgentRequest(after:ID,campaignIds:[ID!],first:Int,states:[AgentRequestState!],tools:[String!])',
    allReportShares: 'ReportShareConnection(after:String,first:Int,includeEnded:Boolean)',
    apiKey: 'ApiKey(environment:Environment,id:ID!)',
    apiKeys: 'ApiKey(after:ID,environment:Environment,first:Int,includeInactive:Boolean)',
    area: 'Area(id:ID!)',
    areas: 'AreaConnection(after:String,before:String,filter:AreaFilter,first:Int,last:Int,orderBy:AreaOrder,sort:SortInput,where:AreaWhere)',
    asset: 'Asset(url:String!)',
    assets: 'AssetConnection(after:String,filter:AssetFilter,first:Int)',
    auditLog: 'AuditConnection(after:String,filter:AuditFilter,first:Int,foldChangeSets:Boolean)',
    availability: 'Availability(input:AvailabilityInput!)',
    bookingsToApprove: 'LineItem(after:ID,first:Int)',
    campaign: 'Campaign(id:ID!)',
    campaigns: 'CampaignConnection(after:String,before:String,filter:CampaignFilter,first:Int,last:Int,orderBy:CampaignOrder,sort:SortInput,where:CampaignWhere)',
    changes: 'ChangeConnection(after:String,before:String,changeSet:String,first:Int,foldChangeSets:Boolean,kinds:[String!],last:Int)',
    comments: 'Comment(after:ID,first:Int,objectId:ID!,objectKind:DiscussedKind!)',
    creative: 'Creative(id:ID!)',
    creatives: 'CreativeConnection(after:String,before:String,filter:CreativeFilter,first:Int,last:Int,orderBy:CreativeOrder,sort:SortInput,where:CreativeWhere)',
    customField: 'CustomField(id:ID!)',
    customFields: 'CustomFieldConnection(after:String,before:String,filter:CustomFieldFilter,first:Int,last:Int,orderBy:CustomFieldOrder,sort:SortInput,where:CustomFieldWhere)',
    deal: 'Deal(id:ID!)',
    deals: 'DealConnection(after:String,before:String,filter:DealFilter,first:Int,last:Int,orderBy:DealOrder,sort:SortInput,where:DealWhere)',
    experiment: 'Experiment(id:ID!)',
    experiments: 'ExperimentConnection(after:String,before:String,filter:ExperimentFilter,first:Int,last:Int,orderBy:ExperimentOrder,sort:SortInput,where:ExperimentWhere)',
    explainDecision: 'ExplainedDecision(input:ExplainDecisionInput!)',
    floor: 'Floor(id:ID!)',
    floorSuggestions: 'FloorSuggestion(adUnitIds:[ID!],headerBidShadingPercent:Int)',
    floors: 'FloorConnection(after:String,before:String,filter:FloorFilter,first:Int,last:Int,orderBy:FloorOrder,sort:SortInput,where:FloorWhere)',
    forecast: 'Forecast(input:ForecastInput!,precision:ForecastPrecision)',
    forecastAccuracy: 'ForecastAccuracy(from:DateTime!,to:DateTime!)',
    headerCredentials: 'HeaderCredential(after:ID,environment:Environment,first:Int,includeDisabled:Boolean)',
    inspectActivityEvent: 'ActivityEventInspection(event:JSON!)',
    inspectDecision: 'DecisionInspection(input:InspectDecisionInput!)',
    keyValue: 'KeyValue(id:ID!)',
    keyValues: 'KeyValueConnection(after:String,before:String,filter:KeyValueFilter,first:Int,last:Int,orderBy:KeyValueOrder,sort:SortInput,where:KeyValueWhere)',
    libraryCreative: 'LibraryCreative(id:ID!)',
    libraryCreatives: 'LibraryCreativeConnection(after:String,before:String,filter:LibraryCreativeFilter,first:Int,last:Int,orderBy:LibraryCreativeOrder,sort:SortInput,where:LibraryCreativeWhere)',
    lineItem: 'LineItem(id:ID!)',
    lineItemTable: 'LineItemTableConnection(descending:Boolean,filter:LineItemTableFilter,first:Int,offset:Int,sort:LineItemTableSort,tab:LineItemTab)',
    lineItemTabs: 'LineItemTabCount(filter:LineItemTableFilter)',
    lineItems: 'LineItemConnection(after:String,before:String,filter:LineItemFilter,first:Int,last:Int,orderBy:LineItemOrder,sort:SortInput,where:LineItemWhere)',
    network: 'Network(id:ID!)',
    node: 'Node(id:ID!)',
    nodes: 'Node(ids:[ID!]!,type:NodeType)',
    notifications: 'Notification(after:ID,first:Int,unreadOnly:Boolean)',
    productForecast: 'ProductForecast(input:ProductForecastInput!,precision:ForecastPrecision)',
    report: 'ReportQueries()',
    reportSchedule: 'ReportSchedule(id:ID!)',
    reportSchedules: 'ReportSchedule()',
    reportShares: 'ReportShare(campaignId:ID!)',
    report_task: 'ReportTask(task_id:Int!)',
    search: 'SearchHit(first:Int,kinds:[SearchedKind!],text:String!)',
    segment: 'Segment(id:ID!)',
    segments: 'SegmentConnection(after:String,before:String,filter:SegmentFilter,first:Int,last:Int,orderBy:SegmentOrder,sort:SortInput,where:SegmentWhere)',
    site: 'Site(id:ID!)',
    sites: 'SiteConnection(after:String,before:String,filter:SiteFilter,first:Int,last:Int,orderBy:SiteOrder,sort:SortInput,where:SiteWhere)',
    targetingPreset: 'TargetingPreset(id:ID!)',
    targetingPresets: 'TargetingPresetConnection(after:String,before:String,filter:TargetingPresetFilter,first:Int,last:Int,orderBy:TargetingPresetOrder,sort:SortInput,where:TargetingPresetWhere)',
    team: 'Team(id:ID!)',
    teams: 'TeamConnection(after:String,before:String,filter:TeamFilter,first:Int,last:Int,orderBy:TeamOrder,sort:SortInput,where:TeamWhere)',
    users: 'User(after:ID,first:Int)',
    webhook: 'Webhook(id:ID!)',
    webhooks: 'Webhook()',
  },
  ReportMutations: {
    generate_report: 'ReportTask(task:ReportTaskInput!)',
  },
  ReportQueries: {
    report_task: 'ReportTask(task_id:Int!)',
    report_tasks: 'ReportTask(before_task_id:Int,limit:Int,task_external_id:String,task_external_type:String,task_status:ReportTaskStatus)',
  },
  ReportSchedule: {
    runs: 'ReportRun(after:ID,first:Int)',
  },
  ReportSchedulePayload: {
    saved: 'ReportSchedule()',
    schedule: 'ReportSchedule()',
  },
  SaveCampaignPayload: {
    campaign: 'Campaign()',
  },
  Segment: {
    sizeHistory: 'SegmentSize(days:Int)',
  },
  SegmentBulkPayload: {
    results: 'SegmentBulkResult()',
  },
  SegmentBulkResult: {
    segment: 'Segment()',
  },
  SegmentConnection: {
    edges: 'SegmentEdge()',
    nodes: 'Segment()',
  },
  SegmentEdge: {
    node: 'Segment()',
  },
  SegmentPayload: {
    segment: 'Segment()',
  },
  Site: {
    adUnits: 'AdUnitConnection(after:String,first:Int,where:AdUnitWhere)',
    areas: 'AreaConnection(after:String,first:Int,where:AreaWhere)',
  },
  SiteBulkPayload: {
    results: 'SiteBulkResult()',
  },
  SiteBulkResult: {
    site: 'Site()',
  },
  SiteConnection: {
    edges: 'SiteEdge()',
    nodes: 'Site()',
  },
  SiteEdge: {
    node: 'Site()',
  },
  SitePayload: {
    site: 'Site()',
  },
  SplitLineItemPayload: {
    lineItem: 'LineItem()',
    part: 'LineItem()',
  },
  Webhook: {
    deliveries: 'WebhookDelivery(after:ID,first:Int,status:WebhookDeliveryStatus)',
  },
  WebhookPayload: {
    saved: 'Webhook()',
    webhook: 'Webhook()',
  },
};

/** The mutations whose result has no `userErrors`. */
export const WITHOUT_USER_ERRORS: readonly string[] = [
  'disableHeaderCredential',
  'endSession',
  'generate_report',
  'removeMembership',
  'report',
];
