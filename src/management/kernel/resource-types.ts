import type { ObjectRef } from '@pothos/core';
import { builder } from './builder.ts';
import { encodeGlobalId } from '../../domain/ids/global-ids.ts';
import type { Field, Reference, StoredRow } from './field.ts';
import { ArchivableRef, ConnectionRef, NodeRef, shownId, VersionedRef } from './interfaces.ts';
import { findLinked } from './loaders.ts';
import { labelOf, type Resource, resourceOfTable, resourceOfType } from './resource.ts';
import { type Connection, readChildren } from './pages.ts';
import { moneyOptions } from './money-type.ts';
import { IN_CONNECTION, linkName, selectionOf } from './selection.ts';
import { readWhere, whereRefOf } from './where.ts';

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
      interfaces: [ConnectionRef as never],
      description: `A page of a list of ${labelOf(resourceOfType(type).plural)}.`,
    },
    { name: `${type}Edge`, description: `One ${labelOf(resourceOfType(type).singular)} in a list.` },
  ) as unknown as ConnectionRef;
  connectionRefs.set(type, made);
  return made;
}

/** Adds a resource's object type: its own fields, what every resource has, its links and its children. */
export function defineObjectType(resource: Resource): void {
  objectRefOf(resource.type).implement({
    description: resource.description,
    interfaces: [NodeRef, VersionedRef, ArchivableRef] as never,
    fields: (t) => ({
      id: t.id({
        description: 'Its id: the decimal one, or the global one where the version of the API shows global ids.',
        resolve: (row, _args, context) => shownId(context, resource.type, row.id),
      }),
      globalId: t.id({
        description: 'Id that is unique among all types, as `node` takes it.',
        resolve: (row) => encodeGlobalId(resource.type, row.id),
      }),
      ...Object.fromEntries(resource.fields.map((field) => [field.name, t.field(outputOptions(field))])),
      ...Object.fromEntries(
        resource.fields
          .filter(({ isMoney }) => isMoney === true)
          .map((field) => [`${field.name}Money`, t.field(moneyOptions(field) as never)]),
      ),
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
        where: t.arg({ type: whereRefOf(children.child), description: 'Only those that are so.' }),
      },
      resolve: (row, args, context, info) =>
        readChildren(
          context,
          {
            type: children.child,
            parentColumn: children.column,
            conditions: [],
            where: args.where ? readWhere(context, resourceOfType(children.child), args.where) : null,
            columns: selectionOf(resourceOfType(children.child), info, IN_CONNECTION).columns,
          },
          row.id,
          args,
        ) as never,
    }),
  );
}
