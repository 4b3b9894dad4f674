import { PlacardError } from '../../domain/errors.ts';

/** Refuses events early while too many wait, so that those that were admitted are recorded in time. */
export interface EventAdmission {
  /** Call it before any work on an event. @throws PlacardError `overloaded` with `Retry-After` */
  check(): void;
  /** Events that were refused, since the start. */
  refused(): number;
}

/** Events of one worker that may wait for disk and hot store: each holds about 4 kB. */
const WAITING_MAX = 5_000;
/** The oldest may wait this long: pages do not send their pixels again, so a short stall of the disk refuses nobody. */
const AGE_MS_MAX = 2_000;
/** While so few wait, a stalled disk refuses them later: they are written with the next commit. */
const FEW_EVENTS = 64;
const FEW_AGE_MS_MAX = 10_000;

/** @param wait how many events wait, and the milliseconds that the oldest waits for the disk */
export function createEventAdmission(wait: () => { readonly events: number; readonly ageMs: number }): EventAdmission {
  // One for all: the stack of an error costs more than the refusal.
  const overloaded = new PlacardError('overloaded', 'Too many events wait for the disk; send it again in a moment.', {
    details: { retryAfterSeconds: 1 },
  });
  let refused = 0;
  return {
    check: () => {
      const { events, ageMs } = wait();
      const ageMsMax = events < FEW_EVENTS ? FEW_AGE_MS_MAX : AGE_MS_MAX;
      if (events < WAITING_MAX && ageMs < ageMsMax) return;
      refused += 1;
      throw overloaded;
    },
    refused: () => refused,
  };
}
