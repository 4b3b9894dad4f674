import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { LineItem } from '../api/bookings/desk-list.ts';
import { loadDiagnosisSentences } from '../api/bookings/diagnosis.ts';
import { addDays, clockIn, dateIn } from '../reports/calendar.ts';
import type { CubeQuery } from '../reports/lens-query.ts';
import { type ReportRow, toNumber } from '../reports/report-rows.ts';
import { reportQuery } from '../api/reports/report-query.ts';
import { laterCode } from '../ui/load-part.ts';
import { deskKey, useDeskScope, type CellContext } from '../session/desk-scope.ts';
import { useTargetings } from './use-targetings.ts';

const NO_IDS: readonly string[] = [];
const NO_DIAGNOSES: ReadonlyMap<string, string> = new Map();
/** Most tables have no line item in trouble. */
const loadSayings = laterCode(() => import('../delivery/say-delivery.ts'), ['delivery']);
const HOUR_MS = 3_600_000;
const QUARTER_MS = 15 * 60_000;
const REFRESH_MS = 60_000;
/** The most rows that are in view with some around them. */
const IDS_MAX = 150;
const TIME = 'campaign_overview.time';
const COUNT = 'campaign_overview.impressions';
const ID = 'campaign_overview.line_item_id';

/** What tables show beside the rows themselves. */
export interface RowExtras {
  /** Impressions of the last 60 minutes by line item; null: not known. */
  readonly lastHour: ReadonlyMap<string, number> | null;
  /** What keeps line items from delivering, by line item. */
  readonly diagnoses: ReadonlyMap<string, string>;
  /** The targeting in words, by line item. */
  readonly targetings: ReadonlyMap<string, string>;
}

/** Reads what the shown columns need beside the rows, for the rows that are in view. */
export function useRowExtras(
  rows: readonly LineItem[],
  shown: readonly string[],
  { timezone, currency, nowMs }: CellContext,
): RowExtras {
  const scope = useDeskScope();
  const inView = rows.slice(0, IDS_MAX);
  const ids = inView.map(({ id }) => id).toSorted();
  const hasHour = shown.includes('last_hour') && timezone !== undefined && ids.length > 0;
  const moment = Math.floor(nowMs / QUARTER_MS) * QUARTER_MS;
  const report = useQuery({
    ...reportQuery(scope, hasHour ? lastHourQuery(ids, timezone, moment) : null),
    refetchInterval: REFRESH_MS,
    placeholderData: keepPreviousData,
  });
  const troubled = shown.includes('why')
    ? inView.filter(({ standing }) => standing?.tab === 'BEHIND' || standing?.reason === 'QUIET').map(({ id }) => id)
    : [];
  const found = useQuery({
    queryKey: [...deskKey(scope), 'diagnoses', troubled, currency, timezone],
    queryFn: async ({ signal }) => {
      const [causes, { sayDelivery }] = await Promise.all([
        loadDiagnosisSentences(scope, troubled, signal),
        loadSayings(),
      ]);
      return new Map([...causes].map(([id, cause]) => [id, sayDelivery(cause, { timezone, currency })]));
    },
    enabled: troubled.length > 0,
    staleTime: REFRESH_MS,
    placeholderData: keepPreviousData,
  });
  const targetings = useTargetings(shown.includes('targeting') ? ids : NO_IDS);
  const data = report.data?.rows;
  const diagnoses = found.data ?? NO_DIAGNOSES;
  return useMemo(
    () => ({
      lastHour: data === undefined || timezone === undefined ? null : lastHourOf(data, timezone, nowMs),
      diagnoses,
      targetings,
    }),
    [data, diagnoses, targetings, timezone, nowMs],
  );
}

/** The report of the present hour and the one before, by line item. */
export function lastHourQuery(ids: readonly string[], timezone: string, nowMs: number): CubeQuery {
  const today = dateIn(timezone, nowMs);
  const from = dateIn(timezone, nowMs - HOUR_MS) === today ? today : addDays(today, -1);
  return {
    measures: [COUNT],
    dimensions: [ID],
    timeDimensions: [{ dimension: TIME, dateRange: [from, today], granularity: 'hour' }],
    filters: [{ member: ID, operator: 'equals', values: [...ids] }],
    order: [[TIME, 'desc']],
    timezone,
    limit: 5_000,
  };
}

/** Impressions of 60 minutes: those of the present hour, and of the hour before the part that is not over for as long. */
export function lastHourOf(rows: readonly ReportRow[], timezone: string, nowMs: number): ReadonlyMap<string, number> {
  const clock = clockIn(timezone, nowMs);
  const [present, before] = [clock, clockIn(timezone, nowMs - HOUR_MS)].map((one) => one.slice(0, 13));
  // Not of the instant: in some time zones hours begin at half past of UTC.
  const left = 1 - (60 * Number(clock.slice(14, 16)) + Number(clock.slice(17, 19))) / 3_600;
  const sums = new Map<string, number>();
  for (const row of rows) {
    const at = String(row[`${TIME}.hour`]).slice(0, 13);
    const share = at === present ? 1 : at === before ? left : 0;
    const id = String(row[ID]);
    sums.set(id, (sums.get(id) ?? 0) + share * (toNumber(row[COUNT] ?? null) ?? 0));
  }
  return new Map([...sums].map(([id, sum]) => [id, Math.round(sum)]));
}
