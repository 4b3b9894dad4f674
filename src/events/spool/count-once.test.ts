import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTestFolder, silentLog } from '../../../test/support/stores.ts';
import { ImpressionIds } from '../../domain/ids/impression-ids.ts';
import type { HotStore } from '../../storage/hot/hot-store.ts';
import { openLedger } from '../../storage/ledger/ledger-store.ts';
import { createRecorder, eventKey } from '../recording/recorder.ts';
import type { EventRecorder } from '../recording/recorder.ts';
import { countSpoolFile } from './count-spool-file.ts';
import { DEAD_LETTERS_FOLDER, openDeadLetters } from './dead-letters.ts';
import { listSpoolFiles } from './spool-files.ts';
import { decodeSpoolLine, encodeSpoolLine, readEntries } from './spool-line.ts';
import { openSpool } from './spool.ts';
import type { Spool } from './spool.ts';
import { openUncountedMarks } from './uncounted-marks.ts';
import { runsOf } from '../../../test/support/longer-runs.ts';

const DAY_MS = 86_400_000;
const WORKERS = 2;
const ids = new ImpressionIds();
const startMs = Date.parse('2026-11-20T10:00:00Z');
/** Events of one set, of others, with an id of their own, and of an older program. */
const EVENT_IDS = [
  ...Array.from({ length: 5 }, () => `${ids.next(startMs)}:imp`),
  `${ids.next(startMs)}:clk`,
  '01BX5ZZKBKACTAV9WEVGEMMVRZ:imp',
  'a:0123456789abcdef',
  'flat:1:21:2026-11-20',
];

/** What may go wrong with a call of the hot store: it does nothing, or all, before it fails. */
type CallFault = 'before' | 'after' | null;
/** The calls of counting a spool file, and the one that fails. */
const STEPS = ['countRest', 'flushed', 'forgetFile'] as const;
type FailingCall = (typeof STEPS)[number] | 'countLines';

type Command =
  /** Events that arrive together at a worker. */
  | { readonly kind: 'record'; readonly worker: number; readonly events: readonly number[]; readonly fault: CallFault }
  /** Events that are on disk when their worker dies. */
  | { readonly kind: 'die'; readonly worker: number; readonly events: readonly number[] }
  | { readonly kind: 'seal'; readonly worker: number }
  /** Counts the oldest sealed file, and may die at a step. */
  | {
      readonly kind: 'count';
      readonly worker: number;
      readonly step: (typeof STEPS)[number];
      readonly fault: CallFault;
    };

const worker = fc.nat({ max: WORKERS - 1 });
const events = fc.array(fc.nat({ max: EVENT_IDS.length - 1 }), { minLength: 1, maxLength: 6 });
const fault = fc.option(fc.constantFrom('before', 'after'), { nil: null, freq: 3 }) as fc.Arbitrary<CallFault>;
const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('record' as const), worker, events, fault }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('die' as const), worker, events }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('seal' as const), worker }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('count' as const), worker, step: fc.constantFrom(...STEPS), fault }),
  },
);

/** Workers and shippers on one disk and one hot store. */
class World {
  readonly folder = createTestFolder();
  readonly hot: HotStore;
  readonly seen = new Set<number>();
  readonly #workers: { readonly spool: Spool; readonly recorder: EventRecorder }[] = [];
  #fault: CallFault = null;
  #failing: FailingCall | null = null;

  constructor() {
    this.hot = openLedger({ dir: join(this.folder.dir, 'hot'), nowMs: () => startMs, log: silentLog });
    for (let at = 0; at < WORKERS; at += 1) this.#workers.push(this.#startWorker(at));
  }

  async run(one: Command): Promise<void> {
    if (one.kind === 'seal') return this.#workerAt(one.worker).spool.seal();
    if (one.kind === 'count') return this.#countNext(one);
    for (const event of one.events) this.seen.add(event);
    if (one.kind === 'record') return this.#record(one);
    const { spool } = this.#workerAt(one.worker);
    await Promise.all(one.events.map((event) => spool.append(lineOf(event))));
    await spool.close();
    this.#workers[one.worker] = this.#startWorker(one.worker);
  }

  /** Counts all that is left, without a fault. */
  async finish(): Promise<void> {
    for (const { spool } of this.#workers) await spool.close();
    for (const file of this.#files('sealed')) await countSpoolFile(file, this.hot, this.#letters());
  }

  /** How often each event has a row, in the order of `EVENT_IDS`. */
  rows(): number[] {
    const rows = EVENT_IDS.map(() => 0);
    for (const file of this.#files('settled'))
      for (const { bytes } of readEntries(readFileSync(file.path))) {
        const key = decodeSpoolLine(bytes.toString('utf8'))?.claim?.key;
        rows[EVENT_IDS.findIndex((id) => eventKey(id) === key)]! += 1;
      }
    return rows;
  }

  async counters(): Promise<number[]> {
    return (await this.hot.readCounters(EVENT_IDS.map(counterOf))).map(Number);
  }

  async close(): Promise<void> {
    await this.hot.close();
    this.folder.remove();
  }

  async #record({ worker: at, events: recorded, fault: wrong }: Command & { kind: 'record' }): Promise<void> {
    const { recorder } = this.#workerAt(at);
    await this.#failOnce('countLines', wrong, () =>
      Promise.all(recorded.map((event) => recorder.record({ event_id: EVENT_IDS[event] } as never, claimOf(event)))),
    );
  }

  async #countNext({ worker: at, step, fault: wrong }: Command & { kind: 'count' }): Promise<void> {
    const [file] = this.#files('sealed').filter(({ folder }) => folder === `w${at}`);
    if (file === undefined) return;
    await this.#failOnce(step, wrong, () => countSpoolFile(file, this.#faulty(), this.#letters())).catch(
      () => undefined,
    );
  }

  async #failOnce(name: FailingCall, wrong: CallFault, work: () => Promise<unknown>): Promise<void> {
    [this.#failing, this.#fault] = [name, wrong];
    try {
      await work();
    } finally {
      this.#fault = null;
    }
  }

  #startWorker(workerIndex: number) {
    const dir = join(this.folder.dir, `w${workerIndex}`);
    const spool = openSpool({ dir, workerIndex, nowMs: () => startMs, log: silentLog, sealAfterMs: 600_000 });
    const hot = this.#faulty();
    const uncounted = openUncountedMarks({
      spoolDir: this.folder.dir,
      workerIndexes: [workerIndex],
      hot,
      log: silentLog,
    });
    uncounted.stop();
    const metrics = { countRecorded: () => undefined, countHotFailure: () => undefined } as never;
    const marks = { ...uncounted, add: () => undefined };
    return { spool, recorder: createRecorder({ spool, hot, log: silentLog, metrics, uncounted: marks }) };
  }

  /** The store, of which the named call fails while a fault is set. */
  #faulty(): HotStore {
    return new Proxy(this.hot, {
      get: (target, name) => {
        const member = Reflect.get(target, name) as (...all: unknown[]) => Promise<unknown>;
        return async (...all: unknown[]) => {
          const wrong = name === this.#failing ? this.#fault : null;
          if (wrong !== null) this.#fault = null;
          if (wrong === 'before') throw new Error('unavailable');
          const result = await member.apply(target, all);
          if (wrong === 'after') throw new Error('no response');
          return result;
        };
      },
    });
  }

  #workerAt(at: number) {
    const found = this.#workers[at];
    if (found === undefined) throw new Error(`There is no worker ${at}`);
    return found;
  }

  #files(state: string) {
    return Array.from({ length: WORKERS }, (_none, at) => join(this.folder.dir, `w${at}`))
      .filter((dir) => existsSync(dir))
      .flatMap((dir) => listSpoolFiles(dir))
      .filter((file) => file.state === state);
  }

  #letters() {
    return openDeadLetters(join(this.folder.dir, DEAD_LETTERS_FOLDER), silentLog);
  }
}

const counterOf = (eventId: string): string => `counted/${eventId}`;

function claimOf(event: number) {
  const id = EVENT_IDS[event] ?? '';
  const increments = [{ key: counterOf(id), by: 1n, ttlMs: DAY_MS }];
  return { key: eventKey(id), ttlMs: DAY_MS, increments, pushes: [] };
}

function lineOf(event: number): Buffer {
  return encodeSpoolLine({ event_id: EVENT_IDS[event] }, claimOf(event));
}

test('each event counts once and keeps one row, whichever worker, shipper or call of the hot store dies in between', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(command, { maxLength: 25 }), async (commands) => {
      const world = new World();
      try {
        for (const one of commands) await world.run(one);
        await world.finish();
        const expected = EVENT_IDS.map((_id, event) => (world.seen.has(event) ? 1 : 0));
        expect({ rows: world.rows(), counters: await world.counters() }).toEqual({
          rows: expected,
          counters: expected,
        });
      } finally {
        await world.close();
      }
    }),
    { numRuns: runsOf(60) },
  );
}, 120_000);
