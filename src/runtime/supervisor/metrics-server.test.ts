import { Counter, Gauge, Registry } from 'prom-client';
import { afterEach, expect, test } from 'vitest';
import type { DeliveryServer } from '../../http/fast/delivery-server.ts';
import { SILENT_LOG } from '../../domain/log/log.ts';
import { readSettings } from '../../config/settings.ts';
import { startMetricsServer } from './metrics-server.ts';
import type { MeasuredProcess } from './process-metrics.ts';

const TOKEN = 'a-token-of-some-length';
let server: DeliveryServer | null = null;
afterEach(async () => {
  await server?.stop(0);
});

/** A worker that recorded so many events. */
function worker(name: string, events: number): MeasuredProcess {
  const registers = [new Registry()];
  new Counter({ name: 'events_total', help: 'Events.', labelNames: ['kind'], registers }).inc(
    { kind: 'click' },
    events,
  );
  new Gauge({ name: 'waiting', help: 'Waiting.', registers }).set(events);
  return { name, starts: 2, isReady: true, readMetrics: async () => (await registers[0]?.getMetricsAsJSON()) ?? null };
}

const DEAD: MeasuredProcess = { name: 'core', starts: 5, isReady: false, readMetrics: async () => null };
const FAILING: MeasuredProcess = { ...DEAD, name: 'analytics', readMetrics: () => Promise.reject(new Error('gone')) };

async function scrape(environment: Record<string, string>, headers: Record<string, string> = {}) {
  const settings = readSettings({ PLACARD_BIND: '127.0.0.1', PLACARD_METRICS_PORT: '0', ...environment });
  const processes = () => [worker('delivery 0', 3), worker('delivery 1', 4), DEAD, FAILING];
  server = await startMetricsServer({ settings, processes, log: SILENT_LOG });
  const response = await fetch(`http://127.0.0.1:${server?.port}/metrics`, { headers });
  return { status: response.status, text: await response.text() };
}

test('one scrape shows the metrics of every process with its name, and which processes do not respond', async () => {
  const { status, text } = await scrape({});
  expect(status).toBe(200);
  const samples = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  expect(samples.toSorted()).toEqual([
    'events_total{kind="click",process="delivery 0"} 3',
    'events_total{kind="click",process="delivery 1"} 4',
    'placard_process_ready{process="analytics"} 0',
    'placard_process_ready{process="core"} 0',
    'placard_process_ready{process="delivery 0"} 1',
    'placard_process_ready{process="delivery 1"} 1',
    'placard_process_starts_total{process="analytics"} 5',
    'placard_process_starts_total{process="core"} 5',
    'placard_process_starts_total{process="delivery 0"} 2',
    'placard_process_starts_total{process="delivery 1"} 2',
    'waiting{process="delivery 0"} 3',
    'waiting{process="delivery 1"} 4',
  ]);
  expect(text.match(/# HELP events_total/g)).toHaveLength(1);
});

test.each([
  ['an address of the list', { PLACARD_METRICS_ALLOWED: '127.0.0.1' }, {}, 200],
  ['an address that is not on the list', { PLACARD_METRICS_ALLOWED: '10.0.0.0/8' }, {}, 404],
  [
    'a proxy that claims an address of the list',
    { PLACARD_METRICS_ALLOWED: '10.0.0.0/8' },
    { 'x-forwarded-for': '10.0.0.1' },
    404,
  ],
  ['the token', { PLACARD_METRICS_TOKEN: TOKEN }, { authorization: `Bearer ${TOKEN}` }, 200],
  ['another token', { PLACARD_METRICS_TOKEN: TOKEN }, { authorization: `Bearer ${TOKEN}x` }, 404],
  ['no token where one is set', { PLACARD_METRICS_TOKEN: TOKEN }, {}, 404],
])('the metrics port responds to %s', async (_caller, environment, headers, status) => {
  expect((await scrape(environment, headers as Record<string, string>)).status).toBe(status);
});

test('the metrics server starts only where a port is set', async () => {
  expect(await startMetricsServer({ settings: readSettings({}), processes: () => [], log: SILENT_LOG })).toBeNull();
});
