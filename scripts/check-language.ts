/**
 * Part of `npm run check`: the words of docs/glossary.md in names and texts, and test titles that are whole sentences.
 *
 * - `node scripts/check-language.ts`: fails when a folder has more findings of a rule than scripts/language/baseline.json allows it.
 * - `--list <folder or file> [rule]`: every finding there, as path:line.
 * - `--lower`: writes the baseline as it is now. Refuses when the findings of a rule have become more in total; may move them between folders.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { type Piece, readCode, readFileName, readGraphqlSchema, readMarkdown, readOpenApi } from './language/pieces.ts';
import { type Allowed, type LanguageRule, languageRules } from './language/rules.ts';
import { titleFault, titleRules } from './language/titles.ts';

interface Finding {
  readonly path: string;
  readonly line: number;
  readonly rule: string;
  readonly found: string;
  readonly say: string;
}

type Counts = Record<string, Record<string, number>>;

const root = new URL('../', import.meta.url);
const baselineFile = new URL('language/baseline.json', import.meta.url);
/** Files that hold the forbidden words themselves. */
const own = /^scripts\/language\/|^docs\/glossary\.md$|^test\/language\.test\.ts$/;

function listFiles(): string[] {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  return listed.split('\0').filter((path) => path !== '' && !own.test(path) && existsSync(new URL(path, root)));
}

function readPieces(path: string): Piece[] {
  const read = (): string => readFileSync(new URL(path, root), 'utf8');
  if (/\.(?:ts|tsx|mjs)$/.test(path)) return [readFileName(path), ...readCode(path, read())];
  if (path.endsWith('.md')) return readMarkdown(read());
  if (path === 'contract/schema.graphql') return readGraphqlSchema(read());
  return path === 'contract/openapi.json' ? readOpenApi(read()) : [];
}

function blankAllowed(text: string, path: string, allowed: readonly Allowed[]): string {
  let left = text;
  for (const one of allowed)
    if (one.paths === undefined || one.paths.test(path))
      left = left.replace(one.text, (match) => match.replace(/[^\n]/g, '_'));
  return left;
}

function* findByRule(piece: Piece, rule: LanguageRule, path: string): Generator<Finding> {
  const text = blankAllowed(piece.text.toLowerCase(), path, rule.allowed ?? []);
  for (const match of text.matchAll(rule.pattern)) {
    const line = piece.line + text.slice(0, match.index).split('\n').length - 1;
    const context = piece.text.slice(Math.max(0, match.index - 30), match.index + match[0].length + 30);
    yield { path, line, rule: rule.id, found: context.replace(/\s+/g, ' ').trim(), say: rule.say };
  }
}

/** A title is also found as a text: rules of words see it once, as that. */
function findInFile(path: string): Finding[] {
  const rules = languageRules.filter((rule) => rule.paths === undefined || rule.paths.test(path));
  return readPieces(path).flatMap((piece) => {
    if (piece.kind === 'title') {
      const rule = titleFault(piece.text);
      return rule === null ? [] : [{ path, line: piece.line, rule, found: piece.text, say: titleRules[rule] ?? '' }];
    }
    return rules.flatMap((rule) =>
      rule.scopes.includes(piece.kind) && hasMatch(rule, piece.text) ? [...findByRule(piece, rule, path)] : [],
    );
  });
}

/** Most texts match no rule: asking first is cheaper than blanking what is allowed. */
function hasMatch(rule: LanguageRule, text: string): boolean {
  return text.toLowerCase().search(rule.pattern) !== -1;
}

/** `src/access/keys/a.ts` belongs to `src/access`, `docs/adr/1.md` to `docs`, `README.md` to `.`. */
function folderOf(path: string): string {
  const [first = '', second = ''] = path.split('/');
  if (!path.includes('/')) return '.';
  return first === 'src' && path.split('/').length > 2 ? `src/${second}` : first;
}

function countFindings(findings: readonly Finding[]): Counts {
  const counts: Counts = {};
  for (const { path, rule } of findings) {
    const folder = (counts[folderOf(path)] ??= {});
    folder[rule] = (folder[rule] ?? 0) + 1;
  }
  return counts;
}

function totals(counts: Counts): Map<string, number> {
  const sums = new Map<string, number>();
  for (const byRule of Object.values(counts))
    for (const [rule, count] of Object.entries(byRule)) sums.set(rule, (sums.get(rule) ?? 0) + count);
  return sums;
}

function readBaseline(): Counts {
  return existsSync(baselineFile) ? (JSON.parse(readFileSync(baselineFile, 'utf8')) as Counts) : {};
}

/** The baseline to lower: in the middle of a merge with conflicts, that of HEAD. */
function readBaselineOrHead(): Counts {
  try {
    return readBaseline();
  } catch {
    const atHead = execFileSync('git', ['show', 'HEAD:scripts/language/baseline.json'], {
      cwd: root,
      encoding: 'utf8',
    });
    return JSON.parse(atHead) as Counts;
  }
}

function writeBaseline(counts: Counts): void {
  const sorted = Object.entries(counts)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([folder, rules]) => [
      folder,
      Object.fromEntries(Object.entries(rules).toSorted(([a], [b]) => (a < b ? -1 : 1))),
    ]);
  writeFileSync(baselineFile, `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`);
}

function printFindings(findings: readonly Finding[]): void {
  for (const { path, line, rule, found, say } of findings) console.log(`${path}:${line}  ${rule}: “${found}” → ${say}`);
}

function lower(counts: Counts): void {
  const before = totals(readBaselineOrHead());
  const more = [...totals(counts)].filter(([rule, count]) => before.size > 0 && count > (before.get(rule) ?? 0));
  for (const [rule, count] of more) console.log(`${rule}: ${count} findings in total, ${before.get(rule) ?? 0} before`);
  if (more.length === 0) writeBaseline(counts);
  process.exitCode = more.length > 0 ? 1 : 0;
}

function compare(findings: readonly Finding[], counts: Counts): void {
  const baseline = readBaseline();
  let fewer = 0;
  for (const [folder, rules] of Object.entries({ ...baseline, ...counts })) {
    for (const rule of new Set([...Object.keys(rules), ...Object.keys(baseline[folder] ?? {})])) {
      const [now, allowed] = [counts[folder]?.[rule] ?? 0, baseline[folder]?.[rule] ?? 0];
      fewer += Math.max(0, allowed - now);
      if (now <= allowed) continue;
      console.log(`${folder}: ${now} findings of "${rule}", at most ${allowed} allowed`);
      if (now <= 20) printFindings(findings.filter((one) => folderOf(one.path) === folder && one.rule === rule));
      else console.log(`  node scripts/check-language.ts --list ${folder} ${rule}`);
      process.exitCode = 1;
    }
  }
  if (fewer > 0) console.log(`${fewer} findings fewer than the baseline: node scripts/check-language.ts --lower`);
}

const [command, folder, rule] = process.argv.slice(2);
const inside = (path: string): boolean =>
  folder === undefined || path === folder || path.startsWith(`${folder}/`) || (folder === '.' && !path.includes('/'));
const paths = command === '--list' ? listFiles().filter(inside) : listFiles();
const findings = paths.flatMap(findInFile);
if (command === '--list') printFindings(findings.filter((one) => rule === undefined || one.rule === rule));
else if (command === '--lower') lower(countFindings(findings));
else compare(findings, countFindings(findings));
