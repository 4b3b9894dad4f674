import type {
  CatalogInput,
  CatalogKind,
  CatalogResult,
  CatalogRow,
  CatalogRows,
  CatalogUpdate,
} from '../api/catalog.ts';
import { type MessageKey, say } from '../messages/say.ts';

/** What can be done with several objects at once. */
export interface BulkAction {
  readonly verb: MessageKey;
  /** The key that does it in the table; null: none. */
  readonly key: string | null;
  readonly field: 'status' | 'reviewState';
  readonly to: string;
  /** It does something to objects whose field has one of these values. */
  readonly from: readonly string[];
  /** It says why, to those who made the objects. */
  readonly hasReason?: true;
}

const ARCHIVE: BulkAction = {
  verb: 'catalog_action.archive',
  key: null,
  field: 'status',
  to: 'ARCHIVED',
  from: ['ACTIVE', 'PAUSED'],
};
const RESTORE: BulkAction = {
  verb: 'catalog_action.restore',
  key: null,
  field: 'status',
  to: 'ACTIVE',
  from: ['ARCHIVED'],
};
const OF_CREATIVES: readonly BulkAction[] = [
  {
    verb: 'catalog_action.approve',
    key: 'a',
    field: 'reviewState',
    to: 'APPROVED',
    from: ['PENDING', 'REJECTED'],
  },
  {
    verb: 'catalog_action.reject',
    key: 'r',
    field: 'reviewState',
    to: 'REJECTED',
    from: ['PENDING', 'APPROVED'],
    hasReason: true,
  },
  { verb: 'catalog_action.pause', key: null, field: 'status', to: 'PAUSED', from: ['ACTIVE'] },
  { verb: 'catalog_action.resume', key: null, field: 'status', to: 'ACTIVE', from: ['PAUSED'] },
];

/** The actions of a kind. */
export function actionsOf(kind: CatalogKind): readonly BulkAction[] {
  return kind === 'creatives' ? [...OF_CREATIVES, ARCHIVE, RESTORE] : [ARCHIVE, RESTORE];
}

/** The present value of the field of an action. */
export function valueOf(row: CatalogRow, { field }: Pick<BulkAction, 'field'>): string {
  return String(Reflect.get(row, field));
}

/** The objects that an action does something to. */
export function changingOf<Kind extends CatalogKind>(
  action: BulkAction,
  rows: readonly CatalogRows[Kind][],
): readonly CatalogRows[Kind][] {
  return rows.filter((row) => action.from.includes(valueOf(row, action)));
}

/** The updates of an action. @param reason of an action that has one; empty: none */
export function updatesOf(action: BulkAction, rows: readonly CatalogRow[], reason = ''): CatalogUpdate[] {
  const input: CatalogInput = {
    [action.field]: action.to,
    ...(action.hasReason === true && reason !== '' ? { reviewReason: reason } : {}),
  };
  return rows.map(({ id, version }) => ({ id, version, input }));
}

/** The updates that undo an action: of objects that were changed, at the version that the change made. */
export function undoOf(
  action: BulkAction,
  rows: readonly CatalogRow[],
  results: readonly CatalogResult[],
): CatalogUpdate[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return results.flatMap(({ id, version }) => {
    const row = byId.get(id);
    return version === null || row === undefined
      ? []
      : [{ id, version, input: { [action.field]: valueOf(row, action) } }];
  });
}

/** What the server says of one object: its error, or what it warns of; null when it is simply valid. */
export function remarkOf(result: CatalogResult | undefined): string | null {
  if (result === undefined) return null;
  if (result.code === 'conflict') return say('status.conflict');
  if (result.code !== null)
    return [result.message, ...result.problems.map(({ message }) => message)].filter((one) => one !== null).join(' ');
  return result.warnings.length === 0 ? null : result.warnings.map(({ message }) => message).join(' ');
}
