import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import type { CubeQuery } from './lens-query.ts';
import { writeCubeClient, writeCurl } from './share-code.ts';

const address = { apiUrl: 'https://ads.example/reports/1000/v1' };
const query: CubeQuery = {
  measures: ['campaign_overview.impressions'],
  dimensions: ['campaign_overview.campaign_name'],
  timeDimensions: [{ dimension: 'campaign_overview.time', dateRange: ['2030-03-01', '2030-03-31'] }],
  filters: [{ member: 'campaign_overview.campaign_name', operator: 'equals', values: [`O'Neil's "$HOME" \`id\` \\`] }],
  order: [],
  timezone: 'UTC',
  limit: 100,
  total: true,
};
const { total: _total, ...untotalled } = query;

test('a shell reads the query as it was, whatever names are in it', () => {
  const command = writeCurl(address, query).replace(/^curl /, String.raw`printf '%s\n' `);
  const words = execFileSync('sh', ['-c', command], {
    encoding: 'utf8',
    env: { AD_SERVER_LOGIN: 'ann', AD_SERVER_TOKEN: 'secret' },
  }).split('\n');
  expect(words[1]).toBe('https://ads.example/reports/1000/v1/load');
  expect(words).toContain('x-internal-auth-login: ann');
  expect(words).toContain('x-internal-auth-token: secret');
  expect(JSON.parse(words[words.indexOf('--data-raw') + 1] ?? '')).toEqual({ query: untotalled });
});

test('a program reads its key from the environment, and asks for no total', () => {
  const program = writeCubeClient(address, query);
  expect(program).toContain(`cube(process.env.AD_SERVER_KEY, { apiUrl: "${address.apiUrl}" })`);
  const [, written = ''] = /client\.load\((.+)\);\nconsole/s.exec(program) ?? [];
  expect(JSON.parse(written)).toEqual(untotalled);
});
