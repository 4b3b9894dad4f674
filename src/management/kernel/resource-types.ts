import type { ObjectRef } from '@pothos/core';
import { builder } from './builder.ts';
import type { FieldProblem } from '../../domain/errors.ts';
import type { Field, Reference, StoredRow } from './field.ts';
import { findLinked } from './loaders.ts';
import { labelOf, type Resource, resourceOfTable, resourceOfType } from './resource.ts';
import { type Connection, readChildren } from './pages.ts';
import { IN_CONNECTION, linkName, selectionOf } from './selection.ts';

type ResourceRef = ReturnType<typeof builder.objectRef<StoredRow>>;
type ConnectionRef = ObjectRef<never, Connection>;

const objectRefs = new Map<string, ResourceRef>();
const connectionRefs = new Map<string, ConnectionRef>();

/** The schema builder's reference to a resource's type; resources may name each other before they are defined. */
export function objectRefOf(type: string): ResourceRef {
  const known = objectRefs.get(type);
  if (known !== undefined) return known;
  const made = builder.objectRef<StoredRow>(type);
  objectRefs.set(type, made);
  return made;
}

/** The reference to the connection over a resource. */
export function connectionRefOf(type: string): ConnectionRef {
  const known = connectionRefs.get(type);
  if (known !== undefined) return known;
  const made = builder.connectionObject(
    {
      type: objectRefOf(type),
      name: `${type}Connection`,
      description: `A page of a list of ${labelOf(resourceOfType(type).plural)}.`,
    },
    { name: `${type}Edge`, description: `One ${labelOf(resourceOfType(type).singular)} in a list.` },
  ) as unknown as ConnectionRef;
  connectionRefs.set(type, made);
  return made;
}

builder.globalConnectionField('totalCount', (t) =>
  t.int({
    description: 'How many objects match the filter, over all pages. Costs a count of its own.',
    resolve: (connection) => (connection as unknown as Connection).totalCount(),
  }),
);

/** One wrong or doubtful input field. */
export const FieldProblemRef = builder.objectRef<FieldProblem>('FieldProblem').implement({
  description: 'One wrong or doubtful field of an input.',
  fields: (t) => ({
    path: t.exposeString('path', { description: 'Where it is, such as `input.frequencyCaps.0.count`.' }),
    code: t.exposeString('code', { description: 'Stable code, such as `out_of_range`.' }),
    message: t.exposeString('message', { description: 'What to do about it.' }),
  }),
});

/** Adds a resource's object type: its own fields, what every resource has, its links and its children. */
export function defineObjectType(resource: Resource): void {
  objectRefOf(resource.type).implement({
    description: resource.description,
    fields: (t) => ({
      id: t.id({ description: 'Decimal id, unique in its kind.', resolve: (row) => String(row.id) }),
      ...Object.fromEntries(resource.fields.map((field) => [field.name, t.field(outputOptions(field))])),
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
  for (const { name, columns, reference } of resource.fields) {
    if (reference?.link !== undefined) defineLink(resource, { name, column: columns[0] ?? '', ...reference });
  }
  for (const children of resource.children) defineChildren(resource, children);
}

function outputOptions(field: Field) {
  return {
    type: field.output as never,
    description: field.description,
    nullable: field.outputNullable,
    resolve: (row: StoredRow) => field.read(row) as never,
  };
}

/** Adds the link of a reference: `lineItem.campaign` beside `lineItem.campaignId`. */
function defineLink(resource: Resource, from: Reference & { readonly name: string; readonly column: string }): void {
  const { type } = resourceOfTable(from.table);
  builder.objectField(objectRefOf(resource.type), linkName(from.name), (t) =>
    t.field({
      type: objectRefOf(type),
      nullable: true,
      description: from.link ?? '',
      resolve: (row, _args, context, info) => {
        const id = row[from.column];
        return typeof id === 'bigint'
          ? findLinked(context, type, id, selectionOf(resourceOfType(type), info).columns)
          : null;
      },
    }),
  );
}

function defineChildren(resource: Resource, children: Resource['children'][number]): void {
  builder.objectField(objectRefOf(resource.type), children.name, (t) =>
    t.field({
      type: connectionRefOf(children.child) as never,
      description: children.description,
      args: {
        first: t.arg.int({ description: 'Size of the page, 1…100; default 25.' }),
        after: t.arg.string({ description: 'Cursor after which the page begins.' }),
      },
      resolve: (row, args, context, info) =>
        readChildren(
          context,
          {
            type: children.child,
            parentColumn: children.column,
            conditions: [],
            columns: selectionOf(resourceOfType(children.child), info, IN_CONNECTION).columns,
          },
          row.id,
          args,
        ) as never,
    }),
  );
}
