import type { Log } from '../../domain/log/log.ts';
import type { EventRow } from '../../domain/events/event.ts';
import type { HotStore } from '../../storage/hot/hot-store.ts';
import { ArrivalCounting } from './arrival-counting.ts';
import type { EventMetrics } from './event-metrics.ts';
import { encodeSpoolLine } from '../spool/spool-line.ts';
import type { Claim } from '../spool/spool-line.ts';
import type { Spool } from '../spool/spool.ts';
import type { UncountedMarks } from '../spool/uncounted-marks.ts';

/** Whether a recorded event was the first of its id. */
export interface Recorded {
  readonly first: boolean;
}

/** Puts events on disk and counts them. */
export interface EventRecorder {
  /**
   * Resolves once the event is on stable storage, and counted unless its id was counted before. When the hot store is unavailable, it
   * is counted later, by the shipper; `first` is then assumed.
   * @param touches rows of kind `touch` that are stored when the event is, in the form of `rowText`
   * @throws PlacardError `unavailable` or `overloaded` when the disk did not take it (it is then not recorded)
   */
  record(row: EventRow, claim: Claim, touches?: readonly string[]): Promise<Recorded>;
  /**
   * Whether acknowledged events wait to be counted on any machine: an event that the hot store does not know may still have happened. Never
   * throws; true when the hot store is unavailable.
   */
  hasUncounted(): Promise<boolean>;
  /** Events that are being recorded now. */
  recording(): number;
}

/** Key under which an event id is claimed. */
export function eventKey(eventId: string): string {
  return `e/${eventId}`;
}

/** Records into a spool, and counts in a hot store. */
export function createRecorder(deps: {
  spool: Spool;
  hot: Pick<HotStore, 'countLines'>;
  log: Log;
  metrics: EventMetrics;
  uncounted: UncountedMarks;
}): EventRecorder {
  const { spool, hot, log, metrics, uncounted } = deps;
  const arrival = new ArrivalCounting({
    counts: hot,
    onFailure: (spoolFile, error) => log.event('event.counted_later', { err: error, spoolFile }),
  });
  let recording = 0;
  return {
    record: async (row, claim, touches) => {
      recording += 1;
      try {
        const position = await spool.append(encodeSpoolLine(row, claim, touches));
        metrics.countRecorded(row.kind, row.invalid_reason);
        if (touches !== undefined) metrics.countRecorded('touch', row.invalid_reason, touches.length);
        const first = await arrival.count(position, claim);
        if (first !== null) return { first };
        metrics.countHotFailure();
        uncounted.add(position.file);
        return { first: true };
      } finally {
        recording -= 1;
      }
    },
    hasUncounted: () => uncounted.anywhere(),
    recording: () => recording,
  };
}
