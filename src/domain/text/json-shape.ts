const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Whether the brackets of a JSON text nest deeper than `depthMax`. The parser takes much longer for such a text than for others. */
export function isNestedDeeper(text: string, depthMax: number): boolean {
  return opensMoreThan(text, depthMax) && isDeeperThan(Buffer.from(text, 'utf8'), depthMax);
}

/** Whether a text has more than `countMax` opening brackets: only then can it nest deeper. Skips from one to the next. */
function opensMoreThan(text: string, countMax: number): boolean {
  if (text.length <= countMax) return false;
  let count = 0;
  for (let at = text.indexOf('{'); at !== -1 && count <= countMax; at = text.indexOf('{', at + 1)) count += 1;
  for (let at = text.indexOf('['); at !== -1 && count <= countMax; at = text.indexOf('[', at + 1)) count += 1;
  return count > countMax;
}

/**
 * Whether brackets nest deeper than `depthMax`, by one scan over the bytes that skips strings. Right for valid JSON; for
 * for invalid JSON either result is fine, because the parser rejects it anyway.
 */
export function isDeeperThan(bytes: Uint8Array, depthMax: number): boolean {
  const length = bytes.length;
  if (length <= depthMax) return false;
  let depth = 0;
  for (let index = 0; index < length; index += 1) {
    const byte = bytes[index];
    if (byte === QUOTE) {
      index = endOfString(bytes, index + 1, length);
    } else if (byte === 0x7b || byte === 0x5b) {
      depth += 1;
      if (depth > depthMax) return true;
    } else if (byte === 0x7d || byte === 0x5d) {
      depth -= 1;
    }
  }
  return false;
}

/**
 * Whether JSON has more than `countMax` objects, lists and members of objects, by one scan that skips strings. A text of fewer bytes
 * cannot. Like `isDeeperThan`, right for valid JSON.
 */
export function hasMorePartsThan(bytes: Uint8Array, countMax: number): boolean {
  const length = bytes.length;
  if (length <= countMax) return false;
  let count = 0;
  for (let index = 0; index < length && count <= countMax; index += 1) {
    const byte = bytes[index];
    if (byte === QUOTE) index = endOfString(bytes, index + 1, length);
    else if (byte === 0x7b || byte === 0x5b || byte === 0x3a) count += 1;
  }
  return count > countMax;
}

function endOfString(bytes: Uint8Array, start: number, length: number): number {
  let index = start;
  while (index < length) {
    const byte = bytes[index];
    if (byte === QUOTE) return index;
    index += byte === BACKSLASH ? 2 : 1;
  }
  return length;
}
