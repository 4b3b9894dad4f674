import type { Applied } from './apply-plan.ts';
import type { ImportPlan } from './plan/import-plan.ts';

const FAILURES_SHOWN = 50;

/** The sums of the hours of a plan. */
export interface HourSums {
  readonly rows: number;
  readonly first: string | null;
  readonly last: string | null;
  readonly impressions: number;
  readonly clicks: number;
  readonly conversions: number;
  readonly revenue: string;
}

/** Sums up the hours of a plan. */
export function sumHours({ hours }: Pick<ImportPlan, 'hours'>): HourSums {
  const sum = (member: 'impressions' | 'clicks' | 'conversions'): number =>
    hours.reduce((total, hour) => total + hour[member], 0);
  const revenue = hours.reduce((total, hour) => total + Math.round(Number(hour.revenue) * 10_000), 0);
  const times = hours.map(({ hour }) => hour).toSorted();
  return {
    rows: hours.length,
    first: times[0] ?? null,
    last: times.at(-1) ?? null,
    impressions: sum('impressions'),
    clicks: sum('clicks'),
    conversions: sum('conversions'),
    revenue: (revenue / 10_000).toFixed(4),
  };
}

/** What comes over, what is approximated and what stays behind, line by line. */
export function reportPlan(plan: ImportPlan): string[] {
  const counts = (
    ['sites', 'adUnits', 'keyValues', 'advertisers', 'activities', 'campaigns', 'lineItems', 'creatives'] as const
  ).map((kind) => `  ${kind.padEnd(12)}${plan[kind].length}`);
  const sums = sumHours(plan);
  const history =
    sums.first === null
      ? ['  history     none']
      : [
          `  history     ${sums.rows} hours from ${sums.first} to ${sums.last}`,
          `              ${sums.impressions} impressions, ${sums.clicks} clicks, ${sums.conversions} conversions, revenue ${sums.revenue}`,
        ];
  const remarksOf = (kind: 'approximated' | 'left out', title: string): string[] => {
    const lines = plan.remarks
      .filter((remark) => remark.kind === kind)
      .map(({ object, text }) => `  ${object}: ${text}`);
    return lines.length === 0 ? [] : ['', title, ...lines];
  };
  return [
    'Comes over',
    ...counts,
    ...history,
    ...remarksOf('approximated', 'Is approximated'),
    ...remarksOf('left out', 'Stays behind'),
  ];
}

/** What an import did, line by line. */
export function reportApplied({ kinds, hours }: Applied): string[] {
  const rows = kinds.map(
    ({ kind, existing, created, failed }) =>
      `  ${kind.padEnd(12)}${created} created, ${existing} were there, ${failed.length} failed`,
  );
  const failures = kinds.flatMap(({ failed }) => failed).map(({ key, why }) => `  ${key}: ${why}`);
  const shown = failures.slice(0, FAILURES_SHOWN);
  const more = failures.length > shown.length ? [`  and ${failures.length - shown.length} more`] : [];
  return [
    'Done',
    ...rows,
    `  history     ${hours.added} hours added, ${hours.unchanged} were there, ${hours.differing} differ, ${hours.tooOld} are too old, ${hours.skipped} lack their objects`,
    ...(failures.length === 0 ? [] : ['', 'Failed', ...shown, ...more]),
  ];
}
