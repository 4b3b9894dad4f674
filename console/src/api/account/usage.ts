import { translationOf } from '../../messages/language.ts';
import { askGraphql, NETWORK_HEADER } from '../transport/graphql.ts';
import { sendJson } from '../transport/send.ts';
import { pathPrefix, type Scope } from '../transport/scope.ts';

/** How much of a limit is used, at this moment. */
export interface LimitUse {
  readonly name: 'management' | 'reports' | 'events' | 'ads';
  readonly limit: number;
  /** Calls of this UTC day; null where there is no daily count (a rate per second). */
  readonly used: number | null;
  /** ISO 8601; null for a rate. */
  readonly resetsAt: string | null;
}

/** How much of a storage quota the environment uses. */
export interface StorageUse {
  readonly name: string;
  /** What it counts, in the person's language. */
  readonly title: string;
  readonly unit: 'bytes' | 'count';
  readonly used: number;
  readonly limit: number;
}

/** The storage quotas of the environment that is looked at. */
export async function loadStorageUse(scope: Scope, signal: AbortSignal): Promise<readonly StorageUse[]> {
  const query = 'query ConsoleStorage($id: ID!) { network(id: $id) { storage { name title unit used limit } } }';
  const { network } = await askGraphql<{ network: { storage: readonly StorageUse[] } | null }>(
    scope,
    query,
    { id: scope.networkId },
    signal,
  );
  return (network?.storage ?? []).map((use) => ({ ...use, title: translationOf(`quota.${use.name}`) ?? use.title }));
}

/** The limits of the environment that is looked at, with the day's use. */
export async function loadLimitUse(scope: Scope, signal?: AbortSignal): Promise<readonly LimitUse[]> {
  const headers = { [NETWORK_HEADER]: scope.networkId };
  return (
    await sendJson<{ limits: readonly LimitUse[] }>(`${pathPrefix(scope.environment)}/console-api/limits`, {
      headers,
      ...(signal === undefined ? {} : { signal }),
    })
  ).limits;
}
