import { askGraphql } from '../transport/graphql.ts';
import type { Scope } from '../transport/scope.ts';
import { sendJson } from '../transport/send.ts';

/** History that counters still get. */
export interface HistoryLoading {
  /** Days of the demo's history that are made, and all; null: the history is imported. */
  readonly days: { readonly done: number; readonly of: number } | null;
}

/** Reads whether the counters of an environment still get history; null: they have all of it. */
export async function loadHistoryLoading(scope: Scope, signal: AbortSignal): Promise<HistoryLoading | null> {
  const query = '{ isHistoryLoading importedHistory { waitingRows } }';
  type Body = { readonly isHistoryLoading: boolean; readonly importedHistory: readonly { waitingRows: number }[] };
  const { isHistoryLoading, importedHistory } = await askGraphql<Body>(scope, query, {}, signal);
  if (!isHistoryLoading) return null;
  if (importedHistory.some(({ waitingRows }) => waitingRows > 0)) return { days: null };
  type Check = { readonly name: string; readonly progress?: { readonly done: number; readonly of: number } };
  const { checks } = await sendJson<{ checks: readonly Check[] }>('/readyz', { signal });
  return { days: checks.find(({ name }) => name === 'demo history')?.progress ?? null };
}
