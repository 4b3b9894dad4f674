import type { PgType } from '../wire/server-messages.ts';
import { isRecord } from './json-shape.ts';

/** A column of a table: a member of a cube. */
export interface SqlColumn {
  readonly name: string;
  /** The full name in report queries. */
  readonly member: string;
  readonly kind: 'dimension' | 'measure';
  readonly type: 'string' | 'number' | 'boolean' | 'time';
  /** How a measure is computed, as `/meta` says it. */
  readonly aggType: string | null;
  readonly description: string | null;
}

/** A table: a cube. */
export interface SqlTable {
  readonly name: string;
  readonly description: string | null;
  readonly columns: ReadonlyMap<string, SqlColumn>;
}

/** The tables that a caller can query. */
export type SqlModel = ReadonlyMap<string, SqlTable>;

/** Further names of cubes, shorter than their own. */
const OTHER_NAMES: Readonly<Record<string, string>> = { campaign_overview: 'delivery' };

/** The type of a column in results and catalogs. Numbers are decimals, so that money stays exact. */
export const COLUMN_TYPES: Readonly<Record<SqlColumn['type'], PgType>> = {
  string: 'text',
  number: 'numeric',
  boolean: 'bool',
  time: 'timestamp',
};

/** The tables of a body of `/meta`: each cube that the caller can see, under its name and a short one. */
export function readModel(meta: unknown): SqlModel {
  const tables = new Map<string, SqlTable>();
  for (const cube of listOf(meta, 'cubes')) {
    const name = textOf(cube, 'name');
    if (name === null) continue;
    const columns = new Map<string, SqlColumn>();
    for (const [list, kind] of [
      ['dimensions', 'dimension'],
      ['measures', 'measure'],
    ] as const) {
      for (const member of listOf(cube, list)) {
        const column = readColumn(member, kind);
        if (column !== null) columns.set(column.name, column);
      }
    }
    const description = textOf(cube, 'description') ?? textOf(cube, 'title');
    for (const one of [name, OTHER_NAMES[name]]) {
      if (one !== undefined) tables.set(one, { name: one, description, columns });
    }
  }
  return tables;
}

function readColumn(member: unknown, kind: SqlColumn['kind']): SqlColumn | null {
  const full = textOf(member, 'name');
  const type = textOf(member, 'type');
  if (full === null || (type !== 'string' && type !== 'number' && type !== 'boolean' && type !== 'time')) return null;
  return {
    name: full.slice(full.indexOf('.') + 1),
    member: full,
    kind,
    type,
    aggType: textOf(member, 'aggType'),
    description: textOf(member, 'description') ?? textOf(member, 'title'),
  };
}

function listOf(value: unknown, name: string): readonly unknown[] {
  const list = isRecord(value) ? value[name] : undefined;
  return Array.isArray(list) ? list : [];
}

function textOf(value: unknown, name: string): string | null {
  const text = isRecord(value) ? value[name] : undefined;
  return typeof text === 'string' ? text : null;
}
