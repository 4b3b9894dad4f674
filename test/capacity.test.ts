/** docs/capacity.md and the calculator follow from the measured costs. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readCosts } from '../bench/capacity/costs-file.ts';
import { writeTables } from '../bench/capacity/page.ts';
import { type Costs, DEFAULT_MACHINES, DEFAULT_WORKLOAD, planCapacity, SHOWN_RATES } from '../bench/capacity/plan.ts';

/** Costs that make the arithmetic visible. */
const costs: Costs = {
  measuredAt: '2026-01-01T00:00:00.000Z',
  cpu: 'any',
  node: '1.2.3',
  wasBusy: false,
  requestMicros: 100,
  impressionMicros: 50,
  viewableMicros: 40,
  clickMicros: 30,
  storeEventMicros: 10,
  redisEventMicros: 20,
  reportRowNanos: 10,
  eventBytes: 7,
  differentEventBytes: 30,
  rollupBytes: 70,
  responseBytes: 1_000,
};
const workload = {
  requestsPerSecond: 10_000,
  fill: 0.5,
  shown: 1,
  viewable: 0.5,
  clicked: 0.01,
  peak: 2,
  retentionDays: 10,
  reportsPerSecond: 2,
  rowsPerReport: 1_000_000,
};
const machines = {
  ...DEFAULT_MACHINES,
  cores: 5,
  utilization: 0.5,
  replicas: 2,
  dollarsPerCoreHour: 1,
  dollarsPerGigabyteMonth: 1,
  dollarsPerGigabyteSent: 1,
};
const partOf = (name: string) => planCapacity(costs, workload, machines).parts.find(({ part }) => part === name);

test('delivery pays for requests and for each kind of event', () => {
  // 10,000 × 100 + 5,000 × 50 + 2,500 × 40 + 50 × 30 µs; half of four cores a machine, and a spare one.
  expect(partOf('delivery')).toMatchObject({ busyCores: 1.3515, machines: 2, cores: 10 });
});

test('the analytics store pays for each replica of an event and for the rows of reports', () => {
  // 7,550 × 10 µs × 2, and 2 × 1,000,000 × 10 ns.
  expect(partOf('analytics')?.busyCores).toBeCloseTo(0.171, 6);
});

test('Redis has at least three masters, each with a replica, and more when its one core is not enough', () => {
  expect(partOf('redis')).toMatchObject({ machines: 6 });
  const busy = planCapacity(costs, { ...workload, requestsPerSecond: 1_000_000 }, machines);
  // 755,000 × 20 µs = 15.1 cores at half of their time: 31 masters.
  expect(busy.parts.find(({ part }) => part === 'redis')).toMatchObject({ machines: 62 });
});

test('storage and traffic follow the average rate, money the sum of all', () => {
  const plan = planCapacity(costs, workload, machines);
  expect(plan.eventsPerSecond).toBe(7_550);
  // 3,775 a second × 86,400 s × 10 days × 100 bytes × 2.
  expect(plan.storedTerabytes).toBeCloseTo(0.652_32, 6);
  const requestsPerMonth = 5_000 * 86_400 * (730 / 24);
  expect(plan.sentTerabytesPerMonth).toBeCloseTo((requestsPerMonth * 0.5 * 1_000) / 1e12, 9);
  const dollars = plan.cores * 730 + plan.storedTerabytes * 1_000 + plan.sentTerabytesPerMonth * 1_000;
  expect(plan.dollarsPerMonth).toBeCloseTo(dollars, 6);
  expect(plan.dollarsPerMillionRequests).toBeCloseTo((dollars / requestsPerMonth) * 1e6, 9);
});

test('the table of costs holds a measurement of everything that the calculator reads', () => {
  const measured = readCosts() as unknown as Record<string, unknown>;
  for (const [name, value] of Object.entries(costs))
    if (typeof value === 'number') expect(measured[name], name).toBeGreaterThan(0);
});

test.each(SHOWN_RATES)(
  '%i requests a second need as much as the measured costs say, part by part',
  (requestsPerSecond) => {
    const measured = readCosts();
    const plan = planCapacity(measured, { ...DEFAULT_WORKLOAD, requestsPerSecond });
    const delivery = plan.parts.find(({ part }) => part === 'delivery');
    const shown = requestsPerSecond * 0.7 * 0.8;
    const micros =
      requestsPerSecond * measured.requestMicros +
      shown * (measured.impressionMicros + 0.6 * measured.viewableMicros + 0.002 * measured.clickMicros);
    expect(delivery?.busyCores).toBeCloseTo(micros / 1e6, 6);
    expect(((delivery?.machines ?? 0) - 1) * 15 * 0.5).toBeGreaterThanOrEqual(delivery?.busyCores ?? Number.NaN);
  },
);

test('docs/capacity.md has the tables of the measured costs', () => {
  const page = readFileSync(new URL('../docs/capacity.md', import.meta.url), 'utf8');
  expect(page).toBe(writeTables(page, readCosts()));
});
