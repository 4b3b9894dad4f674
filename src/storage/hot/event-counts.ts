import type { CounterIncrement, ListPush } from './counter-effects.ts';

/** A line of a spool file that claims an event, and what only the first copy of the event adds. */
export interface EventLine {
  /** Of its first byte in the file. Lines of a file come in this order. */
  readonly offset: number;
  /** The event's key: `e/<event id>`. */
  readonly key: string;
  readonly ttlMs: number;
  readonly increments: readonly CounterIncrement[];
  readonly pushes: readonly ListPush[];
}

/** The next lines of a spool file. */
export interface LineBatch {
  /** `<worker index>/<file id>`, unique for ever. */
  readonly file: string;
  /** Where the last batch of this file ended; 0 for the first. All lines with claims before it were counted by earlier batches. */
  readonly from: number;
  /** The end of the last line of this batch. */
  readonly to: number;
  /** All lines with claims between `from` and `to`, in order. At most `HOT_BATCH_MAX`. */
  readonly lines: readonly EventLine[];
}

/** Lines before a batch are not counted, so it cannot be counted: the file waits for `countRest`. */
export class MissingLinesError extends Error {
  override readonly name = 'MissingLinesError';
}

/**
 * Counts the events of spool files, each exactly once. It remembers how far each file has been counted and which lines were
 * duplicates. That changes together with the claims and the counters, so any process may repeat any call.
 */
export interface EventCounts {
  /**
   * Claims and counts the lines of a batch. Lines that were counted before keep their results.
   * @returns for each line whether it is the first of its event
   * @throws MissingLinesError when lines before the batch are not counted
   */
  countLines(batch: LineBatch): Promise<readonly boolean[]>;
  /**
   * Counts what is left of a sealed file.
   * @param file.to where the file ends
   * @param readLines all lines with claims from an offset on; called only when some may be left
   * @returns offsets of the lines whose event another line counted
   */
  countRest(
    file: { readonly file: string; readonly to: number },
    readLines: (from: number) => readonly EventLine[],
  ): Promise<ReadonlySet<number>>;
  /**
   * Forgets how far a file is counted, ten minutes later: a late call of its writer still gets the results. Call it once its lines can
   * never be counted again.
   */
  forgetFile(file: string): Promise<void>;
  /** Whether an event with this key is counted. */
  isCounted(key: string): Promise<boolean>;
}

/** Lines of one step: they are counted at a stretch, while requests of this process and steps of others wait. */
const LINES_PER_STEP = 250;

/** A batch in parts of at most 250 lines, which follow on each other without a gap: one part for a batch without lines. */
export function* stepsOf({ file, from, to, lines }: LineBatch): Generator<LineBatch> {
  if (lines.length === 0) yield { file, from, to, lines };
  for (let at = 0, start = from; at < lines.length; at += LINES_PER_STEP) {
    const end = lines[at + LINES_PER_STEP]?.offset ?? to;
    yield { file, from: start, to: end, lines: lines.slice(at, at + LINES_PER_STEP) };
    start = end;
  }
}

/** How far a spool file is counted. */
export interface FileProgress {
  /** All lines before this offset are counted. */
  readonly watermark: number;
  /** Offsets of those whose event another line counted, rising. */
  readonly duplicates: readonly number[];
}
