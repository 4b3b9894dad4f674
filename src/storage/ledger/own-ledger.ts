import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { syncFolderNow } from '../disk-file.ts';
import { hasSyncedMark, LedgerDamagedError, listLedgerFiles, markOpen } from './ledger-files.ts';
import { type LedgerOptions, type LedgerStore, openLedger } from './ledger-store.ts';

const FOLDER = 'ledger';
const DAMAGED_PREFIX = 'ledger-damaged-';
/** Damaged ledgers that are kept for an operator; the oldest goes first. */
const KEPT_MAX = 3;
/** Workers make it after they have opened the ledger: where it stands, a ledger has been. */
const SPOOL_FOLDER = 'spool';
const ORDER_FILE = 'ledger-rebuild.json';

/** Why and since when the counters of a ledger have to be made again. */
export interface RebuildOrder {
  readonly reason: string;
  readonly atMs: number;
}

/** Options of the ledger of a data folder. */
export interface OwnLedgerOptions extends Omit<LedgerOptions, 'dir'> {
  /** Called before anything is read or counted when a power cut may have taken the end of the log. */
  readonly onMayLackEnd: () => void;
}

/**
 * Opens the ledger of a data folder. In place of one that is damaged or gone, it begins an empty one and orders that its counters are made
 * again; a damaged one is kept beside it.
 * @throws what the disk throws
 */
export function openOwnLedger(dataDir: string, options: OwnLedgerOptions): LedgerStore {
  const { log, nowMs, onMayLackEnd } = options;
  const dir = join(dataDir, FOLDER);
  if (isGone(dataDir) && readRebuildOrder(dataDir) === null) {
    writeOrder(dataDir, { reason: 'the ledger is gone', atMs: nowMs() });
    log.event('hot_store.missing');
  }
  try {
    const ledger = openLedger({ ...options, dir });
    if (ledger.mayLackEnd) onMayLackEnd();
    markOpen(dir);
    return ledger;
  } catch (error) {
    if (!(error instanceof LedgerDamagedError)) throw error;
    const keptIn = moveAside(dataDir, { reason: error.message, atMs: nowMs() });
    log.event('hot_store.damaged', { reason: error.message, keptIn });
    const ledger = openLedger({ ...options, dir });
    markOpen(dir);
    return ledger;
  }
}

/** A ledger was here, and none of its files is. */
function isGone(dataDir: string): boolean {
  const { logs, checkpoints } = listLedgerFiles(join(dataDir, FOLDER));
  const isBegun = logs.length > 0 || checkpoints.length > 0 || hasSyncedMark(join(dataDir, FOLDER));
  return !isBegun && existsSync(join(dataDir, SPOOL_FOLDER));
}

/** @returns the folder's new name */
function moveAside(dataDir: string, order: RebuildOrder): string {
  // The order first: a crash in between moves the ledger aside at the next start.
  writeOrder(dataDir, order);
  const name = `${DAMAGED_PREFIX}${new Date(order.atMs).toISOString().replaceAll(/[:.]/g, '-')}`;
  renameSync(join(dataDir, FOLDER), join(dataDir, name));
  mkdirSync(join(dataDir, FOLDER), { mode: 0o700 });
  syncFolderNow(dataDir);
  for (const old of listDamaged(dataDir).slice(0, -KEPT_MAX))
    rmSync(join(dataDir, old), { recursive: true, force: true });
  return name;
}

/** On stable storage: an empty ledger without its order would spend every budget again. */
function writeOrder(dataDir: string, order: RebuildOrder): void {
  writeFileSync(join(dataDir, ORDER_FILE), JSON.stringify(order), { mode: 0o600, flush: true });
  syncFolderNow(dataDir);
}

/** Damaged ledgers that are kept, oldest first: names of folders in the data folder. */
export function listDamaged(dataDir: string): string[] {
  if (!existsSync(dataDir)) return [];
  return readdirSync(dataDir)
    .filter((name) => name.startsWith(DAMAGED_PREFIX))
    .sort();
}

/** The order to make counters again; null when there is none. */
export function readRebuildOrder(dataDir: string): RebuildOrder | null {
  const path = join(dataDir, ORDER_FILE);
  if (!existsSync(path)) return null;
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as RebuildOrder;
  } catch {
    // The file itself is the order; what it says is for the log.
    return { reason: 'unknown', atMs: 0 };
  }
}

/** The counters are made again. */
export function finishRebuild(dataDir: string): void {
  rmSync(join(dataDir, ORDER_FILE), { force: true });
}
