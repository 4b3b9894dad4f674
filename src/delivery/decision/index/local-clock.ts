import { zoneOffsetMs } from '../../../domain/time/time-zone.ts';

/** A moment in the calendar of one time zone. */
export interface LocalMoment {
  /** `YYYY-MM-DD` */
  readonly day: string;
  /** 1 = Monday … 7 = Sunday. */
  readonly weekday: number;
  /** Minutes since local midnight by the wall clock, 0…1439. */
  readonly minute: number;
}

const ZONES_MAX = 600;
const MINUTE_MS = 60_000;
/** Zones change their clocks at whole quarters of an hour. */
const QUARTER_MS = 15 * MINUTE_MS;
const DAY_MS = 86_400_000;
const WEEK_DAYS = 7;
/** 1970-01-01 was a Thursday. */
const FIRST_WEEKDAY = 3;

interface Remembered {
  minuteNumber: number;
  moment: LocalMoment;
  quarterNumber: number;
  offsetMs: number;
  dayNumber: number;
}

/** Local moments by time zone. The calendar takes microseconds: it is asked once in a quarter of an hour. */
export class LocalClock {
  readonly #remembered = new Map<string, Remembered>();

  /** @throws RangeError for an unknown time zone */
  at(nowMs: number, timezone: string): LocalMoment {
    const minuteNumber = Math.floor(nowMs / MINUTE_MS);
    const known = this.#remembered.get(timezone);
    if (known === undefined) return this.#add(nowMs, timezone).moment;
    if (known.minuteNumber !== minuteNumber) move(known, nowMs, timezone);
    return known.moment;
  }

  #add(nowMs: number, timezone: string): Remembered {
    const added = {
      minuteNumber: Number.NaN,
      moment: { day: '', weekday: 0, minute: 0 },
      quarterNumber: Number.NaN,
      offsetMs: 0,
      dayNumber: Number.NaN,
    };
    move(added, nowMs, timezone);
    if (this.#remembered.size >= ZONES_MAX) this.#remembered.clear();
    this.#remembered.set(timezone, added);
    return added;
  }
}

function move(known: Remembered, nowMs: number, timezone: string): void {
  const quarterNumber = Math.floor(nowMs / QUARTER_MS);
  if (known.quarterNumber !== quarterNumber) {
    known.offsetMs = zoneOffsetMs(timezone, quarterNumber * QUARTER_MS);
    known.quarterNumber = quarterNumber;
  }
  const localMs = nowMs + known.offsetMs;
  const dayNumber = Math.floor(localMs / DAY_MS);
  const day =
    dayNumber === known.dayNumber ? known.moment.day : new Date(dayNumber * DAY_MS).toISOString().slice(0, 10);
  const weekday = ((((dayNumber + FIRST_WEEKDAY) % WEEK_DAYS) + WEEK_DAYS) % WEEK_DAYS) + 1;
  known.minuteNumber = Math.floor(nowMs / MINUTE_MS);
  known.dayNumber = dayNumber;
  known.moment = { day, weekday, minute: Math.floor((localMs - dayNumber * DAY_MS) / MINUTE_MS) };
}
