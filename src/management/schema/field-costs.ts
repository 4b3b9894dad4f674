import { HTML_LENGTH_MAX } from '../../domain/booking/creative.ts';
import { SEGMENT_SIZE_DAYS } from '../../domain/targeting/segment.ts';
import { COMMENT_LENGTH_MAX } from '../../domain/team/comments.ts';
import { PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX } from '../kernel/builder.ts';
import { LIST_PAGE_MAX } from '../../domain/ids/list-page.ts';

/** Points of a field that has no selections: a number, a text, a list of texts. */
export const LEAF_COST = 1;
/** Points of an object, which may be a row of the database. */
export const OBJECT_COST = 3;
/** Characters of a text for one point: a field whose text may be longer costs more, because the response may repeat it. */
export const CHARACTERS_OF_A_POINT = 2_000;
/** The assumed number of items of an embedded list, such as the sizes of an ad unit. Its items cost no row. */
export const EMBEDDED_LIST_SIZE = 10;

/** Points of a text of so many characters. */
function pointsOfText(lengthMax: number): number {
  return Math.max(LEAF_COST, Math.ceil(lengthMax / CHARACTERS_OF_A_POINT));
}

/**
 * Points of fields that do more than return a part of a row, instead of {@link LEAF_COST} or {@link OBJECT_COST}; of fields that return
 * a connection, beside its rows. By type and field; an entry of `Connection` counts for all connections without one of their own.
 */
const PRICES: Readonly<Record<string, number>> = {
  'HtmlContent.html': pointsOfText(HTML_LENGTH_MAX),
  'Comment.body': pointsOfText(COMMENT_LENGTH_MAX),
  // A count of its own over the whole list.
  'Connection.totalCount': 10,
  // A count of the log of the network, which nothing bounds.
  'AuditConnection.totalCount': 500,
  'ChangeConnection.totalCount': 500,
  // A second look at every line item; see `ARGUMENT_PRICES`.
  'LineItemTableConnection.totalCount': 1_000,
  // Ten counters of the hot store, the traffic curve of the line item and its campaign.
  'LineItem.delivery': 40,
  'Campaign.delivery': 20,
  'Advertiser.delivery': 20,
  // A look at every line item, its creatives and where it stands.
  'Query.lineItemTabs': 500,
  // Every line item with its campaign and its figures; see `ARGUMENT_PRICES`.
  'Query.lineItemTable': 500,
  // Every live guaranteed line item: the database cannot tell which of them are approved.
  'Query.bookingsToApprove': 500,
  // Who wrote the booking, by the audit log, and who made their keys.
  'BookingApproval.mayApprove': 20,
  // No index has their order: all files are sorted.
  'Query.assets': 100,
  // Of each of about ten quotas: counts and sums over 20 tables.
  'Network.storage': 50,
  // A search through up to 200,000 characters.
  'Creative.scan': 10,
  'LibraryCreative.scan': 10,
  // Sums of the decision log in the analytics store.
  'LineItem.deliveryDiagnosis': 100,
  // One counter for each day of membership, 365 at most.
  'Segment.sizeEstimate': 50,
  // A sum over the roll-up of key-values, of a year at most.
  'Experiment.results': 1_000,
  // The newest bookings of the product, and a sum over their days in the analytics store.
  'AdvertisingProduct.priceGuidance': 50,
  'Query.explainDecision': 5_000,
  // Three decisions and as many draws as a forecast of a quiet network; a search in the log.
  'Query.inspectDecision': 10_000,
  // A dozen reads of the hot store.
  'Query.inspectActivityEvent': 50,
  // Four weeks of the roll-up of ad units, and all line items with a goal: up to half a second, in slices.
  'Query.availability': 10_000,
  'Query.forecast': 10_000,
  'Query.productForecast': 10_000,
  // Sums over all flights of the network that ended in up to 400 days.
  'Query.forecastAccuracy': 500,
  // A look at every object of the network.
  'Query.search': 1_000,
  // Sums over all imports of history, of up to a thousand rows each.
  'Query.importedHistory': 100,
  // Up to 10,000 entries of the log.
  'Query.changes': 50,
  // For each of ten suggestions: together as much as a forecast.
  'Query.floorSuggestions': 1_000,
  'Query.report_defs': 100,
  'ReportQueries.report_defs': 100,
  // Of each row: a few numbers, written in one statement.
  'Mutation.importHistory': 2,
  'Mutation.copyCampaign': 20_000,
  // Of each line item, with its creatives.
  'Mutation.copyLineItems': 500,
  'Mutation.splitLineItem': 1_000,
  'Mutation.generate_report': 500,
  'ReportMutations.generate_report': 500,
};

/**
 * Points that a field costs once in a document, however often it is selected: rows that are read once and shared. They count for each
 * object of the one list that returns the most of them.
 */
const ONCE_PRICES: Readonly<Record<string, number>> = {
  // The traffic curves of the workspace.
  'LineItem.delivery': 500,
};

/** Root fields whose work is done in a thread beside the core's, which has a queue and limits of its own. */
const MADE_ELSEWHERE: ReadonlySet<string> = new Set(['forecast', 'productForecast', 'floorSuggestions']);

/** Whether a root field of queries takes next to nothing of the core's time. */
export function isMadeElsewhere(rootField: string): boolean {
  return MADE_ELSEWHERE.has(rootField);
}

/** Points of a mutation field, for each object that it changes. */
export const MUTATION_COST = 50;

/** Points of a list that is searched or filtered, by argument: the database may look at every row, and at those of related tables. */
const SEARCH_COSTS: Readonly<Record<string, number>> = { filter: 100, where: 300, orderBy: 100 };

/** Skipped rows of a table for one point: the database makes each of them, and returns none. */
const SKIPPED_ROWS_OF_A_POINT = 100;

/**
 * Points of arguments of single fields, by their value.
 *
 * A table of line items is a scan. A tab looks at the creatives and the figures of each line item, an order by anything but the id sorts all
 * of them. With its count, a sorted tab costs as much as `lineItemTabs`, which does the same work. Pages of the desk are large queries
 * with or without these points: 50 line items with their delivery cost 35,000. So they wait for their turn, which is right for a scan.
 */
const ARGUMENT_PRICES: Readonly<Record<string, Readonly<Record<string, (value: unknown) => number>>>> = {
  'Query.lineItemTable': {
    tab: () => 2_500,
    sort: (sort) => (sort === 'ID' ? 0 : sort === 'AT_RISK' ? 2_500 : 1_000),
    // The reason of each line item, or each test of its targeting.
    filter: (filter) => (hasOne(filter, ['reasons', 'targets']) ? 2_500 : 100),
    offset: (rows) => (typeof rows === 'number' ? Math.ceil(Math.max(0, rows) / SKIPPED_ROWS_OF_A_POINT) : 0),
  },
  // A part of the name of an actor is looked for in the whole log.
  'Query.auditLog': { filter: () => 500 },
};

function hasOne(value: unknown, names: readonly string[]): boolean {
  return typeof value === 'object' && value !== null && names.some((name) => Object.hasOwn(value, name));
}

/** Fields that list rows, and their assumed number where the document states none. */
const ROW_LISTS: Readonly<Record<string, number>> = {
  'Query.apiKeys': 500,
  'Query.headerCredentials': 500,
  'Query.invitations': 200,
  'Query.users': 200,
  'Query.colleagues': 200,
  'Query.search': 20,
  'Query.notificationChoices': 5,
  'User.sessions': 10,
  'Query.reportSchedules': 100,
  'Query.reportShares': 100,
  'Query.webhooks': 20,
  'Query.importedHistory': 20,
  'ReportDefinitionList.edges': 50,
  'ExplainedDecision.slots': 10,
  'ExplainedSlot.losers': 500,
  'InspectedDecision.slots': 3,
  'InspectedSlot.losers': 100,
  'InspectedDecision.chances': 20,
  'DecisionInspection.changes': 50,
  'InspectedRequest.slots': 3,
  'GoalCourse.points': 400,
  'Availability.days': 92,
  'Availability.lineItems': 50,
  'Forecast.contending': 20,
  'DeliveryDiagnosis.numbers': 50,
  'DeliveryDiagnosis.byHour': 25,
  'DeliveryReasonsOfHour.numbers': 10,
  'DeliveryDiagnosis.changes': 5,
  'DeliveryDiagnosis.rivals': 5,
  'DeliveryDiagnosis.texts': 6,
  'ExplainedLoser.texts': 2,
  'Forecast.remarks': 5,
  'Availability.remarks': 5,
  'DecisionInspection.remarks': 5,
  // Some have none, one has five.
  'DeliveryText.values': 2,
};

/** Arguments that say how many objects a field returns, in the order in which they count. */
export const SIZE_ARGUMENTS = ['first', 'last', 'limit'] as const;

/** Lists of a row a day, by field: how many days their argument `days` means without a value, and at most. */
export const DAY_LISTS: Readonly<Record<string, { readonly usual: number; readonly most: number }>> = {
  'Segment.sizeHistory': SEGMENT_SIZE_DAYS,
};

/** Arguments whose items are the objects that a field returns, by field. */
export const ID_LISTS: Readonly<Record<string, string>> = { 'Query.nodes': 'ids' };

/** Arguments of bulk mutations: one object for each of their items. */
export const BULK_ARGUMENTS = ['inputs', 'updates', 'ids'] as const;

/** Lists of objects inside the input of a mutation that changes a whole tree, by mutation. */
export const TREE_LISTS: Readonly<Record<string, readonly string[]>> = { saveCampaign: ['lineItems', 'creatives'] };

/** The stated price of a field; null for the default. */
export function priceOf(typeName: string, fieldName: string): number | null {
  const own = PRICES[`${typeName}.${fieldName}`];
  const shared = typeName.endsWith('Connection') ? PRICES[`Connection.${fieldName}`] : undefined;
  return own ?? shared ?? null;
}

/** The points that an argument of a list adds. @param value null for none; undefined for a variable without a value */
export function argumentPriceOf(field: string, argument: string, value: unknown): number {
  if (value === null) return 0;
  const own = ARGUMENT_PRICES[field]?.[argument];
  if (own !== undefined) return value === undefined ? 0 : own(value);
  return argument === 'sort' ? sortPrice(value) : (SEARCH_COSTS[argument] ?? 0);
}

/** Lists are stored in the order of their ids; any other order is that of `orderBy`. */
function sortPrice(sort: unknown): number {
  const field = (sort as { readonly field?: unknown } | undefined)?.field;
  return field === undefined || field === 'ID' ? 0 : (SEARCH_COSTS['orderBy'] ?? 0);
}

/** The points that a field adds once to a document, beside its price; 0 for most. */
export function oncePriceOf(typeName: string, fieldName: string): number {
  return ONCE_PRICES[`${typeName}.${fieldName}`] ?? 0;
}

/** The assumed rows of a list without a page size; null where its items do not come from rows. */
export function rowListSize(typeName: string, fieldName: string): number | null {
  return ROW_LISTS[`${typeName}.${fieldName}`] ?? null;
}

/**
 * The page size of an argument: the resolver refuses a size outside the bounds, so the cost stays within them.
 * @param usual the assumed rows of a list that has larger pages; null: it has those of a connection
 */
export function pageSizeOf(given: unknown, usual: number | null = null): number {
  if (typeof given !== 'number') return usual ?? PAGE_SIZE_DEFAULT;
  return Math.min(Math.max(given, 1), usual === null ? PAGE_SIZE_MAX : LIST_PAGE_MAX);
}
