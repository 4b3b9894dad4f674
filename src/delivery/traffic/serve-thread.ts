import { isDeepStrictEqual } from 'node:util';
import { parentPort, workerData } from 'node:worker_threads';
import type { WorkspaceSnapshot } from '../../domain/booking/snapshot.ts';
import { emptySnapshot } from '../decision/index/snapshot-parts.ts';
import type { SnapshotPart, SnapshotParts } from '../decision/index/snapshot-parts.ts';
import { parseSample } from './parse-sample.ts';
import type { TrafficSample } from './parse-sample.ts';
import type { SampleFrame } from './opportunity-sample.olap.ts';
import type { FromThread, ThreadData, ToThread } from './workspace-thread.ts';

/** Work that waits for its initial counters. */
export interface Prepared<Result> {
  readonly counterKeys: readonly string[];
  /** @param counters missing ones are 0 */
  finish(counters: ReadonlyMap<string, number>): Result;
}

/** What a thread begins with. */
export interface ThreadTask<Job> {
  readonly snapshot: WorkspaceSnapshot;
  /** Null: nothing was sampled yet. */
  readonly sample: TrafficSample | null;
  readonly job: Job;
  /**
   * A monotonic clock. Long work looks at it often: it also ends the work when nobody waits for the result any more.
   * @throws JobLeft
   */
  readonly elapsedMs: () => number;
}

/** Nobody waits for the result any more. */
class JobLeft extends Error {}

/** The program of a `WorkspaceThread`: collects rows and samples, prepares the work, and finishes it with the counters, job after job. */
export function serveThread<Job, Result>(prepare: (task: ThreadTask<Job>) => Prepared<Result>): void {
  const { leave } = workerData as ThreadData;
  const elapsedMs = (): number => {
    if (Atomics.load(leave, 0) === 1) throw new JobLeft('Nobody waits for the result any more');
    return performance.now();
  };
  let parts = new Map<SnapshotPart, unknown[]>();
  let pieces: Uint8Array[] = [];
  let prepared: Prepared<Result> | null = null;
  const samples = new LastSample();
  const run = (told: ToThread<Job>): FromThread<Result> | null => {
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
      case 'begin': {
        const { workspace, frame, job } = told;
        const snapshot = { ...emptySnapshot(workspace), ...(Object.fromEntries(parts) as unknown as SnapshotParts) };
        const ndjson = Buffer.concat(pieces);
        [parts, pieces] = [new Map(), []];
        elapsedMs();
        prepared = prepare({ snapshot, sample: frame && samples.parse(frame, ndjson), job, elapsedMs });
        return { kind: 'needCounters', keys: prepared.counterKeys };
      }
      case 'counters': {
        if (prepared === null) throw new Error('Counters came before the work was begun');
        const task = prepared;
        prepared = null;
        elapsedMs();
        return { kind: 'done', result: task.finish(told.values) };
      }
    }
  };
  parentPort?.on('message', (told: ToThread<Job>) => {
    const said = runUnlessLeft(() => run(told));
    if (said !== null) parentPort?.postMessage(said);
  });
}

/** The sample of the job before: parsing it is a third of a rough forecast, and a person who books asks again within seconds. */
class LastSample {
  #last: { readonly frame: SampleFrame; readonly ndjson: Buffer; readonly sample: TrafficSample } | null = null;

  parse(frame: SampleFrame, ndjson: Buffer): TrafficSample {
    const last = this.#last;
    if (last !== null && isDeepStrictEqual(last.frame, frame) && last.ndjson.equals(ndjson)) return last.sample;
    this.#last = null;
    const sample = parseSample(frame, ndjson);
    this.#last = { frame, ndjson, sample };
    return sample;
  }
}

function runUnlessLeft<Result>(run: () => FromThread<Result> | null): FromThread<Result> | null {
  try {
    return run();
  } catch (error) {
    if (error instanceof JobLeft) return { kind: 'left' };
    throw error;
  }
}
