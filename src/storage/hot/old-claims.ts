import type { EventLine } from './event-counts.ts';
import { ulidTimeOf } from './event-location.ts';
import { readValue } from './lmdb-changes.ts';
import type { LmdbChanges, LmdbEnv } from './lmdb-changes.ts';
import { storedKey, VALUE } from './lmdb-entries.ts';

const DAY_MS = 86_400_000;
/** Holds since when events are in sets; 0 = the store never held claims of an older program. */
const SINCE_KEY = 'events/in-sets-since';
const SINCE_TTL_MS = 7_300 * DAY_MS;
/** Ids that an older program still gave may be this much newer: an older process, or a clock that was set back. */
const MARGIN_MS = DAY_MS;
/** Longest life of a claim: of a click, and of an order reference. */
const ULID_CLAIMS_MS = 33 * DAY_MS;
const OTHER_CLAIMS_MS = 401 * DAY_MS;
const EVENT_PREFIX = 'e/';
/** Of the keys that said that lines of a file had been counted on arrival. */
const ON_ARRIVAL_PREFIX = 'sc/';

/** The state of a line by the claims of an older program: counted by itself, its event counted by another line, or unknown. */
export type OldState = 'counted' | 'duplicate' | null;

/**
 * The claims of older programs: a value under the event's own key, which is the position of the line that claimed it. They are looked at
 * until the last one has expired, so that an upgrade counts no event twice.
 */
export class OldClaims {
  readonly #env: LmdbEnv;
  /** Known once the store holds it. */
  #sinceMs: number | null = null;

  constructor(env: LmdbEnv) {
    this.#env = env;
  }

  /** Whether an older program counted an event. */
  isClaimed(key: string, nowMs: number): boolean {
    this.#sinceMs ??= toSince(readValue(this.#env, SINCE_KEY, nowMs));
    return mayBeClaimed(key, this.#sinceMs ?? nowMs, nowMs) && readValue(this.#env, key, nowMs) !== null;
  }

  /** Tells the state of lines of a file. Within a transaction. */
  ofFile(changes: LmdbChanges, file: string): (line: EventLine) => OldState {
    const { nowMs } = changes;
    const sinceMs = this.#since(changes);
    // An older program that runs again after this one begins files too: whatever the time, their own lines are looked for.
    const isBegun = changes.valueOf(`${ON_ARRIVAL_PREFIX}${file}`) !== null;
    if (!isBegun && nowMs > sinceMs + OTHER_CLAIMS_MS) return () => null;
    return (line) => {
      if (!isBegun && !mayBeClaimed(line.key, sinceMs, nowMs)) return null;
      const position = changes.valueOf(line.key);
      if (position !== null) return position === `${file}/${line.offset}` ? 'counted' : 'duplicate';
      // The claim may have expired since.
      return isBegun && nowMs - openedAtMs(file) >= line.ttlMs ? 'counted' : null;
    };
  }

  #since(changes: LmdbChanges): number {
    this.#sinceMs ??= toSince(readValue(this.#env, SINCE_KEY, changes.nowMs));
    if (this.#sinceMs !== null) return this.#sinceMs;
    const staged = toSince(changes.valueOf(SINCE_KEY));
    if (staged !== null) return staged;
    const sinceMs = this.#hasClaims() ? changes.nowMs : 0;
    changes.setValue({ key: SINCE_KEY, value: String(sinceMs), ttlMs: SINCE_TTL_MS });
    return sinceMs;
  }

  #hasClaims(): boolean {
    return [EVENT_PREFIX, ON_ARRIVAL_PREFIX].some((prefix) => {
      const start = storedKey(VALUE, prefix);
      const end = Buffer.concat([start, Buffer.from([0xff])]);
      return [...this.#env.getKeys({ start, end, limit: 1 })].length > 0;
    });
  }
}

function toSince(value: string | null): number | null {
  return value === null ? null : Number(value);
}

function mayBeClaimed(key: string, sinceMs: number, nowMs: number): boolean {
  const timeMs = ulidTimeOf(key);
  if (timeMs === null) return nowMs < sinceMs + OTHER_CLAIMS_MS;
  return timeMs < sinceMs + MARGIN_MS && nowMs < sinceMs + ULID_CLAIMS_MS;
}

/** When a spool file was opened, by its name: `<worker index>/<epoch milliseconds>-…`. */
function openedAtMs(file: string): number {
  return Number(/^\d+\/(\d{13})-/.exec(file)?.[1] ?? Number.POSITIVE_INFINITY);
}
