import { NETWORK_HEADER } from '../transport/graphql.ts';
import { pathPrefix, type Scope } from '../transport/scope.ts';
import { sendJson } from '../transport/send.ts';

/** A widget of a dashboard as it is stored. Its kind may be one that only a newer console knows. */
export interface StoredWidget {
  readonly id: string;
  readonly kind: string;
  readonly width: string;
  readonly title: string;
  readonly options: unknown;
}

/** Something saved: an address of the Lens or of a table of the desk, or a dashboard. */
export interface SavedView {
  readonly id: string;
  readonly kind: 'view' | 'dashboard';
  readonly name: string;
  readonly shared: boolean;
  readonly body: {
    readonly search?: string;
    readonly widgets?: readonly StoredWidget[];
    /** Of a dashboard from before there were widgets: ids of views. */
    readonly views?: readonly string[];
  };
  readonly version: number;
  readonly own: boolean;
  readonly ownerName: string;
}

/** The fields of a saved view that are written. */
export type SavedViewInput = Pick<SavedView, 'kind' | 'name' | 'shared' | 'body'>;

function address({ environment }: Scope, id?: string): string {
  return `${pathPrefix(environment)}/console-api/views${id === undefined ? '' : `/${id}`}`;
}

function headers({ networkId }: Scope): Record<string, string> {
  return { [NETWORK_HEADER]: networkId };
}

/** One's own and the shared ones. */
export async function listSavedViews(scope: Scope, signal: AbortSignal): Promise<readonly SavedView[]> {
  return (await sendJson<{ views: readonly SavedView[] }>(address(scope), { headers: headers(scope), signal })).views;
}

/** Keeps a new one. */
export function createSavedView(scope: Scope, input: SavedViewInput): Promise<SavedView> {
  return sendJson<SavedView>(address(scope), { method: 'POST', headers: headers(scope), body: input });
}

/** Changes one's own; fails as `conflict` when it was changed since it was read. */
export function updateSavedView(scope: Scope, view: SavedView, change: Partial<SavedViewInput>): Promise<SavedView> {
  const { kind, name, shared, body, version } = view;
  return sendJson<SavedView>(address(scope, view.id), {
    method: 'PUT',
    headers: headers(scope),
    body: { kind, name, shared, body, ...change, version },
  });
}

/** Deletes one's own. */
export async function deleteSavedView(scope: Scope, id: string): Promise<void> {
  await sendJson<object>(address(scope, id), { method: 'DELETE', headers: headers(scope) });
}
