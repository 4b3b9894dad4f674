import { Cron } from 'croner';

/** Shortest time between two runs of a rule, in milliseconds. */
export const RULE_INTERVAL_MS_MIN = 15 * 60_000;
/** Instants of a rule that are looked at to find its shortest interval. */
const LOOKED_AT = 50;

/** The fault of a rule as a sentence; null for a valid rule. */
export function findRuleProblem(rule: string, timezone: string, nowMs: number): string | null {
  const fields = rule.trim().split(/\s+/);
  if (rule.length > 100 || fields.length !== 5) {
    return 'Give five fields: minute, hour, day of month, month, weekday; such as "0 6 * * 1".';
  }
  let instants: Date[];
  try {
    instants = new Cron(rule, { timezone, paused: true, mode: '5-part' }).nextRuns(LOOKED_AT, new Date(nowMs));
  } catch (error) {
    return `This is not a cron rule: ${error instanceof Error ? error.message : 'it cannot be read'}`;
  }
  if (instants.length === 0) return 'The rule has no instant in the future.';
  const isTooOften = instants.some((instant, position) => {
    const before = instants[position - 1];
    return before !== undefined && instant.getTime() - before.getTime() < RULE_INTERVAL_MS_MIN;
  });
  return isTooOften ? `Runs must be at least ${RULE_INTERVAL_MS_MIN / 60_000} minutes apart.` : null;
}

/** The first instant of a rule after `afterMs`, in a time zone; null when there is none. */
export function nextInstant(rule: string, timezone: string, afterMs: number): Date | null {
  return new Cron(rule, { timezone, paused: true, mode: '5-part' }).nextRun(new Date(afterMs));
}
