import { mkdirSync, rmSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { Log } from '../../domain/log/log.ts';
import { RecurringJob } from '../../domain/time/recurring-job.ts';
import { syncFolder } from '../../storage/disk-file.ts';
import type { SpoolCopies, TakenFile } from '../../storage/copies/spool-copies.ts';
import type { Olap } from '../../storage/olap/olap.ts';
import { listBatchedFiles } from '../shipping/batch-folders.ts';
import { leaveOutStored } from '../shipping/stored-rows.ts';
import { writeWhole } from '../spool/count-spool-file.ts';
import { listSpoolFiles, listWorkerIndexes, makeFolder, spoolFilePath } from '../spool/spool-files.ts';

/** Folder of the spool that holds files of lost machines before they are this machine's. */
const TAKEN_FOLDER = 'taken';
const EVERY_MS = 5_000;
/** A name of a copy: the folder of uncredited events, worker index, file id. */
const NAME = /^(?:(uncredited)\/)?(\d{1,4})\/(\d{13}-[0-9a-f]{8}b)$/;

/** Dependencies of {@link TakeOver}. */
export interface TakeOverDeps {
  readonly copies: SpoolCopies;
  readonly spoolDir: string;
  /** Worker 0 takes files over; all workers say that their machine is alive. */
  readonly workerIndex: number;
  readonly olap: Olap;
  /** Files are taken over while this machine may ship its own. */
  readonly mayShip: () => boolean;
  /** Told of files to count and ship. */
  readonly onTaken: () => void;
  readonly log: Log;
  readonly everyMs?: number;
}

/**
 * Says every few seconds that this machine is alive, and takes over what lost machines have acknowledged and not shipped: their files, by
 * their copies, under their names. The hot store knows by these names how far each file is counted. Rows that the analytics store has are left
 * out first. A taken file is on this disk before its copy says so, and in its folder after that: a repeat after a crash at any point
 * writes it once.
 */
export class TakeOver extends RecurringJob {
  readonly #deps: TakeOverDeps;
  #isFailureLogged = false;

  constructor(deps: TakeOverDeps) {
    const everyMs = deps.everyMs ?? EVERY_MS;
    super({ firstMs: 0, everyMs });
    this.#deps = deps;
  }

  /** @throws what Redis, the disk or the analytics store throws; the next run goes on */
  async run(): Promise<void> {
    const { copies, workerIndex, mayShip } = this.#deps;
    const lost = await copies.beat();
    this.#isFailureLogged = false;
    if (workerIndex !== 0 || !mayShip()) return;
    for (const machine of lost) {
      const names = await copies.listFiles(machine);
      // What is left here of a file that the lost machine had taken from this one: it comes back as that machine left it.
      for (const name of names) await this.#deleteStale(name);
      const files = await copies.acquire(machine, names);
      if (files > 0) this.#deps.log.event('spool.taken_over', { machine, files });
    }
    await this.#moveRetained();
    for (const name of await copies.listTaken()) await this.#retain(name);
  }

  protected logFailure(error: unknown): void {
    if (this.#isFailureLogged) return;
    this.#isFailureLogged = true;
    this.#deps.log.event('spool.take_over_failed', { err: error });
  }

  async #deleteStale(name: string): Promise<void> {
    const { copies, spoolDir } = this.#deps;
    const location = this.#locationOf(name);
    if (location === null) return;
    const { folder, workerDir, fileId } = location;
    const own = listSpoolFiles(join(spoolDir, folder, workerDir));
    const batched = folder === '' ? listBatchedFiles(spoolDir, workerDir) : [];
    const stale = [...own, ...batched].filter((file) => file.fileId === fileId);
    if (stale.length === 0 || !(await copies.findLost([name])).has(name)) return;
    for (const { path } of stale) rmSync(path, { force: true });
  }

  async #retain(name: string): Promise<void> {
    const { copies, olap, onTaken } = this.#deps;
    const location = this.#locationOf(name);
    const taken = await copies.readTaken(name);
    if (location === null || taken === null) return;
    mkdirSync(location.aside, { recursive: true, mode: 0o700 });
    await writeTaken(location, taken);
    // A file that was counted may have been shipped.
    for (const file of taken.isCounted ? filesOf(location) : []) await leaveOutStored(file, olap);
    await syncFolder(location.aside);
    await copies.retain(name);
    await this.#moveRetained();
    onTaken();
  }

  /** Moves what this machine has taken where it is counted and shipped; a file that another machine has taken meanwhile goes. */
  async #moveRetained(): Promise<void> {
    const { copies, spoolDir } = this.#deps;
    for (const folder of ['', 'uncredited'])
      for (const workerIndex of listWorkerIndexes(join(spoolDir, TAKEN_FOLDER, folder))) {
        const aside = join(spoolDir, TAKEN_FOLDER, folder, `w${workerIndex}`);
        for (const file of listSpoolFiles(aside)) {
          const name = `${folder === '' ? '' : `${folder}/`}${workerIndex}/${file.fileId}`;
          const dir = join(spoolDir, folder, `w${workerIndex}`);
          if (await copies.isRetained(name))
            await moveTo(dir, file.path, spoolFilePath(dir, file.fileId, file.state, file.bytes));
          else if (!(await copies.listTaken()).includes(name)) rmSync(file.path, { force: true });
        }
      }
  }

  #locationOf(name: string): Location | null {
    const [, folder = '', workerIndex = '', fileId = ''] = NAME.exec(name) ?? [];
    if (fileId === '') return null;
    const workerDir = `w${workerIndex}`;
    return { folder, workerDir, aside: join(this.#deps.spoolDir, TAKEN_FOLDER, folder, workerDir), fileId };
  }
}

interface Location {
  readonly folder: string;
  readonly workerDir: string;
  readonly aside: string;
  readonly fileId: string;
}

function filesOf({ aside, fileId }: Location): ReturnType<typeof listSpoolFiles> {
  return listSpoolFiles(aside).filter((file) => file.fileId === fileId);
}

/** Replaces what an earlier try left. */
async function writeTaken(location: Location, { bytes, isCounted }: TakenFile): Promise<void> {
  for (const { path } of filesOf(location)) rmSync(path);
  const path = spoolFilePath(location.aside, location.fileId, isCounted ? 'settled' : 'sealed', bytes.length);
  await writeWhole(`${path}.tmp`, bytes);
  await rename(`${path}.tmp`, path);
}

async function moveTo(dir: string, from: string, to: string): Promise<void> {
  makeFolder(dir);
  await rename(from, to);
  await syncFolder(dir);
}
