import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { REQUEST_MEMBERS } from './request-members.ts';

const folder = (path: string): string => new URL(path, import.meta.url).pathname;
const source = [folder('./'), folder('../ad-request/')]
  .flatMap((path) => readdirSync(path).map((name) => `${path}${name}`))
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts') && !path.endsWith('request-members.ts'))
  .map((path) => readFileSync(path, 'utf8'))
  .join('\n');

const USES = { read: 'read', restricts: 'restricts bids', ignored: 'ignored' } as const;

function writePage(): string {
  const tables = Object.entries(REQUEST_MEMBERS).map(([object, members]) =>
    [
      `## ${object}`,
      '',
      '| Member | Use | Notes |',
      '|---|---|---|',
      ...members.map(([name, use, note]) => `| \`${name}\` | ${USES[use]} | ${note} |`),
      '',
    ].join('\n'),
  );
  return [
    '# OpenRTB 2.6 in bid requests',
    '',
    'Every member of a request, and what the bid endpoint does with it: **reads** it, lets it **restrict** bids (only ads that fit bid), or',
    '**ignores** it. Members of another type count as absent. The page is written from `src/delivery/openrtb/request-members.ts`:',
    '`npx vitest run src/delivery/openrtb/request-members.test.ts -u`.',
    '',
    ...tables,
  ].join('\n');
}

test('docs/openrtb.md is the table of the parser', async () => {
  await expect(writePage()).toMatchFileSnapshot('../../../docs/openrtb.md');
});

test('each member that counts is named in the code of the parser', () => {
  const missing = Object.values(REQUEST_MEMBERS).flatMap((members) =>
    members.filter(([name, use]) => use !== 'ignored' && !source.includes(`'${name}'`)).map(([name]) => name),
  );
  expect(missing).toEqual([]);
});

test('each member is listed once in its object', () => {
  for (const members of Object.values(REQUEST_MEMBERS)) {
    const names = members.flatMap(([name]) => name.split(', '));
    expect(names.length).toBe(new Set(names).size);
  }
});
