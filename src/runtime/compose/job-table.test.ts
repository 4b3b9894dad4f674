import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { JOB_TABLE } from './job-table.ts';

test('the table of jobs in docs/operations/cluster.md is the one of the program', () => {
  const page = readFileSync(new URL('../../../docs/operations/cluster.md', import.meta.url), 'utf8');
  const rows = page.split('\n').filter((line) => /^\| `[a-z-]+` \| (lease|item|machine|core) \|/.test(line));
  expect(rows).toEqual(
    JOB_TABLE.map(
      (row) => `| \`${row.name}\` | ${row.runs} | ${row.every} | ${row.work} | ${row.twice} | ${row.restored} |`,
    ),
  );
});
