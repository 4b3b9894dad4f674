/** A value in JSON that has a tag, because JSON has no such type. */
interface Tagged {
  readonly $: string;
  readonly v?: unknown;
}

interface Tag {
  readonly name: string;
  readonly is: (value: object | bigint | undefined) => boolean;
  readonly write: (value: never) => unknown;
  readonly read: (v: unknown) => unknown;
}

/** What JSON has no type for, and how it is written: one row a type. */
const TAGS: readonly Tag[] = [
  {
    name: 'bigint',
    is: (value) => typeof value === 'bigint',
    write: (value: bigint) => String(value),
    read: (v) => BigInt(textOf(v)),
  },
  {
    name: 'undefined',
    is: (value) => value === undefined,
    write: () => null,
    read: () => undefined,
  },
  {
    name: 'date',
    is: (value) => value instanceof Date,
    write: (value: Date) => value.getTime(),
    read: (v) => new Date(Number(v)),
  },
  {
    name: 'bytes',
    is: (value) => value instanceof Uint8Array,
    write: (value: Uint8Array) => Buffer.from(value).toString('base64'),
    read: (v) => Buffer.from(textOf(v), 'base64'),
  },
  {
    name: 'map',
    is: (value) => value instanceof Map,
    write: (value: Map<unknown, unknown>) => encode([...value]),
    read: (v) => new Map(decode(v) as [unknown, unknown][]),
  },
  {
    name: 'set',
    is: (value) => value instanceof Set,
    write: (value: Set<unknown>) => encode([...value]),
    read: (v) => new Set(decode(v) as unknown[]),
  },
  {
    name: 'object',
    is: (value) => typeof value === 'object' && '$' in value,
    write: (value: object) => encode(Object.entries(value)),
    read: (v) => Object.fromEntries(decode(v) as [string, unknown][]),
  },
];
const BY_NAME = new Map(TAGS.map((tag) => [tag.name, tag]));

/** JSON that keeps bigints, dates, bytes, maps and sets. @throws TypeError for a function or a symbol */
export function toWire(value: unknown): string {
  return JSON.stringify(isPlain(value) ? value : encode(value));
}

/** What `toWire` wrote. @throws SyntaxError, TypeError for anything else */
export function fromWire(text: string): unknown {
  const value: unknown = JSON.parse(text);
  return text.includes('"$"') ? decode(value) : value;
}

/** Whether JSON has a type for all of it: a copy with tags would cost four times as much. */
function isPlain(value: unknown): boolean {
  if (value === null || ['string', 'number', 'boolean'].includes(typeof value)) return true;
  if (Array.isArray(value)) return value.every(isPlain);
  if (typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype || '$' in value) return false;
  return Object.values(value).every((one) => one === undefined || isPlain(one));
}

function encode(value: unknown): unknown {
  if (value === null || ['string', 'number', 'boolean'].includes(typeof value)) return value;
  if (typeof value === 'function' || typeof value === 'symbol') throw new TypeError('This has no form in JSON');
  if (Array.isArray(value)) return value.map(encode);
  const tag = TAGS.find(({ is }) => is(value as object | bigint | undefined));
  if (tag !== undefined) return { $: tag.name, v: tag.write(value as never) };
  const entries = Object.entries(value as object).filter(([, one]) => one !== undefined);
  return Object.fromEntries(entries.map(([name, one]) => [name, encode(one)]));
}

function decode(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(decode);
  if ('$' in value) {
    const { $: name, v } = value as Tagged;
    const tag = BY_NAME.get(name);
    if (tag === undefined) throw new TypeError(`There is no tag ${JSON.stringify(name)}`);
    return tag.read(v);
  }
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, decode(one)]));
}

function textOf(v: unknown): string {
  if (typeof v !== 'string') throw new TypeError('A tag holds no text');
  return v;
}
