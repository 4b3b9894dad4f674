import { localDay } from '../../../domain/time/calendar.ts';

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
const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

interface Remembered {
  readonly moment: LocalMoment;
  readonly minuteNumber: number;
}

/** Local moments by time zone, cached for the current minute, because the calendar takes microseconds. */
export class LocalClock {
  readonly #remembered = new Map<string, Remembered>();
  readonly #formatters = new Map<string, Intl.DateTimeFormat>();

  /** @throws RangeError for an unknown time zone */
  at(nowMs: number, timezone: string): LocalMoment {
    const minuteNumber = Math.floor(nowMs / MINUTE_MS);
    const known = this.#remembered.get(timezone);
    if (known !== undefined && known.minuteNumber === minuteNumber) return known.moment;
    const moment = this.#read(nowMs, timezone);
    if (this.#remembered.size >= ZONES_MAX) this.#remembered.clear();
    this.#remembered.set(timezone, { moment, minuteNumber });
    return moment;
  }

  #read(nowMs: number, timezone: string): LocalMoment {
    const parts = new Map(
      this.#formatterOf(timezone)
        .formatToParts(nowMs)
        .map((part) => [part.type, part.value]),
    );
    return {
      day: localDay(nowMs, timezone),
      weekday: WEEKDAYS.indexOf(parts.get('weekday') ?? '') + 1,
      minute: Number(parts.get('hour')) * 60 + Number(parts.get('minute')),
    };
  }

  #formatterOf(timezone: string): Intl.DateTimeFormat {
    const known = this.#formatters.get(timezone);
    if (known !== undefined) return known;
    const options = {
      timeZone: timezone,
      weekday: 'short',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    } as const;
    const made = new Intl.DateTimeFormat('en-US', options);
    if (this.#formatters.size >= ZONES_MAX) this.#formatters.clear();
    this.#formatters.set(timezone, made);
    return made;
  }
}
