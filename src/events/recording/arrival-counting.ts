import { type Later, laterThanArrived, withinTime } from '../../domain/time/time-limit.ts';
import type { EventCounts, EventLine } from '../../storage/hot/event-counts.ts';
import { eventLineAt, isCountable } from '../spool/event-lines.ts';
import type { Claim } from '../spool/spool-line.ts';
import type { SpoolPosition } from '../spool/spool.ts';

/** Most lines of one call. */
const LINES_PER_CALL = 1_000;
/** Longest that an event waits to be counted. A call that is late may still count: the shipper finds what it counted. */
const WAIT_MS = 1_000;
/** After a failed call, files that begin within this time are left to the shipper. */
const RETRY_AFTER_MS = 1_000;

/** Dependencies of counting on arrival. */
export interface ArrivalCountingDeps {
  readonly counts: Pick<EventCounts, 'countLines'>;
  /** The lines of a file are left to the shipper from now on. */
  readonly onFailure: (file: string, error: unknown) => void;
  /** Default: a timer. */
  readonly later?: Later;
}

interface WaitingLine {
  readonly line: EventLine;
  readonly end: number;
  readonly resolve: (isFirst: boolean | null) => void;
}

/** A spool file whose lines are counted as they come. */
interface ArrivingFile {
  readonly file: string;
  countedTo: number;
  /** Further lines are left to the shipper: it counts from where the counting on arrival ended. */
  isLeft: boolean;
  isRunning: boolean;
  waiting: WaitingLine[];
}

/**
 * Counts the lines of one spool as soon as they are on disk: those that were synced together in one call, one call of a file at a time.
 * The call after it takes all that came meanwhile. Lines of a file are counted in order and without gaps, so after a failed call the
 * shipper counts the rest of its file.
 */
export class ArrivalCounting {
  readonly #deps: ArrivalCountingDeps;
  #current: ArrivingFile | null = null;
  #retryAtMs = Number.NEGATIVE_INFINITY;

  constructor(deps: ArrivalCountingDeps) {
    this.#deps = deps;
  }

  /**
   * Lines must come in the order of the spool.
   * @returns whether the line is the first of its event; null when it is left to the shipper
   */
  count({ file, offset, end }: SpoolPosition, claim: Claim): Promise<boolean | null> {
    const arriving = this.#findFile(file);
    const line = eventLineAt(claim, offset);
    if (!arriving.isLeft && !isCountable(line))
      this.#leave(arriving, new RangeError(`The claim at ${file}/${offset} is outside the bounds of the hot store`));
    if (arriving.isLeft) return Promise.resolve(null);
    return new Promise((resolve) => {
      arriving.waiting.push({ line, end, resolve });
      if (arriving.isRunning) return;
      arriving.isRunning = true;
      // Lines of one sync come in one turn.
      queueMicrotask(() => void this.#run(arriving));
    });
  }

  #findFile(file: string): ArrivingFile {
    if (this.#current?.file === file) return this.#current;
    const isLeft = performance.now() < this.#retryAtMs;
    this.#current = { file, countedTo: 0, isLeft, isRunning: false, waiting: [] };
    return this.#current;
  }

  /** Never throws. */
  async #run(arriving: ArrivingFile): Promise<void> {
    while (arriving.waiting.length > 0) {
      const next = arriving.waiting.splice(0, LINES_PER_CALL);
      try {
        const isFirst = await this.#countTogether(arriving, next);
        for (const [at, { resolve }] of next.entries()) resolve(isFirst[at] ?? null);
      } catch (error) {
        this.#retryAtMs = performance.now() + RETRY_AFTER_MS;
        this.#leave(arriving, error);
        for (const { resolve } of [...next, ...arriving.waiting.splice(0)]) resolve(null);
      }
    }
    arriving.isRunning = false;
  }

  async #countTogether(arriving: ArrivingFile, next: readonly WaitingLine[]): Promise<readonly boolean[]> {
    const from = arriving.countedTo;
    const to = next.at(-1)?.end ?? from;
    const lines = next.map(({ line }) => line);
    const { counts, later = laterThanArrived } = this.#deps;
    const isFirst = await withinTime(counts.countLines({ file: arriving.file, from, to, lines }), WAIT_MS, later);
    arriving.countedTo = to;
    return isFirst;
  }

  #leave(arriving: ArrivingFile, error: unknown): void {
    arriving.isLeft = true;
    this.#deps.onFailure(arriving.file, error);
  }
}
