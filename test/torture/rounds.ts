import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Booking, bookLoad } from './booking.ts';
import { CapWatch } from './cap-watch.ts';
import { CLOCK_FAULTS, type Fault } from './faults.ts';
import { injectFaults } from './injected-faults.ts';
import { Journal } from './journal.ts';
import { Load } from './load.ts';
import { checkLoad, countKinds, untilAcknowledged } from './load-checks.ts';
import { pick, type Random } from './random.ts';
import { pause, type TorturedServer } from './tortured-server.ts';
import { verify } from './verify.ts';

/** The options of a torture run. */
export interface Torture {
  readonly server: TorturedServer;
  readonly faults: Readonly<Record<string, Fault>>;
  /** Names of the faults to choose from. */
  readonly names: readonly string[];
  readonly rounds: number;
  /** Faults happen in the order of their names; else each as often as the others, in an order of its own. */
  readonly inTurn: boolean;
  readonly isSpoolSmall: boolean;
  readonly users: number;
  readonly faultRandom: Random;
  readonly loadRandom: Random;
}

const VERIFY_EVERY = 10;
/** Longest from the end of a round to the next fault. A damaged hot store may be found in that time. */
const BETWEEN_ROUNDS_MS = 2_000;

/** Causes one fault after another on a server under load. @returns whether everything agreed at every comparison */
export async function torture(options: Torture): Promise<boolean> {
  const { server, rounds } = options;
  injectFaults(server.tortureDir, { syncFails: false, clockOffsetMs: 0 });
  await server.start();
  const booking = await bookLoad(server.management);
  const journal = new Journal(join(server.tortureDir, 'journal.log'), server.linkKeys);
  const cap = new CapWatch(booking, journal);
  const recoveries = new Map<string, number[]>();
  let load = startLoad(options, booking, journal);
  await untilAcknowledged(journal, 'the start');
  let isRight = true;
  const turn = faultsInTurn(options);
  for (let round = 1; round <= rounds; round += 1) {
    const name = turn.next().value ?? '';
    await pause(500 + options.faultRandom() * (BETWEEN_ROUNDS_MS - 500));
    const tookMs = await playRound(options, journal, { cap, round, name });
    recoveries.set(name, [...(recoveries.get(name) ?? []), tookMs]);
    if (round % VERIFY_EVERY !== 0 && round !== rounds) continue;
    await load.stop();
    const { acknowledged, stored, problems: found } = await verify(server.stores, journal, booking);
    const problems = [...found, ...cap.compare(stored), ...checkLoad(journal, stored)];
    console.log(
      `  ${acknowledged} acknowledged, ${stored.length} stored (${countKinds(stored)}): ${problems.length === 0 ? 'all agree' : 'DIFFERENT'}`,
    );
    for (const problem of problems) console.log(`  ${problem}`);
    if (problems.length > 0) {
      isRight = false;
      break;
    }
    await cap.raise(server.management, stored);
    load = startLoad(options, booking, journal);
  }
  await load.stop();
  printRecoveries(recoveries);
  printCounts('kills', server.kills);
  printCounts('not acknowledged, and sent again', journal.refusals);
  return isRight;
}

function startLoad({ server, users, loadRandom }: Torture, booking: Booking, journal: Journal): Load {
  const { networkId, keys } = server.running.demo;
  const load = new Load({
    deliveryUrl: () => server.deliveryUrl,
    ca: () => null,
    networkId,
    apiKey: keys.audience,
    booking,
    journal,
    random: loadRandom,
    users,
    pauseMs: 40,
  });
  load.start();
  return load;
}

/** @returns milliseconds from the beginning of the fault to the first acknowledgement after its end */
async function playRound(
  { server, faults, faultRandom, isSpoolSmall }: Torture,
  journal: Journal,
  { cap, round, name }: { cap: CapWatch; round: number; name: string },
): Promise<number> {
  const atMs = performance.now();
  cap.beginRound(countRebuilds(server));
  await faults[name]?.({ server, random: faultRandom, isSpoolSmall });
  const overMs = performance.now();
  const recoveredAtMs = await untilAcknowledged(journal, name);
  // Contacts are lost with a damaged ledger, but for those that are still in the spool; so are reservations.
  const isRebuilt = cap.isRebuilt(countRebuilds(server));
  if (isRebuilt) cap.recordRebuild();
  if (isRebuilt || CLOCK_FAULTS.includes(name)) journal.recordBlindSpot(atMs - BETWEEN_ROUNDS_MS, performance.now());
  const figures = `${Math.round(overMs - atMs)} ms, acknowledged again after ${Math.round(recoveredAtMs - overMs)} ms`;
  console.log(`round ${round}: ${name}: ${figures}; ${journal.acknowledged.size} events, ${journal.refused} refused`);
  return recoveredAtMs - atMs;
}

/** How often the counters of a ledger were made again, by the log of the server. */
function countRebuilds({ tortureDir }: TorturedServer): number {
  const path = join(tortureDir, 'server.log');
  return existsSync(path) ? readFileSync(path, 'utf8').split('"event":"hot_store.rebuilt"').length - 1 : 0;
}

/** Rounds in an order of their own, each fault as often as the others. */
function* faultsInTurn({ names, inTurn, faultRandom }: Torture): Generator<string> {
  for (let left: string[] = []; ; ) {
    if (left.length === 0) left = [...names];
    const name = inTurn ? (left[0] ?? '') : pick(faultRandom, left);
    left = left.filter((one) => one !== name);
    yield name;
  }
}

function printRecoveries(recoveries: ReadonlyMap<string, readonly number[]>): void {
  console.log('\nfault | rounds | median ms from its beginning to the next acknowledgement after its end | longest');
  for (const [name, all] of recoveries) {
    const sorted = [...all].sort((a, b) => a - b);
    const median = sorted[Math.floor(sorted.length / 2)] ?? 0;
    console.log(`${name} | ${sorted.length} | ${Math.round(median)} | ${Math.round(sorted.at(-1) ?? 0)}`);
  }
}

function printCounts(title: string, counts: ReadonlyMap<string, number>): void {
  console.log(`${title}: ${[...counts].map(([name, count]) => `${name} ${count}`).join(', ') || 'none'}`);
}
