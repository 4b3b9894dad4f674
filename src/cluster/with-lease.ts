import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { withJitter } from '../domain/time/jitter.ts';
import type { Database } from '../storage/sql/schema.ts';
import { claimLeases, deleteLease } from './job-leases.sql.ts';

const LEASE_MS = 60_000;
const RENEW_EVERY_MS = 10_000;
const AGAIN_MS = 1_000;

/** Work that one process of the cluster at a time may do, once, at its start. */
export interface LeasedWork {
  readonly sql: Kysely<Database>;
  readonly nodeId: string;
  readonly name: string;
  /** Called while another process does it, and while this one does: every ten seconds at least. */
  readonly onWait: () => void;
  /** Default: 10 s. */
  readonly renewEveryMs?: number;
}

/** Waits for the lease, works under it, and ends it. A holder that dies blocks others for a minute. @throws what the work or PostgreSQL throws */
export async function withLease(
  { sql, nodeId, name, onWait, renewEveryMs = RENEW_EVERY_MS }: LeasedWork,
  work: () => Promise<void>,
): Promise<void> {
  const runner = { runnerId: randomUUID(), nodeId, part: 'core' } as const;
  const claim = async (): Promise<boolean> => (await claimLeases(sql, [name], runner, LEASE_MS)).length > 0;
  while (!(await claim())) {
    onWait();
    await sleep(withJitter(AGAIN_MS));
  }
  const renewals = new Set<Promise<unknown>>();
  const beat = setInterval(() => {
    onWait();
    // A renewal that fails is tried again before the lease ends.
    const renewal = claim()
      .catch(() => undefined)
      .finally(() => renewals.delete(renewal));
    renewals.add(renewal);
  }, renewEveryMs);
  try {
    await work();
  } finally {
    clearInterval(beat);
    // One that comes after the end would make the lease again.
    await Promise.all(renewals);
    await deleteLease(sql, name, runner.runnerId).catch(() => undefined);
  }
}
