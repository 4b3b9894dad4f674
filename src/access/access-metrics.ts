import { Counter, type Registry } from 'prom-client';
import type { RefusalReason } from './keys/identify.ts';
import type { LimitName } from './permissions/permissions.ts';

/** The metrics of the access module for operators. */
export interface AccessMetrics {
  countRefusal(reason: RefusalReason): void;
  countLimited(limit: LimitName): void;
}

/** Counters in a process's registry; without one, nothing is counted. `ledgerFailures` is read at each scrape. */
export function createAccessMetrics(registry: Registry | undefined, ledgerFailures: () => number): AccessMetrics {
  if (registry === undefined) return { countRefusal: () => undefined, countLimited: () => undefined };
  const registers = [registry];
  const refusals = new Counter({
    name: 'placard_auth_refusals_total',
    help: 'Credentials that were refused, by reason.',
    labelNames: ['reason'],
    registers,
  });
  const limited = new Counter({
    name: 'placard_rate_limited_total',
    help: 'Requests over a limit, by limit.',
    labelNames: ['limit'],
    registers,
  });
  new Counter({
    name: 'placard_quota_ledger_failures_total',
    help: 'Failed calls of the hot store for limits; meanwhile each process admits its part.',
    registers,
    collect() {
      this.reset();
      this.inc(ledgerFailures());
    },
  });
  return {
    countRefusal: (reason) => refusals.inc({ reason }),
    countLimited: (limit) => limited.inc({ limit }),
  };
}
