import { unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { HotStore } from '../storage/hot/hot-store.ts';
import { OlapError } from '../storage/olap/olap.ts';
import type { Olap } from '../storage/olap/olap.ts';
import { EVENT_COLUMNS, EVENTS_TABLE } from './events.olap.ts';
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

/** When this many rows of a segment are refused, it is no bad row but a bad store or schema: the rest is kept aside whole. */
const REFUSED_ROWS_MAX = 100;

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
      this.repeat('sealed', (file) => this.settle(file)),
      this.repeat('settled', (file) => this.ship(file)),
    ];
  }

  wake(): void {
    for (const waker of this.wakers) waker();
  }

  async stop(deadlineMs: number): Promise<void> {
    this.stopping = true;
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

  /** Handles every segment of a state, oldest first, for ever; a failure is tried again after a wait that doubles. */
  private async repeat(state: SegmentFile['state'], handle: (file: SegmentFile) => Promise<void>): Promise<void> {
    const { backoffMsMin = 200, backoffMsMax = 10_000, pollMs = 250, log } = this.options;
    let backoffMs = 0;
    while (!this.stopNow) {
      try {
        for (const file of this.list(state)) {
          if (this.stopNow) return;
          await handle(file);
          backoffMs = 0;
        }
        if (this.stopping && this.isDone(state)) return;
        backoffMs = 0;
      } catch (error) {
        this.counts.failures += 1;
        backoffMs = Math.min(backoffMsMax, Math.max(backoffMsMin, backoffMs * 2));
        log.warn({ err: error, retryInMs: backoffMs, state }, 'events wait on disk: a store does not take them');
      }
      await this.wait(backoffMs > 0 ? backoffMs : pollMs, backoffMs > 0);
    }
  }

  /** While stopping: nothing of this state is left, nor can any come. */
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
      const timer = setTimeout(done, this.stopping ? Math.min(timeoutMs, 50) : timeoutMs);
      this.wakers.add(finish);
    });
  }

  private async settle(file: SegmentFile): Promise<void> {
    const settled = await settleSegment(file, this.options.hot, this.rejectedDir);
    this.counts.duplicateRows += settled.duplicates;
    this.counts.rejectedRows += settled.unreadable;
    if (settled.unreadable > 0) {
      this.options.log.error(
        { segment: file.segment, rows: settled.unreadable },
        'unreadable event lines were set aside',
      );
    }
    this.wake();
  }

  private async ship(file: SegmentFile): Promise<void> {
    const rows = splitLines(await readCounted(file)).flatMap((line) => decodeSpoolLine(line)?.row ?? []);
    const refused: string[] = [];
    if (rows.length > 0) await this.insert(rows, `events/${file.segment}`, refused);
    if (refused.length > 0) {
      await keepRejected(this.rejectedDir, `${file.segment}.refused`, refused);
      this.counts.rejectedRows += refused.length;
      this.options.log.error(
        { segment: file.segment, rows: refused.length },
        'the analytics store refuses event rows; they were set aside',
      );
    }
    await unlink(file.path);
    syncFolder(file.dir);
    this.counts.shippedRows += rows.length - refused.length;
  }

  /**
   * Inserts rows under a token. Rows that the store refuses for what they say are found by halving; each half has a token of
   * its own, fixed by its place, so that a repeat after a crash inserts nothing twice.
   */
  private async insert(rows: readonly string[], token: string, refused: string[]): Promise<void> {
    if (refused.length >= REFUSED_ROWS_MAX) {
      refused.push(...rows);
      return;
    }
    try {
      const body = Buffer.from(`${rows.join('\n')}\n`, 'utf8');
      await this.options.olap.insertRaw({ table: EVENTS_TABLE, columns: EVENT_COLUMNS, body, token });
    } catch (error) {
      if (!isRefusal(error)) throw error;
      if (rows.length === 1) {
        refused.push(...rows);
        return;
      }
      const middle = Math.ceil(rows.length / 2);
      await this.insert(rows.slice(0, middle), `${token}-a`, refused);
      await this.insert(rows.slice(middle), `${token}-b`, refused);
    }
  }
}

/** True when the same rows would be refused again, whenever they are sent. */
function isRefusal(error: unknown): boolean {
  return (
    error instanceof OlapError && !error.retryable && (error.code === 'invalid_query' || error.code === 'too_large')
  );
}
