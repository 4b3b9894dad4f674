import { Histogram, Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { RouteDurations } from './route-durations.ts';

test('durations are shown as prom-client shows a histogram', async () => {
  const observed: [string, number, number][] = [
    ['bid', 200, 0.2],
    ['bid', 200, 0.5],
    ['bid', 200, 3],
    ['bid', 204, 40],
    ['click', 302, 5_000],
  ];
  const ours = new Registry();
  const theirs = new Registry();
  const durations = new RouteDurations('placard_delivery_request_seconds');
  durations.register(ours);
  const histogram = new Histogram({
    name: 'placard_delivery_request_seconds',
    help: 'Time from request to response, by route and status.',
    labelNames: ['route', 'status'],
    buckets: [0.0005, 0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1],
    registers: [theirs],
  });
  for (const [route, status, ms] of observed) {
    durations.observe(route, status, ms);
    histogram.labels(route, String(status)).observe(ms / 1_000);
  }
  const linesOf = async (registry: Registry): Promise<string[]> =>
    (await registry.metrics())
      .split('\n')
      .map((line) => line.replace(/\{(.*)\}/, (_all, labels: string) => `{${labels.split(',').sort().join(',')}}`))
      .sort();
  expect(await linesOf(ours)).toEqual(await linesOf(theirs));
});
