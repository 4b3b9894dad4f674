import type { ReadinessCheck } from '../../http/shared/health.ts';
import { pingPostgres } from '../../storage/sql/ping.sql.ts';
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

/** Something beside the service that may fail. */
interface SideJob {
  readonly state: { readonly isFailing: boolean; readonly text: string };
}

/** The service serves without it: no reason to take it out of service. */
export function sideReadiness(name: string, job: SideJob | null): ReadinessCheck[] {
  if (job === null) return [];
  const { isFailing, text } = job.state;
  return [{ name, ok: true, ...(isFailing ? { degraded: true } : {}), detail: text }];
}
