import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { PlacardError } from '../../domain/errors.ts';
import { parseBidRequest } from './bid-request.ts';
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
    '**ignores** it. A member that restricts and has another type is refused by its name (400); others of another type count as absent.',
    'The page is written from `src/delivery/openrtb/request-members.ts`:',
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
    members
      .filter(([, use]) => use !== 'ignored')
      .flatMap(([names]) => names.split(', '))
      .filter((name) => !source.includes(`'${name}'`)),
  );
  expect(missing).toEqual([]);
});

test('each member is listed once in its object', () => {
  for (const members of Object.values(REQUEST_MEMBERS)) {
    const names = members.flatMap(([name]) => name.split(', '));
    expect(names.length).toBe(new Set(names).size);
  }
});

const IMP = { id: 'i', banner: { w: 300, h: 250 } };
/** A request with a member in an object of the table, and the path of the object. */
const REQUESTS: Readonly<Record<string, readonly [path: string, of: (member: object) => object]>> = {
  BidRequest: ['', (member) => member],
  Imp: ['imp[0].', (member) => ({ imp: [{ ...IMP, ...member }] })],
  Banner: ['imp[0].banner.', (member) => ({ imp: [{ ...IMP, banner: { ...IMP.banner, ...member } }] })],
  Video: ['imp[0].video.', (member) => ({ imp: [{ ...IMP, video: member }] })],
  Audio: ['imp[0].audio.', (member) => ({ imp: [{ ...IMP, audio: member }] })],
  Native: ['imp[0].native.', (member) => ({ imp: [{ ...IMP, native: member }] })],
};
const PMP = ['imp[0].pmp.', (member: object) => ({ imp: [{ ...IMP, pmp: member }] })] as const;
const DEAL = ['imp[0].pmp.deals[0].', (member: object) => PMP[1]({ deals: [{ id: 'd', ...member }] })] as const;
const OBJECTS: ReadonlySet<string> = new Set(['banner', 'video', 'native', 'audio', 'pmp']);
/** A text of native ads that cannot be read gets no bid, and privacy signals that cannot be read permit nothing. */
const STRICT_ELSEWHERE: ReadonlySet<string> = new Set(['regs', 'request']);

const restricting = Object.entries(REQUEST_MEMBERS).flatMap(([object, members]) =>
  members.flatMap(([name, use]) => {
    const isPmp = name === 'private_auction' || name === 'deals';
    const request = object === 'Pmp and Deal' ? (isPmp ? PMP : DEAL) : REQUESTS[object];
    return use !== 'restricts' || request === undefined || STRICT_ELSEWHERE.has(name)
      ? []
      : [{ path: `${request[0]}${name}`, name, of: request[1] }];
  }),
);

test.each(restricting)('$path is refused by its name when it cannot be read', ({ path, name, of }) => {
  const minimal = { id: 'r', imp: [IMP], site: { id: 's', domain: 's.example' } };
  const parse = (value: unknown): unknown => parseBidRequest({ ...minimal, ...of({ [name]: value }) });
  // The only media of a slot is missing then.
  if (!OBJECTS.has(name)) expect(() => parse(null)).not.toThrow();
  for (const value of OBJECTS.has(name) ? [[], 'junk', 7, true] : [{}]) {
    expect(() => parse(value)).toThrow(PlacardError);
    expect(() => parse(value)).toThrow(`${path} must be`);
  }
});
