import { afterAll, expect, test } from 'vitest';
import { TRIES_ALL } from '../support/longer-runs.ts';
import { makeDataDir, type PlacardProcess, removeDataDir, startPlacard } from '../support/placard-process.ts';
import { limitProcessor } from '../support/processor-share.ts';

/** A start takes about 15 s of processor time. */
const PERCENT = TRIES_ALL ? 5 : 10;
const START_TIMEOUT_MS = 1_200_000;

const share = limitProcessor('placard-slow', PERCENT);
const dataDir = makeDataDir();
let placard: PlacardProcess | null = null;

afterAll(async () => {
  share?.release();
  await placard?.stop();
  await removeDataDir(dataDir);
  share?.remove();
}, 120_000);

test.skipIf(share === null)(
  `the whole service starts with ${PERCENT} % of a processor, and no part is given up or started twice`,
  async () => {
    placard = await startPlacard({
      dataDir,
      env: { PLACARD_DEMO: 'false', PLACARD_WORKERS: '1', PLACARD_LOG_FORMAT: 'json' },
      onSpawn: (pid) => share?.add(pid),
      startTimeoutMs: START_TIMEOUT_MS,
    });
    expect(placard.output()).not.toMatch(/process\.(?:restarted|killed|failed)|service\.gave_up/);
  },
  START_TIMEOUT_MS + 10_000,
);
