import type { Log } from '../domain/log/log.ts';
import { PlacardError } from '../domain/errors.ts';
import { type DiskSpace, readDiskSpace } from './free-disk.ts';

const EVERY_MS = 5_000;
/** A figure is believed for so long: an upload of 32 MB takes longer. */
const FRESH_MS = 250;

/** What a watch works with. */
export interface DiskWatchOptions {
  /** The folder whose file system is watched. */
  readonly dir: string;
  /** Below so many free bytes uploads and reports are refused. */
  readonly lowBytes: number;
  readonly log: Log;
  readonly nowMs: () => number;
  /** Default: what the file system says. */
  readonly read?: (dir: string) => Promise<DiskSpace>;
}

/** What is known of the disk; null before it was read, and while it cannot be. */
export interface DiskState {
  readonly space: DiskSpace | null;
  readonly isLow: boolean;
}

/**
 * Watches the free space of the disk that the spool and the built-in stores share. While it is low, what can wait is refused, long before
 * events have to be: uploads and reports ask `requireSpace` before they write.
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

  /** Reads the figures now. Where they cannot be read nothing is refused for it: the disk itself will say. */
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
