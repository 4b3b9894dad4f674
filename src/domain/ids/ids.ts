import { randomFillSync } from 'node:crypto';

/** The digits of ULIDs. */
export const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const TIME_CHARS = 10;
const RANDOM_CHARS = 16;
/** Random bytes are drawn many at a time: a draw costs more than a whole id. */
const POOL_BYTES = 4_096;

const pool = new Uint8Array(POOL_BYTES);
let poolUsed = POOL_BYTES;
let lastMs = -1;
let timeText = '';
/** The random part of the last id: 16 digits of five bits. */
const digits = new Uint8Array(RANDOM_CHARS);
let headText = '';

/**
 * A new sortable, unique 26-character id (ULID) for ads, events and requests. Ids of one process rise strictly, also within a
 * millisecond and when the clock steps back.
 */
export function newUlid(nowMs: number): string {
  if (nowMs > lastMs) {
    lastMs = nowMs;
    timeText = encodeTime(nowMs);
    drawDigits();
    headText = textOf(digits, RANDOM_CHARS - 2);
  } else if (!increment()) {
    return newUlid(lastMs + 1);
  }
  return timeText + headText + digitText(RANDOM_CHARS - 2) + digitText(RANDOM_CHARS - 1);
}

/** Whether a text can be the decimal id of a stored object (1 to 18 digits, no leading zero). */
export function isDecimalId(text: string): boolean {
  return /^[1-9]\d{0,17}$/.test(text);
}

/** The ten digits that a ULID begins with. */
export function encodeTime(nowMs: number): string {
  let rest = nowMs;
  let text = '';
  for (let at = 0; at < TIME_CHARS; at += 1) {
    text = CROCKFORD.charAt(rest % 32) + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}

/** The time that a ULID was made at, in milliseconds. */
export function timeOfUlid(ulid: string): number {
  let timeMs = 0;
  for (let at = 0; at < TIME_CHARS; at += 1) timeMs = timeMs * 32 + CROCKFORD.indexOf(ulid.charAt(at));
  return timeMs;
}

function drawDigits(): void {
  if (poolUsed + RANDOM_CHARS > POOL_BYTES) {
    randomFillSync(pool);
    poolUsed = 0;
  }
  for (let at = 0; at < RANDOM_CHARS; at += 1) digits[at] = (pool[poolUsed + at] as number) & 31;
  poolUsed += RANDOM_CHARS;
}

/** Adds one to the random part; false when it has run over. */
function increment(): boolean {
  let at = RANDOM_CHARS - 1;
  while (at >= 0 && digits[at] === 31) digits[at--] = 0;
  if (at < 0) return false;
  digits[at] = (digits[at] as number) + 1;
  if (at < RANDOM_CHARS - 2) headText = textOf(digits, RANDOM_CHARS - 2);
  return true;
}

function textOf(from: Uint8Array, count: number): string {
  let text = '';
  for (let at = 0; at < count; at += 1) text += CROCKFORD.charAt(from[at] as number);
  return text;
}

function digitText(at: number): string {
  return CROCKFORD.charAt(digits[at] as number);
}
