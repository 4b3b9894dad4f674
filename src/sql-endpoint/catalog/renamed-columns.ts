import { namesOf, visit } from '../parse/nodes.ts';
import type { ParsedStatement } from '../parse/parse-sql.ts';

/** Columns that clients of older PostgreSQLs ask for, such as `\\l` and `\\dO` of psql 15 and 16, and their present names. */
const RENAMED: ReadonlyMap<string, string> = new Map([
  ['daticulocale', 'datlocale'],
  ['colliculocale', 'colllocale'],
]);

/** The statement with the present names of catalog columns. Its result has the labels that the client wrote. */
export function withPresentNames({ node, sql, offset }: ParsedStatement): string {
  const found = new Map<number, { readonly old: string; isLabel: boolean }>();
  visit(node, (kind, content) => {
    const target = kind === 'ResTarget' && content['name'] === undefined ? content['val'] : undefined;
    const column = kind === 'ColumnRef' ? content : (target as { ColumnRef?: Record<string, unknown> })?.ColumnRef;
    const old = namesOf(column?.['fields'] as never).at(-1) ?? '';
    if (!RENAMED.has(old)) return;
    const location = Number(column?.['location'] ?? 0);
    found.set(location, { old, isLabel: kind === 'ResTarget' || found.get(location)?.isLabel === true });
  });
  if (found.size === 0) return sql;
  // One character for each byte, as positions count.
  const bytes = Buffer.from(sql).toString('latin1');
  const small = bytes.toLowerCase();
  let present = '';
  let done = 0;
  for (const [location, { old, isLabel }] of [...found].sort(([left], [right]) => left - right)) {
    const start = small.indexOf(old, location - offset);
    const quote = bytes[start - 1] === '"' ? '"' : '';
    present += `${bytes.slice(done, start)}${RENAMED.get(old)}${quote}${isLabel ? ` AS ${old}` : ''}`;
    done = start + old.length + quote.length;
  }
  return Buffer.from(present + bytes.slice(done), 'latin1').toString();
}
