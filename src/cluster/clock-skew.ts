import type { ReadinessCheck } from '../http/shared/health.ts';

/** Above this, days, flights and budgets of nodes differ by enough that an operator should look. */
const DEGRADED_MS = 2_000;
/** Above this, a node spends the budgets of another time. */
const WRONG_MS = 10_000;

/** One look at PostgreSQL's clock; all in epoch milliseconds. */
export interface ClockReading {
  readonly sentMs: number;
  readonly receivedMs: number;
  readonly postgresMs: number;
}

/** How far the clock of this machine is from PostgreSQL's, as last seen. */
export class ClockSkew {
  #skewMs = 0;

  /** The least difference that explains a reading: the response may have taken its time on either way. */
  record({ sentMs, receivedMs, postgresMs }: ClockReading): void {
    if (postgresMs < sentMs) this.#skewMs = sentMs - postgresMs;
    else this.#skewMs = Math.min(0, receivedMs - postgresMs);
  }

  /** Positive: this machine is ahead. */
  get skewMs(): number {
    return this.#skewMs;
  }

  readiness(): ReadinessCheck {
    const aheadMs = Math.abs(this.#skewMs);
    const detail =
      aheadMs === 0
        ? "agrees with PostgreSQL's"
        : `${(aheadMs / 1_000).toFixed(1)} s ${this.#skewMs > 0 ? 'ahead of' : 'behind'} PostgreSQL's: set the clocks of both machines by NTP`;
    return {
      name: 'clock',
      ok: aheadMs <= WRONG_MS,
      ...(aheadMs > DEGRADED_MS && aheadMs <= WRONG_MS ? { degraded: true } : {}),
      detail,
    };
  }
}
