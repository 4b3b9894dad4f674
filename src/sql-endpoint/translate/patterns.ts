import { unsupported } from '../wire/sql-error.ts';
import type { ColumnExpression } from './column-expression.ts';
import { type Condition, NEVER } from './report-filter.ts';

interface Pattern {
  readonly text: string;
  readonly isInsensitive: boolean;
  readonly isNot: boolean;
}

/**
 * LIKE as an operator of reports: these look for a text at the beginning, at the end or anywhere, whatever its case.
 * @throws SqlError for other patterns
 */
export function likeCondition(operand: ColumnExpression, { text, isInsensitive, isNot }: Pattern): Condition {
  const { column, isLowered, location } = operand;
  const { member } = column;
  const filter = (operator: string, values?: readonly (string | null)[]): Condition => ({
    kind: 'filter',
    filter: values === undefined ? { member, operator } : { member, operator, values },
  });
  if (column.type !== 'string') throw unsupported(`LIKE on ${column.name}`, 'Use it on texts.', location);
  const { parts, isOpenAtStart, isOpenAtEnd } = readPattern(text);
  const [part = ''] = parts;
  if (parts.length > 1) {
    throw unsupported('A pattern with % in the middle, or with _', "Write '%text%', 'text%' or '%text'.", location);
  }
  if (part === '' && (isOpenAtStart || isOpenAtEnd)) return isNot ? NEVER : filter('set');
  if (!isOpenAtStart && !isOpenAtEnd) {
    if (isInsensitive || isLowered) throw unsupported('ILIKE without %', 'Write column = …', location);
    return isNot ? filter('notEquals', [part, null]) : filter('equals', [part]);
  }
  if (!isInsensitive && !isLowered) {
    throw unsupported('LIKE, which minds upper and lower case', 'Write ILIKE.', location);
  }
  // lower(column) never holds a capital letter.
  if (isLowered && !isInsensitive && part !== part.toLowerCase()) return isNot ? filter('set') : NEVER;
  const operator = isOpenAtStart ? (isOpenAtEnd ? 'contains' : 'endsWith') : 'startsWith';
  if (!isNot) return filter(operator, [part]);
  return filter(`not${operator.charAt(0).toUpperCase()}${operator.slice(1)}`, [part, null]);
}

interface ReadPattern {
  /** The literal texts between wildcards; more than one part where a wildcard stands inside. */
  readonly parts: readonly string[];
  readonly isOpenAtStart: boolean;
  readonly isOpenAtEnd: boolean;
}

function readPattern(text: string): ReadPattern {
  const tokens = text.match(/\\[\s\S]|%+|_|[^\\%_]+|\\/g) ?? [];
  const isOpenAtStart = tokens[0]?.startsWith('%') ?? false;
  const isOpenAtEnd = tokens.length > 0 && (tokens.at(-1)?.startsWith('%') ?? false);
  const inner = tokens.slice(isOpenAtStart ? 1 : 0, isOpenAtEnd && tokens.length > 1 ? -1 : undefined);
  const parts = [''];
  for (const token of inner) {
    if (token === '_' || token.startsWith('%')) parts.push('');
    else parts.push(`${parts.pop() ?? ''}${token.startsWith('\\') ? token.slice(1) : token}`);
  }
  return { parts, isOpenAtStart, isOpenAtEnd };
}
