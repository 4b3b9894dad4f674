import { expect, test } from 'vitest';
import type { WorkspaceRecord } from '../keys/directory-data.ts';
import { admitPixel } from './admit-pixel.ts';
import type { Admission, RequestLimits } from './limits.ts';

const workspace = { workspaceId: 1 } as WorkspaceRecord;

/** A limit of ten that only pixels use, and what its store says. */
function limitsOf(changes: Partial<Admission> = {}): RequestLimits {
  let used = 0;
  const tell = (): Admission => ({ admitted: true, limit: 10, remaining: 10 - used, resetSeconds: 0, ...changes });
  return {
    look: () => tell(),
    admit: () => {
      used += 1;
      return tell();
    },
  };
}

test('events without a key use half of the events of a network, and leave the rest to its servers', async () => {
  const limits = limitsOf();
  const admitted = [];
  for (let event = 0; event < 8; event += 1) admitted.push(await admitPixel(limits, workspace));
  expect(admitted).toEqual([true, true, true, true, true, false, false, false]);
});

test('an event is let in while the store that counts does not respond, and not for a network that is not known', async () => {
  expect(await admitPixel(limitsOf({ admitted: false, isUnknown: true }), workspace)).toBe(true);
  expect(await admitPixel(limitsOf(), null)).toBe(false);
});
