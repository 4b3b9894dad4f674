import { isbot } from 'isbot';
import { compileTrustedProxies as compileRanges, isLoopback } from '../../http/shared/client-address.ts';
import type { InvalidReason } from '../recording/event-rows.ts';

/** Settings of the traffic filter, which always filters robots and missing user agents. */
export interface TrafficFilterOptions {
  /** Addresses and CIDR ranges whose events are never billed. Default none. */
  readonly ignoredRanges?: readonly string[];
  /** Most events of a kind that one address may send for one creative within a minute; null = no limit. Defaults 600 and 30. */
  readonly impressionsPerMinuteMax?: number | null;
  readonly clicksPerMinuteMax?: number | null;
}

/** Who sent an event, and the creative. */
export interface TrafficSample {
  readonly userAgent: string | undefined;
  readonly remoteAddress: string;
  readonly kind: 'impression' | 'click' | 'other';
  readonly creativeId: string;
  readonly nowMs: number;
}

/** Returns why an event is not billed; '' = it is billed. Holds addresses only in memory, for two minutes. */
export type TrafficFilter = (sample: TrafficSample) => InvalidReason;

const USER_AGENT_CHARS_MAX = 512;
const USER_AGENTS_MAX = 5_000;
const RATE_KEYS_MAX = 50_000;
const RATE_WINDOW_MS = 60_000;

/**
 * Makes the filter of one worker: robots (isbot's list), no user agent, ignored addresses, abnormal rates. Loopback has no rate
 * limit: there all users of a proxy that was not declared as trusted would look like one.
 *
 * @throws TypeError for a text that is not a range
 */
export function createTrafficFilter(options: TrafficFilterOptions = {}): TrafficFilter {
  const isIgnored = compileRanges(options.ignoredRanges ?? []);
  const isRobot = rememberedRobotCheck();
  const impressionRate = createRateCounter(
    options.impressionsPerMinuteMax === undefined ? 600 : options.impressionsPerMinuteMax,
  );
  const clickRate = createRateCounter(options.clicksPerMinuteMax === undefined ? 30 : options.clicksPerMinuteMax);
  return ({ userAgent, remoteAddress, kind, creativeId, nowMs }) => {
    if (userAgent === undefined || userAgent.trim() === '') return 'no_user_agent';
    if (isRobot(userAgent.slice(0, USER_AGENT_CHARS_MAX))) return 'robot';
    if (isIgnored(remoteAddress)) return 'address';
    // Users whose address a stitcher does not tell would look like one.
    if (kind === 'other' || remoteAddress === '' || isLoopback(remoteAddress)) return '';
    const isOver = (kind === 'click' ? clickRate : impressionRate)(`${remoteAddress} ${creativeId}`, nowMs);
    return isOver ? 'rate' : '';
  };
}

function rememberedRobotCheck(): (userAgent: string) => boolean {
  const remembered = new Map<string, boolean>();
  return (userAgent) => {
    const before = remembered.get(userAgent);
    if (before !== undefined) return before;
    const robot = isbot(userAgent);
    if (remembered.size >= USER_AGENTS_MAX) remembered.clear();
    remembered.set(userAgent, robot);
    return robot;
  };
}

/** Counts by key in a sliding minute, estimated from this minute and the one before. Says whether the key is over `max`. */
function createRateCounter(max: number | null): (key: string, nowMs: number) => boolean {
  let current = new Map<string, number>();
  let previous = new Map<string, number>();
  let window = 0;
  return (key, nowMs) => {
    if (max === null) return false;
    const nowWindow = Math.floor(nowMs / RATE_WINDOW_MS);
    if (nowWindow !== window) {
      previous = nowWindow === window + 1 ? current : new Map();
      current = new Map();
      window = nowWindow;
    }
    const count = (current.get(key) ?? 0) + 1;
    if (count > 1 || current.size < RATE_KEYS_MAX) current.set(key, count);
    const elapsed = (nowMs % RATE_WINDOW_MS) / RATE_WINDOW_MS;
    return count + (previous.get(key) ?? 0) * (1 - elapsed) > max;
  };
}
