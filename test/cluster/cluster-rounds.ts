import { join } from 'node:path';
import { type Booking, bookLoad } from '../torture/booking.ts';
import { CapWatch } from '../torture/cap-watch.ts';
import { Journal } from '../torture/journal.ts';
import { checkLoad, countKinds, untilAcknowledged } from '../torture/load-checks.ts';
import { Load } from '../torture/load.ts';
import { pause } from '../torture/tortured-server.ts';
import { pick, type Random } from '../torture/random.ts';
import type { StoredEvent } from '../torture/stored-events.ts';
import { verify } from '../torture/verify.ts';
import type { ClusterFault } from './cluster-faults.ts';
import type { Cluster } from './cluster.ts';
import { ConfigProbe } from './config-probe.ts';

/** The options of a run. */
export interface ClusterRun {
  readonly cluster: Cluster;
  readonly dir: string;
  readonly faults: Readonly<Record<string, ClusterFault>>;
  readonly names: readonly string[];
  /** Faults that have not begun by then are left out, by `performance.now()`. */
  readonly untilMs: number;
  readonly users: number;
  readonly faultRandom: Random;
  readonly loadRandom: Random;
}

const VERIFY_EVERY = 5;
const PRINTED_MAX = 40;
const BETWEEN_ROUNDS_MS = 1_000;
const CALM_CHANGES_FIRST = 8;
const CALM_CHANGES = 2;
/** Of all conversions, those that are credited to the ad that their user saw: contacts that wait for a store are not there yet. */
const CREDITED_SHARE_MIN = 0.5;

/** Causes one fault after another on a cluster under load. @returns whether everything agreed at every comparison */
export async function playCluster(run: ClusterRun): Promise<boolean> {
  const { cluster } = run;
  await cluster.startNodes();
  const booking = await bookLoad(cluster.management);
  const probe = await ConfigProbe.book(cluster.management, cluster.delivery, booking);
  const world: PlayedWorld = {
    booking,
    probe,
    journal: new Journal(join(run.dir, 'journal.log'), cluster.linkKeys),
    leftOut: [],
  };
  // A node may be late with contacts by as long as a fault takes: every conversion may be credited to nobody, and the share is checked.
  world.journal.recordBlindSpot(0, Number.POSITIVE_INFINITY);
  const cap = new CapWatch(booking, world.journal);
  let load = startLoad(run, world);
  await untilAcknowledged(world.journal, 'the start');
  for (let times = 0; times < CALM_CHANGES_FIRST; times += 1) await probe.change('calm');
  let isRight = true;
  const names = shuffle(run.names, run.faultRandom);
  for (const [at, name] of names.entries()) {
    if (performance.now() > run.untilMs) {
      world.leftOut.push(name);
      continue;
    }
    await playFault(run, world, { cap, name, label: `${at + 1}/${names.length}` });
    if ((at + 1) % VERIFY_EVERY !== 0 || at + 1 === names.length) continue;
    isRight = await compare(run, world, { cap, load });
    if (!isRight) break;
    load = startLoad(run, world);
  }
  if (isRight) isRight = await compare(run, world, { cap, load });
  printSummary(run, world);
  return isRight;
}

interface PlayedWorld {
  readonly booking: Booking;
  readonly journal: Journal;
  readonly probe: ConfigProbe;
  readonly leftOut: string[];
}

function startLoad({ cluster, users, loadRandom }: ClusterRun, { booking, journal }: PlayedWorld): Load {
  const load = new Load({
    deliveryUrl: () => cluster.deliveryUrl,
    ca: () => null,
    networkId: cluster.management.networkId,
    apiKey: cluster.audienceKey,
    booking,
    journal,
    random: loadRandom,
    users,
    pauseMs: 200,
  });
  load.start();
  return load;
}

async function playFault(
  { cluster, faults, faultRandom }: ClusterRun,
  { journal, probe }: PlayedWorld,
  { cap, name, label }: { cap: CapWatch; name: string; label: string },
): Promise<void> {
  await pause(faultRandom() * BETWEEN_ROUNDS_MS);
  const [atMs, refused] = [performance.now(), journal.refused];
  cap.beginRound(0);
  await faults[name]?.cause({ cluster, random: faultRandom });
  const overMs = performance.now();
  const recoveredAtMs = await untilAcknowledged(journal, name);
  await cluster.untilReady();
  if (faults[name]?.losesHotState === true) cap.recordRebuild();
  const readyMs = performance.now();
  await probe.change('after a fault');
  for (let times = 0; times < CALM_CHANGES; times += 1) await probe.change('calm');
  console.log(
    `${label} ${name}: ${Math.round(overMs - atMs)} ms; acknowledged after ${Math.round(recoveredAtMs - overMs)} ms, ` +
      `all ready after ${Math.round(readyMs - overMs)} ms; ${journal.acknowledged.size} events, ${journal.refused - refused} refused meanwhile`,
  );
}

async function compare(
  { cluster }: ClusterRun,
  { booking, journal }: PlayedWorld,
  { cap, load }: { cap: CapWatch; load: Load },
): Promise<boolean> {
  await load.stop();
  const { acknowledged, stored, problems: found } = await verify(cluster.compared, journal, booking);
  const problems = [...found, ...cap.compare(stored), ...checkLoad(journal, stored), ...checkCredits(stored)];
  const verdict = problems.length === 0 ? 'all agree' : 'DIFFERENT';
  console.log(`  ${acknowledged} acknowledged, ${stored.length} stored (${countKinds(stored)}): ${verdict}`);
  for (const problem of problems.slice(0, PRINTED_MAX)) console.log(`  ${problem}`);
  if (problems.length > PRINTED_MAX) console.log(`  … and ${problems.length - PRINTED_MAX} more`);
  if (problems.length === 0) await cap.raise(cluster.management, stored);
  return problems.length === 0;
}

function checkCredits(stored: readonly StoredEvent[]): string[] {
  const all = stored.filter(({ kind }) => kind === 'activity');
  const credited = all.filter(({ attribution }) => attribution !== '').length;
  if (credited >= all.length * CREDITED_SHARE_MIN) return [];
  return [`only ${credited} of ${all.length} conversions are credited`];
}

function shuffle(names: readonly string[], random: Random): readonly string[] {
  const left = [...names];
  return names.map(() => {
    const name = pick(random, left);
    left.splice(left.indexOf(name), 1);
    return name;
  });
}

function printSummary({ cluster }: ClusterRun, { journal, probe, leftOut }: PlayedWorld): void {
  const listOf = (counts: ReadonlyMap<string, number>): string =>
    [...counts].map(([name, count]) => `${name} ${count}`).join(', ') || 'none';
  console.log(`\nfaults: ${listOf(cluster.counts)}`);
  console.log(`a change of a price is visible on all delivery nodes: ${probe.describe()}`);
  console.log(`not acknowledged, and sent again: ${listOf(journal.refusals)}`);
  if (leftOut.length > 0) console.log(`notice: the time was over before ${leftOut.join(', ')}`);
}
