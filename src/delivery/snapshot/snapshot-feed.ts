import { isDeepStrictEqual } from 'node:util';
import type { LogCode } from '../../domain/log/log-events.ts';
import type { SnapshotChange, SnapshotFeedDeps, SnapshotFeedStats } from './snapshot-feed-deps.ts';
import { withJitter } from '../../domain/time/jitter.ts';
import { CompiledNetworks } from './compiled-networks.ts';
import { compileAlike, compileSteps } from '../decision/index/compile-workspace.ts';
import { DecisionMemory } from '../decision/index/decision-memory.ts';
import { sliceSteps } from './slice-steps.ts';
import type { CompiledWorkspace } from '../decision/index/compiled-workspace.ts';
import { readSnapshotFile } from './snapshot-file.ts';
import { isShrunken } from './shrunken-snapshot.ts';
import { SnapshotFreshness } from './snapshot-freshness.ts';
import { SnapshotDisk, countInMemory } from './snapshot-disk.ts';
import { writeStoredSnapshot } from './stored-snapshot.ts';
import { countRecords, PART_OF_CHANGE, patchSnapshot, type SnapshotPart } from '../decision/index/snapshot-parts.ts';
import { FormerListsError, readLists } from './read-lists.ts';
import { PART_IDS_MAX, readCreativesOf, readPart, readWorkspaces } from './snapshot.sql.ts';
import type { SnapshotLists } from '../decision/index/snapshot-lists.ts';

const RECORDS_IN_MEMORY_MAX = 10_000;
/** From this part of them on, a process catches up with a newer file where that takes reading changed records alone. */
const CAUGHT_UP_SHARE = 1 / 10;
const MOVE_EVERY_MS = 60_000;
const GATHER_MS = 20;
const GATHER_MS_MAX = 200;
const RETRY_MS = 1_000;
const CONFIRM_MS = 1_000;
const FILE_EVERY_MS = 1_000;
/** Writing a large snapshot takes at most this share of the time, but may happen once a minute. */
const FILE_SHARE = 20;
const FILE_EVERY_MS_MAX = 60_000;

/**
 * Keeps the compiled snapshot of all workspaces. Reads everything at start, after a reconnect and in case of doubt; reads single entries on
 * change notices. A swap is one assignment. Steps of work run one at a time, and notices are collected meanwhile.
 */
export class SnapshotFeed {
  readonly #memory = new DecisionMemory();
  readonly #deps: SnapshotFeedDeps;
  readonly #disk: SnapshotDisk;
  #current = new CompiledNetworks([]);
  #pending = new Map<string, SnapshotChange>();
  #fullReadRequested = false;
  #networksChanged = false;
  #timer: NodeJS.Timeout | null = null;
  #fileTimer: NodeJS.Timeout | null = null;
  #running: Promise<void> = Promise.resolve();
  #writing: Promise<void> = Promise.resolve();
  #fileMs = 0;
  #watch: { close(): Promise<void> } | null = null;
  #closed = false;
  #moveTimer: NodeJS.Timeout | null = null;
  #stats = { refused: 0, failures: 0, compileMs: 0, readAtMs: null as number | null, fromFile: false };
  readonly #freshness: SnapshotFreshness;
  #suspectRecords: number | null = null;

  constructor(deps: SnapshotFeedDeps) {
    this.#deps = deps;
    const { dir, program = null, nowMs, observeChange = () => undefined } = deps;
    this.#freshness = new SnapshotFreshness(nowMs, observeChange);
    const compile = (snapshot: SnapshotLists, previous: CompiledWorkspace) => this.#compileAll([snapshot], previous);
    this.#disk = new SnapshotDisk({ dir, program, memory: this.#memory, compile });
  }

  /** The present snapshot for decisions. */
  current(): CompiledNetworks {
    return this.#current;
  }

  /** True once there is a snapshot. */
  get isReady(): boolean {
    return this.#stats.readAtMs !== null || this.#stats.fromFile;
  }

  get stats(): SnapshotFeedStats {
    return { ...this.#stats, behindSinceMs: this.#freshness.behindSinceMs };
  }

  /** Reads everything, or uses the file while the database is unavailable. Does not throw when the database is unavailable. */
  async start(): Promise<void> {
    this.#freshness.begin();
    // The first connection, like any other, requests a full read.
    const isFileEnough = this.#deps.startsFromFile === true && (await this.#useFile('snapshot.from_disk_first'));
    if (!isFileEnough) {
      await this.#deps.databaseReady?.();
      await this.#readFirst();
    }
    this.#watch = await this.#deps.watchChanges({
      onChange: (batch) => this.#gather(batch),
      onReconnect: () => {
        this.#freshness.connected();
        this.#requestFullRead(0);
      },
      onLost: () => this.#freshness.lost(),
    });
    this.#moveTimer = setInterval(() => {
      this.#running = this.#running.then(() => this.#moveToDisk());
    }, this.#deps.moveEveryMs ?? MOVE_EVERY_MS).unref();
  }

  /** Line items that were read from the database leave the memory of this process once a file has them. */
  async #moveToDisk(): Promise<void> {
    const inMemoryMax = this.#deps.recordsInMemoryMax ?? RECORDS_IN_MEMORY_MAX;
    const over = (max: number) => this.#current.all().filter(({ snapshot }) => countInMemory(snapshot) > max);
    if (over(inMemoryMax * CAUGHT_UP_SHARE).length === 0 || this.#closed) return;
    try {
      this.#current = this.#current.with(await this.#disk.catchUp(over(inMemoryMax * CAUGHT_UP_SHARE)));
      if (over(inMemoryMax).length > 0) this.#current = this.#current.with(await this.#disk.move(over(inMemoryMax)));
    } catch (error) {
      this.#recordFailure('snapshot.columns_unusable', error);
    }
  }

  async #readFirst(): Promise<void> {
    try {
      await this.#readAll();
    } catch (error) {
      this.#recordFailure('snapshot.first_read_failed', error);
      await this.#useFile('snapshot.from_disk');
      this.#requestFullRead(withJitter(RETRY_MS));
    }
  }

  async stop(): Promise<void> {
    this.#closed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    if (this.#moveTimer !== null) clearInterval(this.#moveTimer);
    const filePending = this.#fileTimer !== null;
    if (this.#fileTimer !== null) clearTimeout(this.#fileTimer);
    await this.#watch?.close();
    await this.#running;
    await this.#writing;
    if (filePending) await this.#writeFile();
  }

  #gather(batch: readonly SnapshotChange[]): void {
    for (const change of batch) {
      if (change.kind === 'network' || change.kind === 'experiment') this.#networksChanged = true;
      else if (change.workspaceId === 0) continue;
      else if (PART_OF_CHANGE[change.kind] !== undefined) {
        this.#pending.set(`${change.workspaceId}/${change.kind}/${change.id}`, change);
      }
    }
    if (this.#pending.size === 0 && !this.#networksChanged) return;
    this.#freshness.noticed();
    this.#schedule(this.#gatherMs());
  }

  /** Long compilations run at a lower rate. */
  #gatherMs(): number {
    return Math.max(this.#deps.gatherMs ?? GATHER_MS, Math.min(GATHER_MS_MAX, this.#stats.compileMs * 0.3));
  }

  #requestFullRead(delayMs: number): void {
    this.#fullReadRequested = true;
    this.#schedule(delayMs);
  }

  #schedule(delayMs: number): void {
    if (this.#timer !== null || this.#closed) return;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#running = this.#running.then(() => this.#step());
    }, delayMs);
  }

  async #step(): Promise<void> {
    if (this.#closed) return;
    const changes = [...this.#pending.values()];
    const isFull = this.#fullReadRequested;
    const hasNetworks = this.#networksChanged;
    this.#pending = new Map();
    this.#fullReadRequested = false;
    this.#networksChanged = false;
    this.#freshness.begin();
    try {
      if (isFull || (hasNetworks && !(await this.#readNetworks()))) await this.#readAll();
      else await this.#readChanges(changes);
    } catch (error) {
      this.#recordFailure('snapshot.changes_not_read', error);
      // The full read covers the pending changes.
      this.#requestFullRead(withJitter(RETRY_MS));
    }
  }

  async #readAll(): Promise<void> {
    const read: SnapshotLists[] = [];
    for (const { workspaceId } of await readWorkspaces(this.#deps.sql)) {
      const lists = await this.#readLists(workspaceId);
      if (lists !== null) read.push(lists);
    }
    if (!this.#believes(read)) {
      this.#requestFullRead(CONFIRM_MS);
      return;
    }
    const compiled: CompiledWorkspace[] = [];
    for (const lists of read) compiled.push(...(await this.#compileRead(lists)));
    this.#current = new CompiledNetworks(compiled);
    this.#recordRead();
  }

  /** All lists of a workspace. Records that stay the same stay where they are, unless their file was overwritten. */
  async #readLists(workspaceId: number): Promise<SnapshotLists | null> {
    const former = this.#current.findById(workspaceId)?.snapshot ?? null;
    const nowMs = this.#deps.nowMs();
    try {
      return await readLists(this.#deps.sql, { workspaceId, nowMs, former });
    } catch (error) {
      if (!(error instanceof FormerListsError)) throw error;
      this.#recordFailure('snapshot.columns_unusable', error);
      return readLists(this.#deps.sql, { workspaceId, nowMs, former: null });
    }
  }

  /** Compiles only the objects that differ from the present ones. */
  async #compileRead(read: SnapshotLists): Promise<CompiledWorkspace[]> {
    const { workspaceId } = read.workspace;
    const previous = this.#current.findById(workspaceId);
    if (previous === undefined || !compileAlike(previous.snapshot.workspace, read.workspace))
      return this.#compileAll([read]);
    try {
      return await this.#compileAll([read], previous);
    } catch (error) {
      this.#recordFailure('snapshot.columns_unusable', error);
      const whole = await readLists(this.#deps.sql, { workspaceId, nowMs: this.#deps.nowMs(), former: null });
      return whole === null ? [] : this.#compileAll([whole]);
    }
  }

  /** A snapshot that lost at least half of its entries needs a second full read that confirms it. */
  #believes(snapshots: readonly SnapshotLists[]): boolean {
    const before = this.#current.all().reduce((sum, { snapshot }) => sum + countRecords(snapshot), 0);
    const now = snapshots.reduce((sum, snapshot) => sum + countRecords(snapshot), 0);
    if (!isShrunken(before, now) || this.#suspectRecords === now) {
      this.#suspectRecords = null;
      return true;
    }
    this.#suspectRecords = now;
    this.#stats.refused += 1;
    this.#deps.log.event('snapshot.shrank', { before, now });
    return false;
  }

  /**
   * Reads the workspaces that are new or changed their time zone. Other settings are replaced, and the lists stay as they are: they have
   * notices of their own. Most settings of a network are not part of the snapshot.
   * @returns false when a workspace is gone or lost at least half of its entries: a full read decides on that
   */
  async #readNetworks(): Promise<boolean> {
    const listed = await readWorkspaces(this.#deps.sql);
    const ids = new Set(listed.map(({ workspaceId }) => workspaceId));
    if (this.#current.all().some(({ snapshot }) => !ids.has(snapshot.workspace.workspaceId))) return false;
    for (const workspace of listed) {
      const compiled = this.#current.findById(workspace.workspaceId);
      const known = compiled?.snapshot;
      if (isDeepStrictEqual(known?.workspace, workspace)) continue;
      if (compiled !== undefined && compileAlike(compiled.snapshot.workspace, workspace)) {
        this.#current = this.#current.with(await this.#compileAll([{ ...compiled.snapshot, workspace }], compiled));
        continue;
      }
      const [read] = await this.#readWorkspace(workspace.workspaceId);
      if (read === undefined) return false;
      if (known !== undefined && isShrunken(countRecords(known), countRecords(read.snapshot))) return false;
      this.#current = this.#current.with([read]);
    }
    return true;
  }

  async #readChanges(changes: readonly SnapshotChange[]): Promise<void> {
    const byWorkspace = Map.groupBy(changes, (change) => change.workspaceId);
    const touched: CompiledWorkspace[] = [];
    for (const [workspaceId, ofWorkspace] of byWorkspace) {
      const previous = this.#current.findById(workspaceId);
      if (previous === undefined || ofWorkspace.length > PART_IDS_MAX) {
        touched.push(...(await this.#readWorkspace(workspaceId)));
        continue;
      }
      let { snapshot } = previous;
      for (const [part, ofPart] of Map.groupBy(ofWorkspace, (change) => PART_OF_CHANGE[change.kind] as SnapshotPart)) {
        const ids = ofPart.map((change) => change.id);
        snapshot = await this.#patch(snapshot, part, ids);
      }
      touched.push(...(await this.#compileAll([snapshot], previous)));
    }
    this.#current = this.#current.with(touched);
    this.#recordRead();
  }

  async #readWorkspace(workspaceId: number): Promise<CompiledWorkspace[]> {
    const read = await this.#readLists(workspaceId);
    return read === null ? [] : this.#compileRead(read);
  }

  async #patch(snapshot: SnapshotLists, part: SnapshotPart, ids: string[]): Promise<SnapshotLists> {
    const nowMs = this.#deps.nowMs();
    const { workspace } = snapshot;
    const records = await readPart(this.#deps.sql, workspace, { part, nowMs, ids });
    const patched = patchSnapshot(snapshot, part, { ids, records });
    if (part !== 'lineItems') return patched;
    const creatives = await readCreativesOf(this.#deps.sql, workspace.workspaceId, { nowMs, lineItemIds: ids });
    return patchSnapshot(patched, 'creatives', { ids: [], records: creatives });
  }

  /** Compiles in slices, so that requests are served in between. @param previous of the same workspace: its unchanged parts are reused */
  async #compileAll(
    snapshots: readonly SnapshotLists[],
    previous: CompiledWorkspace | null = null,
  ): Promise<CompiledWorkspace[]> {
    const startedMs = performance.now();
    const compiled: CompiledWorkspace[] = [];
    for (const snapshot of snapshots) {
      const { workspaceId } = snapshot.workspace;
      const refuse = (lineItemId: string, error: unknown) =>
        this.#deps.log.event('snapshot.line_item_invalid', { workspaceId, lineItemId, err: error });
      compiled.push(
        await sliceSteps(
          compileSteps(snapshot, { nowMs: this.#deps.nowMs(), reportUnusable: refuse, previous, memory: this.#memory }),
        ),
      );
    }
    this.#stats.compileMs = performance.now() - startedMs;
    return compiled;
  }

  #recordRead(): void {
    this.#freshness.read();
    this.#stats.readAtMs = this.#deps.nowMs();
    this.#stats.fromFile = false;
    if (!this.#deps.writesFile || this.#fileTimer !== null || this.#closed) return;
    this.#fileTimer = setTimeout(
      () => {
        this.#fileTimer = null;
        // Runs beside the reading of changes: a snapshot never changes.
        this.#writing = this.#writing.then(() => this.#writeFile());
      },
      Math.max(FILE_EVERY_MS, Math.min(FILE_EVERY_MS_MAX, this.#fileMs * FILE_SHARE)),
    );
  }

  async #writeFile(): Promise<void> {
    const startedMs = performance.now();
    try {
      await writeStoredSnapshot(this.#deps.dir, this.#current.all(), this.#deps.program);
    } catch (error) {
      this.#recordFailure('snapshot.not_written', error);
    }
    this.#fileMs = performance.now() - startedMs;
  }

  /** @returns whether there is a usable file */
  async #useFile(reason: 'snapshot.from_disk' | 'snapshot.from_disk_first'): Promise<boolean> {
    if (await this.#openStored()) {
      this.#deps.log.event(reason, { workspaces: this.#current.all().length });
      return true;
    }
    try {
      const content = await readSnapshotFile(this.#deps.dir);
      if (content === null) return false;
      const { snapshots, program } = content;
      if (reason === 'snapshot.from_disk_first' && program !== (this.#deps.program ?? null)) return false;
      this.#current = new CompiledNetworks(await this.#compileAll(snapshots));
      this.#stats.fromFile = true;
      this.#deps.log.event(reason, { workspaces: snapshots.length });
      return true;
    } catch (error) {
      this.#recordFailure('snapshot.file_unusable', error);
      return false;
    }
  }

  /** Begins with the columns on disk: neither reads nor compiles line items. @returns whether there are columns of this program */
  async #openStored(): Promise<boolean> {
    try {
      const workspaces = await this.#disk.open();
      if (workspaces === null) return false;
      this.#current = new CompiledNetworks(workspaces);
      this.#stats.fromFile = true;
      return true;
    } catch (error) {
      this.#recordFailure('snapshot.columns_unusable', error);
      return false;
    }
  }

  #recordFailure(code: LogCode, error: unknown): void {
    this.#stats.failures += 1;
    this.#deps.log.event(code, { err: error });
  }
}
