import type { StoredRow } from '../../kernel/field.ts';
import type { Judgement } from '../../kernel/resource.ts';

/** Half of the DSA facts is as good as none: such ads do not serve where they are required. */
export function judgeAdvertiser(row: StoredRow): Judgement {
  const behalf = row['dsa_behalf'];
  const paid = row['dsa_paid'];
  if ((behalf === null) === (paid === null)) return { problems: [], warnings: [] };
  const path = behalf === null ? 'dsaBehalf' : 'dsaPaid';
  const message = 'Give both facts, or its ads will not serve where the DSA requires them.';
  return { problems: [], warnings: [{ path, code: 'dsa_incomplete', message }] };
}
