import type { Log } from '../domain/log/log.ts';
import { PlacardError } from '../domain/errors.ts';
import { type DiskSpace, readDiskSpace } from './free-disk.ts';

const EVERY_MS = 5_000;
/** A figure is valid for this time: an upload of 32 MB takes longer. */
const FRESH_MS = 250;

/** The folder to watch, its bound and its log. */
export interface DiskWatchOptions {
  /** The folder whose file system is watched. */
  readonly dir: string;
  /** Below so many free bytes uploads and reports are refused. */
  readonly lowBytes: number;
  readonly log: Log;
  readonly nowMs: () => number;
  /** Default: the figures of the file system. */
  readonly read?: (dir: string) => Promise<DiskSpace>;
}

/** The state of the disk; null before the first reading, and while readings fail. */
export interface DiskState {
  readonly space: DiskSpace | null;
  readonly isLow: boolean;
}

/**
 * Watches the free space of the disk that the spool and the built-in stores share. Low space refuses work that can wait, long before
 * it refuses events: uploads and reports call `requireSpace` before they write.
 */
export class DiskWatch {
  readonly #options: DiskWatchOptions;
  #space: DiskSpace | null = null;
  #readAtMs = Number.NEGATIVE_INFINITY;
  #isLow = false;
  #timer: NodeJS.Timeout | null = null;

  constructor(options: DiskWatchOptions) {
    this.#options = options;
  }

  start(): void {
    void this.look();
    this.#timer = setInterval(() => void this.look(), EVERY_MS).unref();
  }

  async stop(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer);
  }

  get state(): DiskState {
    return { space: this.#space, isLow: this.#isLow };
  }

  /** @throws PlacardError `disk_space_low` when less than the bound would be left after `bytes` more */
  async requireSpace(bytes: number = 0): Promise<void> {
    if (this.#options.nowMs() - this.#readAtMs > FRESH_MS) await this.look();
    const { lowBytes } = this.#options;
    if (this.#space === null || this.#space.freeBytes - bytes >= lowBytes) return;
    throw new PlacardError('disk_space_low', undefined, { details: { retryAfterSeconds: 60 } });
  }

  /** Reads the figures now. A failed reading refuses no write: the disk itself reports errors. */
  async look(): Promise<void> {
    const { dir, lowBytes, log, nowMs, read = readDiskSpace } = this.#options;
    try {
      this.#space = await read(dir);
      this.#readAtMs = nowMs();
    } catch (error) {
      if (this.#space !== null) log.event('disk.space_unknown', { err: error });
      this.#space = null;
      return;
    }
    const { freeBytes } = this.#space;
    const isLow = freeBytes < lowBytes;
    if (isLow === this.#isLow) return;
    this.#isLow = isLow;
    const figures = { dir, freeBytes, lowBytes };
    if (isLow) log.event('disk.space_low', { ...figures });
    else log.event('disk.space_enough', { ...figures });
  }
}
