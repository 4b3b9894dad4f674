import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { CAMPAIGN_OVERVIEW, REPORTS_MODEL } from '../model/campaign-overview.olap.ts';
import { describeModel } from './meta.ts';

const docs = readFileSync(new URL('../../../docs/reports.md', import.meta.url), 'utf8');

test('contract/meta.json is the body of /meta (update it with `npx vitest run src/reports/describe/meta.test.ts -u`)', async () => {
  await expect(`${JSON.stringify(describeModel(REPORTS_MODEL), null, 2)}\n`).toMatchFileSnapshot(
    '../../../contract/meta.json',
  );
});

test('docs/reports.md describes every member, and no other', () => {
  const members = { ...CAMPAIGN_OVERVIEW.measures, ...CAMPAIGN_OVERVIEW.dimensions };
  const described = [...docs.matchAll(/^\| `([a-z_]+)` \| (.+) \|$/gm)].map((match) => [match[1], match[2]]);
  expect(described).toEqual(Object.entries(members).map(([name, { description }]) => [name, description]));
});

test('every expression of a measure refers to measures that exist', () => {
  for (const [name, { sql = '', sqlByRelation = {} }] of Object.entries(CAMPAIGN_OVERVIEW.measures)) {
    const named = [sql, ...Object.values(sqlByRelation)].flatMap((text) =>
      [...text.matchAll(/\{([a-z_]+)\}/g)].map((match) => match[1] ?? ''),
    );
    for (const other of named) expect(CAMPAIGN_OVERVIEW.measures, `${name} refers to ${other}`).toHaveProperty(other);
  }
});
