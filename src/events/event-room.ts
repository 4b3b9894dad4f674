import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { RequestCounts } from '../domain/event.ts';
import type { LinkKey } from '../domain/served-ad.ts';
import type { SegmentObserver } from '../domain/segment.ts';
import type { Catalog } from '../domain/snapshot.ts';
import type { ProtectedRoute } from '../http/protected-route.ts';
import type { Route } from '../http/route.ts';
import type { HotStore } from '../storage/hot/hot-store.ts';
import type { Olap } from '../storage/olap/olap.ts';
import { createActivityRoutes, createClientActivityRoutes } from './activity.routes.ts';
import { createAdEvents } from './ad-events.ts';
import { createClickRoutes } from './click.routes.ts';
import { DEAD_LETTERS_FOLDER, openDeadLetters } from './dead-letters.ts';
import type { DeadLetters } from './dead-letters.ts';
import { backlogAgeMs, createEventMetrics } from './event-metrics.ts';
import { publishProgress } from './publish-progress.ts';
import { createRecorder } from './recorder.ts';
import { createRequestCounts } from './request-counts.ts';
import { createShipper } from './shipper.ts';
import type { Shipper } from './shipper.ts';
import { makeFolder } from './spool-segments.ts';
import { openSpool } from './spool.ts';
import type { Spool } from './spool.ts';
import { createTrackingRoutes } from './tracking.routes.ts';
import { createTrafficFilter } from './traffic-filter.ts';
import type { TrafficFilterOptions } from './traffic-filter.ts';

/** What the events room of one delivery worker is made with. */
export interface EventRoomDeps {
  readonly catalog: Catalog;
  readonly hot: HotStore;
  readonly olap: Olap;
  /** The first signs (elsewhere), all verify. */
  readonly linkKeys: readonly LinkKey[];
  readonly userHashSecret: Buffer;
  /** Makes members of segments; absent = activities make none. */
  readonly memberships?: SegmentObserver;
  /** The installation's data folder; events wait in `spool/w<slot>` of it. */
  readonly dataDir: string;
  /** This worker's number, from 0; no other running process may have it. */
  readonly slot: number;
  /** How many workers run on this data folder. */
  readonly workers: number;
  readonly nowMs: () => number;
  readonly log: Logger;
  readonly registry: Registry;
  readonly filter?: TrafficFilterOptions;
  /** Whether pages may send activities without a key (`/<network>/activity`). Default false. */
  readonly clientActivitiesAllowed?: boolean;
  /** Age at which a segment is sealed and shipped: how late reports may be. Default 1_000. */
  readonly sealAfterMs?: number;
}

/** How one part of the room does, for `/readyz`. */
export interface EventRoomCheck {
  readonly name: string;
  readonly ok: boolean;
  readonly detail?: string;
}

/** The events room of one delivery worker. */
export interface EventRoom {
  readonly routes: readonly Route[];
  readonly protectedRoutes: readonly ProtectedRoute[];
  /** Where the ad path counts requests and served ads. */
  readonly requestCounts: RequestCounts;
  /** Begins shipping. */
  start(): void;
  /** Takes no more events, ships what it can in this time; the rest waits on disk for the next start. */
  stop(deadlineMs: number): Promise<void>;
  readiness(): Promise<readonly EventRoomCheck[]>;
}

/** A backlog of this size is reported as not well (but events are still taken: the disk is what it is for). */
const BACKLOG_BYTES_LARGE = 1_073_741_824;

/** With so many spool files waiting, further ones are sealed at this age: each look at the folder reads the names of all. */
const SEAL_AGES: readonly { readonly files: number; readonly ageMs: number }[] = [
  { files: 2_000, ageMs: 600_000 },
  { files: 500, ageMs: 60_000 },
];

/** How old a spool file becomes while so many wait. What is not in the analytics store is in no report, however soon it is sealed. */
export function sealAgeMs(files: number): number {
  return SEAL_AGES.find((one) => files >= one.files)?.ageMs ?? 0;
}

/** Makes the room: opens this slot's spool (sealing what a killed worker left), and joins routes, recorder and shipper. */
export function createEventRoom(deps: EventRoomDeps): EventRoom {
  const { catalog, hot, olap, slot, workers, nowMs, log } = deps;
  const spoolDir = join(deps.dataDir, 'spool');
  makeFolder(spoolDir);
  const deadLetters = openDeadLetters(join(spoolDir, DEAD_LETTERS_FOLDER), log);
  const shipper = createShipper({ spoolDir, slot, workers, hot, olap, log, deadLetters });
  const spool = openSpool({
    deadLetters,
    dir: join(spoolDir, `w${slot}`),
    slot,
    nowMs,
    log,
    onSealed: () => shipper.wake(),
    isSealDue: (ageMs) => ageMs >= sealAgeMs(shipper.files()),
    ...(deps.sealAfterMs === undefined ? {} : { sealAfterMs: deps.sealAfterMs }),
  });
  const metrics = createEventMetrics(deps.registry, {
    backlog: () => shipper.backlog(),
    shipperStats: () => shipper.stats(),
    spoolStats: () => spool.stats(),
    deadLetters,
    nowMs,
  });
  const recorder = createRecorder({ spool, hot, log, metrics });
  const requestCounts = createRequestCounts({ spool, nowMs, log, metrics });
  let stopPublishing = (): void => undefined;
  const filter = createTrafficFilter(deps.filter);
  const adEvents = createAdEvents({ recorder, hot, catalog, nowMs, log });
  const tracking = { linkKeys: deps.linkKeys, catalog, adEvents, filter, metrics, nowMs, log };
  const { userHashSecret, memberships } = deps;
  const activities = {
    recorder,
    hot,
    catalog,
    userHashSecret,
    nowMs,
    log,
    ...(memberships === undefined ? {} : { memberships }),
  };
  return {
    routes: [
      ...createTrackingRoutes(tracking),
      ...createClickRoutes(tracking),
      ...(deps.clientActivitiesAllowed === true ? createClientActivityRoutes({ ...activities, filter }) : []),
    ],
    protectedRoutes: createActivityRoutes(activities),
    requestCounts,
    start: () => {
      requestCounts.start();
      shipper.start();
      stopPublishing = publishProgress({ hot, shipper, nowMs });
    },
    stop: async (deadlineMs) => {
      stopPublishing();
      await requestCounts.stop();
      await spool.close();
      await shipper.stop(deadlineMs);
    },
    readiness: () => Promise.resolve(checkRoom({ spool, shipper, deadLetters, nowMs: nowMs() })),
  };
}

function checkRoom(room: {
  readonly spool: Spool;
  readonly shipper: Shipper;
  readonly deadLetters: DeadLetters;
  readonly nowMs: number;
}): EventRoomCheck[] {
  const { failing, brokenSegments } = room.spool.stats();
  const backlog = room.shipper.backlog();
  const oldestSeconds = Math.round(backlogAgeMs(backlog, room.nowMs) / 1_000);
  return [
    { name: 'event spool', ok: !failing, detail: `${brokenSegments} spool files given up after disk errors` },
    {
      name: 'event backlog',
      ok: backlog.bytes < BACKLOG_BYTES_LARGE,
      detail: `${backlog.segments} spool files, ${backlog.bytes} bytes wait for the analytics store, the oldest event for ${oldestSeconds} s`,
    },
    // Ads go on: an operator has to look, a load balancer need not.
    { name: 'dead letters', ok: true, detail: `${room.deadLetters.files()} files` },
  ];
}
