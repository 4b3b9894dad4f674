import type { SavedView } from '../api/reports/saved-views.ts';
import { parseSearch } from '../session/app-search.ts';

/** The parameter of a saved view that says of which table it is; views of the Lens have none. */
export const TABLE_PARAM = 'table';

/** Whether a saved view is one of a table; null: one of the Lens. */
export function isViewOf({ kind, body }: Pick<SavedView, 'kind' | 'body'>, table: string | null): boolean {
  return kind === 'view' && (parseSearch(body.search ?? '')[TABLE_PARAM] ?? null) === table;
}
