import { afterEach, expect, test } from 'vitest';
import type { LogCode } from '../../domain/log/log-events.ts';
import { SpareWorkers } from './spare-workers.ts';

/** Longer than what the system takes as one argument: the start itself throws. */
const TOO_LONG = `/${'x'.repeat(200_000)}`;

let spares: SpareWorkers | null = null;
afterEach(() => spares?.stop());

test('spare workers that cannot start are logged and retried, each time after a longer delay', async () => {
  const logged: { code: LogCode; delayMs: unknown }[] = [];
  spares = new SpareWorkers({
    count: () => 3,
    modulePath: 'nothing.ts',
    dataDir: TOO_LONG,
    log: { event: (code, fields) => logged.push({ code, delayMs: (fields as { delayMs?: unknown }).delayMs }) },
    onProcessesChanged: () => undefined,
    retryMs: [5, 20],
  });
  spares.fill();
  // One failure ends the round.
  expect(logged).toEqual([{ code: 'process.spare_not_started', delayMs: 5 }]);
  await expect.poll(() => logged.slice(0, 4).map(({ delayMs }) => delayMs)).toEqual([5, 10, 20, 20]);
  expect(spares.pids).toEqual([]);
});
