/**
 * How far forecasts are from what happens: `npm run bench:forecasts -- [--worlds 100] [--first 0] [--unlike] [--verbose]`. Each world is drawn, played for a
 * week, forecast in full and roughly, and played on with the draft. docs/forecasts.md has the tables.
 */
import { parseArgs } from 'node:util';
import type { Forecast } from '../../src/domain/booking/delivery-insight.ts';
import { expectedDelivery, scoreForecast } from '../../src/domain/booking/forecast-record.ts';
import { playForecast } from '../../test/simulation/forecast-play.ts';
import { drawForecastWorld } from './forecast-worlds.ts';
import type { DraftKind } from './forecast-worlds.ts';

const { values } = parseArgs({
  options: {
    worlds: { type: 'string', default: '100' },
    first: { type: 'string', default: '0' },
    unlike: { type: 'boolean', default: false },
    verbose: { type: 'boolean', default: false },
  },
});

interface Compared {
  readonly kind: DraftKind;
  /** The share of the delivered ads by which the forecast is off. */
  readonly error: number;
  /** By the interval of 95 %, and by that of 80 %. */
  readonly isHeld: boolean;
  readonly isLikely: boolean;
  /** The width of the interval of 95 %, of the forecast. */
  readonly width: number;
  readonly forecastMs: number;
}

/** Fewer ads than that tell more about chance than about forecasts. */
const ADS_MIN = 200;
const compared: Record<'full' | 'rough' | 'stored and scored', Compared[]> = {
  full: [],
  rough: [],
  'stored and scored': [],
};
let left = 0;
const first = Number(values.first);
for (let number = first; number < first + Number(values.worlds); number += 1) {
  const { world, kind } = drawForecastWorld(number, values.unlike);
  const { forecast, rough, booked, ads, impressions, requests, forecastMs, roughMs } = await playForecast(world);
  const { possible, possibleLow, possibleHigh } = forecast;
  if (ads < ADS_MIN && possible < ADS_MIN) {
    left += 1;
    continue;
  }
  const one = { kind, ...compare(forecast, ads), forecastMs };
  compared.full.push(one);
  compared.rough.push({ kind, ...compare(rough, ads), forecastMs: roughMs });
  compared['stored and scored'].push({ kind, ...score(booked, impressions), forecastMs });
  if (values.verbose)
    console.log(
      JSON.stringify({
        number,
        kind,
        ads,
        possible,
        possibleLow,
        possibleHigh,
        requests,
        expected: forecast.opportunities,
        error: percent(one.error),
        goal: world.draft.goal?.amount,
        period: world.draft.goal?.period,
        pacing: world.draft.pacing,
        forecastMs: Math.round(forecastMs),
        rough: [rough.possible, rough.possibleLow, rough.possibleHigh, Math.round(roughMs)],
      }),
    );
}

for (const precision of ['full', 'rough', 'stored and scored'] as const) {
  const rows = compared[precision];
  console.log(`\nForecasts that are ${precision}:`);
  console.log(
    '| Draft | Worlds | Median error | 9 in 10 within | Mean | 95 % held | 80 % held | Median width | Median time |',
  );
  console.log('|---|---|---|---|---|---|---|---|---|');
  for (const kind of ['price', 'goal', 'share of voice'] as const)
    printRow(
      kind,
      rows.filter((one) => one.kind === kind),
    );
  printRow('all', rows);
}
if (left > 0) console.log(`${left} worlds with fewer than ${ADS_MIN} ads are left out.`);

function compare(
  { possible, possibleLow, possibleHigh, likelyLow, likelyHigh }: Forecast,
  ads: number,
): Omit<Compared, 'kind' | 'forecastMs'> {
  return {
    error: possible / Math.max(1, ads) - 1,
    isHeld: ads >= possibleLow && ads <= possibleHigh,
    isLikely: ads >= likelyLow && ads <= likelyHigh,
    width: (possibleHigh - possibleLow) / Math.max(1, possible),
  };
}

/** In impressions, as the job scores the forecasts of booked line items. */
function score(booked: Forecast, impressions: number): Omit<Compared, 'kind' | 'forecastMs'> {
  const expected = expectedDelivery(booked);
  const { error, isInsideLikely, isInsidePossible } = scoreForecast(expected, impressions);
  const width = (expected.possibleHigh - expected.possibleLow) / Math.max(1, expected.impressions);
  return { error, isHeld: isInsidePossible, isLikely: isInsideLikely, width };
}

function printRow(name: string, rows: readonly Compared[]): void {
  const errors = rows.map(({ error }) => Math.abs(error));
  const mean = rows.reduce((sum, { error }) => sum + error, 0) / Math.max(1, rows.length);
  const held = (count: number): string => `${count} (${percent(count / Math.max(1, rows.length))})`;
  const cells = [
    name,
    String(rows.length),
    percent(quantile(errors, 0.5)),
    percent(quantile(errors, 0.9)),
    percent(mean),
    held(rows.filter(({ isHeld }) => isHeld).length),
    held(rows.filter(({ isLikely }) => isLikely).length),
    percent(
      quantile(
        rows.map(({ width }) => width),
        0.5,
      ),
    ),
    `${(
      quantile(
        rows.map(({ forecastMs }) => forecastMs),
        0.5,
      ) / 1_000
    ).toFixed(1)} s`,
  ];
  console.log(`| ${cells.join(' | ')} |`);
}

function quantile(numbers: readonly number[], at: number): number {
  const sorted = numbers.toSorted((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(at * sorted.length))] ?? 0;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}
