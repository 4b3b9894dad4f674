import { type AuditFilter, countAudit, listAudit, type StoredAuditRecord } from '../../access/audit/audit.sql.ts';
import { changeSetOf, readChangeSetSizes } from '../../access/audit/change-sets.sql.ts';
import { PlacardError } from '../../domain/errors.ts';
import { decodeGlobalId } from '../../domain/ids/global-ids.ts';
import { builder, PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX } from '../kernel/builder.ts';
import type { Environment } from '../../domain/tenancy/workspace.ts';
import { readEnvironments } from '../resources/network/network.sql.ts';
import { CHANGE_SET_SIZE_TEXT, CHANGE_SET_TEXT, FOLD_TEXT, once } from './change-set.ts';
import { ConnectionRef } from '../kernel/interfaces.ts';
import { queryableOf } from '../kernel/transactions.sql.ts';
import { EnvironmentRef } from './api-keys.ts';

type Entry = StoredAuditRecord & {
  readonly environment: Environment | null;
  /** Of its page. */
  readonly sizesOfSets: () => Promise<(entry: Entry) => number>;
};

const EntryRef = builder.objectRef<Entry>('AuditEntry').implement({
  description: 'One recorded action. The log is append-only.',
  fields: (t) => ({
    sequence: t.id({
      description: "Its number in the network's log; numbers grow by one.",
      resolve: (entry) => String(entry.sequence),
    }),
    at: t.field({ type: 'DateTime', description: 'When.', resolve: (entry) => entry.at }),
    environment: t.field({
      type: EnvironmentRef,
      nullable: true,
      description: 'The environment; null = settings of the network, which hold for both.',
      resolve: (entry) => entry.environment,
    }),
    actor: t.exposeString('actor', { description: 'Who did it.' }),
    remoteAddress: t.exposeString('remoteAddress', { description: 'Address of the caller.' }),
    action: t.exposeString('action', { description: 'What was done, such as `campaign.update`.' }),
    objectKind: t.exposeString('objectKind', { description: 'Kind of the object.' }),
    objectId: t.exposeString('objectId', { description: 'Id of the object.' }),
    details: t.field({
      type: 'JSON',
      description: 'Values before and after, and further facts.',
      resolve: (entry) => entry.details,
    }),
    changeSet: t.string({
      nullable: true,
      description: CHANGE_SET_TEXT,
      resolve: changeSetOf,
    }),
    changeSetSize: t.int({
      description: CHANGE_SET_SIZE_TEXT,
      resolve: async (entry) => (await entry.sizesOfSets())(entry),
    }),
    hash: t.string({
      description: 'SHA-256 over this entry and the hash of the one before.',
      resolve: (entry) => entry.hash.toString('hex'),
    }),
  }),
});

const FilterInput = builder.inputType('AuditFilter', {
  description: 'Narrows the audit log; all given parts must hold.',
  fields: (t) => ({
    actor: t.string({ description: 'Exactly this actor.' }),
    actorContains: t.string({
      description: 'Actors with this text in them, such as an e-mail address; case does not matter.',
    }),
    action: t.string({ description: 'Exactly this action.' }),
    objectKind: t.string({ description: 'Objects of this kind.' }),
    objectId: t.string({
      description: 'The object with this id: the decimal one, or the global one, which names its kind too.',
    }),
    changeSet: t.string({ description: 'Parts of this change of many objects.' }),
    from: t.field({ type: 'DateTime', description: 'At or after this instant.' }),
    to: t.field({ type: 'DateTime', description: 'Before this instant.' }),
  }),
});

const PageRef = builder.connectionObject(
  {
    type: EntryRef,
    name: 'AuditConnection',
    interfaces: [ConnectionRef as never],
    description: 'A page of the audit log.',
  },
  { name: 'AuditEdge', description: 'One entry of the audit log.' },
);

builder.queryField('auditLog', (t) =>
  t.field({
    type: PageRef,
    description: 'The audit log of the network, both environments, newest first.',
    args: {
      first: t.arg.int({ description: `Size of the page, 1…${PAGE_SIZE_MAX}; default ${PAGE_SIZE_DEFAULT}.` }),
      after: t.arg.string({ description: 'Cursor after which the page begins.' }),
      filter: t.arg({ type: FilterInput, description: 'Which entries.' }),
      foldChangeSets: t.arg.boolean({ description: FOLD_TEXT }),
    },
    resolve: async (_root, args, context) => {
      const size = args.first ?? PAGE_SIZE_DEFAULT;
      if (size < 1 || size > PAGE_SIZE_MAX) {
        throw new PlacardError('invalid_request', `A page has 1 to ${PAGE_SIZE_MAX} entries; ${size} were asked for.`);
      }
      const { networkId } = context.principal;
      const filter = readFilter(args.filter ?? {});
      const page = {
        beforeSequence: readCursor(args.after),
        limit: size + 1,
        isFolded: args.foldChangeSets ?? false,
      };
      const entries = await listAudit(queryableOf(context), networkId, filter, page);
      const sizesOfSets = once(() => readChangeSetSizes(queryableOf(context), networkId, entries));
      const environments = await readEnvironments(queryableOf(context), networkId);
      const edges = entries.slice(0, size).map((entry) => ({
        node: {
          ...entry,
          sizesOfSets,
          environment: entry.workspaceId === null ? null : (environments.get(entry.workspaceId) ?? null),
        },
        cursor: String(entry.sequence),
      }));
      return {
        edges,
        pageInfo: {
          hasNextPage: entries.length > size,
          hasPreviousPage: page.beforeSequence !== null,
          startCursor: edges[0]?.cursor ?? null,
          endCursor: edges.at(-1)?.cursor ?? null,
        },
        totalCount: () => countAudit(queryableOf(context), networkId, filter),
      };
    },
  }),
);

function readCursor(cursor: string | null | undefined): bigint | null {
  if (cursor === null || cursor === undefined) return null;
  if (/^\d{1,18}$/.test(cursor)) return BigInt(cursor);
  throw new PlacardError('invalid_request', '`after` is not a cursor of the audit log.');
}

function readFilter(given: Readonly<Record<string, unknown>>): AuditFilter {
  const entries = Object.entries(given).filter(([, value]) => value !== null && value !== undefined);
  if (entries.some(([, value]) => typeof value === 'string' && value.includes('\0'))) {
    throw new PlacardError('invalid_request', 'The filter holds a character that no entry can have.');
  }
  return narrowToObject(Object.fromEntries(entries) as AuditFilter);
}

/** The kinds of entries that are filed under the id of an object of another kind. */
const FILED_UNDER: Readonly<Record<string, string>> = { bookingApproval: 'LineItem' };

/** The filter with a decimal id: entries hold no others. */
function narrowToObject(filter: AuditFilter): AuditFilter {
  const named = filter.objectId === undefined ? null : decodeGlobalId(filter.objectId);
  if (named === null) return filter;
  const kind = `${named.type.slice(0, 1).toLowerCase()}${named.type.slice(1)}`;
  const { objectKind = kind } = filter;
  if (objectKind !== kind && FILED_UNDER[objectKind] !== named.type)
    throw new PlacardError(
      'invalid_request',
      `filter.objectId is the global id of a ${named.type}, and filter.objectKind is ${objectKind}: leave out the kind, or give the id of such an object.`,
    );
  return { ...filter, objectKind, objectId: named.id };
}
