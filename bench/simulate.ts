/**
 * Pacing over 28 simulated days: `node bench/simulate.ts [--seed 7] [--days 28] [--requests-per-hour 500]`.
 * Writes charts (SVG) and a table into bench/results/pacing/, and fails when a promise of docs/pacing.md is broken.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createLog } from '../src/runtime/log/log.ts';
import { renderLineChart } from '../test/simulation/charts.ts';
import { findFaults } from '../test/simulation/find-faults.ts';
import type { Verdict } from '../test/simulation/find-faults.ts';
import {
  competitionScenario,
  nichesScenario,
  smallGoalsScenario,
  surprisesScenario,
} from '../test/simulation/scenarios.ts';
import { Simulation } from '../test/simulation/simulation.ts';
import { DISTANT_WEEK, PUBLISHER_WEEK } from '../test/simulation/traffic.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '7' },
    days: { type: 'string', default: '28' },
    'requests-per-hour': { type: 'string', default: '400' },
    out: { type: 'string', default: join(import.meta.dirname, 'results', 'pacing') },
  },
});
const scale = {
  seed: Number(values.seed),
  days: Number(values.days),
  requestsPerHour: Number(values['requests-per-hour']),
  log: createLog({ logLevel: 'warn', logFormat: 'json' }, 'simulate'),
};
const scenarios = {
  surprises: surprisesScenario,
  competition: competitionScenario,
  niches: nichesScenario,
  'small-goals': smallGoalsScenario,
};
const broken: string[] = [];
const tables: string[] = [];

mkdirSync(values.out, { recursive: true });
for (const [name, makeInput] of Object.entries(scenarios)) {
  const input = makeInput(scale);
  const outcome = await new Simulation(input).run();
  const verdicts = findFaults(input, outcome);
  const requests = outcome.requestsByHour.reduce((sum, count) => sum + count, 0);
  const head = `${name}: ${requests} requests, ${input.days} days, ${input.workers} processes, seed ${input.seed}`;
  tables.push(`## ${head}\n\n${renderTable(verdicts, input.days)}`);
  console.log(`${head}, ${(outcome.tookMs / 1_000).toFixed(1)} s\n${renderTable(verdicts, input.days)}`);
  for (const verdict of verdicts) broken.push(...breaches(name, verdict, input.days));
  for (const verdict of verdicts.slice(0, 8)) {
    const file = `${name}-${verdict.name.replace(/[^a-z0-9]+/gi, '-')}.svg`;
    writeFileSync(join(values.out, file), chartOf(`${name}: ${verdict.name}`, verdict));
  }
  const [own] = outcome.ownCurves.values();
  if (own !== undefined) writeFileSync(join(values.out, `${name}-own-curve.svg`), ownCurveChart(name, own.weights));
  writeFileSync(
    join(values.out, `${name}-requests.svg`),
    renderLineChart(
      `${name}: requests an hour, and the curve that was learnt`,
      [
        { name: 'requests', color: '#1f77b4', dashed: false, values: outcome.requestsByHour },
        {
          name: 'true habit',
          color: '#2ca02c',
          dashed: true,
          values: outcome.requestsByHour.map(
            (_count, hour) => (PUBLISHER_WEEK[hour % 168] ?? 0) * scale.requestsPerHour,
          ),
        },
        {
          name: 'learnt curve',
          color: '#d62728',
          dashed: true,
          values: outcome.requestsByHour.map(
            (_count, hour) => (outcome.curve.weights[hour % 168] ?? 0) * scale.requestsPerHour,
          ),
        },
      ],
      24,
    ),
  );
}
writeFileSync(join(values.out, 'pacing.md'), `# Pacing, simulated\n\n${tables.join('\n\n')}\n`);
if (broken.length > 0) {
  console.error(`Broken promises:\n${broken.join('\n')}`);
  process.exitCode = 1;
} else console.log(`All promises kept. Charts and table: ${values.out}`);

/** A week of users that few line items target, and the traffic curves that result. */
function ownCurveChart(name: string, learnt: readonly number[]): string {
  return renderLineChart(
    `${name}: a week of the traffic that narrow line items target (mean 1)`,
    [
      { name: 'true habit', color: '#2ca02c', dashed: false, values: DISTANT_WEEK },
      { name: 'learnt curve', color: '#d62728', dashed: true, values: learnt },
      { name: 'all traffic', color: '#999', dashed: true, values: PUBLISHER_WEEK },
    ],
    24,
  );
}

function renderTable(verdicts: readonly Verdict[], days: number): string {
  const rows = verdicts.map((verdict) => {
    const whole = wholeGoal(verdict, days);
    const reached = whole === null ? '' : `${((100 * verdict.total) / whole).toFixed(2)} %`;
    const off = verdict.deviation === null ? '' : `${(100 * verdict.deviation).toFixed(1)} %`;
    return `| ${verdict.name} | ${whole ?? ''} | ${verdict.total} | ${reached} | ${off} |`;
  });
  return [
    '| Line item | Goal | Delivered | Reached | Farthest off the curve after day 1 |',
    '|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}

function wholeGoal({ goal }: Verdict, days: number): number | null {
  return goal === null ? null : goal.amount * (goal.period === 'DAY' ? days : 1);
}

/** The promises of docs/pacing.md. Clicks are random, so only their goal is checked. */
function breaches(scenario: string, verdict: Verdict, days: number): string[] {
  const whole = wholeGoal(verdict, days);
  if (whole === null) return [];
  const found: string[] = [];
  const miss = Math.abs(verdict.total - whole) / whole;
  const allowed = verdict.goal?.kind === 'CLICKS' ? 0.1 : whole <= 100 ? 0.05 : 0.02;
  if (miss > allowed) found.push(`${scenario}: ${verdict.name} ended ${(100 * miss).toFixed(1)} % off its goal`);
  const judgedByCurve = verdict.goal?.kind !== 'CLICKS' && whole > 100;
  if (judgedByCurve && verdict.deviation !== null && verdict.deviation > 0.1)
    found.push(`${scenario}: ${verdict.name} was ${(100 * verdict.deviation).toFixed(1)} % off its curve`);
  return found;
}

function chartOf(title: string, verdict: Verdict): string {
  const delivered = { name: 'delivered', color: '#1f77b4', dashed: false, values: verdict.delivered };
  const expected = { name: 'expected', color: '#d62728', dashed: true, values: verdict.expected ?? [] };
  return renderLineChart(title, verdict.expected === null ? [delivered] : [delivered, expected], 24);
}
