import { decodeGlobalId } from '../../domain/ids/global-ids.ts';
import type { DimensionDefinition } from '../model/cube.ts';
import type { FilterLeaf, FilterOperator } from './query.ts';

const EXACT_OPERATORS: readonly FilterOperator[] = ['equals', 'notEquals', 'in', 'notIn'];

/**
 * A condition on ids with the decimal ids of the global ones among its values, and what is wrong with one that it cannot compare: null for
 * nothing. Stores hold decimal ids only, so that a global id as it is would match no row.
 */
export function readIdValues(
  leaf: FilterLeaf,
  { idOf }: Pick<DimensionDefinition, 'idOf'>,
): { readonly leaf: FilterLeaf; readonly problem: string | null } {
  if (idOf === undefined || leaf.values === undefined) return { leaf, problem: null };
  let problem: string | null = null;
  const values = leaf.values.map((value) => {
    const named = value === null ? null : decodeGlobalId(value);
    if (named === null) return value;
    const given = `${leaf.member} ${leaf.operator} ${JSON.stringify(value)}`;
    if (named.type !== idOf) problem ??= `${given}: this is the id of a ${named.type}; give the id of a ${idOf}.`;
    else if (!EXACT_OPERATORS.includes(leaf.operator))
      problem ??= `${given}: ${leaf.operator} compares the text of decimal ids; give ${named.id}, or use equals.`;
    return named.id;
  });
  return { leaf: { ...leaf, values }, problem };
}
