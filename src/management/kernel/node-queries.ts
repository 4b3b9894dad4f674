import { requirePermission } from '../../access/permissions/permissions.ts';
import { PlacardError } from '../../domain/errors.ts';
import { decodeGlobalId } from '../../domain/ids/global-ids.ts';
import { isDecimalId } from '../../domain/ids/ids.ts';
import { builder, PAGE_SIZE_MAX } from './builder.ts';
import type { ManagementContext } from './context.ts';
import { asNode, NodeRef } from './interfaces.ts';
import { loadObject } from './loaders.ts';
import { findOtherNode, otherNodes } from './other-nodes.ts';
import type { Resource } from './resource.ts';

/** What the argument `type` says. */
export const TYPE_OF_DECIMAL_IDS = 'The type of decimal ids; global ids have their own.';

/** Adds `node` and `nodes`, which find any object by its global id, and `nodes` by type and decimal id, too. */
export function defineNodeQueries(resources: readonly Resource[]): void {
  const nodes = [
    ...resources.map(({ type, description, singular }) => ({
      type,
      description,
      operation: `query.${singular}`,
      find: (context: ManagementContext, id: string): Promise<object | null> => loadObject(context, type, BigInt(id)),
    })),
    ...otherNodes().map((node) => ({
      ...node,
      find: (context: ManagementContext, id: string) => findOtherNode(context, node, id),
    })),
  ];
  const byType = new Map(nodes.map((node) => [node.type, node]));
  const typeRef = builder.enumType('NodeType', {
    description: 'A type of objects that `node` finds.',
    values: Object.fromEntries(nodes.map(({ type, description }) => [type, { value: type, description }])) as Record<
      string,
      { value: string; description: string }
    >,
  });
  const find = async (context: ManagementContext, given: string, decimalType: string | null) => {
    const named = isDecimalId(given) ? { type: decimalType ?? '', id: given } : decodeGlobalId(given);
    const kind = byType.get(named?.type ?? '');
    if (isDecimalId(given) && decimalType === null)
      throw new PlacardError(
        'invalid_request',
        'A decimal id is unique in its type only: give the global id, or `type`, too, where the field takes it.',
      );
    if (named === null || kind === undefined) return null;
    requirePermission(context.caller, kind.operation);
    const found = await kind.find(context, named.id);
    return found === null ? null : asNode(kind.type, found);
  };
  builder.queryFields((t) => ({
    node: t.field({
      type: NodeRef,
      nullable: true,
      description: 'The object with this id; null for an unknown id and for one of another network or environment.',
      args: {
        id: t.arg.id({ required: true, description: 'Its global id. `nodes` also takes decimal ids with their type.' }),
      },
      // Earlier versions have `type`, too (schema/earlier-versions.ts).
      resolve: (_root, { id, ...more }, context) =>
        find(context, String(id), (more as { readonly type?: string | null }).type ?? null) as never,
    }),
    nodes: t.field({
      type: [NodeRef],
      nullable: { list: false, items: true },
      description: `The objects with these ids, in their order, at most ${PAGE_SIZE_MAX}; null at the position of each unknown one.`,
      args: {
        ids: t.arg.idList({ required: true, description: 'Global ids; or decimal ids together with `type`.' }),
        type: t.arg({ type: typeRef, description: TYPE_OF_DECIMAL_IDS }),
      },
      resolve: (_root, { ids, type }, context) => {
        if (ids.length > PAGE_SIZE_MAX)
          throw new PlacardError(
            'invalid_request',
            `ids takes at most ${PAGE_SIZE_MAX} ids; ${ids.length} were given.`,
          );
        return ids.map((id) => find(context, String(id), type ?? null)) as never;
      },
    }),
  }));
}
