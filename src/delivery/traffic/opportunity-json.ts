/** JSON of objects with opportunities in them: sets, maps and infinite limits are restored. */
export function writeOpportunityJson(value: unknown): string {
  return JSON.stringify(value, encode);
}

/** Parses the text of `writeOpportunityJson`. @throws SyntaxError for malformed JSON */
export function readOpportunityJson(text: string): unknown {
  return restore(JSON.parse(text));
}

/**
 * A lower bound of the length of a value's JSON, in characters; stops counting soon after `max`. Finds objects that are too large before
 * they are serialized.
 */
export function measureJson(value: unknown, max: number): number {
  if (typeof value === 'string') return value.length + 2;
  if (typeof value !== 'object' || value === null) return 1;
  const parts: Iterable<unknown> = value instanceof Map || value instanceof Set ? value : Object.values(value);
  let length = 2;
  for (const part of parts) {
    length += 1 + measureJson(part, max - length);
    if (length > max) break;
  }
  return length;
}

const SET = '@set';
const MAP = '@map';

function encode(_key: string, value: unknown): unknown {
  if (value instanceof Set) return { [SET]: [...value] as unknown[] };
  if (value instanceof Map) return { [MAP]: [...value] as unknown[] };
  return value === Number.POSITIVE_INFINITY ? { '@infinite': true } : value;
}

/** In place: a reviver of `JSON.parse` takes three times as long. */
function restore(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at += 1) if (isObject(value[at])) value[at] = restore(value[at]);
    return value;
  }
  const record = value as Record<string, unknown>;
  for (const key of Object.keys(record)) if (isObject(record[key])) record[key] = restore(record[key]);
  if (Array.isArray(record[SET])) return new Set(record[SET] as unknown[]);
  if (Array.isArray(record[MAP])) return new Map(record[MAP] as [unknown, unknown][]);
  return record['@infinite'] === true ? Number.POSITIVE_INFINITY : record;
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
