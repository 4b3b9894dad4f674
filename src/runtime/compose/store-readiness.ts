import type { Kysely } from 'kysely';
import { Gauge, type Registry } from 'prom-client';
import type { ReadinessCheck } from '../../http/shared/health.ts';
import { readMark } from '../../storage/marks/analytics-marks.sql.ts';
import { pingPostgres } from '../../storage/sql/ping.sql.ts';
import type { Database } from '../../storage/sql/schema.ts';
import type { Stores } from './stores.ts';

/** Whether each store responds. */
export async function storeReadiness({ sql, olap, hot }: Stores): Promise<ReadinessCheck[]> {
  const tried = async (name: string, check: () => Promise<unknown>): Promise<ReadinessCheck> =>
    check().then(
      () => ({ name, ok: true }),
      (error: unknown) => ({ name, ok: false, detail: String(error) }),
    );
  return Promise.all([
    tried('postgres', () => pingPostgres(sql.db)),
    tried('analytics', () => olap.ping()),
    tried('hot store', () => hot.ping()),
  ]);
}

/** Whether the analytics store holds what was shipped to it: reports lack events otherwise. */
export async function analyticsReadiness(sql: Kysely<Database>): Promise<ReadinessCheck> {
  // PostgreSQL has a check of its own.
  const lost = await readMark(sql).then(
    (mark) => mark?.lostReason ?? null,
    () => null,
  );
  return lostReadiness(lost);
}

/** The service goes on without the events. */
export function lostReadiness(reason: string | null): ReadinessCheck {
  const name = 'analytics events';
  if (reason === null) return { name, ok: true };
  const advice = 'bring back the right store or a backup of it, or go on without the events: "placard stores accept"';
  const detail = `the analytics store lacks events: ${reason}; new events wait in the spool; ${advice}`;
  return { name, ok: true, degraded: true, detail };
}

/** Whether Redis keeps what it is given. */
export function redisReadiness(redis: { readonly risks: readonly string[] } | null): ReadinessCheck[] {
  if (redis === null) return [];
  const { risks } = redis;
  const name = 'hot store memory';
  return [risks.length === 0 ? { name, ok: true } : { name, ok: true, degraded: true, detail: risks.join('; ') }];
}

/** Registers whether the analytics store lacks events; while PostgreSQL is unavailable, the last value stays. */
export function registerLostMetric(registry: Registry, sql: Kysely<Database>): void {
  const lost: Gauge = new Gauge({
    name: 'placard_analytics_lost',
    help: '1 while the analytics store lacks events that were shipped to it.',
    registers: [registry],
    collect: async () => {
      const mark = await readMark(sql).catch(() => undefined);
      if (mark !== undefined) lost.set((mark?.lostReason ?? null) === null ? 0 : 1);
    },
  });
}

/** A restored copy tells nobody anything: no reason to take it out of service. */
export function pauseReadiness(isPaused: boolean): ReadinessCheck[] {
  if (!isPaused) return [];
  const detail = 'since a restore, webhooks, mails, reports and exports wait until "placard release"';
  return [{ name: 'jobs', ok: true, degraded: true, detail }];
}

/** Something beside the service that may fail. */
interface SideJob {
  readonly state: { readonly isFailing: boolean; readonly text: string } & Pick<ReadinessCheck, 'progress'>;
}

/** The service serves without it: no reason to take it out of service. */
export function sideReadiness(name: string, job: SideJob | null): ReadinessCheck[] {
  if (job === null) return [];
  const { isFailing, text, progress } = job.state;
  return [
    {
      name,
      ok: true,
      ...(isFailing ? { degraded: true } : {}),
      detail: text,
      ...(progress === undefined ? {} : { progress }),
    },
  ];
}
