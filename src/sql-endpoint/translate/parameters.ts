import { PARAMS_MAX } from '../wire/client-messages.ts';
import { PG_TYPES } from '../wire/server-messages.ts';
import { SQLSTATE, SqlError } from '../wire/sql-error.ts';

/** What a parameter is compared with. */
export type ParamUse = 'text' | 'number' | 'time' | 'count' | 'boolean' | 'interval' | ListUse;
/** A list of values in one parameter. */
export type ListUse = 'texts' | 'numbers' | 'times' | 'booleans';

/** The values of a statement's parameters `$1`, `$2` and so on. */
export interface Parameters {
  /** Null: SQL NULL. @throws SqlError for a number that has no value */
  valueOf(number: number, use: ParamUse, location: number | undefined): string | null;
  /** Values are only stand-ins, to learn types and columns: limits on them do not count. */
  readonly areUnknown: boolean;
}

/** Parameters with values. */
export function givenParameters(values: readonly (string | null)[]): Parameters {
  return {
    areUnknown: false,
    valueOf: (number, _use, location) => {
      const value = values[number - 1];
      if (value === undefined) throw noParameter(number, location);
      return value;
    },
  };
}

function noParameter(number: number, location: number | undefined): SqlError {
  return new SqlError(SQLSTATE.undefinedParameter, `There is no parameter $${number}.`, { location });
}

const OIDS: Readonly<Record<ParamUse, number>> = {
  text: PG_TYPES.text.oid,
  number: PG_TYPES.numeric.oid,
  time: PG_TYPES.timestamp.oid,
  count: PG_TYPES.int8.oid,
  boolean: PG_TYPES.bool.oid,
  interval: 1186,
  texts: 1009,
  numbers: 1231,
  times: 1115,
  booleans: 1000,
};
const STAND_INS: Readonly<Record<ParamUse, string>> = {
  text: 'day',
  number: '1',
  time: '2026-01-01',
  count: '1',
  boolean: 'true',
  interval: '1 hour',
  texts: '{}',
  numbers: '{}',
  times: '{}',
  booleans: '{}',
};
/** Collects how parameters are used, before they have values. */
export class UnknownParameters implements Parameters {
  readonly areUnknown = true;
  readonly #uses = new Map<number, ParamUse>();

  valueOf(number: number, use: ParamUse, location: number | undefined): string {
    if (number < 1 || number > PARAMS_MAX) throw noParameter(number, location);
    if (!this.#uses.has(number)) this.#uses.set(number, use);
    return STAND_INS[use];
  }

  /** The types, those that the client named first. */
  oids(given: readonly number[]): number[] {
    const count = Math.max(given.length, ...this.#uses.keys(), 0);
    return Array.from({ length: count }, (_none, index) => {
      const named = given[index] ?? 0;
      return named === 0 ? OIDS[this.#uses.get(index + 1) ?? 'text'] : named;
    });
  }
}
