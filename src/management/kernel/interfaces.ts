import { encodeGlobalId } from '../../domain/ids/global-ids.ts';
import { builder } from './builder.ts';
import type { BulkOutcome, BulkResult } from './bulk.ts';
import type { ManagementContext } from './context.ts';
import type { StoredRow } from './field.ts';
import { FieldProblemRef } from './field-problem.ts';
import { type UserError, type UserErrorCode, UserErrorCodeRef, UserErrorRef, userErrorsOf } from './user-errors.ts';
import { PlacardError } from '../../domain/errors.ts';
import type { ErrorCode } from '../../domain/error-codes.ts';

/** The type of an object that `node` found: rows do not say what they are. */
const nodeTypes = new WeakMap<object, string>();

/** Marks an object with its type, so that a field of the type `Node` can return it. */
export function asNode<T extends object>(type: string, object: T): T {
  nodeTypes.set(object, type);
  return object;
}

/** Every object that has an id of its own. */
export const NodeRef = builder.interfaceRef<object>('Node').implement({
  description: 'An object with an id of its own.',
  resolveType: (object) => nodeTypes.get(object),
  fields: (t) => ({
    id: t.id({
      description:
        'Its id: global in versions of the API from 2026-11-25 on, before them the decimal one, unique in its kind.',
      resolve: () => {
        throw new Error('Each type resolves its own id.');
      },
    }),
  }),
});

/** The id of an object as the caller's version shows it. */
export function shownId({ version }: ManagementContext, type: string, id: string | bigint): string {
  return version.showsGlobalIds ? encodeGlobalId(type, id) : String(id);
}

/** What every booked object has besides its own fields. */
export const VersionedRef = builder.interfaceRef<StoredRow>('Versioned').implement({
  description: 'An object that counts its changes, and says who made the last one.',
  interfaces: [NodeRef as never],
  fields: (t) => ({
    databaseId: t.id({
      description: 'Decimal id, unique in its kind, in every version of the API.',
      resolve: (row) => String(row.id),
    }),
    version: t.int({
      description: 'Grows with every change; send it with an update to detect concurrent changes.',
      resolve: (row) => row.version,
    }),
    createdAt: t.field({ type: 'DateTime', description: 'When it was made.', resolve: (row) => row.created_at }),
    updatedAt: t.field({
      type: 'DateTime',
      description: 'When it was last changed.',
      resolve: (row) => row.updated_at,
    }),
    updatedBy: t.string({
      description: 'Who changed it last, as the audit log names them; empty: the system.',
      resolve: (row) => row.updated_by,
    }),
  }),
});

/** What can be archived and restored. */
export const ArchivableRef = builder.interfaceRef<StoredRow>('Archivable').implement({
  description: 'An object with a history: it is archived instead of deleted, and another status restores it.',
  fields: (t) => ({
    isArchived: t.boolean({
      description: 'Whether it is archived: it does not serve.',
      resolve: (row) => row['status'] === 'ARCHIVED',
    }),
  }),
});

/** What every page of a list has. */
export const ConnectionRef = builder.interfaceRef<object>('Connection').implement({
  description: 'A page of a list.',
  fields: (t) => ({
    pageInfo: t.field({
      type: builder.pageInfoRef() as never,
      description: 'The position of this page in the list.',
      resolve: (page) => (page as { pageInfo: never }).pageInfo,
    }),
    totalCount: t.int({
      description: 'How many objects match the filter, over all pages. Costs a count of its own.',
      resolve: (page) => (page as { totalCount: () => Promise<number> }).totalCount(),
    }),
  }),
});

/** What a mutation returns about its mistakes. */
export interface Refusable {
  readonly userErrors?: readonly UserError[];
}

/** The result of every mutation that returns a payload. */
export const PayloadRef = builder.interfaceRef<Refusable>('Payload').implement({
  description: 'The result of a mutation.',
  fields: (t) => ({
    userErrors: t.field({
      type: [UserErrorRef],
      description:
        'The mistakes in the input; empty when the change was made. Where it is selected, mistakes are told of here, and not in `errors`.',
      resolve: ({ userErrors }) => [...(userErrors ?? [])],
    }),
  }),
});

/** The result of one row of any bulk change. */
export const BulkResultRef = builder.interfaceRef<BulkResult>('BulkResult').implement({
  description: 'The result of one row of a bulk change.',
  fields: (t) => ({
    index: t.exposeInt('index', { description: 'Its index in the input, from 0.' }),
    code: t.field({
      type: UserErrorCodeRef,
      nullable: true,
      description: 'Error code of this row; null when the row is valid.',
      resolve: ({ code }) => code as UserErrorCode | null,
    }),
    message: t.exposeString('message', { nullable: true, description: 'What to do about the error.' }),
    problems: t.field({
      type: [FieldProblemRef],
      description: 'Wrong fields of this row.',
      resolve: (row) => [...row.problems],
    }),
    warnings: t.field({
      type: [FieldProblemRef],
      description: 'Doubtful fields of this row.',
      resolve: (row) => [...row.warnings],
    }),
    userErrors: t.field({
      type: [UserErrorRef],
      description: 'The mistakes in this row; empty when it is valid.',
      resolve: (row) => userErrorsOfRow(row),
    }),
  }),
});

function userErrorsOfRow({ code, message, problems }: BulkResult): UserError[] {
  if (code === null) return [];
  return userErrorsOf(new PlacardError(code as ErrorCode, message ?? undefined, { fields: problems }));
}

/** The result of any bulk change. */
export const BulkPayloadRef = builder.interfaceRef<BulkOutcome & Refusable>('BulkPayload').implement({
  description: 'The result of a bulk change.',
  interfaces: [PayloadRef as never],
  fields: (t) => ({
    userErrors: t.field({
      type: [UserErrorRef],
      description: 'The mistakes in all rows, and those of the call as a whole; empty when all is valid.',
      resolve: (outcome) => [...(outcome.userErrors ?? []), ...outcome.results.flatMap(userErrorsOfRow)],
    }),
    changedCount: t.exposeInt('changedCount', {
      description: 'How many rows were changed (0 when only validated, or all undone).',
    }),
    failedCount: t.exposeInt('failedCount', { description: 'How many rows were wrong.' }),
  }),
});
