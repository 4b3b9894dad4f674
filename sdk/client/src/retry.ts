/** When a request is sent again, and after how long. */
export interface RetryRules {
  /** Requests at most for one call; 3 unless given, 1 = never again. */
  readonly attemptsMax: number;
  /** Waits before the second, third, … request, in milliseconds; the last one holds for all that follow. */
  readonly waitsMs: readonly number[];
  /** Up to this part of a wait is added to it at random, so that clients do not come back together. */
  readonly jitter: number;
  /** Longest wait for a limit to open again; a limit that opens later is an error at once. In milliseconds. */
  readonly rateLimitWaitMaxMs: number;
}

/** The stated pattern: 1 s, 2 s, 4 s, at most 3 attempts; a minute for limits. */
export const DEFAULT_RETRY: RetryRules = {
  attemptsMax: 3,
  waitsMs: [1_000, 2_000, 4_000],
  jitter: 0.25,
  rateLimitWaitMaxMs: 60_000,
};

const RETRIABLE_STATUSES: ReadonlySet<number> = new Set([500, 502, 503, 504]);

/** The outcome of an attempt, as far as the rules use it. */
export interface Attempt {
  /** 1 for the first request. */
  readonly number: number;
  /** Null without a response (time limit, connection). */
  readonly status: number | null;
  /** Seconds, from `Retry-After`; null when there is none. */
  readonly retryAfterS: number | null;
  /** Unix seconds at which a limit opens again; null when not said. */
  readonly resetAt: number | null;
}

/**
 * Milliseconds to wait before the next request; null = do not retry. 500, 502, 503, 504 and missing responses are retried;
 * 429 waits for its reset; nothing else is (204 and 4xx never).
 */
export function nextWaitMs(attempt: Attempt, rules: RetryRules, nowMs: number, random: () => number): number | null {
  if (attempt.number >= rules.attemptsMax) return null;
  const waitMs = rules.waitsMs[Math.min(attempt.number, rules.waitsMs.length) - 1] ?? 0;
  const spreadMs = waitMs * (1 + rules.jitter * random());
  if (attempt.status === 429) {
    const untilMs = limitOpensInMs(attempt, nowMs) ?? spreadMs;
    return untilMs > rules.rateLimitWaitMaxMs ? null : Math.round(untilMs + rules.jitter * waitMs * random());
  }
  if (attempt.status !== null && !RETRIABLE_STATUSES.has(attempt.status)) return null;
  return Math.round(Math.max(spreadMs, (attempt.retryAfterS ?? 0) * 1_000));
}

function limitOpensInMs(attempt: Attempt, nowMs: number): number | null {
  if (attempt.resetAt !== null) return Math.max(0, attempt.resetAt * 1_000 - nowMs);
  return attempt.retryAfterS === null ? null : attempt.retryAfterS * 1_000;
}
