/**
 * How long a forecast takes, and how much memory: `node bench/forecast.ts [--line-items 10000] [--samples 20000] [--days 28] [--rough]
 * [--repeat 1]`. The draft is a goal beside goals of bench/plan.ts.
 */
import { parseArgs } from 'node:util';
import { prepareForecast } from '../src/delivery/insight/forecast/forecast.ts';
import { flatCurve } from '../src/domain/pacing/traffic-curve.ts';
import { NO_CAPS } from '../src/domain/booking/line-item.ts';
import { sampleSnapshot } from '../test/worlds/sample-workspace.ts';
import { drawGoalsNetwork, SLOTS_PER_HOUR } from './support/goals-network.ts';

const { values } = parseArgs({
  options: {
    'line-items': { type: 'string', default: '10000' },
    samples: { type: 'string', default: '20000' },
    days: { type: 'string', default: '28' },
    rough: { type: 'boolean', default: false },
    repeat: { type: 'string', default: '1' },
  },
});
const days = Number(values.days);
const samples = Number(values.samples);
const DAY_MS = 86_400_000;
const NOW_MS = Date.parse('2026-11-20T10:00:00Z');
const SAMPLE_DAYS = 14;
const HOUR_MS = 3_600_000;

const { lineItems, drawOpportunity } = drawGoalsNetwork(Number(values['line-items']), days, NOW_MS);
const met = SAMPLE_DAYS * 24 * SLOTS_PER_HOUR;
const share = samples / met;
const fromMs = NOW_MS - SAMPLE_DAYS * DAY_MS;
const entries = Array.from({ length: samples }, (_none, at) => ({
  atMs: fromMs + Math.floor((at / samples) * SAMPLE_DAYS * DAY_MS),
  bucket: (((at * 7_919) % samples) / samples) * share,
  opportunity: drawOpportunity(),
}));
// The first one is cold; the thread of forecasts is warm where a person books.
for (let round = 0; round < Number(values.repeat); round += 1) {
  const began = performance.now();
  const cpu = process.cpuUsage();
  const prepared = prepareForecast({
    snapshot: sampleSnapshot({ lineItems }),
    draft: {
      type: 'STANDARD',
      level: 8,
      sharePercent: null,
      cpmMicros: 5_000_000,
      targeting: null,
      sizes: [{ width: 300, height: 250 }],
      mediaTypes: ['banner'],
      dealId: null,
      startsAtMs: NOW_MS,
      endsAtMs: NOW_MS + days * DAY_MS,
      goal: { kind: 'IMPRESSIONS', amount: 5_000_000, period: 'LIFETIME' },
      pacing: 'EVEN',
      caps: NO_CAPS,
      frequencyCaps: [],
      serveWithoutUser: false,
      dayParts: [],
      timezone: null,
      lineItemId: null,
    },
    precision: values.rough ? 'ROUGH' : 'FULL',
    sample: { fromMs, untilMs: NOW_MS, met, share, entries },
    curve: flatCurve('UTC'),
    history: Array.from({ length: 28 * 24 }, (_none, hour) => ({
      startMs: NOW_MS - (hour + 1) * HOUR_MS,
      requests: SLOTS_PER_HOUR,
    })),
    nowMs: NOW_MS,
    seed: 1,
  });
  const { possible, opportunities } = prepared.finish(new Map());
  const used = process.cpuUsage(cpu);
  console.log(
    `${Math.round(performance.now() - began)} ms, ${Math.round((used.user + used.system) / 1_000)} ms of CPU, ` +
      `${Math.round(process.memoryUsage.rss() / 1_048_576)} MB in all; ${possible} of ${opportunities} opportunities`,
  );
}
