import { type AuditEntry, type AuditFilter, loadAuditPage } from './audit-log.ts';
import { askGraphql } from '../transport/graphql.ts';
import type { Scope } from '../transport/scope.ts';

/** One thing that somebody did. `details` holds `before` and `after`. */
export type ActivityEntry = Pick<
  AuditEntry,
  'sequence' | 'at' | 'actor' | 'action' | 'objectKind' | 'objectId' | 'details' | 'changeSet' | 'changeSetSize'
>;

/** Which entries: those of one actor (`user:7`, `key:1`), of one kind of object; null narrows nothing. */
export interface ActivityFilter {
  readonly actorId: string | null;
  readonly kind: string | null;
}

/** A page, newest first, with the names of its objects by kind and id. */
export interface ActivityPage {
  readonly entries: readonly ActivityEntry[];
  readonly names: ReadonlyMap<string, string>;
  /** Where the next page begins; null: there is none. */
  readonly next: string | null;
}

/** Where entries come from: the audit log for admins, the feed of changes for every other member. The server checks both. */
export type ActivitySource = 'audit' | 'changes';

/** Kinds of the feed of changes, which every member may read; the others are in the audit log alone. */
export const TOLD_KINDS = [
  'activity',
  'adUnit',
  'advertiser',
  'advertisingProduct',
  'area',
  'bookingApproval',
  'campaign',
  'comment',
  'creative',
  'customField',
  'deal',
  'experiment',
  'floor',
  'keyValue',
  'libraryCreative',
  'lineItem',
  'segment',
  'site',
  'targetingPreset',
  'team',
] as const;

const PAGE = 50;
/** Changes in one request to the feed, which cannot be asked for those of one actor. */
const FEED_PAGE = 100;
/** Most requests for one page: other actors have changes, too. */
const REQUESTS_MAX = 10;
const NAMED = {
  activity: 'Activity',
  adUnit: 'AdUnit',
  advertiser: 'Advertiser',
  advertisingProduct: 'AdvertisingProduct',
  area: 'Area',
  campaign: 'Campaign',
  creative: 'Creative',
  customField: 'CustomField',
  deal: 'Deal',
  experiment: 'Experiment',
  floor: 'Floor',
  keyValue: 'KeyValue',
  libraryCreative: 'LibraryCreative',
  lineItem: 'LineItem',
  segment: 'Segment',
  site: 'Site',
  targetingPreset: 'TargetingPreset',
  team: 'Team',
} as const;

/** Who acted, without their name: `user:7` of `user:7 ann@example.com`. */
export function actorIdOf(actor: string): string {
  return actor.split(' ')[0] ?? '';
}

/** The object that an entry is about: of a comment or an approval, the one that it is on. */
export function subjectOf({ objectKind, objectId, details }: ActivityEntry): {
  readonly kind: string;
  readonly id: string;
} {
  // The id of an approval is that of its line item.
  if (objectKind === 'bookingApproval') return { kind: 'lineItem', id: objectId };
  const on = objectKind === 'comment' ? (details['after'] as Partial<ActivityEntry> | null | undefined) : null;
  return { kind: on?.objectKind ?? objectKind, id: on?.objectId ?? objectId };
}

/** The key of an object in `names`. */
export function objectKey(kind: string, id: string): string {
  return `${kind} ${id}`;
}

/** Reads a page of the activity in one environment, newest first. `before`: `next` of the page before it. */
export async function loadActivity(
  scope: Scope,
  { source, ...filter }: ActivityFilter & { readonly source: ActivitySource },
  before: string | null,
  signal: AbortSignal,
): Promise<ActivityPage> {
  const read = source === 'audit' ? readAudit : readChanges;
  const { entries, next } = await read(scope, { ...filter, changeSet: null }, before, signal);
  return { entries, next, names: await loadNames(scope, entries, signal) };
}

/** Reads a page of the parts of a change of many objects, newest first. @param of the folded entry of the change */
export async function loadParts(
  scope: Scope,
  { source, of }: { readonly source: ActivitySource; readonly of: ActivityEntry },
  before: string | null,
  signal: AbortSignal,
): Promise<ActivityPage> {
  const read = source === 'audit' ? readAudit : readChanges;
  const filter = { actorId: actorIdOf(of.actor), kind: of.objectKind, changeSet: of.changeSet };
  const { entries, next } = await read(scope, filter, before, signal);
  return { entries, next, names: await loadNames(scope, entries, signal) };
}

type Read = (
  scope: Scope,
  /** `changeSet` null: of each change of many objects, one entry. */
  filter: ActivityFilter & { readonly changeSet: string | null },
  before: string | null,
  signal: AbortSignal,
) => Promise<Omit<ActivityPage, 'names'>>;

const readAudit: Read = async (scope, { actorId, kind, changeSet }, before, signal) => {
  const filter: AuditFilter = {
    ...(changeSet === null ? {} : { changeSet }),
    ...(actorId === null ? {} : { actorContains: actorId }),
    ...(kind === null ? {} : { objectKind: kind }),
  };
  const page = await loadAuditPage(scope, filter, { after: before, first: PAGE, fold: changeSet === null }, signal);
  const entries = page.entries.filter(
    ({ actor, environment }) =>
      (actorId === null || actorIdOf(actor) === actorId) &&
      (environment === null || environment.toLowerCase() === scope.environment),
  );
  return { entries, next: page.hasNextPage ? page.endCursor : null };
};

interface Change extends Omit<ActivityEntry, 'action' | 'details'> {
  readonly type: string;
  readonly before: unknown;
  readonly after: unknown;
}

interface ChangesBody {
  readonly changes: {
    readonly nodes: readonly Change[];
    readonly pageInfo: { readonly startCursor: string; readonly hasPreviousPage: boolean };
  };
}

const CHANGES = `query ConsoleActivity($before: String, $last: Int, $kinds: [String!], $changeSet: String, $fold: Boolean) {
  changes(before: $before, last: $last, kinds: $kinds, changeSet: $changeSet, foldChangeSets: $fold) {
    nodes { sequence at type objectKind objectId actor before after changeSet changeSetSize }
    pageInfo { startCursor hasPreviousPage } } }`;

/** The feed goes from old to new; its newest part is read backwards. */
const readChanges: Read = async (scope, { actorId, kind, changeSet }, before, signal) => {
  const entries: ActivityEntry[] = [];
  let next = before;
  for (let request = 0; request < REQUESTS_MAX && entries.length < PAGE; request += 1) {
    const narrowed = { kinds: kind === null ? TOLD_KINDS : [kind], changeSet, fold: changeSet === null };
    const variables = { ...narrowed, before: next, last: FEED_PAGE };
    const { changes } = await askGraphql<ChangesBody>(scope, CHANGES, variables, signal);
    const own = changes.nodes.filter(({ actor }) => actorId === null || actorIdOf(actor) === actorId);
    entries.push(...own.map(entryOf).reverse());
    next = changes.pageInfo.hasPreviousPage ? changes.pageInfo.startCursor : null;
    if (next === null) break;
  }
  return { entries, next };
};

function entryOf({ type, before, after, ...change }: Change): ActivityEntry {
  return { ...change, action: type, details: { before, after } };
}

/** The present names of the objects of entries. An object that is gone, or of another kind, has none. */
async function loadNames(
  scope: Scope,
  entries: readonly ActivityEntry[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const kinds = Object.entries(NAMED).flatMap(([kind, type]) => {
    const ids = [...new Set(entries.map(subjectOf).flatMap((subject) => (subject.kind === kind ? [subject.id] : [])))];
    return ids.length === 0 ? [] : [{ kind, type, ids }];
  });
  if (kinds.length === 0) return new Map();
  const parameters = kinds.map(({ kind }) => `$${kind}: [ID!]!`).join(', ');
  const fields = kinds.map(
    ({ kind, type }) => `${kind}: nodes(ids: $${kind}, type: ${type}) { ... on ${type} { name } }`,
  );
  const found = await askGraphql<Readonly<Record<string, readonly ({ readonly name: string } | null)[]>>>(
    scope,
    `query ConsoleActivityNames(${parameters}) { ${fields.join(' ')} }`,
    Object.fromEntries(kinds.map(({ kind, ids }) => [kind, ids])),
    signal,
  );
  return new Map(
    kinds.flatMap(({ kind, ids }) =>
      ids.flatMap((id, at): [string, string][] => {
        const name = found[kind]?.[at]?.name;
        return name === undefined ? [] : [[objectKey(kind, id), name]];
      }),
    ),
  );
}
