import { encodeGlobalId } from '../../domain/ids/global-ids.ts';
import type { builder } from './builder.ts';
import type { ManagementContext } from './context.ts';
import { shownId } from './interfaces.ts';
import { onceInRequest } from './loaders.ts';

/** A type of objects that have an id, and are not booked: keys, users, webhooks. */
export interface OtherNode {
  readonly type: string;
  readonly description: string;
  /** The operation whose permission reading one needs. */
  readonly operation: string;
  /** All of the caller's network and environment: they are few, and a request that names many of them reads them once. */
  readonly list: (context: ManagementContext) => Promise<readonly { readonly id: string | bigint }[]>;
}

const registered: OtherNode[] = [];

/** Makes `node` find the objects of a type. */
export function registerNode(node: OtherNode): void {
  registered.push(node);
}

/** What was registered. */
export function otherNodes(): readonly OtherNode[] {
  return registered;
}

/** The object with a decimal id; null: there is none. */
export async function findOtherNode(context: ManagementContext, node: OtherNode, id: string): Promise<object | null> {
  const all = await onceInRequest(context, `nodes of ${node.type}`, () =>
    context.budget.read(() => node.list(context)),
  );
  return all.find((one) => String(one.id) === id) ?? null;
}

type FieldBuilder<Of> = Parameters<
  NonNullable<Parameters<ReturnType<typeof builder.objectRef<Of>>['implement']>[0]['fields']>
>[0];

/** The ids of an object of such a type. */
export function idFields<Of>(t: FieldBuilder<Of>, type: string, idOf: (one: Of) => string | bigint) {
  return {
    id: t.id({
      description: 'Its id: the decimal one, or the global one where the version of the API shows global ids.',
      resolve: (one: Of, _args: object, context: ManagementContext) => shownId(context, type, idOf(one)),
    } as never),
    databaseId: t.id({
      description: 'Decimal id, unique in its kind, in every version of the API.',
      resolve: (one: Of) => String(idOf(one)),
    } as never),
    globalId: t.id({
      description: 'Id that is unique among all types, as `node` takes it.',
      resolve: (one: Of) => encodeGlobalId(type, idOf(one)),
    } as never),
  };
}
