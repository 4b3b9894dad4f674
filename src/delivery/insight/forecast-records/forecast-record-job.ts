import type { Kysely } from 'kysely';
import {
  expectedDelivery,
  type ForecastRecordReason,
  SAMPLED_HOURS_MIN,
  scoreForecast,
} from '../../../domain/booking/forecast-record.ts';
import type { Forecast, ForecastDraft } from '../../../domain/booking/delivery-insight.ts';
import type { LineItem } from '../../../domain/booking/line-item.ts';
import type { WorkspaceSnapshot } from '../../../domain/booking/snapshot.ts';
import type { Log } from '../../../domain/log/log.ts';
import { lifetimeCounterKey } from '../../../domain/money/counter-key.ts';
import { CURVE_DAYS, flatCurve, type HourlyRequests, type TrafficCurve } from '../../../domain/pacing/traffic-curve.ts';
import { RecurringJob } from '../../../domain/time/recurring-job.ts';
import type { HotStore } from '../../../storage/hot/hot-store.ts';
import type { Olap } from '../../../storage/olap/olap.ts';
import type { Database } from '../../../storage/sql/schema.ts';
import { readCurves } from '../../pacing/pacing-curve.sql.ts';
import { readSnapshots } from '../../snapshot/snapshot.sql.ts';
import { readSampleFrame, type SampleFrame, streamSamples } from '../../traffic/opportunity-sample.olap.ts';
import { ThreadFailed, WorkspaceThread } from '../../traffic/workspace-thread.ts';
import { narrowSnapshot } from '../forecast/forecast-draft.ts';
import { FORECAST_MODULE } from '../forecast/forecast-thread.ts';
import type { ForecastJob } from '../forecast/forecast-worker.ts';
import {
  closeStale,
  deleteOld,
  type DueForecast,
  type EndedForecast,
  listDue,
  listEnded,
  recordForecast,
  recordScore,
} from './forecast-records.sql.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const EVERY_MS = 300_000;
/** A round begins no further forecast after this time: a fifth of one processor core at most, beside the last one. */
const MAKING_MS = 60_000;
/** Within a round, the next forecast uses the same thread. */
const IDLE_MS = 10_000;
/** Most forecasts of a round, in all and of one network. */
const MADE_MAX = 40;
const MADE_OF_NETWORK_MAX = 5;
/** By then, every impression of a flight has come and is counted, also where a node was down for some hours. */
const LATE_MS = DAY_MS;
const SCORED_MAX = 500;

/** Dependencies of the job. */
export interface ForecastRecordDeps {
  readonly sql: Kysely<Database>;
  readonly hot: Pick<HotStore, 'readCounters'>;
  readonly olap: Pick<Olap, 'query' | 'stream'>;
  /** Requests of a whole network by hour; both bounds are whole hours of UTC, the end is exclusive. */
  readonly readNetworkHours: (
    workspaceId: number,
    during: readonly [fromMs: number, toMs: number],
  ) => Promise<readonly HourlyRequests[]>;
  readonly nowMs: () => number;
  readonly random: () => number;
  readonly log: Log;
}

/** What all forecasts of a network in one round share. */
interface Network {
  readonly snapshot: WorkspaceSnapshot;
  readonly frame: SampleFrame;
  readonly curve: TrafficCurve;
  readonly history: readonly HourlyRequests[];
}

/** Forecasts each line item when it becomes active or its booking changes, and scores the forecast when its flight has ended. */
export class ForecastRecordJob extends RecurringJob {
  readonly #deps: ForecastRecordDeps;
  readonly #thread: WorkspaceThread<ForecastJob, Forecast>;
  #cleanedMs = 0;

  constructor(deps: ForecastRecordDeps) {
    super({ firstMs: EVERY_MS, everyMs: EVERY_MS });
    this.#deps = deps;
    this.#thread = new WorkspaceThread(deps.hot, FORECAST_MODULE, { idleMs: IDLE_MS });
  }

  /** The job starts again when its process gets the lease back, so its thread is ended rather than stopped. */
  override async stop(): Promise<void> {
    await Promise.all([super.stop(), this.#thread.end()]);
  }

  /** Closes what says nothing any more, scores what has ended, then makes the forecasts that are due. @throws what the stores throw */
  async run(): Promise<void> {
    const { sql, nowMs } = this.#deps;
    await closeStale(sql, nowMs());
    await this.#score();
    await this.#make();
    if (nowMs() < this.#cleanedMs + DAY_MS) return;
    this.#cleanedMs = nowMs();
    await deleteOld(sql, nowMs());
  }

  protected logFailure(error: unknown): void {
    this.#deps.log.event('forecast.records_failed', { err: error });
  }

  async #score(): Promise<void> {
    const { sql, nowMs } = this.#deps;
    while (!this.isStopped) {
      const ended = await listEnded(sql, nowMs() - LATE_MS, SCORED_MAX);
      const counted = await this.#readImpressions(ended);
      for (const [at, one] of ended.entries()) {
        const count = (counted[at] ?? 0n) - one.countedBefore;
        const delivered = count < 0n ? 0n : count;
        await recordScore(sql, one, { ...scoreForecast(one, Number(delivered)), delivered }, new Date(nowMs()));
      }
      if (ended.length < SCORED_MAX) return;
    }
  }

  async #make(): Promise<void> {
    const { sql, nowMs, log } = this.#deps;
    const untilMs = nowMs() + MAKING_MS;
    const due = await listDue(sql, nowMs(), { most: MADE_MAX, perNetwork: MADE_OF_NETWORK_MAX });
    const networks = new Map<number, Network | null>();
    const failed = new Set<number>();
    for (const one of due) {
      if (this.isStopped || nowMs() >= untilMs) return;
      if (failed.has(one.workspaceId)) continue;
      try {
        const known = networks.get(one.workspaceId);
        const network = known === undefined ? await this.#readNetwork(one.workspaceId) : known;
        networks.set(one.workspaceId, network);
        await this.#forecast(one, network);
      } catch (error) {
        // Stopping ends the thread: the next process makes this forecast.
        if (this.isStopped) return;
        failed.add(one.workspaceId);
        log.event('forecast.record_failed', { err: error, workspaceId: one.workspaceId });
      }
    }
  }

  async #forecast(due: DueForecast, network: Network | null): Promise<void> {
    const { sql, nowMs } = this.#deps;
    const at = new Date(nowMs());
    if (network === null) return recordForecast(sql, due, 'SAMPLE_TOO_YOUNG', at);
    const [countedBefore = 0n] = await this.#readImpressions([due]);
    const made = await this.#replay(due, network, at.getTime()).catch((error: unknown): ForecastRecordReason => {
      if (this.isStopped || !(error instanceof ThreadFailed)) throw error;
      return 'TOO_LARGE';
    });
    if (made === null) return;
    await recordForecast(sql, due, typeof made === 'string' ? made : { ...figuresOf(made), countedBefore }, at);
  }

  /** Null: the line item was changed meanwhile, and is forecast in a later round. */
  async #replay(
    { workspaceId, lineItemId, startsAtMs, endsAtMs }: DueForecast,
    { snapshot, frame, curve, history }: Network,
    nowMs: number,
  ): Promise<Forecast | null> {
    const lineItem = snapshot.lineItems.find(({ id }) => id === String(lineItemId));
    if (lineItem === undefined || lineItem.status !== 'ACTIVE') return null;
    const draft = draftOf(lineItem, { startsAtMs, endsAtMs });
    const creatives = snapshot.creatives.filter((creative) => creative.lineItemId === lineItem.id);
    const seed = Math.floor(this.#deps.random() * 2 ** 32);
    const job: ForecastJob = {
      draft,
      booked: { lineItem, creatives },
      precision: 'FULL',
      curve,
      history,
      nowMs,
      seed,
    };
    const samples = streamSamples(this.#deps.olap, workspaceId, frame);
    return this.#thread.run({ snapshot: narrowSnapshot(snapshot, draft, nowMs), frame, job, samples });
  }

  /** Null: too little was sampled yet. */
  async #readNetwork(workspaceId: number): Promise<Network | null> {
    const { sql, olap, nowMs, readNetworkHours } = this.#deps;
    const frame = await readSampleFrame(olap, workspaceId, nowMs());
    if (frame === null || frame.untilMs - frame.fromMs < SAMPLED_HOURS_MIN * HOUR_MS) return null;
    const [snapshot] = await readSnapshots(sql, nowMs(), [workspaceId]);
    if (snapshot === undefined) return null;
    const curves = await readCurves(sql);
    const curve = curves.find(
      (one) => one.workspaceId === workspaceId && one.kind === 'site' && one.inventoryId === '0',
    );
    const untilMs = Math.floor(nowMs() / HOUR_MS) * HOUR_MS;
    const history = await readNetworkHours(workspaceId, [untilMs - CURVE_DAYS * DAY_MS, untilMs]);
    return { snapshot, frame, curve: curve ?? flatCurve(snapshot.workspace.timezone), history };
  }

  #readImpressions(lines: readonly Pick<EndedForecast, 'workspaceId' | 'lineItemId'>[]): Promise<readonly bigint[]> {
    const keys = lines.map(({ workspaceId, lineItemId }) =>
      lifetimeCounterKey({ workspaceId, scope: 'li', id: String(lineItemId), kind: 'imp' }),
    );
    return keys.length === 0 ? Promise.resolve([]) : this.#deps.hot.readCounters(keys);
  }
}

function figuresOf(made: Forecast) {
  return {
    ...expectedDelivery(made),
    sampledHours: made.sampledHours,
    matched: made.matched,
    available: made.available,
    revenueMicros: made.revenueMicros,
    displacedMicros: made.displacedRevenueMicros,
  };
}

function draftOf(lineItem: LineItem, flight: Pick<ForecastDraft, 'startsAtMs' | 'endsAtMs'>): ForecastDraft {
  return {
    ...lineItem,
    ...flight,
    cpmMicros: lineItem.priceMicros,
    // Its creatives are known: these are of drafts alone.
    sizes: [],
    mediaTypes: ['banner'],
    lineItemId: lineItem.id,
  };
}
