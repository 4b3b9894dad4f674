import { expect, test } from 'vitest';
import { decide } from '../decide.ts';
import { sampleOpportunity, sampleSlot, sampleSnapshot, stateOf } from '../../../../test/worlds/sample-workspace.ts';
import { compileSteps, compileWorkspace } from './compile-workspace.ts';
import { patchSnapshot } from './snapshot-parts.ts';
import { finishSteps } from './work-steps.ts';

const NOW_MS = Date.parse('2026-11-20T10:00:00Z');
const refuse = (_id: string, error: unknown): never => {
  throw error;
};

test.each([0, 1_000])(
  'line items that a change leaves alone stay the same objects, at their new positions, with up to %i on top',
  (layeredMax) => {
    const lineItems = [{ priceMicros: 3 }, { priceMicros: 2 }, { priceMicros: 1 }];
    const before = compileWorkspace(sampleSnapshot({ lineItems }), NOW_MS, refuse);
    const [dearest, middle] = [before.lineItems.at(0), before.lineItems.at(1)];
    const snapshot = patchSnapshot(before.snapshot, 'lineItems', {
      ids: ['1'],
      records: [{ ...dearest.booked, priceMicros: 0 }],
    });
    const after = finishSteps(
      compileSteps(snapshot, { nowMs: NOW_MS, reportUnusable: refuse, previous: before, layeredMax }),
    );
    expect([...after.lineItems].map(({ booked }) => booked.id)).toEqual(['2', '3', '1']);
    expect(after.lineItems.at(0)).toBe(middle);
    expect(after.lineItems.at(2)).not.toBe(dearest);
    expect(after.lineItems.at(2).priceMicros).toBe(0);
    expect([...before.lineItems].map(({ booked }) => booked.id)).toEqual(['1', '2', '3']);
  },
);

test('a line item whose targeting or time zone cannot be compiled is reported at once, and the others serve', () => {
  const unusable: string[] = [];
  const test = { dimension: 'nowhere', operator: 'isNot', values: ['1'] } as never;
  const lineItems = [{ targeting: test }, { timezone: 'Mars/Olympus' }, {}];
  const compiled = compileWorkspace(sampleSnapshot({ lineItems }), NOW_MS, (id) => unusable.push(id));
  expect(unusable).toEqual(['1', '2']);
  const { placements } = decide(compiled, sampleOpportunity({ slots: [sampleSlot({})] }), {
    state: stateOf({}),
    nowMs: NOW_MS,
    random: () => 0.5,
  });
  expect(placements.map((placement) => placement?.lineItem.booked.id)).toEqual(['3']);
});
