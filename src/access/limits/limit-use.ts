import type { HotStore } from '../../storage/hot/hot-store.ts';
import { COUNTER_TTL_MS, dailyKey, usedKey } from './daily-quota.ts';
import type { LimitName } from '../permissions/permissions.ts';
import { DAILY_LIMITS, quotaName } from './request-limits.ts';

/** How often a reset is sent again, under one number. */
const TRIES_MAX = 3;

/** Today's use of a workspace's daily limits, over all processes, at most half a second behind. @throws as the hot store */
export async function readUse(
  hot: HotStore,
  workspaceId: number,
  nowMs: number,
): Promise<Readonly<Partial<Record<LimitName, number>>>> {
  const values = await hot.readCounters(DAILY_LIMITS.map((limit) => usedKey(quotaName(workspaceId, limit), nowMs)));
  return Object.fromEntries(DAILY_LIMITS.map((limit, at) => [limit, Number(values[at] ?? 0n)]));
}

/**
 * Resets today's count of a daily limit: used units are subtracted, and running processes keep their leases, so the limit holds from here
 * on. Returns the used units. Two resets at the same time subtract once: both send the addition under the same number.
 * @throws as the hot store
 */
export async function resetUse(
  hot: HotStore,
  { workspaceId, limit }: { readonly workspaceId: number; readonly limit: LimitName },
  nowMs: number,
): Promise<number> {
  const name = quotaName(workspaceId, limit);
  const writer = `reset/${dailyKey(name, nowMs)}`;
  // In this order: a reset in between is then seen in the second reading at the latest, or sends the same number.
  const [resets = 0n] = await hot.readCounters([writer]);
  const [used = 0n] = await hot.readCounters([usedKey(name, nowMs)]);
  if (used <= 0n) return 0;
  const addition = {
    writer,
    number: Number(resets) + 1,
    ttlMs: COUNTER_TTL_MS,
    increments: [
      { key: dailyKey(name, nowMs), by: -used, ttlMs: COUNTER_TTL_MS },
      { key: usedKey(name, nowMs), by: -used, ttlMs: COUNTER_TTL_MS },
      { key: writer, by: 1n, ttlMs: COUNTER_TTL_MS },
    ],
  };
  for (let tries = 1; ; tries += 1) {
    try {
      await hot.addNumbered(addition);
      await hot.flushed();
      return Number(used);
    } catch (error) {
      if (tries === TRIES_MAX) throw error;
    }
  }
}
