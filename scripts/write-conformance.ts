/**
 * `node scripts/write-conformance.ts`: writes docs/conformance.md, the points of the interface with the tests that show them.
 * `--check` (part of `npm run check`) writes nothing and fails when the file is out of date, when a test cites an unknown point, or
 * when a point has neither a test nor a word on what shows it otherwise.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { chapters, type Point } from './conformance-points.ts';
import { readCitations } from './language/citations.ts';

const root = new URL('../', import.meta.url);
const target = new URL('docs/conformance.md', root);
const points = chapters.flatMap((chapter) => chapter.points);
const known: ReadonlySet<string> = new Set(points.map((point) => point.id));

/** The lines of Markdown that link the tests of each point, and the citations that name no point or stand above no test. */
function collect(): { readonly shownBy: ReadonlyMap<string, readonly string[]>; readonly faults: readonly string[] } {
  const listed = execFileSync(
    'git',
    ['grep', '-lE', '--untracked', '// Conformance: ', '--', '*.test.ts', '*.test.tsx'],
    {
      cwd: root,
      encoding: 'utf8',
    },
  );
  const shownBy = new Map<string, string[]>();
  const faults: string[] = [];
  for (const path of listed
    .split('\n')
    .filter((line) => line !== '')
    .toSorted()) {
    for (const { ids, title, line } of readCitations(path, readFileSync(new URL(path, root), 'utf8'))) {
      if (title === null)
        faults.push(`${path}:${line}: a line "Conformance: …" stands directly above a test or describe`);
      for (const id of ids) {
        if (!known.has(id)) faults.push(`${path}:${line}: ${id} is an unknown point (scripts/conformance-points.ts)`);
        shownBy.set(id, [
          ...(shownBy.get(id) ?? []),
          `- [${path.slice(path.lastIndexOf('/') + 1)}](../${path}): ${title ?? ''}`,
        ]);
      }
    }
  }
  return { shownBy, faults };
}

function pointText(point: Point, tests: readonly string[]): string {
  const rest = point.otherwise === undefined ? [] : [`- Shown otherwise: ${point.otherwise}`];
  return [`### ${point.id}`, '', point.promise, '', ...tests, ...rest, ''].join('\n');
}

const { shownBy, faults } = collect();
const bare = points.filter((point) => !shownBy.has(point.id) && point.otherwise === undefined);
const text = [
  '# Conformance',
  '',
  'What the public interface promises, point by point, and the tests that show it. Comments in the code cite points by their ids',
  '("conformance B14"). This file is generated: the points come from `scripts/conformance-points.ts`, the tests from the line',
  '`// Conformance: B14` above each of them. `node scripts/write-conformance.ts` writes it; `npm run check` compares it.',
  '',
  ...chapters.flatMap(({ letter, title, points: own }) => [
    `## ${letter} · ${title}`,
    '',
    ...own.map((point) => pointText(point, shownBy.get(point.id) ?? [])),
  ]),
].join('\n');

const problems = [
  ...faults,
  ...bare.map(
    (point) => `${point.id} has no test: cite it above one, or say in scripts/conformance-points.ts what shows it`,
  ),
];
if (process.argv[2] !== '--check') writeFileSync(target, text);
else if (readFileSync(target, 'utf8') !== text)
  problems.push('docs/conformance.md is out of date: node scripts/write-conformance.ts');
for (const problem of problems) console.log(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
