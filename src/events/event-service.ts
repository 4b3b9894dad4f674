import { join } from 'node:path';
import type { Registry } from 'prom-client';
import type { Log } from '../domain/log/log.ts';
import type { BillingDeps } from './billing/billing.ts';
import type { RequestCounts } from '../domain/events/event.ts';
import { LinkTokenCache } from '../domain/events/link-token.ts';
import type { LinkKey, ServedAd } from '../domain/events/served-ad.ts';
import type { SegmentObserver } from '../domain/targeting/segment.ts';
import type { Catalog } from '../domain/booking/snapshot.ts';
import type { ProtectedRoute } from '../http/shared/protected-route.ts';
import type { Route } from '../http/shared/route.ts';
import type { HotStore } from '../storage/hot/hot-store.ts';
import type { SpoolCopies } from '../storage/copies/spool-copies.ts';
import type { Olap } from '../storage/olap/olap.ts';
import { createActivityRoutes, createPixelRoutes } from './activities/activity.routes.ts';
import { type AdEvents, createAdEvents } from './tracking/ad-events.ts';
import { createClickQueue } from './tracking/click-queue.ts';
import type { ClickQueue } from './tracking/click-queue.ts';
import { createClickRoutes } from './tracking/click.routes.ts';
import { DEAD_LETTERS_FOLDER, openDeadLetters } from './spool/dead-letters.ts';
import type { DeadLetters } from './spool/dead-letters.ts';
import { createEventAdmission } from './recording/admission.ts';
import { backlogAgeMs, createEventMetrics } from './recording/event-metrics.ts';
import { publishProgress } from './shipping/publish-progress.ts';
import { createRecorder } from './recording/recorder.ts';
import { TakeOver } from './copies/take-over.ts';
import type { EventRecorder } from './recording/recorder.ts';
import type { ActivityRouteDeps, PixelDeps } from './activities/activity.routes.ts';
import { creditEvent } from './activities/credit-event.ts';
import type { CreditDeps } from './activities/credit-event.ts';
import { UncreditedEvents } from './activities/uncredited-events.ts';
import { createRequestCounts } from './recording/request-counts.ts';
import type { RecordRun } from './shipping/record-run.ts';
import { addBacklogs } from './shipping/machine-batches.ts';
import { createShipper } from './shipping/shipper.ts';
import type { ShipBacklog } from './shipping/machine-batches.ts';
import type { ShippingGate } from './shipping/shipping-gate.ts';
import { makeFolder } from './spool/spool-files.ts';
import { openSpool } from './spool/spool.ts';
import type { Spool, SpoolOptions } from './spool/spool.ts';
import type { CreateDiskFile } from '../storage/disk-file.ts';
import { createTrackingRoutes } from './tracking/tracking.routes.ts';
import { createTrafficFilter } from './tracking/traffic-filter.ts';
import type { TrafficFilterOptions } from './tracking/traffic-filter.ts';
import { openUncountedMarks } from './spool/uncounted-marks.ts';

/** Options of the event service of one delivery worker. */
export interface EventServiceDeps {
  readonly catalog: Catalog;
  readonly hot: HotStore;
  readonly olap: Olap;
  /** The first signs (elsewhere), all verify. */
  readonly linkKeys: readonly LinkKey[];
  readonly userHashSecret: Buffer;
  /** Makes members of segments; absent = activities make none. */
  readonly memberships?: SegmentObserver;
  /** The installation's data folder; events wait in `spool/w<worker index>` of it. */
  readonly dataDir: string;
  /** This worker's number, from 0; no other running process may have it. */
  readonly workerIndex: number;
  /** How many workers run on this data folder. */
  readonly workers: number;
  readonly nowMs: () => number;
  /** By which reservations expire; absent: `nowMs`. */
  readonly expiryNowMs?: () => number;
  readonly log: Log;
  readonly registry: Registry;
  /** While a shared hot store is rebuilt, its files wait. */
  readonly gate?: ShippingGate;
  /** Copies of spool files outside of this machine, in which an event is before it is acknowledged. Default: none. */
  readonly copies?: SpoolCopies | undefined;
  /** Is told of each batch that is shipped, for traces. */
  readonly recordRun?: RecordRun;
  readonly filter?: TrafficFilterOptions;
  /** Counts an event of a page, which has no key, against its network's limit; false: it is over. */
  readonly admitPixel: PixelDeps['admitPixel'];
  /** For tests: spool files that fail. */
  readonly createFile?: CreateDiskFile;
  /** Age at which a spool file is sealed and shipped: how late reports may be. Default 1_000. */
  readonly sealAfterMs?: number;
}

/** The state of one part of the service, for `/readyz`. */
export interface EventServiceCheck {
  readonly name: string;
  readonly ok: boolean;
  /** It works, and an operator should look. */
  readonly degraded?: boolean;
  readonly detail?: string;
}

/** The event service of one delivery worker. */
export interface EventService {
  readonly routes: readonly Route[];
  readonly protectedRoutes: readonly ProtectedRoute[];
  /** Where the ad path counts requests and served ads. */
  readonly requestCounts: RequestCounts;
  /** Records an error of a video that no player has met, with its code of VAST. */
  readonly recordVideoError: (ad: ServedAd, code: number) => void;
  /** Begins counting; shipping begins when the analytics store has the tables of this program. */
  start(storesReady?: Promise<void>): void;
  /** Stops accepting events and ships what it can in this time; the rest waits on disk for the next start. */
  stop(deadlineMs: number): Promise<void>;
  readiness(): Promise<readonly EventServiceCheck[]>;
}

/** A backlog of this size is reported as unhealthy (events are still accepted: the disk holds them). */
const BACKLOG_BYTES_LARGE = 1_073_741_824;

/** Conversions that wait longer are told to operators: an outage of the hot store ends sooner. */
const UNCREDITED_LONG_MS = 60_000;

/** When this many spool files wait, further ones are sealed later: each look at the folder reads all names. */
const SEAL_AGES: readonly { readonly files: number; readonly ageMs: number }[] = [
  { files: 2_000, ageMs: 600_000 },
  { files: 500, ageMs: 60_000 },
];

/** The age at which a spool file is sealed while that many wait. Sealing earlier would bring nothing into reports sooner. */
export function sealAgeMs(files: number): number {
  return SEAL_AGES.find((one) => files >= one.files)?.ageMs ?? 0;
}

/** An error that cannot be stored is lost, as a player's own report would be. */
function videoErrorRecorder(adEvents: AdEvents): EventService['recordVideoError'] {
  return (ad, code) => void adEvents.video(ad, 'error', '', code).catch(() => undefined);
}

/** Builds the service: opens the worker's spool (sealing files that a killed worker left), and joins routes, recorder and shipper. */
export function createEventService(deps: EventServiceDeps): EventService {
  const { catalog, hot, olap, workerIndex, workers, copies, nowMs, log } = deps;
  const spoolDir = join(deps.dataDir, 'spool');
  makeFolder(spoolDir);
  const deadLetters = openDeadLetters(join(spoolDir, DEAD_LETTERS_FOLDER), log);
  const more = { recordRun: deps.recordRun, copies, ...(deps.gate === undefined ? {} : { gate: deps.gate }) };
  const shipper = createShipper({ spoolDir, workerIndex, workers, hot, olap, log, deadLetters, ...more });
  const spool = openWorkerSpool(deps, {
    deadLetters,
    dir: join(spoolDir, `w${workerIndex}`),
    onSealed: () => shipper.wake(),
    // Lines that wait to be counted are counted soon after their file is sealed, unless even sealed files cannot be counted now.
    isSealDue: (ageMs) => ageMs >= sealAgeMs(shipper.files()) || (shipper.filesToCount() === 0 && uncounted.any()),
  });
  const orphans = workerIndex === 0 ? { orphansFrom: workers } : {};
  const uncounted = openUncountedMarks({ spoolDir, workerIndexes: [workerIndex], ...orphans, hot, log });
  const metrics = createEventMetrics(deps.registry, {
    backlog: () => backlog(),
    uncredited: () => ({ added: uncredited.added, oldestMs: uncredited.backlog().oldestMs }),
    shipperStats: () => shipper.stats(),
    spoolStats: () => spool.stats(),
    clicksWaiting: () => clicks.waiting(),
    eventsRefused: () => admission.refused(),
    deadLetters,
    nowMs,
  });
  const recorder = createRecorder({ spool, hot, log, metrics, uncounted });
  const requestCounts = createRequestCounts({ spool, nowMs, log, metrics });
  let stopPublishing = (): void => undefined;
  let isStopped = false;
  const takeOver = openTakeOver(deps, () => shipper.wake());
  const filter = createTrafficFilter(deps.filter);
  const adEvents = createAdEvents({ recorder, hot, catalog, ...clocksOf(deps), log });
  const clicks = createClickQueue({ adEvents, log, countLost: (lost) => metrics.countLostClicks(lost) });
  const admission = createEventAdmission(() => ({ events: recorder.recording(), ageMs: spool.stats().waitedMs }));
  const tracking = { ...deps, tokens: new LinkTokenCache(), adEvents, admission, clicks, filter, metrics };
  const crediting = creditDeps(deps, recorder);
  const uncredited = openUncredited(deps, { spoolDir, deadLetters, crediting });
  const backlog = (): ShipBacklog => addBacklogs(shipper.backlog(), uncredited.backlog());
  const activities = { ...crediting, uncredited, admission, userHashSecret: deps.userHashSecret };
  return {
    routes: routesOf(deps, tracking, activities),
    protectedRoutes: createActivityRoutes(activities),
    requestCounts,
    recordVideoError: videoErrorRecorder(adEvents),
    start: (storesReady) => {
      requestCounts.start();
      takeOver.start(storesReady);
      uncredited.start();
      const startShipping = (): void => {
        if (isStopped) return;
        shipper.start();
        stopPublishing = publishProgress({ hot, backlog, nowMs });
      };
      if (storesReady === undefined) startShipping();
      else void storesReady.then(startShipping);
    },
    stop: async (deadlineMs) => {
      isStopped = true;
      stopPublishing();
      for (const part of [requestCounts, clicks, uncredited]) await part.stop();
      await spool.close();
      uncounted.stop();
      await shipper.stop(deadlineMs);
      await takeOver.stop();
    },
    readiness: () =>
      Promise.resolve(checkService({ spool, clicks, uncredited, backlog: backlog(), deadLetters, nowMs: nowMs() })),
  };
}

function routesOf(
  deps: EventServiceDeps,
  tracking: Parameters<typeof createTrackingRoutes>[0] & Parameters<typeof createClickRoutes>[0],
  activities: ActivityRouteDeps,
): Route[] {
  const { filter } = tracking;
  return [
    ...createTrackingRoutes(tracking),
    ...createClickRoutes(tracking),
    ...createPixelRoutes({ ...activities, filter, admitPixel: deps.admitPixel }),
  ];
}

function openWorkerSpool(
  { workerIndex, nowMs, log, sealAfterMs, createFile, copies }: EventServiceDeps,
  files: Pick<SpoolOptions, 'deadLetters' | 'dir' | 'onSealed' | 'isSealDue'>,
): Spool {
  const changed = {
    ...(sealAfterMs === undefined ? {} : { sealAfterMs }),
    ...(createFile === undefined ? {} : { createFile }),
  };
  return openSpool({ ...files, workerIndex, nowMs, log, copies, ...changed });
}

/** Takes over what lost machines have, once the stores are ready. Where there are no copies it does nothing. */
function openTakeOver(
  { copies, olap, gate, dataDir, workerIndex, log }: EventServiceDeps,
  onTaken: () => void,
): { start(storesReady?: Promise<void>): void; stop(): Promise<void> } {
  if (copies === undefined) return { start: () => undefined, stop: async () => undefined };
  let isReady = false;
  const mayShip = (): boolean => isReady && (gate?.mayShip() ?? true);
  const job = new TakeOver({ copies, spoolDir: join(dataDir, 'spool'), workerIndex, olap, mayShip, onTaken, log });
  return {
    start: (storesReady = Promise.resolve()) => {
      job.start();
      void storesReady.then(() => (isReady = true));
    },
    stop: async () => {
      await job.stop();
      await copies.close();
    },
  };
}

function clocksOf({
  nowMs,
  expiryNowMs = nowMs,
}: EventServiceDeps): Required<Pick<BillingDeps, 'nowMs' | 'expiryNowMs'>> {
  return { nowMs, expiryNowMs };
}

function creditDeps(deps: EventServiceDeps, recorder: EventRecorder): CreditDeps {
  const { hot, catalog, memberships, log } = deps;
  const shared = { recorder, hot, catalog, ...clocksOf(deps), log };
  return memberships === undefined ? shared : { ...shared, memberships };
}

function openUncredited(
  { hot, workerIndex, workers, nowMs, log, createFile, copies }: EventServiceDeps,
  parts: { readonly spoolDir: string; readonly deadLetters: DeadLetters; readonly crediting: CreditDeps },
): UncreditedEvents {
  const { crediting, ...files } = parts;
  const credit = creditEvent.bind(null, crediting);
  const options = { ...files, hot, workerIndex, workers, nowMs, log, credit, copies };
  return new UncreditedEvents(createFile === undefined ? options : { ...options, createFile });
}

function checkService(parts: {
  readonly spool: Spool;
  readonly clicks: ClickQueue;
  readonly uncredited: UncreditedEvents;
  readonly backlog: ShipBacklog;
  readonly deadLetters: DeadLetters;
  readonly nowMs: number;
}): EventServiceCheck[] {
  const { failing, copyFailing, brokenFiles } = parts.spool.stats();
  const { backlog } = parts;
  const uncreditedMs = backlogAgeMs(parts.uncredited.backlog(), parts.nowMs);
  const oldestSeconds = Math.round(backlogAgeMs(backlog, parts.nowMs) / 1_000);
  return [
    { name: 'event spool', ok: !failing, detail: `${brokenFiles} spool files given up after disk errors` },
    // A node without copies serves ads and refuses events, as all nodes do while Redis is down.
    ...(copyFailing
      ? [
          {
            name: 'event copies',
            ok: true,
            degraded: true,
            detail: 'events are refused: their copies are late or fail',
          },
        ]
      : []),
    {
      name: 'event backlog',
      ok: backlog.bytes < BACKLOG_BYTES_LARGE,
      detail: `${backlog.files} spool files, ${backlog.bytes} bytes wait for the analytics store, the oldest event for ${oldestSeconds} s`,
    },
    // Ads are still served: an operator has to act, a load balancer does not.
    {
      name: 'clicks',
      ok: true,
      ...(parts.clicks.waiting() > 0 ? { degraded: true } : {}),
      detail: `${parts.clicks.waiting()} clicks wait in memory for the disk`,
    },
    {
      name: 'conversions',
      ok: true,
      ...(uncreditedMs > UNCREDITED_LONG_MS ? { degraded: true } : {}),
      detail: `the oldest conversion that is not credited waits for ${Math.round(uncreditedMs / 1_000)} s`,
    },
    { name: 'dead letters', ok: true, detail: `${parts.deadLetters.files()} files` },
  ];
}
