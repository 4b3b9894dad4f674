import { closeSync } from 'node:fs';
import { compileAlike } from '../decision/index/compile-workspace.ts';
import type { CompiledWorkspace } from '../decision/index/compiled-workspace.ts';
import type { DecisionMemory } from '../decision/index/decision-memory.ts';
import type { SnapshotLists } from '../decision/index/snapshot-lists.ts';
import { catchUpSnapshot, reconcileSnapshot } from '../decision/index/snapshot-parts.ts';
import type { SnapshotChanges } from '../decision/index/snapshot-parts.ts';
import { StoredRecords } from '../decision/index/stored-records.ts';
import { sliceSteps } from './slice-steps.ts';
import { openStoredSnapshot } from './stored-snapshot.ts';

/** The dependencies of the files. */
export interface SnapshotDiskDeps {
  readonly dir: string;
  readonly program: string | null;
  readonly memory: DecisionMemory;
  /** Brings a workspace up to date. */
  readonly compile: (snapshot: SnapshotLists, previous: CompiledWorkspace) => Promise<readonly CompiledWorkspace[]>;
}

/** The snapshot files from which a process reads line items on demand. */
export class SnapshotDisk {
  readonly #deps: SnapshotDiskDeps;
  /** A file is closed when no list reads from it any more. */
  readonly #files = new FinalizationRegistry<number>((fd) => closeSync(fd));

  constructor(deps: SnapshotDiskDeps) {
    this.#deps = deps;
  }

  /** The workspaces of the last good snapshot; null when this program wrote no columns. @throws Error when a file is damaged */
  async open(): Promise<readonly CompiledWorkspace[] | null> {
    // Line items may have ended since the columns were written.
    return this.#read((stored) => this.#deps.compile(stored.snapshot, stored));
  }

  /**
   * The given workspaces with their line items on the disk, where the file has them; what differs lies on top of it.
   * @throws Error when a file is damaged
   */
  async move(workspaces: readonly CompiledWorkspace[]): Promise<readonly CompiledWorkspace[]> {
    return this.#moveBy(workspaces, (stored, _since, present) => sliceSteps(reconcileSnapshot(stored, present)));
  }

  /**
   * As `move`, for the workspaces of which it is known what changed since the file that they read from: no other record is read. The others
   * are left out. @throws Error when a file is damaged
   */
  async catchUp(workspaces: readonly CompiledWorkspace[]): Promise<readonly CompiledWorkspace[]> {
    return this.#moveBy(workspaces, (stored, since, present) =>
      sliceSteps(catchUpSnapshot({ stored, since }, present)),
    );
  }

  async #moveBy(
    workspaces: readonly CompiledWorkspace[],
    adopt: (stored: SnapshotLists, since: SnapshotChanges, present: SnapshotLists) => Promise<SnapshotLists | null>,
  ): Promise<readonly CompiledWorkspace[]> {
    const present = new Map(workspaces.map(({ snapshot }) => [snapshot.workspace.workspaceId, snapshot]));
    const moved = await this.#read(async (stored, since) => {
      const snapshot = present.get(stored.snapshot.workspace.workspaceId);
      if (snapshot === undefined || !compileAlike(stored.snapshot.workspace, snapshot.workspace)) return [];
      const lists = await adopt(stored.snapshot, since, snapshot);
      return lists === null ? [] : this.#deps.compile(lists, stored);
    });
    return moved ?? [];
  }

  async #read(
    adopt: (stored: CompiledWorkspace, since: SnapshotChanges) => Promise<readonly CompiledWorkspace[]>,
  ): Promise<readonly CompiledWorkspace[] | null> {
    const { dir, program, memory } = this.#deps;
    const opened = await openStoredSnapshot(dir, { program, memory });
    if (opened === null) return null;
    try {
      const workspaces: CompiledWorkspace[] = [];
      for (const [at, stored] of opened.workspaces.entries())
        workspaces.push(...(await adopt(stored, opened.changes[at] ?? {})));
      this.#files.register(opened.file, opened.file.fd);
      return workspaces;
    } catch (error) {
      opened.close();
      throw error;
    }
  }
}

/** The number of line items and creatives of a workspace that are in memory. */
export function countInMemory({ lineItems, creatives }: SnapshotLists): number {
  const countOf = (list: SnapshotLists['lineItems' | 'creatives']) =>
    list instanceof StoredRecords ? list.editCount : list.length;
  return countOf(lineItems) + countOf(creatives);
}
