import { type LocalTime, offsetZone, type WrittenDate } from './local-time.ts';

/**
 * Instant from which clocks of a zone show a time or a later time. Where clocks go back, the times between the change and the second
 * occurrence of the bound are earlier times again.
 */
export interface TimeBound {
  readonly epochMs: number;
  /** Instants after the bound whose wall clock is before the bound; end exclusive. */
  readonly repeated: { readonly fromMs: number; readonly untilMs: number } | null;
}

/** The bound at which a written date begins. A time that clocks skip begins at the change. */
export function boundAt(date: WrittenDate, timezone: string): TimeBound {
  if (date.offset !== null) return { epochMs: instantMs(date.local, date.offset), repeated: null };
  const { local } = date;
  const first = local.toZonedDateTime(timezone, { disambiguation: 'earlier' });
  const second = local.toZonedDateTime(timezone, { disambiguation: 'later' });
  if (first.epochMilliseconds === second.epochMilliseconds) {
    return { epochMs: first.epochMilliseconds, repeated: null };
  }
  const changeMs = first.getTimeZoneTransition('next')?.epochMilliseconds ?? second.epochMilliseconds;
  if (!first.toPlainDateTime().equals(local)) return { epochMs: changeMs, repeated: null };
  const untilMs = second.epochMilliseconds;
  return { epochMs: first.epochMilliseconds, repeated: changeMs < untilMs ? { fromMs: changeMs, untilMs } : null };
}

/** The bound after the millisecond of a written date. */
export function boundAfter(date: WrittenDate, timezone: string): TimeBound {
  if (date.offset !== null) return { epochMs: instantMs(date.local, date.offset) + 1, repeated: null };
  return boundAt({ local: date.local.add({ milliseconds: 1 }), offset: null }, timezone);
}

/** The instant after which no row is before the bound. */
export function lastMsOf({ epochMs, repeated }: TimeBound): number {
  return repeated?.untilMs ?? epochMs;
}

function instantMs(local: LocalTime, offset: string): number {
  return local.toZonedDateTime(offsetZone(offset)).epochMilliseconds;
}
