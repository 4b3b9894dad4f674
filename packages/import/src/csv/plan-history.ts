import type { PlannedHour } from '../plan/import-plan.ts';
import { readAmount, writeAmount } from '../plan/merge-hours.ts';
import { CellError, type Cells } from './read-cells.ts';

const HOURS_MAX = 25;

/** The keys of the objects that rows of history name by their ids elsewhere; null: there is none. */
export interface HistoryObjects {
  readonly lineItem: (id: string) => string | null;
  readonly creative: (id: string, lineItem: string | null) => string | null;
  readonly adUnit: (id: string) => string | null;
}

/** The hours of a row of history. A day is divided evenly over its hours. @throws CellError */
export function planHistory(cells: Cells, found: HistoryObjects): PlannedHour[] {
  const [item, creative, unit] = [cells.text('lineItem'), cells.text('creative'), cells.text('adUnit')];
  const lineItem = item === null ? null : found.lineItem(item);
  if (item !== null && lineItem === null) throw new CellError(`its line item ${item} stays behind`);
  const adUnitName = unit === null ? null : found.adUnit(unit);
  if (lineItem === null && adUnitName === null) throw new CellError('it names no line item and no known ad unit');
  const time = cells.time('time');
  if (time === null) throw new CellError('its time is empty');
  const names = {
    lineItemExternalId: lineItem,
    creativeExternalId: creative === null ? null : found.creative(creative, item),
    adUnitName,
  };
  const hours = time.isDay ? hoursOfDay(time.at) : [time.at];
  const parts = (total: number): number[] => divide(total, hours.length);
  const [impressions, clicks] = [parts(cells.count('impressions') ?? 0), parts(cells.count('clicks') ?? 0)];
  const conversions = parts(cells.count('conversions') ?? 0);
  const requests = parts(cells.count('requests') ?? cells.count('impressions') ?? 0);
  const revenue = parts(readAmount(cells.revenue('revenue')));
  return hours.flatMap((at, index): PlannedHour[] => {
    const counted = {
      requests: requests[index] ?? 0,
      impressions: impressions[index] ?? 0,
      clicks: clicks[index] ?? 0,
      conversions: conversions[index] ?? 0,
    };
    const earned = revenue[index] ?? 0;
    if (Object.values(counted).every((count) => count === 0) && earned === 0) return [];
    const hour = at.toInstant().round({ smallestUnit: 'hour', roundingMode: 'floor' });
    return [{ hour: hour.toString(), ...names, ...counted, revenue: writeAmount(earned) }];
  });
}

function hoursOfDay(start: Temporal.ZonedDateTime): Temporal.ZonedDateTime[] {
  const hours = Array.from({ length: HOURS_MAX }, (_, at) => start.add({ hours: at }));
  return hours.filter((hour) => hour.toPlainDate().equals(start.toPlainDate()));
}

/** Whole parts that differ by at most one and have the sum of the whole. */
function divide(total: number, parts: number): number[] {
  return Array.from(
    { length: parts },
    (_, at) => Math.floor(((at + 1) * total) / parts) - Math.floor((at * total) / parts),
  );
}
