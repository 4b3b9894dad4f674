const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
const NANOS_PER_MS = 1_000_000;

/** How far a zone's clocks are ahead of UTC at an instant, in milliseconds. @throws RangeError for an unknown zone */
export function zoneOffsetMs(timezone: string, atMs: number): number {
  return zonedAt(timezone, atMs).offsetNanoseconds / NANOS_PER_MS;
}

/** A local day, of 23, 24 or 25 hours (or whatever the zone made of it). */
export interface LocalDaySpan {
  readonly startMs: number;
  readonly endMs: number;
}

/** The local day that holds an instant. @throws RangeError for an unknown zone */
export function localDaySpan(timezone: string, atMs: number): LocalDaySpan {
  const start = zonedAt(timezone, atMs).startOfDay();
  return { startMs: start.epochMilliseconds, endMs: start.add({ days: 1 }).startOfDay().epochMilliseconds };
}

/** When the day so many days before that of an instant begins. Days have 23 or 25 hours where clocks change. */
export function startOfDayBefore(timezone: string, atMs: number, days: number): number {
  return zonedAt(timezone, atMs).subtract({ days }).startOfDay().epochMilliseconds;
}

/** When the day so many days after that of an instant begins. */
export function startOfDayAfter(timezone: string, atMs: number, days: number): number {
  return zonedAt(timezone, atMs).startOfDay().add({ days }).startOfDay().epochMilliseconds;
}

/** By how much the clocks of a zone differ between two instants, in milliseconds: 30 days of 24 hours, also where one of them has 25. */
export function clockSpanMs(timezone: string, fromMs: number, toMs: number): number {
  return toMs + zoneOffsetMs(timezone, toMs) - fromMs - zoneOffsetMs(timezone, fromMs);
}

/**
 * An instant moved by a span of the clocks of a zone: what was at midnight stays at midnight. Of two such instants the first; of a time that
 * clocks leave out, the instant after the change.
 */
export function moveOnClock(timezone: string, atMs: number, spanMs: number): number {
  const local = zonedAt(timezone, atMs).toPlainDateTime().add({ milliseconds: spanMs });
  return local.toZonedDateTime(timezone).epochMilliseconds + (atMs - Math.floor(atMs));
}

/** The zone's offset at `count` instants `stepMs` apart; asks the calendar about twice a day. */
export function zoneOffsets(timezone: string, fromMs: number, grid: { stepMs: number; count: number }): Float64Array {
  const offsets = new Float64Array(grid.count);
  let dayEndMs = Number.NEGATIVE_INFINITY;
  let known: number | null = null;
  for (let at = 0; at < grid.count; at += 1) {
    const atMs = fromMs + at * grid.stepMs;
    if (atMs >= dayEndMs) {
      dayEndMs = atMs + DAY_MS;
      const offset = zoneOffsetMs(timezone, atMs);
      // Two changes within a day, back and forth, have not happened.
      known = offset === zoneOffsetMs(timezone, dayEndMs - HOUR_MS / 4) ? offset : null;
    }
    offsets[at] = known ?? zoneOffsetMs(timezone, atMs);
  }
  return offsets;
}

/** The offsets of a zone, each asked of the calendar once. Clocks are changed at full hours of UTC. */
export class HourlyOffsets {
  readonly #timezone: string;
  readonly #known = new Map<number, number>();

  constructor(timezone: string) {
    this.#timezone = timezone;
  }

  /** In milliseconds. @throws RangeError for an unknown zone */
  at(atMs: number): number {
    const hour = Math.floor(atMs / HOUR_MS);
    let offset = this.#known.get(hour);
    if (offset === undefined) this.#known.set(hour, (offset = zoneOffsetMs(this.#timezone, hour * HOUR_MS)));
    return offset;
  }
}

/** An instant by the clocks of a zone. @throws RangeError for an unknown zone */
export function zonedAt(timezone: string, atMs: number): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(Math.floor(atMs)).toZonedDateTimeISO(timezone);
}

/**
 * An instant as the wall clock of a zone, `YYYY-MM-DDTHH:mm:ss.SSS`; with the offset from UTC where clocks show that time twice.
 * @throws RangeError for an unknown zone
 */
export function wallTextAt(epochMs: number, timezone: string): string {
  const zoned = zonedAt(timezone, epochMs);
  const local = zoned.toPlainDateTime();
  const isUnique = (['earlier', 'later'] as const).every(
    (disambiguation) =>
      local.toZonedDateTime(timezone, { disambiguation }).epochMilliseconds === zoned.epochMilliseconds,
  );
  return `${local.toString({ fractionalSecondDigits: 3, roundingMode: 'trunc' })}${isUnique ? '' : zoned.offset}`;
}
