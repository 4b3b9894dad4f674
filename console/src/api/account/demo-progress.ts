import { sendJson } from '../transport/send.ts';

/** Days of the demo network's history that are made, and all. */
export interface DemoProgress {
  readonly done: number;
  readonly of: number;
}

/** Reads how far the demo network's history is; null: it is whole, or there is none. */
export async function loadDemoProgress(signal: AbortSignal): Promise<DemoProgress | null> {
  const { checks } = await sendJson<{ checks: readonly { name: string; progress?: DemoProgress }[] }>('/readyz', {
    signal,
  });
  return checks.find(({ name }) => name === 'demo history')?.progress ?? null;
}
