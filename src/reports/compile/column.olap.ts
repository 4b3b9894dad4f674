import type { DimensionDefinition } from '../model/cube.ts';

/** A dimension as SQL, with the two parts that its null storage changes. */
export interface ColumnSql {
  /** The expression that groups and orders rows. */
  readonly sql: string;
  /** True for rows without a value. */
  readonly isNull: string;
  /** As text, for the operators on texts. */
  readonly text: string;
  /** An id column (UInt64; 0 = none): compared as the number that it is, so that a table's key can find it. */
  readonly isId?: true;
}

/** The SQL of a dimension. */
export function columnOf(dimension: DimensionDefinition): ColumnSql {
  const { sql } = dimension;
  switch (dimension.nulls ?? 'nullable') {
    case 'emptyText':
      return { sql, isNull: `${sql} = ''`, text: sql };
    case 'zeroId':
      return { sql, isNull: `${sql} = 0`, text: `toString(${sql})`, isId: true };
    case 'nullable':
      return { sql, isNull: `isNull(${sql})`, text: dimension.type === 'string' ? sql : `toString(${sql})` };
  }
}
