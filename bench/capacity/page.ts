import { type Costs, DEFAULT_WORKLOAD, type CapacityPlan, planCapacity, SHOWN_RATES } from './plan.ts';

/** Marks around the tables of docs/capacity.md, which are made from the measured costs. */
const BEGIN = '<!-- begin: npm run capacity -- --write -->';
const END = '<!-- end -->';

/** The page with tables of these costs. @throws Error when it has no marks */
export function writeTables(page: string, costs: Costs): string {
  const [from, to] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (from < 0 || to < from) throw new Error('docs/capacity.md has lost its marks');
  return `${page.slice(0, from)}${BEGIN}\n\n${describeCosts(costs)}\n\n${describePlans(costs)}\n\n${page.slice(to)}`;
}

function describeCosts(costs: Costs): string {
  const rows: [string, number, string][] = [
    ['a bid request, CPU time of a worker', costs.requestMicros, 'µs'],
    ['an impression, CPU time of a worker', costs.impressionMicros, 'µs'],
    ['a viewable impression, CPU time of a worker', costs.viewableMicros, 'µs'],
    ['a click, CPU time of a worker', costs.clickMicros, 'µs'],
    ['an event stored with its roll-ups, CPU time of the analytics store', costs.storeEventMicros, 'µs'],
    ['an event counted in Redis, CPU time of Redis', costs.redisEventMicros, 'µs'],
    ['a row of events that a report reads, CPU time of the analytics store', costs.reportRowNanos, 'ns'],
    [
      'an event on the disk of the analytics store, where events differ as those of a network do',
      costs.differentEventBytes,
      'bytes',
    ],
    ['its roll-ups', costs.rollupBytes, 'bytes'],
    ['an event of this bench, which are alike, without roll-ups', costs.eventBytes, 'bytes'],
    ['a response to a bid request', costs.responseBytes, 'bytes'],
  ];
  return [
    `Measured on ${costs.measuredAt.slice(0, 10)}, Node ${costs.node}, ${costs.cpu}${costs.wasBusy ? ', a machine that other work kept busy' : ''}:`,
    '',
    '| Work | Cost |',
    '|---|---|',
    ...rows.map(([what, value, unit]) => `| ${what} | ${formatNumber(value)} ${unit} |`),
  ].join('\n');
}

function describePlans(costs: Costs): string {
  const plans = SHOWN_RATES.map((requestsPerSecond) => planCapacity(costs, { ...DEFAULT_WORKLOAD, requestsPerSecond }));
  const line = (title: string, cellOf: (plan: CapacityPlan) => string): string =>
    `| ${title} | ${plans.map(cellOf).join(' | ')} |`;
  const partNames = plans[0]?.parts.map(({ part }) => part) ?? [];
  return [
    `| | ${SHOWN_RATES.map((rate) => `${formatNumber(rate)}/s`).join(' | ')} |`,
    `|---|${SHOWN_RATES.map(() => '---').join('|')}|`,
    line('events a second', (plan) => formatNumber(plan.eventsPerSecond)),
    ...partNames.map((name) =>
      line(`${name}: machines (busy cores)`, ({ parts }) => {
        const part = parts.find((one) => one.part === name);
        return `${part?.machines ?? 0} (${formatNumber(part?.busyCores ?? 0)})`;
      }),
    ),
    line('machines', (plan) => formatNumber(plan.machines)),
    line('cores', (plan) => formatNumber(plan.cores)),
    line('stored, TB', (plan) => formatNumber(plan.storedTerabytes)),
    line('sent a month, TB', (plan) => formatNumber(plan.sentTerabytesPerMonth)),
    line('dollars a month', (plan) => formatNumber(plan.dollarsPerMonth)),
    line('dollars for a million requests', (plan) => formatNumber(plan.dollarsPerMillionRequests)),
  ].join('\n');
}

/** Three digits, with commas. */
export function formatNumber(value: number): string {
  return value.toLocaleString('en-US', { maximumSignificantDigits: 3 });
}
