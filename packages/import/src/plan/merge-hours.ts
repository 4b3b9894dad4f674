import type { PlannedHour } from './import-plan.ts';

/** Amounts have four decimals. */
const UNITS = 10_000;

/** Rows of the same hour, line item, creative and ad unit become one row. */
export function mergeHours(hours: readonly PlannedHour[]): PlannedHour[] {
  const merged = new Map<string, PlannedHour>();
  for (const hour of hours) {
    const key = [hour.hour, hour.lineItemExternalId, hour.creativeExternalId, hour.adUnitName].join('\n');
    const before = merged.get(key);
    merged.set(key, before === undefined ? hour : addHours(before, hour));
  }
  return [...merged.values()];
}

function addHours(before: PlannedHour, hour: PlannedHour): PlannedHour {
  return {
    ...hour,
    requests: before.requests + hour.requests,
    impressions: before.impressions + hour.impressions,
    clicks: before.clicks + hour.clicks,
    conversions: before.conversions + hour.conversions,
    revenue: writeAmount(readAmount(before.revenue) + readAmount(hour.revenue)),
  };
}

/** An amount as a whole number of ten-thousandths. */
export const readAmount = (text: string): number => Math.round(Number(text) * UNITS);

/** The amount of a whole number of ten-thousandths. */
export const writeAmount = (units: number): string => (units / UNITS).toFixed(4);
