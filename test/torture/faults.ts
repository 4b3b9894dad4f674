import { readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ledgerPath, listLedgerFiles, readSyncedMark } from '../../src/storage/ledger/ledger-files.ts';
import { cutToSynced, injectFaults } from './injected-faults.ts';
import { pick, type Random } from './random.ts';
import { pause, signal, type TorturedServer } from './tortured-server.ts';

/** The surroundings of a fault. */
export interface FaultWorld {
  readonly server: TorturedServer;
  readonly random: Random;
  /** The spool is a small file system of its own that can be filled. */
  readonly isSpoolSmall: boolean;
}

/** Causes the fault; resolves at its end, where it ends by itself. */
export type Fault = (world: FaultWorld) => Promise<void>;

const CALM = { syncFails: false, clockOffsetMs: 0 } as const;

function killOne(name: string): Fault {
  return async ({ server, random }) => {
    const pids = server.pids(name);
    if (pids.length > 0) server.kill(name, [pick(random, pids)]);
  };
}

/** Stops a process for some seconds, as a machine does that swaps, and lets it go on. */
function freeze(name: string, ms: number): Fault {
  return async ({ server }) => {
    const pids = server.pids(name);
    for (const pid of pids) signal(pid, 'SIGSTOP');
    await pause(ms);
    for (const pid of pids) signal(pid, 'SIGCONT');
  };
}

/** Lets a process run for a tenth of the time only. */
function slow(name: string, ms: number): Fault {
  return async (world) => {
    for (const untilMs = performance.now() + ms; performance.now() < untilMs; ) {
      await freeze(name, 180)(world);
      await pause(20);
    }
  };
}

function stepClock(seconds: number): Fault {
  return async ({ server }) => {
    injectFaults(server.tortureDir, { ...CALM, clockOffsetMs: seconds * 1_000 });
    await pause(3_000);
    injectFaults(server.tortureDir, CALM);
  };
}

async function restart({ server }: FaultWorld): Promise<void> {
  await server.start();
}

/** Kills Redis, and starts it again some time later. */
function killRedis(times: number): Fault {
  return async ({ server, random }) => {
    for (let done = 0; done < times; done += 1) {
      await server.killRedis();
      await pause(200 + random() * 3_000);
      await server.redis?.start();
      if (done < times - 1) await pause(700);
    }
  };
}

/** The newest log of the ledger. */
function newestLog(dataDir: string): string {
  const dir = join(dataDir, 'ledger');
  return ledgerPath(dir, 'log', listLedgerFiles(dir).logs.at(-1) ?? 1);
}

/** As if the machine had started again since. */
function forgetBoot(dir: string): void {
  const path = join(dir, 'synced');
  writeFileSync(path, readFileSync(path, 'utf8').replace(/[0-9a-f]{8}(?=-[0-9a-f]{4}-)/, '00000000'));
}

/** Faults of a ledger alone. */
const LEDGER_FAULTS: Readonly<Record<string, Fault>> = {
  'power cut that damages the ledger': async (world) => {
    await world.server.killAll();
    const path = newestLog(world.server.dataDir);
    const content = readFileSync(path);
    const start = Math.floor((world.random() * content.length) / 2);
    content.fill(0x5a, start, start + Math.floor(content.length / 4));
    writeFileSync(path, content);
    await restart(world);
  },
  'power cut that takes the end of the ledger': async (world) => {
    await world.server.killAll();
    const path = newestLog(world.server.dataDir);
    const dir = join(world.server.dataDir, 'ledger');
    const mark = readSyncedMark(dir);
    const synced = mark !== null && path === ledgerPath(dir, 'log', mark.log) ? mark.bytes : 0;
    truncateSync(path, synced + Math.floor(world.random() * (statSync(path).size - synced)));
    forgetBoot(dir);
    await restart(world);
  },
  'ledger that lost what was on stable storage': async (world) => {
    await world.server.killAll();
    const path = newestLog(world.server.dataDir);
    truncateSync(path, Math.floor(world.random() * (readSyncedMark(join(world.server.dataDir, 'ledger'))?.bytes ?? 1)));
    await restart(world);
  },
  'ledger without its newest checkpoint': async (world) => {
    await world.server.killAll();
    const dir = join(world.server.dataDir, 'ledger');
    const newest = listLedgerFiles(dir).checkpoints.at(-1);
    if (newest !== undefined) rmSync(ledgerPath(dir, 'checkpoint', newest));
    await restart(world);
  },
  'ledger that is gone': async (world) => {
    await world.server.killAll();
    rmSync(join(world.server.dataDir, 'ledger'), { recursive: true });
    await restart(world);
  },
};

/** Faults of a Redis alone. */
const REDIS_FAULTS: Readonly<Record<string, Fault>> = {
  'kill Redis': killRedis(1),
  'Redis killed again and again': killRedis(3),
  // Longer than the limit of an operation: some time out and take effect later.
  'Redis stopped': freeze('redis', 7_000),
  'Redis slow': slow('redis', 5_000),
  'kill Redis and all delivery workers': async (world) => {
    await world.server.killRedis();
    await pause(500);
    world.server.kill('delivery', world.server.pids('delivery'));
    await pause(500);
    await world.server.redis?.start();
  },
};

/** Faults of either hot store. */
const COMMON_FAULTS: Readonly<Record<string, Fault>> = {
  'kill a delivery worker': killOne('delivery'),
  'kill all delivery workers': async ({ server }) => {
    server.kill('delivery', server.pids('delivery'));
  },
  'kill core': killOne('core'),
  'kill analytics': killOne('analytics'),
  'kill PostgreSQL': killOne('postgres'),
  'kill the supervisor': async (world) => {
    await world.server.killSupervisor();
    await restart(world);
  },
  'kill everything': async (world) => {
    await world.server.killAll();
    await restart(world);
  },
  'power cut': async (world) => {
    await world.server.killAll();
    cutToSynced(world.server.tortureDir, world.random);
    await restart(world);
  },
  'orderly restart': async (world) => {
    await world.server.running.stop();
    await restart(world);
  },
  'full disk': async ({ server, isSpoolSmall }) => {
    if (!isSpoolSmall) return;
    const ballast = join(server.dataDir, 'spool', 'ballast');
    try {
      writeFileSync(ballast, Buffer.alloc(256 * 1_048_576));
    } catch {
      // The disk is full, as intended.
    }
    await pause(3_000);
    rmSync(ballast, { force: true });
  },
  'EIO on fsync': async ({ server }) => {
    injectFaults(server.tortureDir, { ...CALM, syncFails: true });
    await pause(2_000);
    injectFaults(server.tortureDir, CALM);
  },
  'analytics stopped': freeze('analytics', 4_000),
  'PostgreSQL stopped': freeze('postgres', 4_000),
  'analytics slow': slow('analytics', 4_000),
  'delivery worker stopped': async (world) => {
    const [pid = 0] = world.server.pids('delivery');
    if (pid === 0) return;
    signal(pid, 'SIGSTOP');
    await pause(2_000);
    signal(pid, 'SIGCONT');
  },
  'analytics killed again and again': async (world) => {
    for (let times = 0; times < 3; times += 1) {
      await killOne('analytics')(world);
      await pause(1_500);
    }
  },
  'clock 90 s ahead': stepClock(90),
  'clock 90 s behind': stepClock(-90),
};

/** Which hot store a server has. */
export type HotKind = 'ledger' | 'redis';

/** One row for each fault that can happen on a hot store. */
export const FAULTS: Readonly<Record<HotKind, Readonly<Record<string, Fault>>>> = {
  ledger: { ...COMMON_FAULTS, ...LEDGER_FAULTS },
  redis: { ...COMMON_FAULTS, ...REDIS_FAULTS },
};

/** Faults that step the clock: a contact may then lie after the conversion that follows it, and is not credited. */
export const CLOCK_FAULTS: readonly string[] = ['clock 90 s ahead', 'clock 90 s behind'];

/** The faults of a short run, in order. */
export const SHORT_FAULTS: Readonly<Record<HotKind, readonly string[]>> = {
  ledger: [
    'kill all delivery workers',
    'kill analytics',
    'full disk',
    'EIO on fsync',
    'power cut that damages the ledger',
    'clock 90 s behind',
  ],
  redis: ['kill Redis', 'Redis stopped', 'kill Redis and all delivery workers', 'power cut'],
};
