import { parentPort } from 'node:worker_threads';
import type { Forecast } from '../../../domain/booking/delivery-insight.ts';
import { prepareForecast } from './forecast.ts';
import type { ForecastInput, PreparedForecast } from './forecast.ts';
import { parseSample } from './forecast-sample.ts';
import type { SampleFrame } from '../../traffic/opportunity-sample.olap.ts';
import { emptySnapshot } from '../../decision/index/snapshot-parts.ts';
import type { SnapshotPart, SnapshotParts } from '../../decision/index/snapshot-parts.ts';
import type { Workspace } from '../../../domain/tenancy/workspace.ts';

/** The messages to the thread, in this order: rows and samples in pieces, then the task, then the requested counters. */
export type ToForecastWorker =
  | { readonly kind: 'records'; readonly part: SnapshotPart; readonly records: readonly unknown[] }
  | { readonly kind: 'samples'; readonly ndjson: Uint8Array }
  | { readonly kind: 'begin'; readonly job: ForecastJob }
  | { readonly kind: 'counters'; readonly values: ReadonlyMap<string, number> };

/** The small parts of a forecast. */
export interface ForecastJob extends Pick<ForecastInput, 'draft' | 'curve' | 'history' | 'nowMs' | 'seed'> {
  readonly workspace: Workspace;
  readonly frame: SampleFrame | null;
}

/** The messages of the thread. An error ends it. */
export type FromForecastWorker =
  | { readonly kind: 'needCounters'; readonly keys: readonly string[] }
  | { readonly kind: 'done'; readonly forecast: Forecast };

const parts = new Map<SnapshotPart, unknown[]>();
const pieces: Uint8Array[] = [];
let prepared: PreparedForecast | null = null;

function run(told: ToForecastWorker): FromForecastWorker | null {
  switch (told.kind) {
    case 'records': {
      const records = parts.get(told.part) ?? [];
      records.push(...told.records);
      parts.set(told.part, records);
      return null;
    }
    case 'samples':
      pieces.push(told.ndjson);
      return null;
    case 'begin':
      prepared = begin(told.job);
      return { kind: 'needCounters', keys: prepared.counterKeys };
    case 'counters':
      if (prepared === null) throw new Error('Counters came before the forecast was begun');
      return { kind: 'done', forecast: prepared.finish(told.values) };
  }
}

function begin({ workspace, frame, ...job }: ForecastJob): PreparedForecast {
  const snapshot = { ...emptySnapshot(workspace), ...(Object.fromEntries(parts) as unknown as SnapshotParts) };
  return prepareForecast({ ...job, snapshot, sample: frame && parseSample(frame, Buffer.concat(pieces)) });
}

parentPort?.on('message', (told: ToForecastWorker) => {
  const said = run(told);
  if (said !== null) parentPort?.postMessage(said);
});
