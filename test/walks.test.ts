/** docs/walks.md is true: its files exist, and each step imports the next one or says what it goes over. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { reach, readSourceFiles } from './support/import-graph.ts';

interface Step {
  readonly path: string;
  /** It is reached by something else than imports: a store, a wire, a value. */
  readonly isOver: boolean;
}

/** The steps of each walk of the page, by its title. */
function parseWalks(page: string): Map<string, Step[]> {
  const walks = new Map<string, Step[]>();
  for (const section of page.split(/^## /m).slice(1)) {
    const [title = ''] = section.split('\n', 1);
    const steps = [...section.matchAll(/^\d+\. (?<over>over .*?: |over .*?, .*?: )?`(?<path>[^`]+)`: /gm)];
    walks.set(
      title,
      steps.map(({ groups }) => ({ path: groups?.['path'] ?? '', isOver: groups?.['over'] !== undefined })),
    );
  }
  return walks;
}

const page = readFileSync(new URL('../docs/walks.md', import.meta.url), 'utf8');
const walks = parseWalks(page);
const targets = new Map(
  readSourceFiles('src').map(({ path, imports }) => [path, new Set(imports.map(({ target }) => target ?? ''))]),
);

/** Steps that name no file, or that the step before does not reach. */
function findBroken(steps: readonly Step[]): string[] {
  return steps.flatMap(({ path, isOver }, at) => {
    if (!targets.has(path)) return [`${path} does not exist`];
    const before = steps[at - 1]?.path;
    if (isOver || before === undefined || reach(before, targets).has(path)) return [];
    return [`${before} does not import ${path}`];
  });
}

describe('walks through the code', () => {
  test('the page has four walks, and every numbered line is a step', () => {
    expect(walks.size).toBe(4);
    expect([...walks.values()].flat()).toHaveLength(page.match(/^\d+\. /gm)?.length ?? 0);
  });

  test.each([...walks])('%s follows the imports', (_title, steps) => {
    expect(findBroken(steps)).toEqual([]);
  });

  test('the check finds a step that no import reaches and a missing file', () => {
    const one = { path: 'src/delivery/decision/decide.ts', isOver: false };
    const other = { path: 'src/delivery/serving/ad-server.ts', isOver: false };
    expect(findBroken([other, one])).toEqual([]);
    expect(findBroken([one, other])).toHaveLength(1);
    expect(findBroken([one, { ...other, isOver: true }])).toEqual([]);
    expect(findBroken([{ path: 'src/gone.ts', isOver: true }])).toHaveLength(1);
  });
});
