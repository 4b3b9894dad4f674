/**
 * `npm run bench:event-copies`: what PLACARD_EVENT_COPIES costs an impression: CPU time of the worker's process and of Redis, and how long its
 * line waits to be acknowledged, without copies, with a copy in Redis, and in Redis and a replica, in turn. Starts two Redis servers of its
 * own. Arguments: events of a run (40,000), connections that wait for each other's events (64), rounds (3).
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { SILENT_LOG } from '../../src/domain/log/log.ts';
import { openSpool } from '../../src/events/spool/spool.ts';
import { openRedisSpoolCopies } from '../../src/storage/copies/redis-spool-copies.ts';
import { ask, findRedisServer, startRedis, type TestRedis } from '../../test/support/stores/redis-servers.ts';
import { cpuMicros } from '../support/load.ts';
import { spoolLineOf } from '../support/spool-rows.ts';

const EVENTS = Number(process.argv[2] ?? 40_000);
const CONNECTIONS = Number(process.argv[3] ?? 64);
const ROUNDS = Number(process.argv[4] ?? 3);

const binary = findRedisServer();
if (binary === null) console.log('No redis-server or valkey-server is on the PATH: nothing is measured.');
else await run(binary);

async function run(name: string): Promise<void> {
  const primary = await startRedis(name);
  const replica = await startRedis(name, [
    '--dir',
    tmpdir(),
    '--dbfilename',
    `event-copies-${process.pid}.rdb`,
    '--replicaof',
    '127.0.0.1',
    String(primary.port),
  ]);
  while (!(await ask(replica.port, (client) => client.info('replication'))).includes('master_link_status:up'))
    await pause(50);
  const lines = Array.from({ length: EVENTS }, (_none, at) => spoolLineOf(at));
  const bytes = Math.round(lines.reduce((sum, line) => sum + line.length, 0) / EVENTS);
  console.log(
    `${cpus()[0]?.model}, ${cpus().length} cores, load ${loadavg()[0]?.toFixed(0)}; ${EVENTS} lines of ${bytes} bytes`,
  );
  try {
    for (let round = 0; round < ROUNDS; round += 1)
      for (const copies of [0, 1, 2]) console.log(await measure(lines, copies, [primary, replica]));
  } finally {
    await replica.end();
    await primary.end();
  }
}

async function measure(lines: readonly Buffer[], count: number, servers: readonly TestRedis[]): Promise<string> {
  const dir = mkdtempSync(join(tmpdir(), 'placard-copies-'));
  const url = servers[0]?.url ?? '';
  const machine = `bench-${count}-${performance.now()}`;
  const copies = count === 0 ? undefined : openRedisSpoolCopies({ url, log: SILENT_LOG, machine, replicas: count - 1 });
  const spool = openSpool({ dir: join(dir, 'w0'), workerIndex: 0, nowMs: Date.now, log: SILENT_LOG, copies });
  const readCpu = (): number => servers.reduce((sum, { process: { pid } }) => sum + cpuMicros(pid ?? 0), 0);
  try {
    await spool.append(lines[0] as Buffer);
    const waits: number[] = [];
    const before = { own: process.cpuUsage(), redis: readCpu(), at: performance.now() };
    let next = 0;
    let refused = 0;
    const connection = async (): Promise<void> => {
      for (let line = lines[next++]; line !== undefined; line = lines[next++]) {
        const sentMs = performance.now();
        await spool.append(line).catch(() => (refused += 1));
        waits.push(performance.now() - sentMs);
      }
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, connection));
    const { user, system } = process.cpuUsage(before.own);
    const seconds = (performance.now() - before.at) / 1_000;
    const redis = readCpu() - before.redis;
    const sorted = waits.toSorted((one, other) => one - other);
    const at = (part: number): string => (sorted[Math.floor(sorted.length * part)] ?? 0).toFixed(1);
    const per = (micros: number): string => (micros / lines.length).toFixed(1);
    return `${count} copies: ${per(user + system)} µs of the worker, ${per(redis)} µs of Redis an event; acknowledged after ${at(0.5)} ms, p99 ${at(0.99)} ms; ${Math.round(lines.length / seconds)} a second, ${refused} refused`;
  } finally {
    await spool.close();
    await copies?.close();
    rmSync(dir, { recursive: true, force: true });
  }
}
