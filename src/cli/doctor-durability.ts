import { join } from 'node:path';
import type { Settings } from '../config/settings.ts';
import { inspectSpool } from '../events/recovery/spool-inspection.ts';
import { listDamaged, readRebuildOrder } from '../storage/ledger/own-ledger.ts';
import { describeError, type Finding, findFailure, findOk, findWarning } from './finding.ts';

/** Events are shipped within seconds; older than this, something holds them up. */
const OLDEST_MS_MAX = 600_000;

/** Events that wait on disk, dead letters, and whether spool files can be read. */
export function checkSpool(settings: Settings, nowMs: number): Finding[] {
  try {
    const { files, damagedLists, deadLetters } = inspectSpool(join(settings.dataDir, 'spool'));
    const problems = [
      ...files.flatMap((file) => file.problems),
      ...damagedLists.map((path) => `${path}: the list of files of a batch cannot be read`),
    ];
    const letters = Object.entries(deadLetters).map(([reason, count]) => `${count} ${reason}`);
    return [describeBacklog(files, nowMs), describeProblems(problems), describeLetters(letters)].flat();
  } catch (error) {
    return [findFailure('spool', describeError(error), 'look at the folder "spool" of the data folder and its disk')];
  }
}

function describeBacklog(files: readonly { openedAtMs: number; lines: number }[], nowMs: number): Finding {
  const waiting = files.filter(({ lines }) => lines > 0);
  const oldestMs = Math.min(nowMs, ...waiting.map(({ openedAtMs }) => openedAtMs));
  const ageSeconds = Math.round((nowMs - oldestMs) / 1_000);
  const message = `${waiting.length} files with events wait for the analytics store, the oldest for ${ageSeconds} s`;
  if (nowMs - oldestMs <= OLDEST_MS_MAX) return findOk('spool', message);
  return findWarning('spool', message, 'start the service, and check that the analytics store responds');
}

function describeProblems(problems: readonly string[]): Finding[] {
  if (problems.length === 0) return [];
  const advice =
    'check the disk; "placard spool verify" lists the positions. The lines become dead letters when they ship';
  return [findFailure('spool files', `${problems.length} positions cannot be read: ${problems[0]}`, advice)];
}

function describeLetters(letters: readonly string[]): Finding {
  if (letters.length === 0) return findOk('dead letters', 'none');
  const advice = 'look at them with "placard spool cat --dead-letters"; docs/durability.md says what each reason means';
  return findWarning('dead letters', letters.join(', '), advice);
}

/** Damaged ledgers that were moved aside. */
export function checkLedgerCopies(settings: Settings): Finding[] {
  const order = readRebuildOrder(settings.dataDir);
  const rebuilding =
    order === null
      ? []
      : [findWarning('ledger', `its counters still need a rebuild (${order.reason})`, 'start the service')];
  const kept = listDamaged(settings.dataDir);
  if (kept.length === 0) return [...rebuilding, findOk('ledger copies', 'no damaged copies')];
  const advice = 'check the disk, run "placard verify-counts", then delete them';
  return [...rebuilding, findWarning('ledger copies', `damaged copies on disk: ${kept.join(', ')}`, advice)];
}

/** The last good snapshot: what ads are decided on while PostgreSQL is unavailable. */
export async function checkSnapshot(settings: Settings): Promise<Finding[]> {
  const { readSnapshotFile } = await import('../delivery/snapshot/snapshot-file.ts');
  try {
    const content = await readSnapshotFile(join(settings.dataDir, 'snapshot'));
    const found = content === null ? 'none yet' : `${content.snapshots.length} workspaces can be read`;
    return [findOk('snapshot', found)];
  } catch (error) {
    const advice =
      'check the disk; the running service rewrites it with the next change. Until then a start needs PostgreSQL to serve ads';
    return [findWarning('snapshot', describeError(error), advice)];
  }
}
