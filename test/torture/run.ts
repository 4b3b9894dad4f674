/**
 * `npm run torture`: a whole server under load, with one fault after another; then journal, event table, roll-ups and
 * delivery counters are compared. Exit code 1 when they differ.
 *
 *   npm run torture -- --rounds 200 --seed 7
 *   npm run torture -- --short
 *   npm run torture -- --hot redis --rounds 40
 *   npm run torture -- --faults 'power cut,kill core' --rounds 20
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { makeDataDir, removeDataDir } from '../support/placard-process.ts';
import { FAULTS, SHORT_FAULTS } from './faults.ts';
import type { HotKind } from './faults.ts';
import { findRedisBinary, PrivateRedis } from './private-redis.ts';
import { randomOf } from './random.ts';
import { torture } from './rounds.ts';
import { freePort } from '../support/stores/free-port.ts';
import { TorturedServer } from './tortured-server.ts';

const SPOOL_MEGABYTES = 64;

const { values } = parseArgs({
  options: {
    rounds: { type: 'string' },
    seed: { type: 'string', default: '1' },
    short: { type: 'boolean', default: false },
    faults: { type: 'string' },
    users: { type: 'string', default: '6' },
    hot: { type: 'string', default: 'ledger' },
    keep: { type: 'boolean', default: false },
  },
});

if (values.hot !== 'ledger' && values.hot !== 'redis') throw new Error(`--hot is ledger or redis, not ${values.hot}`);
const hotKind: HotKind = values.hot;
const redisBinary = hotKind === 'redis' ? findRedisBinary() : null;
if (hotKind === 'redis' && redisBinary === null) {
  console.log('SKIPPED: the torture with Redis needs a redis-server or valkey-server on the PATH; there is none');
  process.exit(0);
}
const faults = FAULTS[hotKind];
const short = SHORT_FAULTS[hotKind];
const names = values.faults?.split(',').map((one) => one.trim()) ?? (values.short ? short : Object.keys(faults));
const unknown = names.filter((name) => !Object.hasOwn(faults, name));
if (unknown.length > 0) throw new Error(`Unknown: ${unknown.join(', ')}. There are: ${Object.keys(faults).join(', ')}`);
const rounds = Number(values.rounds ?? names.length);
const seed = Number(values.seed);

const dataDir = makeDataDir();
const tortureDir = mkdtempSync(join(tmpdir(), 'placard-torture-'));
const spoolDir = join(dataDir, 'spool');
mkdirSync(spoolDir, { mode: 0o700 });
const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${SPOOL_MEGABYTES}m,mode=700`, 'tmpfs', spoolDir]);
const isSpoolSmall = mounted.status === 0;
const redis =
  redisBinary === null ? null : new PrivateRedis({ binary: redisBinary, dir: tortureDir, port: await freePort() });
const server = new TorturedServer({ dataDir, tortureDir, workers: 2, redis });

let isRight = false;
try {
  console.log(
    `seed ${seed}, ${rounds} rounds, hot store ${hotKind}, spool on ${isSpoolSmall ? `${SPOOL_MEGABYTES} MB of tmpfs` : 'the disk'}`,
  );
  isRight = await torture({
    server,
    faults,
    names,
    rounds,
    inTurn: values.short,
    isSpoolSmall,
    users: Number(values.users),
    faultRandom: randomOf(seed),
    loadRandom: randomOf(seed + 1),
  });
} catch (error) {
  console.error(error);
} finally {
  await server.running.stop().catch(() => undefined);
  await redis?.kill();
  server.saveLog();
  if (values.keep || !isRight) console.log(`kept: ${dataDir} ${tortureDir}`);
  else {
    if (isSpoolSmall) spawnSync('umount', [spoolDir]);
    await removeDataDir(dataDir);
    rmSync(tortureDir, { recursive: true, force: true });
  }
}
console.log(isRight ? 'nothing was lost, nothing was counted twice' : 'FAILED');
process.exit(isRight ? 0 : 1);
