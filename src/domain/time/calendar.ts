const formatters = new Map<string, Intl.DateTimeFormat>();
const FORMATTERS_MAX = 600;

/** Whether the runtime knows this IANA time zone name (any case). */
export function isTimeZone(name: string): boolean {
  try {
    return formatterOf(name) !== undefined;
  } catch {
    return false;
  }
}

/** The calendar day `YYYY-MM-DD` of an instant in a time zone; right on 23- and 25-hour days. */
export function localDay(epochMs: number, timezone: string): string {
  return formatterOf(timezone).format(epochMs);
}

function formatterOf(timezone: string): Intl.DateTimeFormat {
  const known = formatters.get(timezone);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat('en-CA', {
    timeZone: timezone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });
  if (formatters.size >= FORMATTERS_MAX) formatters.clear();
  formatters.set(timezone, made);
  return made;
}
