/**
 * `npm run bench:reports-yield <data folder> [bids a second] [rounds] [seconds]`: latency of bids alone, beside heavy reports and beside an
 * export, with `PLACARD_REPORTS_YIELD` off and on in turn. The data folder is one that `bench/reports/reports.ts` filled and kept. Medians of all rounds
 * count; the difference is against bids alone under the same setting.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startPlacard } from '../../test/support/placard-process.ts';
import { BENCH_NETWORK_ID } from '../support/bench-network.ts';
import { BID_HEADERS, bidBodies } from '../support/bid-traffic.ts';
import { type HeavyPlan, runExport, runHeavyReports } from '../support/heavy-reports.ts';
import { cpuMicros } from '../support/load.ts';
import { runOpenLoop } from '../support/open-loop.ts';
import { filledDays } from '../support/report-rows.ts';

const [dataDir = '', perSecond = '500', rounds = '3', seconds = '8'] = process.argv.slice(2);
if (dataDir === '') throw new Error('Name the data folder that bench/reports/reports.ts filled and kept');
const CONNECTIONS = 32;
/** Workers measure twice a second: the share is at its floor before a measurement begins. */
const LEAD_SECONDS = 3;

interface Run {
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Of the analytics process, in cores. */
  readonly cores: number;
  readonly share: number;
}

const HEAVIES: Readonly<Record<string, (plan: HeavyPlan) => () => Promise<number>>> = {
  alone: () => () => Promise.resolve(0),
  'heavy reports': runHeavyReports,
  'an export': runExport,
};

const runs = new Map<string, Run[]>();
for (let round = 0; round < Number(rounds); round += 1) {
  for (const setting of ['off', 'on'] as const) await measureSetting(setting);
}
for (const [name, all] of runs) {
  const [p50Ms, p99Ms, cores, share] = (['p50Ms', 'p99Ms', 'cores', 'share'] as const).map((key) => middle(all, key));
  const alone = middle(runs.get(`${name.slice(0, name.indexOf(','))}, alone`) ?? [], 'p99Ms');
  console.log(
    `yield ${name.padEnd(20)} p50 ${p50Ms?.toFixed(2)} ms  p99 ${p99Ms?.toFixed(2)} ms (${(((p99Ms ?? 0) / alone - 1) * 100).toFixed(0)} %)  analytics ${cores?.toFixed(2)} cores  share ${share?.toFixed(2)}`,
  );
}

async function measureSetting(setting: 'off' | 'on'): Promise<void> {
  const server = await startPlacard({
    dataDir,
    env: {
      PLACARD_TLS: 'loopback',
      PLACARD_WORKERS: '1',
      PLACARD_DEMO: 'true',
      PLACARD_LOG_LEVEL: 'warn',
      PLACARD_REPORTS_YIELD: setting,
    },
  });
  try {
    const url = `${server.deliveryUrl}/${BENCH_NETWORK_ID}/bid`;
    const bids = { url, bodies: bidBodies(), headers: BID_HEADERS, connections: CONNECTIONS };
    await runOpenLoop({ ...bids, perSecond: Number(perSecond), seconds: LEAD_SECONDS });
    const plan = planOf(server.coreUrl, server.demo);
    for (const [name, heavy] of Object.entries(HEAVIES)) {
      const end = heavy(plan);
      await runOpenLoop({ ...bids, perSecond: Number(perSecond), seconds: LEAD_SECONDS });
      const before = cpuMicros(analyticsPid());
      const { p50Ms, p99Ms, errors } = await runOpenLoop({
        ...bids,
        perSecond: Number(perSecond),
        seconds: Number(seconds),
      });
      const cores = (cpuMicros(analyticsPid()) - before) / 1e6 / Number(seconds);
      const share = await readShare(server.coreUrl);
      const megabytes = await end();
      console.log(
        `  ${setting}, ${name}: p50 ${p50Ms.toFixed(2)} p99 ${p99Ms.toFixed(2)} ms, ${errors} errors, ${megabytes.toFixed(2)} MB given, share ${share.toFixed(2)}`,
      );
      const key = `${setting}, ${name}`;
      runs.set(key, [...(runs.get(key) ?? []), { p50Ms, p99Ms, cores, share }]);
    }
  } finally {
    await server.stop();
  }
}

function planOf(
  coreUrl: string,
  demo: {
    readonly networkId: string | number;
    readonly credentials: { readonly login: string; readonly token: string };
  },
): HeavyPlan {
  const { lastMs } = filledDays(Date.now());
  const iso = (epochMs: number): string => new Date(epochMs).toISOString().slice(0, 10);
  return {
    loadUrl: `${coreUrl}/reports/${demo.networkId}/v1/load`,
    headers: {
      'x-internal-auth-login': demo.credentials.login,
      'x-internal-auth-token': demo.credentials.token,
      'content-type': 'application/json',
    },
    lastDays: (count) => [iso(lastMs - (count - 1) * 86_400_000), iso(lastMs)],
  };
}

async function readShare(coreUrl: string): Promise<number> {
  const text = await (await fetch(`${coreUrl}/metrics`)).text();
  return Number(/^placard_reports_share (\S+)$/m.exec(text)?.[1] ?? Number.NaN);
}

function middle(all: readonly Run[], key: keyof Run): number {
  const sorted = all.map((run) => run[key]).toSorted((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

function analyticsPid(): number {
  const children = JSON.parse(readFileSync(join(dataDir, 'run', 'children.json'), 'utf8')) as {
    readonly name: string;
    readonly pid: number;
  }[];
  return children.find(({ name }) => name.startsWith('analytics'))?.pid ?? 0;
}
