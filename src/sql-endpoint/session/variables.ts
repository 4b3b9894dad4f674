import type { Node } from 'libpg-query';
import { asKind, kindOf, namesOf } from '../parse/nodes.ts';
import { shortText } from '../translate/short-text.ts';
import { readInterval } from '../translate/intervals.ts';
import { readZone } from '../translate/times.ts';
import { SQLSTATE, SqlError, unsupported } from '../wire/sql-error.ts';

/** The version whose catalogs and syntax the endpoint shows. */
export const SERVER_VERSION = '18.0 (Placard)';

/** The longest statement, milliseconds: a little more than the Reports API waits. */
export const STATEMENT_MS_MAX = 30_000;

interface Variable {
  readonly initial: string;
  /** Sent to clients at the start and after changes. */
  readonly isReported?: true;
  /** The value as it is shown; absent: it cannot be changed. @throws SqlError */
  readonly read?: (text: string) => string;
}

const anyText = (text: string): string => text.slice(0, 500);
const oneOf =
  (...allowed: readonly string[]) =>
  (text: string): string => {
    const found = allowed.find((one) => one.toLowerCase() === text.toLowerCase());
    if (found !== undefined) return found;
    throw new SqlError(SQLSTATE.invalidParameterValue, `"${text.slice(0, 100)}" is not supported here.`, {
      hint: `Write one of: ${allowed.join(', ')}.`,
    });
  };
const onOff = (text: string): string => (/^(?:on|true|1|yes)$/i.test(text) ? 'on' : 'off');

/** The settings of a session that clients ask for and set. */
const VARIABLES: Readonly<Record<string, Variable>> = {
  server_version: { initial: SERVER_VERSION, isReported: true },
  server_version_num: { initial: '180000' },
  server_encoding: { initial: 'UTF8', isReported: true },
  client_encoding: { initial: 'UTF8', isReported: true, read: (text) => readEncoding(text) },
  timezone: { initial: 'UTC', isReported: true, read: (text) => readZone(text) },
  datestyle: { initial: 'ISO, MDY', isReported: true, read: (text) => readDateStyle(text) },
  intervalstyle: { initial: 'postgres', isReported: true, read: oneOf('postgres', 'iso_8601') },
  standard_conforming_strings: { initial: 'on', isReported: true, read: oneOf('on') },
  integer_datetimes: { initial: 'on', isReported: true },
  is_superuser: { initial: 'off', isReported: true },
  in_hot_standby: { initial: 'off', isReported: true },
  default_transaction_read_only: { initial: 'on', isReported: true, read: onOff },
  transaction_read_only: { initial: 'on', read: onOff },
  session_authorization: { initial: '', isReported: true },
  application_name: { initial: '', isReported: true, read: anyText },
  search_path: { initial: 'public', isReported: true, read: anyText },
  statement_timeout: { initial: '0', read: (text) => String(readMilliseconds(text)) },
  lock_timeout: { initial: '0', read: anyText },
  idle_in_transaction_session_timeout: { initial: '0', read: anyText },
  extra_float_digits: { initial: '1', read: anyText },
  bytea_output: { initial: 'hex', read: anyText },
  client_min_messages: { initial: 'notice', read: anyText },
  row_security: { initial: 'on', read: anyText },
  synchronize_seqscans: { initial: 'on', read: anyText },
  quote_all_identifiers: { initial: 'off', read: anyText },
  jit: { initial: 'off', read: anyText },
  transaction_isolation: { initial: 'read committed', read: anyText },
  default_transaction_isolation: { initial: 'read committed', read: anyText },
  max_identifier_length: { initial: '63' },
  max_index_keys: { initial: '32' },
  password_encryption: { initial: 'scram-sha-256' },
  lc_collate: { initial: 'C.UTF-8' },
  lc_messages: { initial: 'C.UTF-8', read: anyText },
  lc_monetary: { initial: 'C.UTF-8', read: anyText },
};

/** The spelling that clients know. */
const SHOWN: Readonly<Record<string, string>> = {
  timezone: 'TimeZone',
  datestyle: 'DateStyle',
  intervalstyle: 'IntervalStyle',
};

function readEncoding(text: string): string {
  if (/^(?:utf-?8|unicode|auto)$/i.test(text)) return 'UTF8';
  throw unsupported(`The encoding ${text.slice(0, 50)}`, 'Use UTF8.');
}

function readDateStyle(text: string): string {
  if (/^iso\b/i.test(text)) return 'ISO, MDY';
  throw unsupported(`The date style ${text.slice(0, 50)}`, 'Use ISO.');
}

function readMilliseconds(text: string): number {
  const ms = /^\d{1,9}$/.test(text)
    ? Number(text)
    : readInterval(shortText(text, SQLSTATE.invalidDatetime).replace(/ms$/, ''), undefined).total('milliseconds');
  return Math.max(0, Math.round(ms));
}

/** The settings of one session. */
export class SessionVariables {
  readonly #values = new Map<string, string>();
  /** The zone of the network, until the client sets one. */
  readonly #defaults: ReadonlyMap<string, string>;
  readonly #onReported: (name: string, value: string) => void;

  constructor(defaults: ReadonlyMap<string, string>, onReported: (name: string, value: string) => void) {
    this.#defaults = defaults;
    this.#onReported = onReported;
  }

  /** Those that a client is told at its start. */
  reported(): (readonly [name: string, value: string])[] {
    const names = Object.entries(VARIABLES).flatMap(([name, { isReported }]) => (isReported === true ? [name] : []));
    return names.map((name) => [SHOWN[name] ?? name, this.get(name)] as const);
  }

  /** @throws SqlError `42704` */
  get(name: string): string {
    const lower = name.toLowerCase();
    const variable = find(lower);
    return this.#values.get(lower) ?? this.#defaults.get(lower) ?? variable.initial;
  }

  /** @throws SqlError for an unknown name, and for a value that it does not have */
  set(name: string, value: string): void {
    const lower = name.toLowerCase();
    const { read, isReported } = find(lower);
    if (read === undefined) {
      throw new SqlError(SQLSTATE.invalidParameterValue, `The parameter "${lower}" cannot be changed.`);
    }
    this.#values.set(lower, read(value));
    if (isReported === true) this.#onReported(SHOWN[lower] ?? lower, this.get(lower));
  }

  /** Back to the value of the start. */
  reset(name: string): void {
    const lower = name.toLowerCase();
    const { isReported } = find(lower);
    if (this.#values.delete(lower) && isReported === true) this.#onReported(SHOWN[lower] ?? lower, this.get(lower));
  }

  resetAll(): void {
    for (const name of this.#values.keys()) this.reset(name);
  }

  all(): (readonly [name: string, value: string])[] {
    return Object.keys(VARIABLES).map((name) => [SHOWN[name] ?? name, this.get(name)] as const);
  }

  /** How long a statement may run, milliseconds. */
  get statementMs(): number {
    const asked = Number(this.get('statement_timeout'));
    return asked === 0 ? STATEMENT_MS_MAX : Math.min(asked, STATEMENT_MS_MAX);
  }
}

function find(name: string): Variable {
  const variable = Object.hasOwn(VARIABLES, name) ? VARIABLES[name] : undefined;
  if (variable !== undefined) return variable;
  throw new SqlError(SQLSTATE.undefinedParameterSetting, `The parameter "${name.slice(0, 100)}" is not known.`);
}

/** Does SET, RESET and their relatives. */
export function applySet(node: Node, variables: SessionVariables): void {
  const { kind, name = '', args = [] } = asKind(node, 'VariableSetStmt') ?? {};
  if (kind === 'VAR_RESET_ALL') return variables.resetAll();
  if (kind === 'VAR_RESET' || kind === 'VAR_SET_DEFAULT') return variables.reset(name);
  // SET TRANSACTION and SET SESSION CHARACTERISTICS: everything is read-only anyway.
  if (kind === 'VAR_SET_MULTI') return;
  variables.set(name, args.map(settingText).join(', '));
}

function settingText(node: Node): string {
  const constant = asKind(node, 'A_Const');
  if (constant?.ival !== undefined) return String(constant.ival.ival ?? 0);
  if (constant?.fval !== undefined) return constant.fval.fval ?? '0';
  if (constant?.boolval !== undefined) return String(constant.boolval.boolval ?? false);
  if (constant?.sval !== undefined) return constant.sval.sval ?? '';
  const cast = asKind(node, 'TypeCast');
  if (cast?.arg !== undefined && namesOf(cast.typeName?.names).at(-1) !== 'interval') return settingText(cast.arg);
  throw unsupported(`SET with ${kindOf(node)}`, "Write a text, as in SET TIME ZONE 'Europe/Warsaw'.");
}
