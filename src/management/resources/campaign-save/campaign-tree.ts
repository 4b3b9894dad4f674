import type { FieldProblem } from '../../../domain/errors.ts';
import { plainIdOf } from '../../../domain/ids/global-ids.ts';
import { chosen, EXTERNAL_ID, type Known, keyOf } from '../../kernel/external-ids.ts';
import { report, type StoredRow } from '../../kernel/field.ts';
import type { Resource } from '../../kernel/resource.ts';
import type { WriteInput } from '../../kernel/drafts.ts';
import { CAMPAIGN } from '../campaign/campaign.ts';
import { CREATIVE } from '../creative/creative.ts';
import { LINE_ITEM } from '../line-item/line-item.ts';

/** The list of an object's children in the input, and the field by which a child names its parent. */
interface Level {
  readonly resource: Resource;
  readonly childList: string | null;
  readonly parentField: string | null;
}

const LEVELS: readonly Level[] = [
  { resource: CAMPAIGN, childList: 'lineItems', parentField: null },
  { resource: LINE_ITEM, childList: 'creatives', parentField: 'campaignId' },
  { resource: CREATIVE, childList: null, parentField: 'lineItemId' },
];

/** One object of the tree. */
export interface TreeNode {
  readonly resource: Resource;
  readonly parentField: string | null;
  readonly parent: TreeNode | null;
  readonly input: WriteInput;
  /** Where it is in the request, such as `input.lineItems.2`. */
  readonly path: string;
  readonly key: string | null;
  /** null: the input does not list them. */
  children: readonly TreeNode[] | null;
  /** The object that it changes; null: it creates one. */
  found: { readonly id: bigint | string } | null;
  /** The problems that are known before it is written. */
  readonly problems: FieldProblem[];
  /** After it is written. */
  row: StoredRow | null;
  hasFailed: boolean;
}

/** The objects of a tree, each parent before its children. */
export function flatten(input: WriteInput): TreeNode[] {
  const nodes: TreeNode[] = [];
  const add = (depth: number, parent: TreeNode | null, given: { input: WriteInput; path: string }): TreeNode => {
    const { resource, childList, parentField } = LEVELS[depth] as Level;
    const key = (given.input['key'] ?? null) as string | null;
    const state = { children: null, found: null, problems: [], row: null, hasFailed: false };
    const node: TreeNode = { ...given, ...state, resource, parentField, parent, key };
    nodes.push(node);
    const listed = childList === null ? null : (given.input[childList] as readonly WriteInput[] | null | undefined);
    if (listed)
      node.children = listed.map((child, index) =>
        add(depth + 1, node, { input: child, path: `${given.path}.${childList}.${index}` }),
      );
    return node;
  };
  add(0, null, { input, path: 'input' });
  return nodes;
}

/**
 * Finds the object that each node changes, by its id or its external id. A node that repeats an object or a key has a problem.
 * @returns the nodes by key
 */
export function identify(nodes: readonly TreeNode[], known: Known): Map<string, TreeNode> {
  const seen = new Map<string, TreeNode>();
  const byKey = new Map<string, TreeNode>();
  const claim = (claimed: Map<string, TreeNode>, name: string, node: TreeNode, field: string): boolean => {
    const first = claimed.get(name) ?? node;
    claimed.set(name, first);
    if (first !== node)
      report(node.problems, `${node.path}.${field}`, 'duplicate', `${first.path} has the same; give each one once.`);
    return first === node;
  };
  for (const node of nodes) {
    const { resource, input, path } = node;
    const given = input['id'] ?? null;
    const id = given === null ? null : plainIdOf(resource.type, given);
    const externalId = typeof input[EXTERNAL_ID] === 'string' ? keyOf(input[EXTERNAL_ID]) : null;
    if (id !== null) node.found = { id };
    else if (externalId !== null)
      node.found = chosen(known.get(resource.table)?.get(externalId) ?? [], `${path}.${EXTERNAL_ID}`, node.problems);
    const isFirst =
      node.found === null || claim(seen, `${resource.table} ${node.found.id}`, node, id === null ? EXTERNAL_ID : 'id');
    // Also of an object that is named by its id: two objects must not end with one external id.
    if (externalId !== null && isFirst) claim(seen, `${resource.table} as ${externalId}`, node, EXTERNAL_ID);
    if (node.key !== null) claim(byKey, node.key, node, 'key');
  }
  return byKey;
}

/** Companions after the creatives beside which they stand. */
export function mastersFirst(nodes: readonly TreeNode[]): TreeNode[] {
  const isCompanion = ({ input }: TreeNode): boolean =>
    (input['masterCreativeKey'] ?? input['masterCreativeExternalId'] ?? null) !== null;
  return [...nodes.filter((node) => !isCompanion(node)), ...nodes.filter(isCompanion)];
}

/** What the children of a node are; null: it has none. */
export function childLevelOf({ resource }: TreeNode): { resource: Resource; parentField: string } | null {
  const child = LEVELS[LEVELS.findIndex((level) => level.resource === resource) + 1];
  return child === undefined || child.parentField === null
    ? null
    : { resource: child.resource, parentField: child.parentField };
}
