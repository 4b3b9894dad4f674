import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compileWorkspace } from './compile-workspace.ts';
import { sampleOpportunity, sampleSlot, sampleSnapshot } from '../../../../test/worlds/sample-workspace.ts';
import { compilePredicate } from './targeting.ts';
import type { TargetingFacts } from './targeting.ts';
import type { Targeting } from '../../../domain/targeting/targeting.ts';
import { runsOf } from '../../../../test/support/longer-runs.ts';

/** Common values (in most line items) and rare ones (in a few of hundreds) cover both forms of the lists. */
const value = fc.oneof(fc.constantFrom('common', 'usual'), fc.integer({ min: 1, max: 150 }).map(String));
const leaf = fc.record({
  dimension: fc.constantFrom('country', 'keyword', 'adUnit', 'segment'),
  operator: fc.constantFrom('is', 'is', 'is', 'isNot'),
  values: fc.array(value, { minLength: 1, maxLength: 3 }),
} as const);
const tree = fc.oneof(
  fc.constant(null),
  fc.record({ all: fc.array(leaf, { maxLength: 3 }) }),
  fc.record({ any: fc.array(leaf, { maxLength: 3 }) }),
) as fc.Arbitrary<Targeting | null>;

test('the index and the residual tests admit exactly the line items that their targeting admits', () => {
  const input = fc.record({
    trees: fc.array(tree, { minLength: 100, maxLength: 400 }),
    country: value,
    adUnitId: value,
    keywords: fc.uniqueArray(value, { maxLength: 4 }),
    segments: fc.uniqueArray(value, { maxLength: 4 }),
  });
  fc.assert(
    fc.property(input, ({ trees, country, adUnitId, keywords, segments }) => {
      const snapshot = sampleSnapshot({ lineItems: trees.map((targeting) => ({ targeting })) });
      const compiled = compileWorkspace(snapshot, 0, (_id, error) => {
        throw error;
      });
      const slot = sampleSlot({ adUnitId });
      const opportunity = sampleOpportunity({ country, keywords, segments, slots: [slot] });
      const localMoment = () => ({ day: '', weekday: 1, minute: 0 });
      const facts: TargetingFacts = { opportunity, slot, sizes: ['300x250'], deals: [], localMoment };
      compiled.index.setRequest(facts, ['banner:0x0', 'banner:300x250']);
      const count = compiled.index.collect({ from: 0, to: compiled.lineItems.length }, compiled.matches);
      const found = [...compiled.matches.subarray(0, count)]
        .map((index) => compiled.lineItems.at(index))
        .filter((lineItem) => lineItem !== undefined && (lineItem.residual === null || lineItem.residual(facts)))
        .map((lineItem) => lineItem?.booked.id);
      const wanted = [...compiled.lineItems]
        .filter(({ booked }) => booked.targeting === null || compilePredicate(booked.targeting, 'UTC')(facts))
        .map(({ booked }) => booked.id);
      expect(found).toEqual(wanted);
      const numbers = [...compiled.matches.subarray(0, count)];
      for (let cut = 0; cut <= compiled.lineItems.length; cut += 7) {
        const inRanges = [
          { from: 0, to: cut },
          { from: cut, to: compiled.lineItems.length },
        ].flatMap((range) => [...compiled.matches.subarray(0, compiled.index.collect(range, compiled.matches))]);
        expect(inRanges, 'the same rows when they are looked for in two parts').toEqual(numbers);
      }
    }),
    { numRuns: runsOf(150) },
  );
});
