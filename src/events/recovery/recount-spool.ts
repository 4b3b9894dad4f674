import { join } from 'node:path';
import type { RecoverableShards } from '../../storage/hot/recoverable-shards.ts';
import type { Olap } from '../../storage/olap/olap.ts';
import { completeBatches, listBatchFolders, renameBatch } from '../shipping/batch-folders.ts';
import { writeEntries, leaveOutStored } from '../shipping/stored-rows.ts';
import { readCounted } from '../spool/count-spool-file.ts';
import { countedName } from '../spool/event-lines.ts';
import { readEntries } from '../spool/spool-line.ts';
import { listSpoolFiles, listWorkerIndexes, openedAtMs } from '../spool/spool-files.ts';
import type { SpoolFile } from '../spool/spool-files.ts';
import { eventOf } from './hot-rebuild.ts';

/** The dependencies of {@link RecountSpool}. */
export interface RecountDeps {
  readonly spoolDir: string;
  readonly shards: RecoverableShards;
  readonly olap: Olap;
  readonly nowMs: () => number;
}

/** What was counted again. */
export interface Recounted {
  readonly files: number;
  readonly events: number;
}

/**
 * Counts the counted files of a machine again, in the shards that lost them: the analytics store does not have their events. A repeat, of
 * this process or of another one, changes nothing, because the shards know how far each file is counted in this epoch.
 */
export class RecountSpool {
  readonly #deps: RecountDeps;
  readonly #shards: readonly number[];
  readonly #done = new Map<string, string>();
  #events = 0;
  #hasBatches = true;

  constructor(deps: RecountDeps, shards: readonly number[]) {
    this.#deps = deps;
    this.#shards = shards;
  }

  /** Counts what is there and was not counted by an earlier run. @throws OlapError while the store cannot say which batches it has */
  async run(): Promise<Recounted> {
    if (this.#shards.length === 0) return { files: 0, events: 0 };
    if (this.#hasBatches) await this.#leaveOutStored();
    this.#hasBatches = false;
    const { spoolDir, shards } = this.#deps;
    const batched = listBatchFolders(spoolDir).flatMap(({ files }) => files);
    const files = [...batched, ...listOwn(spoolDir).filter(({ state }) => state === 'settled')];
    for (const file of files) {
      if (this.#done.has(file.fileId)) continue;
      const entries = readEntries(await readCounted(file));
      const lines = entries.flatMap(eventOf);
      const again = { file: countedName(file), to: file.bytes, lines };
      const duplicates = await shards.recount(again, this.#shards);
      // Another machine counted and stores their events: it got copies while this one was down.
      if (duplicates.size > 0)
        await writeEntries(
          file,
          entries.filter(({ offset }) => !duplicates.has(offset)),
        );
      this.#done.set(file.fileId, countedName(file));
      this.#events += lines.length - duplicates.size;
    }
    return { files: this.#done.size, events: this.#events };
  }

  /** Names of the files that were counted again. */
  names(): readonly string[] {
    return [...this.#done.values()];
  }

  /**
   * A batch that waits may be in the store, when the machine was down while the table was read: what the store has is counted there, and
   * leaves the spool.
   */
  async #leaveOutStored(): Promise<void> {
    const { spoolDir, olap, nowMs } = this.#deps;
    await completeBatches(spoolDir);
    for (const batch of listBatchFolders(spoolDir)) {
      for (const file of batch.files) await leaveOutStored(file, olap);
      await renameBatch(batch, nowMs());
    }
  }
}

/** Whether a file that was begun before an instant still waits to be counted. */
export function hasUncountedFile(spoolDir: string, beforeMs: number): boolean {
  return listOwn(spoolDir).some(
    ({ state, bytes, fileId }) => state !== 'settled' && bytes > 0 && openedAtMs(fileId) < beforeMs,
  );
}

function listOwn(spoolDir: string): SpoolFile[] {
  return listWorkerIndexes(spoolDir).flatMap((workerIndex) => listSpoolFiles(join(spoolDir, `w${workerIndex}`)));
}
