import { unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { HotStore } from '../storage/hot/hot-store.ts';
import type { Olap } from '../storage/olap/olap.ts';
import { EVENT_COLUMNS, EVENTS_TABLE } from './events.olap.ts';
import { AllRefusedError, insertReadable, isRefusal } from './refused-rows.ts';
import { keepRejected, readCounted, settleSegment } from './settlement.ts';
import { decodeSpoolLine, splitLines } from './spool-line.ts';
import { listSegments, listSlots, makeFolder, recoverOpenSegments, syncFolder } from './spool-segments.ts';
import type { SegmentFile } from './spool-segments.ts';

/** What a shipper is made with. */
export interface ShipperOptions {
  /** `<data>/spool`, which holds the slots' folders. */
  readonly spoolDir: string;
  /** Whose segments to ship. Slot 0 also ships those of slots that no worker has any more. */
  readonly slot: number;
  /** How many slots have a worker of their own (0 … workers − 1). */
  readonly workers: number;
  readonly hot: HotStore;
  readonly olap: Olap;
  readonly log: Logger;
  /** First and longest wait after a failure. Default 200 and 10_000. */
  readonly backoffMsMin?: number;
  readonly backoffMsMax?: number;
  /** How often folders are looked at without being woken. Default 250. */
  readonly pollMs?: number;
}

/** Figures of a shipper, for metrics. */
export interface ShipperStats {
  readonly shippedRows: number;
  readonly duplicateRows: number;
  readonly rejectedRows: number;
  readonly failures: number;
}

/** Takes sealed segments to the analytics store, each exactly once, and deletes them there-after. */
export interface Shipper {
  start(): void;
  /** A segment was sealed: look now. */
  wake(): void;
  /** Ships what is sealed, at most for so long; what is left waits for the next start. Then stops. */
  stop(deadlineMs: number): Promise<void>;
  /** Segments and bytes that the analytics store does not have yet. */
  backlog(): { readonly segments: number; readonly bytes: number };
  stats(): ShipperStats;
}

/** Segments in a row that fail before the store is taken to be away, and left alone for a while. */
const FAILURES_IN_A_ROW_MAX = 2;
/** Finding out that a store refuses everything takes a few hundred inserts. */
const ALL_REFUSED_WAIT_MS = 600_000;
/** Longest pause between tries while the worker stops. */
const STOPPING_WAIT_MS = 50;

/** When a segment that failed is tried again. */
interface Deferral {
  readonly dueMs: number;
  readonly waitMs: number;
}

/** Makes a shipper; nothing happens before `start`. */
export function createShipper(options: ShipperOptions): Shipper {
  return new SegmentShipper(options);
}

class SegmentShipper implements Shipper {
  private readonly options: ShipperOptions;
  private readonly rejectedDir: string;
  private dirs: string[] = [];
  private tasks: Promise<unknown>[] = [];
  private stopping = false;
  private stopNow = false;
  private wakers = new Set<() => void>();
  /** By path: segments that failed wait for their time, while the others go on. */
  private readonly deferrals = new Map<string, Deferral>();
  /** Paths of settled segments with rows that the store refuses: finding those takes many inserts, so they have a turn of their own. */
  private readonly suspects = new Set<string>();
  private counts = { shippedRows: 0, duplicateRows: 0, rejectedRows: 0, failures: 0 };

  constructor(options: ShipperOptions) {
    this.options = options;
    this.rejectedDir = join(options.spoolDir, 'rejected');
  }

  start(): void {
    const { spoolDir, slot, workers } = this.options;
    makeFolder(this.rejectedDir);
    const orphans = slot === 0 ? listSlots(spoolDir).filter((one) => one >= workers) : [];
    for (const orphan of orphans) recoverOpenSegments(join(spoolDir, `w${orphan}`));
    this.dirs = [slot, ...orphans].map((one) => join(spoolDir, `w${one}`));
    this.tasks = [
      this.repeat(
        'sealed',
        () => this.list('sealed'),
        (file) => this.settle(file),
      ),
      this.repeat(
        'settled',
        () => this.list('settled').filter(({ path }) => !this.suspects.has(path)),
        (file) => this.ship(file),
      ),
      this.repeat(
        'settled',
        // Mostly there are none, and folders need not be read for them.
        () => (this.suspects.size === 0 ? [] : this.list('settled').filter(({ path }) => this.suspects.has(path))),
        (file) => this.sift(file),
      ),
    ];
  }

  wake(): void {
    for (const waker of this.wakers) waker();
  }

  async stop(deadlineMs: number): Promise<void> {
    this.stopping = true;
    this.deferrals.clear();
    this.wake();
    const timer = setTimeout(() => {
      this.stopNow = true;
      this.wake();
    }, deadlineMs);
    await Promise.race([
      Promise.all(this.tasks),
      new Promise((resolve) => setTimeout(resolve, deadlineMs + 500).unref()),
    ]);
    clearTimeout(timer);
  }

  backlog(): { segments: number; bytes: number } {
    const files = this.dirs.flatMap(listSegments);
    return { segments: files.length, bytes: files.reduce((sum, file) => sum + file.bytes, 0) };
  }

  stats(): ShipperStats {
    return { ...this.counts };
  }

  /** Handles every segment that `list` gives, oldest first, for ever. */
  private async repeat(
    state: SegmentFile['state'],
    list: () => SegmentFile[],
    handle: (file: SegmentFile) => Promise<void>,
  ): Promise<void> {
    const { backoffMsMin = 200, backoffMsMax = 10_000, pollMs = 250 } = this.options;
    let backoffMs = 0;
    while (!this.stopNow) {
      const isStoreAway = await this.handleAll(list().filter(this.isDue), handle, () => (backoffMs = 0));
      if (this.stopNow || (this.stopping && this.isDone(state))) return;
      if (isStoreAway) backoffMs = Math.min(backoffMsMax, Math.max(backoffMsMin, backoffMs * 2));
      await this.wait(isStoreAway ? backoffMs : pollMs, isStoreAway);
    }
  }

  /** Each once: what fails is deferred, so that it holds up no other. True when so many fail that it must be the store. */
  private async handleAll(
    files: readonly SegmentFile[],
    handle: (file: SegmentFile) => Promise<void>,
    onSuccess: () => void,
  ): Promise<boolean> {
    let failed = 0;
    for (const file of files) {
      if (this.stopNow) return false;
      try {
        await handle(file);
        this.deferrals.delete(file.path);
        failed = 0;
        onSuccess();
      } catch (error) {
        this.defer(file, error);
        failed += 1;
        if (failed >= FAILURES_IN_A_ROW_MAX) return true;
      }
    }
    return false;
  }

  private readonly isDue = ({ path }: SegmentFile): boolean => (this.deferrals.get(path)?.dueMs ?? 0) <= Date.now();

  /** It is tried again after a wait that doubles. */
  private defer({ path, segment, state }: SegmentFile, error: unknown): void {
    const { backoffMsMin = 200, backoffMsMax = 10_000, log } = this.options;
    const doubledMs = Math.min(backoffMsMax, Math.max(backoffMsMin, (this.deferrals.get(path)?.waitMs ?? 0) * 2));
    const waitMs = error instanceof AllRefusedError ? ALL_REFUSED_WAIT_MS : doubledMs;
    this.deferrals.set(path, { dueMs: Date.now() + (this.stopping ? STOPPING_WAIT_MS : waitMs), waitMs });
    this.counts.failures += 1;
    log.warn({ err: error, retryInMs: waitMs, segment, state }, 'events wait on disk: a store does not take them');
  }

  /** While stopping: nothing of this state is left that could go now, nor can any come. */
  private isDone(state: SegmentFile['state']): boolean {
    return this.list('sealed').length === 0 && (state === 'sealed' || this.list('settled').length === 0);
  }

  private list(state: SegmentFile['state']): SegmentFile[] {
    return this.dirs.flatMap(listSegments).filter((file) => file.state === state);
  }

  private wait(timeoutMs: number, isBackoff: boolean): Promise<void> {
    return new Promise((resolve) => {
      const finish = (): void => {
        if (isBackoff && !this.stopNow) return;
        done();
      };
      const done = (): void => {
        clearTimeout(timer);
        this.wakers.delete(finish);
        resolve();
      };
      const timer = setTimeout(done, this.stopping ? Math.min(timeoutMs, STOPPING_WAIT_MS) : timeoutMs);
      this.wakers.add(finish);
    });
  }

  private async settle(file: SegmentFile): Promise<void> {
    const settled = await settleSegment(file, this.options.hot, this.rejectedDir);
    this.counts.duplicateRows += settled.duplicates;
    const { unreadable, uncountable } = settled;
    this.counts.rejectedRows += unreadable + uncountable;
    if (unreadable + uncountable > 0) {
      this.options.log.error(
        { segment: file.segment, unreadable, uncountable },
        'event lines that cannot be read or counted were set aside',
      );
    }
    this.wake();
  }

  private async ship(file: SegmentFile): Promise<void> {
    const rows = await this.readRows(file);
    try {
      if (rows.length > 0) await this.insert(rows, tokenOf(file));
    } catch (error) {
      if (!isRefusal(error)) throw error;
      this.suspects.add(file.path);
      this.wake();
      return;
    }
    await this.finish(file, rows.length);
  }

  /** Ships a segment without the rows that the store refuses. */
  private async sift(file: SegmentFile): Promise<void> {
    const rows = await this.readRows(file);
    const refused = await insertReadable(
      async (part, token) => {
        if (this.stopNow) throw new Error('The worker stops before the refused rows of a segment were found');
        await this.insert(part, token);
      },
      rows,
      tokenOf(file),
    );
    if (refused.length > 0) {
      await keepRejected(this.rejectedDir, `${file.segment}.refused`, refused);
      this.counts.rejectedRows += refused.length;
      this.options.log.error(
        { segment: file.segment, rows: refused.length },
        'the analytics store refuses event rows; they were set aside',
      );
    }
    await this.finish(file, rows.length - refused.length);
    this.suspects.delete(file.path);
  }

  private async readRows(file: SegmentFile): Promise<readonly string[]> {
    return splitLines(await readCounted(file)).flatMap((line) => decodeSpoolLine(line)?.row ?? []);
  }

  private async insert(rows: readonly string[], token: string): Promise<void> {
    const body = Buffer.from(`${rows.join('\n')}\n`, 'utf8');
    await this.options.olap.insertRaw({ table: EVENTS_TABLE, columns: EVENT_COLUMNS, body, token });
  }

  private async finish(file: SegmentFile, shipped: number): Promise<void> {
    await unlink(file.path);
    syncFolder(file.dir);
    this.counts.shippedRows += shipped;
  }
}

function tokenOf({ segment }: SegmentFile): string {
  return `events/${segment}`;
}
