/** A comparison of a column. `value` has the type of the column; a list for `in`, `overlaps`; JSON text for `includes`. */
export interface Comparison {
  readonly column: string;
  readonly operator: 'eq' | 'in' | 'gte' | 'lt' | 'contains' | 'isNull' | 'has' | 'overlaps' | 'includes';
  readonly value: unknown;
}

/** Objects of another table that belong to an object, and what must hold of one of them. */
export interface Related {
  readonly table: string;
  /** The column of the other table, and that of the object, that are equal. */
  readonly column: string;
  readonly ownColumn: string;
  readonly where: Predicate;
}

/** What must hold of an object. The SQL layer adds the workspace to every table that it reads. */
export type Predicate =
  | { readonly kind: 'all' | 'any'; readonly of: readonly Predicate[] }
  | { readonly kind: 'not'; readonly of: Predicate }
  | ({ readonly kind: 'compare' } & Comparison)
  | ({ readonly kind: 'related' } & Related);
