import { cutUtf8 } from '../../domain/text/byte-fields.ts';
import {
  type KeyValuesOf,
  NO_KEY_VALUES,
  REPORT_KEYS_MAX,
  REPORT_VALUE_BYTES_MAX,
  type ReportedKeyValues,
  type ReportKey,
} from '../../domain/targeting/key-value.ts';

/** Replaces every value beyond those that are listed separately. */
export const OTHER_VALUE = '(other)';

/** Most values that a worker lists separately on one UTC day: of one key, and of all keys of all networks. */
const VALUES_MAX = 1_000;
const VALUES_OF_ALL_MAX = 200_000;
const DAY_MS = 86_400_000;

/** The reported parts of an opportunity, or of one of its slots. */
interface Carrier {
  readonly workspaceId: number;
  readonly keyValues: ReadonlyMap<string, readonly string[]>;
}

/**
 * The key-values of a request that reports show, bounded for any requests: the first `VALUES_MAX` values of a key and day are listed
 * separately, all others are {@link OTHER_VALUE}. Several values of one key count as one, sorted and joined by commas.
 */
export class ReportedValues {
  #day = 0;
  #seen = new Map<string, Set<string>>();
  #count = 0;

  /** The values that these keys have in the opportunity. Costs nothing where no key is reported. */
  of(keys: readonly ReportKey[], opportunity: Carrier, nowMs: number): ReportedKeyValues {
    if (keys.length === 0 || opportunity.keyValues.size === 0) return NO_KEY_VALUES;
    const found: Record<string, string> = {};
    let isEmpty = true;
    for (const { id, key } of keys.length > REPORT_KEYS_MAX ? keys.slice(0, REPORT_KEYS_MAX) : keys) {
      const value = joinValues(opportunity.keyValues.get(key) ?? []);
      if (value === '') continue;
      found[id] = this.#admit(`${opportunity.workspaceId}/${id}`, value, nowMs);
      isEmpty = false;
    }
    return isEmpty ? NO_KEY_VALUES : found;
  }

  /** The values that these keys have in each slot of the opportunity: most slots have those of the request. */
  bySlot(keys: readonly ReportKey[], opportunity: Carrier, nowMs: number): KeyValuesOf {
    const ofRequest = this.of(keys, opportunity, nowMs);
    const { workspaceId } = opportunity;
    return ({ keyValues }) => (keyValues === undefined ? ofRequest : this.of(keys, { workspaceId, keyValues }, nowMs));
  }

  #admit(key: string, value: string, nowMs: number): string {
    const day = Math.floor(nowMs / DAY_MS);
    if (day !== this.#day) {
      this.#day = day;
      this.#seen = new Map();
      this.#count = 0;
    }
    let seen = this.#seen.get(key);
    if (seen === undefined) this.#seen.set(key, (seen = new Set()));
    if (seen.has(value)) return value;
    if (seen.size >= VALUES_MAX || this.#count >= VALUES_OF_ALL_MAX) return OTHER_VALUE;
    seen.add(value);
    this.#count += 1;
    return value;
  }
}

function joinValues(values: readonly string[]): string {
  const [only = ''] = values;
  const whole = values.length < 2 ? only : [...new Set(values)].sort().join(',');
  return cutUtf8(whole, REPORT_VALUE_BYTES_MAX);
}
