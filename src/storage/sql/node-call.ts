import type { Kysely } from 'kysely';
import type { z } from 'zod';
import type { Database } from './schema.ts';

/** Stands for a store on a node that reaches only a core: the core does what is called by name. */
export interface ViaCore {
  viaCore(name: string, args: readonly unknown[]): Promise<unknown>;
}

/** PostgreSQL, or the core of a node that does not reach it. Only what is a `NodeCall` works with both. */
export type SqlOrCore = Kysely<Database> | ViaCore;

/**
 * A function of a store that a node may also call through its core. The core checks the arguments by the schema, which names the bad one, and
 * runs the same function.
 */
export interface NodeCall<Store, Args extends readonly unknown[], Result> {
  (store: Store | ViaCore, ...args: Args): Promise<Result>;
  readonly callName: string;
  readonly schema: z.ZodType;
  readonly run: (store: Store, ...args: Args) => Promise<Result>;
}

/** Makes a function callable through a core. `callName` is part of the protocol between nodes of two versions: it keeps its meaning. */
export function nodeCall<Store extends object, Args extends readonly unknown[], Result>(
  callName: string,
  schema: z.ZodType,
  run: (store: Store, ...args: Args) => Promise<Result>,
): NodeCall<Store, Args, Result> {
  const call = (store: Store | ViaCore, ...args: Args): Promise<Result> =>
    isViaCore(store) ? (store.viaCore(callName, args) as Promise<Result>) : run(store, ...args);
  return Object.assign(call, { callName, schema, run });
}

/** Whether a store is that of a node that reaches only a core. */
export function isViaCore(store: object): store is ViaCore {
  return 'viaCore' in store;
}

/** PostgreSQL itself. @throws Error on a node that reaches only a core */
export function ownSql(sql: SqlOrCore): Kysely<Database> {
  if (isViaCore(sql)) throw new Error('This node reaches only a core: it has no PostgreSQL');
  return sql;
}
