import { type FieldProblem, PlacardError } from '../../../domain/errors.ts';
import { isDecimalId } from '../../../domain/ids/ids.ts';
import type { ManagementContext } from '../../kernel/context.ts';
import { EXTERNAL_ID, findKnown, type Known, keyOf, resolveReferences, wantedOf } from '../../kernel/external-ids.ts';
import { report, snakeCase, type StoredRow } from '../../kernel/field.ts';
import { archiveObject } from '../../kernel/resource-mutations.ts';
import { changeAll, queryableOf } from '../../kernel/transactions.sql.ts';
import { writeRow } from '../../kernel/upsert.ts';
import { decodeInput, UNRESOLVED, validationFailed, type WriteInput } from '../../kernel/drafts.ts';
import { CREATIVE } from '../creative/creative.ts';
import { childLevelOf, flatten, identify, mastersFirst, type TreeNode } from './campaign-tree.ts';
import { listLivingChildren } from './living-children.sql.ts';

/** The most objects in one call. */
export const TREE_MAX = 1_000;

/** One tree to save. */
export interface SaveRequest {
  readonly input: WriteInput;
  readonly archiveOthers: boolean;
  readonly trial: boolean;
}

/** One object of a saved tree. */
export interface SavedObject {
  readonly path: string;
  readonly key: string | null;
  readonly kind: string;
  readonly isCreated: boolean;
  readonly row: StoredRow;
}

/** The result of a save. */
export interface SavedTree {
  readonly campaign: StoredRow;
  readonly objects: readonly SavedObject[];
  readonly archivedCount: number;
  readonly warnings: readonly FieldProblem[];
  readonly validatedOnly: boolean;
}

interface Saving {
  readonly inner: ManagementContext;
  readonly known: Known;
  readonly byKey: ReadonlyMap<string, TreeNode>;
  readonly archiveOthers: boolean;
  readonly problems: FieldProblem[];
  readonly warnings: FieldProblem[];
  /** How many more objects the call may change. */
  left: number;
  archivedCount: number;
}

/**
 * Saves a campaign with its line items and creatives in one transaction: all of it, or nothing when anything is wrong.
 * @throws PlacardError `validation_failed` naming every wrong field, `conflict` when versions are all that is wrong,
 * `invalid_request` when the tree is too large
 */
export async function saveTree(context: ManagementContext, request: SaveRequest): Promise<SavedTree> {
  const nodes = flatten(request.input);
  if (nodes.length > TREE_MAX) throw tooLarge(nodes.length);
  try {
    return await changeAll(context, request.trial, async (inner) => {
      const known = await findKnown(inner, allWanted(nodes));
      const saving: Saving = {
        inner,
        known,
        byKey: identify(nodes, known),
        archiveOthers: request.archiveOthers,
        problems: [],
        warnings: [],
        left: TREE_MAX - nodes.length,
        archivedCount: 0,
      };
      const [campaign] = nodes as [TreeNode, ...TreeNode[]];
      await saveNode(saving, campaign);
      if (saving.problems.length > 0 || campaign.row === null) throw refusalOf(saving.problems);
      const { warnings, archivedCount } = saving;
      const objects = nodes.flatMap(savedOf);
      return { campaign: campaign.row, objects, archivedCount, warnings, validatedOnly: request.trial };
    });
  } finally {
    context.loaders.clear();
  }
}

function tooLarge(count: number): PlacardError {
  return new PlacardError('invalid_request', `One call saves at most ${TREE_MAX} objects; these are ${count}.`);
}

function refusalOf(problems: readonly FieldProblem[]): PlacardError {
  const failed = validationFailed(problems);
  if (!problems.every(({ code }) => code === 'conflict')) return failed;
  return new PlacardError('conflict', failed.message, { fields: problems });
}

function savedOf({ path, key, resource, found, row }: TreeNode): SavedObject[] {
  return row === null ? [] : [{ path, key, kind: resource.type, isCreated: found === null, row }];
}

function allWanted(nodes: readonly TreeNode[]): Map<string, Set<string>> {
  const all = new Map<string, Set<string>>();
  for (const { resource, input } of nodes) {
    for (const [table, keys] of wantedOf(resource, [input])) all.set(table, (all.get(table) ?? new Set()).union(keys));
  }
  return all;
}

/** Saves one object, then its children. Problems are collected: the next objects are tried, too. */
async function saveNode(saving: Saving, node: TreeNode): Promise<void> {
  const { known, problems } = saving;
  if (saving.archiveOthers) await archiveUnlisted(saving, node);
  const input: Record<string, unknown> = {
    ...resolveReferences(node.resource, node.input, { known, path: node.path, problems: node.problems }),
  };
  const parentId = parentIdOf(node);
  if (node.parentField !== null) input[node.parentField] = parentId === null ? UNRESOLVED : String(parentId);
  resolveMaster(saving, node, input);
  if (node.parentField !== null && parentId === null) {
    // Its parent could not be created. Its own fields are checked, what depends on the parent is not.
    const creating = node.found === null;
    decodeInput(node.resource, input, { path: node.path, creating, problems: node.problems });
    problems.push(...node.problems);
    node.hasFailed = true;
  } else {
    await writeNode(saving, node, input);
  }
  for (const child of mastersFirst(node.children ?? [])) await saveNode(saving, child);
}

/** The id of a node's parent; null when it is to be created and could not be. */
function parentIdOf({ parent }: TreeNode): bigint | string | null {
  return parent?.row?.id ?? parent?.found?.id ?? null;
}

async function writeNode(saving: Saving, node: TreeNode, input: WriteInput): Promise<void> {
  const { resource, found, path } = node;
  try {
    const written = await writeRow(saving.inner, resource, { found, input, path, problems: node.problems });
    node.row = written.row;
    saving.warnings.push(...written.warnings);
    const externalId = written.row['external_id'];
    if (typeof externalId === 'string')
      saving.known
        .get(resource.table)
        ?.set(keyOf(externalId), [{ external_id: externalId, id: written.row.id, status: 'ACTIVE' }]);
  } catch (error) {
    node.hasFailed = true;
    saving.problems.push(...problemsOf(error, node));
  }
}

/** The problems of an object that was not written. Any other failure stops the call. */
function problemsOf(error: unknown, node: TreeNode): readonly FieldProblem[] {
  const { path, parentField, parent, problems } = node;
  if (!(error instanceof PlacardError)) throw error;
  const named = node.input['id'] === undefined || node.input['id'] === null ? EXTERNAL_ID : 'id';
  if (error.code === 'not_found') return [...problems, { path: `${path}.id`, code: 'unknown', message: error.message }];
  if (error.code === 'conflict')
    return [...problems, { path: `${path}.version`, code: 'conflict', message: error.message }];
  if (error.code !== 'validation_failed') throw error;
  return error.fields.flatMap((problem) => {
    if (parent === null || problem.path !== `${path}.${parentField}`) return problem;
    if (problem.code === 'cannot_change') {
      const message = `It belongs to another ${parent.resource.singular}; it cannot move.`;
      return { path: `${path}.${named}`, code: 'other_parent', message };
    }
    // The parent itself is wrong, and has told so, or is archived by this call. The input has no field that names it.
    return parent.hasFailed ? [] : { ...problem, path: `${parent.path}.status` };
  });
}

/** Fills in the id of the creative that a companion names by its key. */
function resolveMaster({ byKey }: Saving, node: TreeNode, input: Record<string, unknown>): void {
  const key = node.input['masterCreativeKey'] as string | null | undefined;
  if (key === undefined || key === null) return;
  const path = `${node.path}.masterCreativeKey`;
  const master = byKey.get(key);
  if ((input['masterCreativeId'] ?? null) !== null) {
    report(
      node.problems,
      path,
      'one_of',
      'Give only one of masterCreativeKey, masterCreativeExternalId, masterCreativeId.',
    );
  } else if (master === undefined || master.resource !== CREATIVE) {
    report(node.problems, path, 'unknown', 'No creative in this call has this key.');
  } else if (master.parent !== node.parent || (master.row === null && !master.hasFailed)) {
    const message = 'Name a creative of the same line item that is not a companion itself.';
    report(node.problems, path, 'other_line_item', message);
  }
  input['masterCreativeId'] = master?.row ? String(master.row.id) : UNRESOLVED;
}

/** Archives the children of an existing object that the input leaves out of its list. Objects without a list stay as they are. */
async function archiveUnlisted(saving: Saving, node: TreeNode): Promise<void> {
  const { inner } = saving;
  const id = String(node.found?.id ?? '');
  const level = childLevelOf(node);
  if (node.children === null || level === null || !isDecimalId(id)) return;
  const listed = new Set(node.children.map(({ found }) => String(found?.id)));
  const children = {
    table: level.resource.table,
    parentColumn: snakeCase(level.parentField),
    parentId: BigInt(id),
  };
  const living = await listLivingChildren(queryableOf(inner), inner.principal.workspaceId, children, 2 * TREE_MAX);
  for (const childId of living.filter((each) => !listed.has(String(each)))) {
    saving.left -= 1;
    if (saving.left < 0) throw tooLarge(TREE_MAX - saving.left);
    await archiveObject(inner, level.resource, { id: String(childId), version: null }, node.path);
    saving.archivedCount += 1;
  }
}
