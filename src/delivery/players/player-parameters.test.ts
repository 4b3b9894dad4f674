import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { PLAYER_PARAMETERS } from './player-parameters.schema.ts';
import type { PlayerParameter } from './player-parameters.schema.ts';

const PARAMETERS: readonly PlayerParameter[] = Object.values(PLAYER_PARAMETERS);
const USES = { read: 'read', restricts: 'restricts ads', ignored: 'ignored' } as const;

function writePage(): string {
  return [
    '# Parameters of the addresses of players',
    '',
    'Every parameter of `/<network>/vast` and `/<network>/vmap`, and what is done with it: it is **read**, it **restricts** ads (one that does not fit is',
    'not returned), or it is **ignored**. Of several names, the first that is given counts. Parameters that are not listed are ignored. The page is written from',
    '`src/delivery/players/player-parameters.schema.ts`: `npx vitest run src/delivery/players/player-parameters.test.ts -u`. [video.md](video.md) is the guide.',
    '',
    '| Parameter | Use | Notes |',
    '|---|---|---|',
    ...PARAMETERS.map(
      ([names, use, note]) =>
        `| ${names.map((name) => `\`${name}\``).join(', ')} | ${USES[use]} | ${note.replaceAll('|', '\\|')} |`,
    ),
    '',
  ].join('\n');
}

test('docs/video-parameters.md is the table of the parser', async () => {
  await expect(writePage()).toMatchFileSnapshot('../../../docs/video-parameters.md');
});

test('each parameter is listed once', () => {
  const names = PARAMETERS.flatMap(([all]) => all);
  expect(names).toHaveLength(new Set(names).size);
});

test('each parameter that counts is named in the code of a parser, and no other is', () => {
  const source = ['./player-request.ts', '../serving/vast.routes.ts']
    .map((path) => readFileSync(new URL(path, import.meta.url), 'utf8'))
    .join('\n');
  const named = Object.entries(PLAYER_PARAMETERS).filter(([key]) => source.includes(`'${key}'`));
  const counting = Object.entries<PlayerParameter>(PLAYER_PARAMETERS).filter(([, [, use]]) => use !== 'ignored');
  expect(named.map(([key]) => key)).toEqual(counting.map(([key]) => key));
});
