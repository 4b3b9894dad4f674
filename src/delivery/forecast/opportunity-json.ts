/** JSON of what holds opportunities: their sets, maps and infinite limits come back as they were. */
export function writeOpportunityJson(value: unknown): string {
  return JSON.stringify(value, encode);
}

/** What `writeOpportunityJson` wrote. @throws SyntaxError for what is no JSON */
export function readOpportunityJson(text: string): unknown {
  return JSON.parse(text, decode);
}

const SET = '@set';
const MAP = '@map';

function encode(_key: string, value: unknown): unknown {
  if (value instanceof Set) return { [SET]: [...value] as unknown[] };
  if (value instanceof Map) return { [MAP]: [...value] as unknown[] };
  return value === Number.POSITIVE_INFINITY ? { '@infinite': true } : value;
}

function decode(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const record = value as Record<string, unknown>;
  if (Array.isArray(record[SET])) return new Set(record[SET] as unknown[]);
  if (Array.isArray(record[MAP])) return new Map(record[MAP] as [unknown, unknown][]);
  return record['@infinite'] === true ? Number.POSITIVE_INFINITY : value;
}
