/** Most events of one set. */
export const SET_MEMBERS = 4_096;

/** Where an event is remembered: a set of events, and its number there, below `SET_MEMBERS`. */
export interface EventLocation {
  readonly set: string;
  readonly member: number;
}

const PREFIX = 'e/';
const ULID_START = PREFIX.length;
const ULID_TIME_CHARS = 10;
const ULID_CHARS = 26;
/** The character that the number of an event begins in: three of its five bits belong to the set. */
const SPLIT_CHAR = ULID_START + ULID_CHARS - 3;
const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const NO_DIGIT = 255;

/** Values of Crockford's digits by character code. */
const DIGITS = Uint8Array.from({ length: 128 }, (_none, code) => {
  const digit = CROCKFORD.indexOf(String.fromCharCode(code));
  return digit < 0 ? NO_DIGIT : digit;
});

/**
 * The location of an event by its key. Events of one kind whose ids (`e/<ULID>:<kind>`) differ only in their time and their last 12 bits share
 * a set: ids that one process made one after the other. Any other key has a set of its own, with the key's name.
 */
export function locationOf(key: string): EventLocation {
  if (!hasUlid(key)) return { set: key, member: 0 };
  const split = digitAt(key, SPLIT_CHAR);
  const label = key.slice(ULID_START + ULID_TIME_CHARS, SPLIT_CHAR);
  const member = ((split & 3) << 10) | (digitAt(key, SPLIT_CHAR + 1) << 5) | digitAt(key, SPLIT_CHAR + 2);
  return { set: `${label}${split >> 2}${key.slice(ULID_START + ULID_CHARS)}`, member };
}

/** When the id of an event was made, epoch milliseconds; null for a key without a ULID. */
export function ulidTimeOf(key: string): number | null {
  if (!hasUlid(key)) return null;
  let timeMs = 0;
  for (let at = ULID_START; at < ULID_START + ULID_TIME_CHARS; at += 1) timeMs = timeMs * 32 + digitAt(key, at);
  return timeMs;
}

function hasUlid(key: string): boolean {
  if (!key.startsWith(PREFIX) || key.length <= ULID_START + ULID_CHARS) return false;
  if (key[ULID_START + ULID_CHARS] !== ':') return false;
  for (let at = ULID_START; at < ULID_START + ULID_CHARS; at += 1) if (digitAt(key, at) === NO_DIGIT) return false;
  return true;
}

function digitAt(key: string, at: number): number {
  return DIGITS[key.charCodeAt(at)] ?? NO_DIGIT;
}
