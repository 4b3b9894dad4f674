import { SQLSTATE, SqlError } from '../wire/sql-error.ts';

/**
 * Greatest depth of a statement. Chains such as `1+1+1` count with each of their tokens. The parser and what reads its tree recurse; both
 * take ten times as much.
 */
export const NESTING_MAX = 500;
/** Comments within each other. */
const COMMENTS_MAX = 20;
/** Block comments in a text: the parser's time grows with the square of their number (4,096 of them take 250 ms of CPU). */
const BLOCK_COMMENTS_MAX = 1_000;

/** Tokens of a text: what reads a statement works once or a few times for each (9,000 of them take 60 ms of CPU). */
const TOKENS_MAX = 9_000;

/** Texts, names and comments are one token each; a character that begins none is one, too. */
const TOKEN =
  /\s+|--[^\r\n]*|\/\*|[eE]'(?:[^'\\]|\\[\s\S]|''|'[^\S\r\n]*[\r\n]\s*')*'?|'(?:[^']|'')*'?|"(?:[^"]|"")*"?|\$(?:[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)?\$|[A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*|[\d$][\w.]*|[\s\S]/gy;

/** What ends a chain: neither lists nor conditions that are joined by AND or OR nest. */
const SEPARATORS: ReadonlySet<string> = new Set(
  ', and or select from where on when then else group order having limit union intersect except join values'.split(' '),
);
/** What nests its left side, although it ends a chain. */
const NESTING_SEPARATORS: ReadonlySet<string> = new Set(['join', 'union', 'intersect', 'except']);
const OPENING: ReadonlySet<string> = new Set(['(', '[', 'case']);
const CLOSING: ReadonlySet<string> = new Set([')', ']', 'end']);

/** Between an opening token and its end. */
interface Level {
  readonly opened: string;
  /** Tokens since the last separator. */
  chain: number;
  /** Joins and set operations. */
  joined: number;
}

/**
 * Refuses a text that is nested too deeply, before a parser recurses, and a text of too many tokens. The work grows with the length only.
 * @throws SqlError `54001`
 */
export function checkNesting(sql: string): void {
  const levels: Level[] = [{ opened: '', chain: 0, joined: 0 }];
  let outer = 0;
  let tokens = 0;
  for (const token of tokensOf(sql)) {
    if ((tokens += 1) > TOKENS_MAX) throw tooManyTokens();
    let level = levels.at(-1) as Level;
    if (token === ';') {
      levels.splice(0, Infinity, { opened: '', chain: 0, joined: 0 });
      outer = 0;
    } else if (OPENING.has(token)) {
      outer += level.chain + level.joined + 1;
      levels.push({ opened: token, chain: 0, joined: 0 });
    } else if (CLOSING.has(token) && levels.length > 1 && (token === 'end') === (level.opened === 'case')) {
      levels.pop();
      level = levels.at(-1) as Level;
      outer -= level.chain + level.joined + 1;
      level.chain += 1;
    } else if (SEPARATORS.has(token)) {
      level.chain = 0;
      if (NESTING_SEPARATORS.has(token)) level.joined += 1;
    } else level.chain += 1;
    level = levels.at(-1) as Level;
    if (outer + level.chain + level.joined > NESTING_MAX) {
      throw tooDeep();
    }
  }
}

function tooDeep(): SqlError {
  return new SqlError(SQLSTATE.tooComplex, `The statement is nested more than ${NESTING_MAX} deep.`, {
    hint: 'Write shorter chains of operators, and fewer levels of parentheses and comments.',
  });
}

function tooManyTokens(): SqlError {
  return new SqlError(
    SQLSTATE.tooComplex,
    `The text has more than ${TOKENS_MAX.toLocaleString('en')} words, numbers and signs.`,
    { hint: 'Write shorter lists, or send a list as a parameter: = ANY($1).' },
  );
}

function tooManyComments(): SqlError {
  return new SqlError(
    SQLSTATE.tooComplex,
    `The text has more than ${BLOCK_COMMENTS_MAX.toLocaleString('en')} block comments.`,
    {
      hint: 'Write fewer comments.',
    },
  );
}

/** Tokens in lower case, without white space and comments. */
function* tokensOf(sql: string): Generator<string> {
  TOKEN.lastIndex = 0;
  let comments = 0;
  while (TOKEN.lastIndex < sql.length) {
    const at = TOKEN.lastIndex;
    const [token = ''] = TOKEN.exec(sql) ?? [];
    if (token === '/*') {
      if ((comments += 1) > BLOCK_COMMENTS_MAX) throw tooManyComments();
      TOKEN.lastIndex = endOfComment(sql, at);
    } else if (token.length > 1 && token.startsWith('$') && token.endsWith('$')) {
      const end = sql.indexOf(token, at + token.length);
      TOKEN.lastIndex = end < 0 ? sql.length : end + token.length;
      yield 'text';
    } else if (!/^(?:\s|--)/.test(token)) yield token.length > 9 ? 'word' : token.toLowerCase();
  }
}

/** Comments nest. */
function endOfComment(sql: string, start: number): number {
  const marks = /\/\*|\*\//g;
  marks.lastIndex = start;
  let depth = 0;
  for (let found = marks.exec(sql); found !== null; found = marks.exec(sql)) {
    depth += found[0] === '/*' ? 1 : -1;
    // The parser's own time grows with the square of this depth.
    if (depth > COMMENTS_MAX) throw tooDeep();
    if (depth === 0) return marks.lastIndex;
  }
  return sql.length;
}
