import { Counter, type Registry } from 'prom-client';
import type { Log } from '../../domain/log/log.ts';
import { RecurringJob } from '../../domain/time/recurring-job.ts';
import { listRedisRisks, type RedisHealth } from './redis-health.ts';

const EVERY_MS = 15_000;

interface RedisWatchDeps {
  readonly read: () => Promise<readonly RedisHealth[]>;
  readonly log: Log;
}

/** Looks again and again whether Redis may lose counters. */
export class RedisWatch extends RecurringJob {
  readonly #deps: RedisWatchDeps;
  #risks: readonly string[] = [];
  #evicted = 0;

  constructor(deps: RedisWatchDeps) {
    super({ firstMs: 0, everyMs: EVERY_MS });
    this.#deps = deps;
  }

  /** As the last look found; while Redis does not respond, other checks say so. */
  get risks(): readonly string[] {
    return this.#risks;
  }

  async run(): Promise<void> {
    const servers = await this.#deps.read();
    const risks = listRedisRisks(servers);
    const isNew = risks.some((risk) => !this.#risks.includes(risk));
    this.#risks = risks;
    this.#evicted = servers.reduce((sum, { evicted }) => sum + evicted, 0);
    if (isNew) this.#deps.log.event('hot_store.at_risk', { risks });
  }

  /** Registers the number of evicted keys. */
  register(registry: Registry): void {
    const evicted: Counter = new Counter({
      name: 'placard_redis_evicted_keys_total',
      help: 'Keys that Redis deleted for want of memory, since it started: counters are too low by them.',
      registers: [registry],
      collect: () => {
        evicted.reset();
        evicted.inc(this.#evicted);
      },
    });
  }

  /** A Redis that is down has checks of its own. */
  protected logFailure(): void {}
}
