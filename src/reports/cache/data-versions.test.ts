import { expect, test } from 'vitest';
import { silentLog } from '../../../test/support/stores.ts';
import type { Olap } from '../../storage/olap/olap.ts';
import { DataVersions } from './data-versions.olap.ts';

/** The versions of a store that responds at 1,050 to a question of 1,000, with a batch that came in at `writtenAtMs`. */
async function readVersion(writtenAtMs: number) {
  let nowMs = 1_000;
  const olap = {
    query: async () => {
      nowMs = 1_050;
      return [{ day: 1, row_count: '1', written_at: String(writtenAtMs) }];
    },
  };
  const versions = new DataVersions({ olap: olap as unknown as Olap, log: silentLog, nowMs: () => nowMs });
  return versions.read(1, 'now');
}

test('a version is never older than the newest batch in it, and never of the future', async () => {
  expect(await readVersion(900)).toMatchObject({ readAtMs: 1_000, writtenAtMs: 900 });
  expect(await readVersion(1_020)).toMatchObject({ readAtMs: 1_020, writtenAtMs: 1_020 });
  expect(await readVersion(1_070)).toMatchObject({ readAtMs: 1_050, writtenAtMs: 1_070 });
});
