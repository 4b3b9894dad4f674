/**
 * `npm run torture`: a whole server under load, to which one fault after the other happens; then journal, event table, roll-ups and
 * delivery counters are compared. Exit code 1 when they differ.
 *
 *   npm run torture -- --rounds 200 --seed 7
 *   npm run torture -- --short
 *   npm run torture -- --faults 'power cut,kill core' --rounds 20
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { makeDataDir, removeDataDir } from '../support/placard-process.ts';
import { bookLoad } from './booking.ts';
import { FAULTS, SHORT_FAULTS } from './faults.ts';
import { injectFaults } from './injected-faults.ts';
import { Journal } from './journal.ts';
import { Load } from './load.ts';
import { pick, randomOf } from './random.ts';
import { pause, TorturedServer } from './tortured-server.ts';
import { verify } from './verify.ts';

const SITE = 'torture';
const TAG_ID = 'torture/unit';
const SPOOL_MEGABYTES = 64;
/** Longest that nothing may be acknowledged after a fault. */
const RECOVERY_MAX_MS = 90_000;
const VERIFY_EVERY = 10;

const { values } = parseArgs({
  options: {
    rounds: { type: 'string' },
    seed: { type: 'string', default: '1' },
    short: { type: 'boolean', default: false },
    faults: { type: 'string' },
    users: { type: 'string', default: '6' },
    keep: { type: 'boolean', default: false },
  },
});

const names = values.faults?.split(',').map((one) => one.trim()) ?? (values.short ? SHORT_FAULTS : Object.keys(FAULTS));
const unknown = names.filter((name) => !Object.hasOwn(FAULTS, name));
if (unknown.length > 0) throw new Error(`Unknown: ${unknown.join(', ')}. There are: ${Object.keys(FAULTS).join(', ')}`);
const rounds = Number(values.rounds ?? names.length);
const random = randomOf(Number(values.seed));

const dataDir = makeDataDir();
const tortureDir = mkdtempSync(join(tmpdir(), 'placard-torture-'));
const spoolDir = join(dataDir, 'spool');
mkdirSync(spoolDir, { mode: 0o700 });
const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${SPOOL_MEGABYTES}m,mode=700`, 'tmpfs', spoolDir]);
const isSpoolSmall = mounted.status === 0;
const server = new TorturedServer({ dataDir, tortureDir, workers: 2 });

/** Rounds in an order of their own, each fault as often as the others. */
function* faultsInTurn(): Generator<string> {
  for (let left: string[] = []; ; ) {
    if (left.length === 0) left = [...names];
    const name = values.short ? (left[0] ?? '') : pick(random, left);
    left = left.filter((one) => one !== name);
    yield name;
  }
}

async function torture(): Promise<boolean> {
  injectFaults(tortureDir, { syncFails: false, clockOffsetMs: 0 });
  await server.start();
  const booking = await bookLoad(server, { site: SITE, tagId: TAG_ID });
  const journal = new Journal(join(tortureDir, 'journal.log'), server.linkKeys);
  const makeLoad = (): Load =>
    new Load({
      deliveryUrl: () => server.deliveryUrl,
      ca: () => null,
      tagId: TAG_ID,
      site: SITE,
      journal,
      random,
      users: Number(values.users),
      pauseMs: 40,
    });
  const recoveries = new Map<string, number[]>();
  let load = makeLoad();
  load.start();
  await untilAcknowledged(journal);
  let isRight = true;
  const turn = faultsInTurn();
  for (let round = 1; round <= rounds; round += 1) {
    const name = turn.next().value ?? '';
    await pause(500 + random() * 1_500);
    const atMs = performance.now();
    await FAULTS[name]?.({ server, random, isSpoolSmall });
    const overMs = performance.now();
    const recoveredMs = (await untilAcknowledged(journal)) - overMs;
    recoveries.set(name, [...(recoveries.get(name) ?? []), overMs - atMs + recoveredMs]);
    const figures = `${Math.round(overMs - atMs)} ms, acknowledged again after ${Math.round(recoveredMs)} ms`;
    console.log(`round ${round}: ${name}: ${figures}; ${journal.acknowledged.size} events, ${journal.refused} refused`);
    if (round % VERIFY_EVERY !== 0 && round !== rounds) continue;
    await load.stop();
    const { acknowledged, stored, problems } = await verify(server, journal, booking);
    console.log(
      `  ${acknowledged} acknowledged, ${stored} stored: ${problems.length === 0 ? 'all agree' : 'DIFFERENT'}`,
    );
    for (const problem of problems) console.log(`  ${problem}`);
    if (problems.length > 0) {
      isRight = false;
      break;
    }
    load = makeLoad();
    load.start();
  }
  await load.stop();
  printRecoveries(recoveries);
  return isRight;
}

async function untilAcknowledged(journal: Journal): Promise<number> {
  const sinceMs = performance.now();
  while (journal.lastAcknowledgedMs <= sinceMs) {
    if (performance.now() - sinceMs > RECOVERY_MAX_MS) throw new Error('No event is acknowledged any more');
    await pause(5);
  }
  return journal.lastAcknowledgedMs;
}

function printRecoveries(recoveries: ReadonlyMap<string, readonly number[]>): void {
  console.log('\nfault | rounds | median ms from its beginning to the next acknowledgement after its end | longest');
  for (const [name, all] of recoveries) {
    const sorted = [...all].sort((a, b) => a - b);
    const median = sorted[Math.floor(sorted.length / 2)] ?? 0;
    console.log(`${name} | ${sorted.length} | ${Math.round(median)} | ${Math.round(sorted.at(-1) ?? 0)}`);
  }
}

let isRight = false;
try {
  console.log(
    `seed ${values.seed}, ${rounds} rounds, spool on ${isSpoolSmall ? `${SPOOL_MEGABYTES} MB of tmpfs` : 'the disk'}`,
  );
  isRight = await torture();
} catch (error) {
  console.error(error);
} finally {
  await server.running.stop().catch(() => undefined);
  if (values.keep || !isRight) console.log(`kept: ${dataDir} ${tortureDir}`);
  else {
    if (isSpoolSmall) spawnSync('umount', [spoolDir]);
    await removeDataDir(dataDir);
    rmSync(tortureDir, { recursive: true, force: true });
  }
}
console.log(isRight ? 'nothing was lost, nothing was counted twice' : 'FAILED');
process.exit(isRight ? 0 : 1);
