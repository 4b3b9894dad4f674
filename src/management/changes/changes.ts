import type { Kysely } from 'kysely';
import { isTooLong } from '../../access/audit/audit-chain.ts';
import type { StoredAuditRecord } from '../../access/audit/audit.sql.ts';
import { changeSetOf, readChangeSetSizes } from '../../access/audit/change-sets.sql.ts';
import {
  type ChangeScope,
  countChanges,
  listChanges,
  listChangesBefore,
  readNewestSequence,
} from '../../access/audit/changes.sql.ts';
import { mayRead, requirePermission } from '../../access/permissions/permissions.ts';
import { PlacardError } from '../../domain/errors.ts';
import type { Environment } from '../../domain/tenancy/workspace.ts';
import { EnvironmentRef } from '../administration/api-keys.ts';
import { builder, PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX } from '../kernel/builder.ts';
import type { Database } from '../../storage/sql/schema.ts';
import type { ManagementContext } from '../kernel/context.ts';
import { CHANGE_SET_SIZE_TEXT, CHANGE_SET_TEXT, FOLD_TEXT, once } from '../administration/change-set.ts';
import { snakeCase } from '../kernel/field.ts';
import { ConnectionRef } from '../kernel/interfaces.ts';
import { queryableOf } from '../kernel/transactions.sql.ts';
import {
  CHANGE_KINDS,
  CHANGE_VERBS,
  type ChangeKind,
  type ChangeVerb,
  type TeamKind,
  TOLD_KINDS,
} from '../../domain/booking/change-types.ts';

type Change = StoredAuditRecord & {
  readonly environment: Environment;
  /** Of its page. */
  readonly sizesOfSets: () => Promise<(change: Change) => number>;
};
type Kind = ChangeKind | TeamKind;

/** The queries that read what the team does; each other kind has a query of its name. */
const QUERIES_OF_TEAM: Readonly<Record<TeamKind, string>> = {
  comment: 'query.comments',
  bookingApproval: 'query.lineItem',
};
const queryOf = (kind: Kind): string => (kind in QUERIES_OF_TEAM ? QUERIES_OF_TEAM[kind as TeamKind] : `query.${kind}`);

const KindRef = builder.enumType('ChangeKind', {
  description: 'A kind of object whose changes are told.',
  values: Object.fromEntries(
    TOLD_KINDS.map((kind) => [snakeCase(kind).toUpperCase(), { value: kind, description: `Objects of \`${kind}\`.` }]),
  ) as Record<string, { value: Kind; description: string }>,
});

const VERB_TEXTS: Readonly<Record<ChangeVerb, string>> = {
  create: 'It is new.',
  update: 'Fields of it changed.',
  archive: 'It was archived.',
  complete: 'It reached its goal.',
  progress: 'It comes along otherwise than before.',
  upload: 'Members of a segment were uploaded.',
};

const VerbRef = builder.enumType('ChangeVerb', {
  description: 'What can happen to an object.',
  values: Object.fromEntries(
    Object.entries(VERB_TEXTS).map(([verb, description]) => [verb.toUpperCase(), { value: verb, description }]),
  ) as Record<string, { value: ChangeVerb; description: string }>,
});

const ChangeRef = builder.objectRef<Change>('Change').implement({
  description: 'One change of one object: what it was, and what it became.',
  fields: (t) => ({
    sequence: t.id({
      description: 'Its number: a later change has a higher one. It is also its cursor.',
      resolve: ({ sequence }) => String(sequence),
    }),
    at: t.field({ type: 'DateTime', description: 'When.', resolve: ({ at }) => at }),
    environment: t.field({
      type: EnvironmentRef,
      description: 'The environment of the object.',
      resolve: ({ environment }) => environment,
    }),
    type: t.exposeString('action', { description: 'Kind and verb, such as `lineItem.update`.' }),
    objectKind: t.exposeString('objectKind', { description: 'Kind of the object, such as `lineItem`.' }),
    kind: t.field({
      type: KindRef,
      description: 'Kind of the object.',
      resolve: ({ objectKind }) => objectKind as Kind,
    }),
    verb: t.field({
      type: VerbRef,
      nullable: true,
      description: 'What happened to it; null: something of its own kind, which `type` names.',
      resolve: ({ action }) => CHANGE_VERBS.find((verb) => action.endsWith(`.${verb}`)) ?? null,
    }),
    objectId: t.exposeID('objectId', { description: 'Id of the object.' }),
    actor: t.exposeString('actor', { description: 'Who made it; `system:…` for Placard itself.' }),
    before: t.field({
      type: 'JSON',
      nullable: true,
      description: 'The changed fields before, by their names in this API; null for a new object.',
      resolve: (change) => partOf(change, 'before'),
    }),
    after: t.field({
      type: 'JSON',
      nullable: true,
      description: 'The changed fields after; all fields of a new object.',
      resolve: (change) => partOf(change, 'after'),
    }),
    changeSet: t.string({
      nullable: true,
      description: CHANGE_SET_TEXT,
      resolve: changeSetOf,
    }),
    changeSetSize: t.int({
      description: CHANGE_SET_SIZE_TEXT,
      resolve: async (change) => (await change.sizesOfSets())(change),
    }),
    isTooLong: t.boolean({
      description:
        'Whether the values are too long for the log, so that `before` and `after` are null: read the object.',
      resolve: ({ details }) => isTooLong(details),
    }),
  }),
});

const PageRef = builder.connectionObject(
  {
    type: ChangeRef,
    name: 'ChangeConnection',
    interfaces: [ConnectionRef as never],
    description: 'A page of changes.',
  },
  { name: 'ChangeEdge', description: 'One change.' },
);

builder.queryField('changes', (t) =>
  t.field({
    type: PageRef,
    description:
      'All changes of objects of this environment, oldest first. Keep `pageInfo.endCursor` and ask again with it: no change is left out or repeated.',
    args: {
      first: t.arg.int({ description: `Size of the page, 1…${PAGE_SIZE_MAX}; default ${PAGE_SIZE_DEFAULT}.` }),
      after: t.arg.string({
        description:
          '`endCursor` of the page before. Absent: from the first change. `now`: no changes, only the cursor of this moment.',
      }),
      last: t.arg.int({
        description: `Size of the page where it is read backwards, 1…${PAGE_SIZE_MAX}: the newest changes before \`before\`, oldest first. Takes no \`first\` and no \`after\`.`,
      }),
      before: t.arg.string({
        description: '`startCursor` of the page after it. Absent: from the newest change. Only with `last`.',
      }),
      changeSet: t.arg.string({ description: 'Only parts of this change of many objects.' }),
      foldChangeSets: t.arg.boolean({ description: `${FOLD_TEXT} Only with \`last\`.` }),
      kinds: t.arg.stringList({
        description:
          'Kinds of objects, such as `lineItem`; default: all that the caller may read, except `comment` (its text is in `comments`) and `bookingApproval` (its id is that of the line item), which have to be named.',
      }),
    },
    resolve: (_root, args, context) => loadPage(context, args),
  }),
);

interface PageArguments {
  readonly first?: number | null | undefined;
  readonly after?: string | null | undefined;
  readonly last?: number | null | undefined;
  readonly before?: string | null | undefined;
  readonly changeSet?: string | null | undefined;
  readonly foldChangeSets?: boolean | null | undefined;
  readonly kinds?: readonly string[] | null | undefined;
}

async function loadPage(context: ManagementContext, args: PageArguments) {
  checkDirection(args);
  const limit = args.last ?? args.first ?? PAGE_SIZE_DEFAULT;
  if (limit < 1 || limit > PAGE_SIZE_MAX) {
    throw new PlacardError('invalid_request', `A page has 1 to ${PAGE_SIZE_MAX} changes; ${limit} were asked for.`);
  }
  const { networkId, workspaceId, environment } = context.principal;
  const kinds = readKinds(context, args.kinds ?? null);
  const scope = { networkId, workspaceId, kinds, changeSet: readChangeSet(args.changeSet) };
  const db = queryableOf(context);
  const newest = await readNewestSequence(db, networkId);
  const { changes, ...pageInfo } = isGiven(args.last)
    ? await readBackwards(db, scope, { args, newest, limit })
    : await readForwards(db, scope, { args, newest, limit });
  const sizesOfSets = once(() => readChangeSetSizes(db, networkId, changes));
  const edges = changes.map((change) => ({
    node: { ...change, environment, sizesOfSets },
    cursor: String(change.sequence),
  }));
  return { edges, pageInfo, totalCount: () => countChanges(db, scope) };
}

interface ReadOptions {
  readonly args: PageArguments;
  readonly newest: bigint;
  readonly limit: number;
}

async function readForwards(db: Kysely<Database>, scope: ChangeScope, { args, newest, limit }: ReadOptions) {
  const after = readCursor('after', args.after ?? null, newest) ?? 0n;
  const { changes, through, isEnd } = await listChanges(db, scope, { after, newest, limit });
  const [first] = changes;
  return {
    changes,
    hasNextPage: !isEnd,
    hasPreviousPage: after > 0n,
    startCursor: first === undefined ? null : String(first.sequence),
    endCursor: String(through),
  };
}

async function readBackwards(db: Kysely<Database>, scope: ChangeScope, { args, newest, limit }: ReadOptions) {
  const before = readCursor('before', args.before ?? null, newest) ?? newest + 1n;
  const options = { before, limit, isFolded: args.foldChangeSets ?? false };
  const { changes, from, isStart } = await listChangesBefore(db, scope, options);
  const last = changes.at(-1);
  return {
    changes,
    hasNextPage: before <= newest,
    hasPreviousPage: !isStart,
    startCursor: String(from),
    endCursor: last === undefined ? null : String(last.sequence),
  };
}

const isGiven = <T>(value: T | null | undefined): value is T => value !== null && value !== undefined;

/** Two directions in one request have no meaning. */
function checkDirection({ first, after, last, before, foldChangeSets }: PageArguments): void {
  const mixed = isGiven(last) && (isGiven(first) || isGiven(after));
  if (mixed) throw new PlacardError('invalid_request', '`last` takes no `first` and no `after`.');
  if (!isGiven(last) && (isGiven(before) || foldChangeSets === true))
    throw new PlacardError('invalid_request', '`before` and `foldChangeSets` need `last`.');
}

function readChangeSet(given: string | null | undefined): string | null {
  if (given?.includes('\0') === true)
    throw new PlacardError('invalid_request', '`changeSet` holds a character that no change set has.');
  return given ?? null;
}

/** A key of one module reads the changes of the objects that it may read. */
function readKinds(context: ManagementContext, given: readonly string[] | null): readonly Kind[] {
  if (given === null) return CHANGE_KINDS.filter((kind) => mayRead(context.caller, queryOf(kind)));
  const unknown = given.find((kind) => !TOLD_KINDS.some((known) => known === kind));
  if (unknown !== undefined) {
    const message = `There is no kind \`${unknown.slice(0, 40)}\`. Give kinds among: ${TOLD_KINDS.join(', ')}.`;
    throw new PlacardError('invalid_request', message);
  }
  const kinds = TOLD_KINDS.filter((kind) => given.includes(kind));
  for (const kind of kinds) requirePermission(context.caller, queryOf(kind));
  return kinds;
}

function readCursor(name: 'after' | 'before', given: string | null, newest: bigint): bigint | null {
  if (given === null) return null;
  if (given === 'now' && name === 'after') return newest;
  if (!/^\d{1,18}$/.test(given)) {
    const right = name === 'after' ? 'an `endCursor`, or `now`' : 'a `startCursor`';
    throw new PlacardError('invalid_request', `\`${name}\` is not a cursor of the changes: give ${right}.`);
  }
  const cursor = BigInt(given);
  if (cursor > newest) {
    const message = `\`${name}\` is ${given}, and the newest change is ${newest}: this installation was restored from a backup, or the cursor is of another network. Read the objects again, then begin at \`now\`.`;
    throw new PlacardError('invalid_request', message);
  }
  return cursor;
}

function partOf({ details, objectKind }: Change, name: 'before' | 'after'): unknown {
  const part = (details as Readonly<Record<string, Readonly<Record<string, unknown>>>> | null)?.[name] ?? null;
  return objectKind === 'comment' ? withoutText(part) : part;
}

/** Earlier programs wrote the text of a comment to the audit log. */
function withoutText(part: Readonly<Record<string, unknown>> | null): unknown {
  if (part === null) return null;
  const { body: _text, ...rest } = part;
  return rest;
}
