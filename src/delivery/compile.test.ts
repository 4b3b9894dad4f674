import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { WorkspaceSnapshot } from '../domain/snapshot.ts';
import { compileSteps, compileWorkspace } from './compile.ts';
import type { RowMemo } from './compile-rows.ts';
import { decide } from './decide.ts';
import { randomWorld } from './fixtures/random-world.ts';
import { finishSteps } from './work-steps.ts';

const refuse = (_id: string, error: unknown): never => {
  throw error;
};

/** The rows of `before`, some of them replaced or dropped, and some of `other` added. Rows that stay are the same objects. */
function mix<T extends { readonly id: string }>(
  before: readonly T[],
  other: readonly T[],
  choices: readonly number[],
): T[] {
  const byId = new Map(before.map((row) => [row.id, row]));
  for (const [index, row] of other.entries()) {
    const choice = choices[index % choices.length];
    if (choice === 0) byId.set(row.id, row);
    else if (choice === 1) byId.delete(row.id);
  }
  return [...byId.values()];
}

test('compiling a change on top of what stood gives the decisions of compiling all anew', () => {
  const choices = fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 3, maxLength: 12 });
  const draws = fc.array(fc.double({ min: 0, max: 0.999, noNaN: true }), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(
      randomWorld,
      fc.array(fc.tuple(randomWorld, choices), { minLength: 1, maxLength: 4 }),
      draws,
      (first, edits, drawn) => {
        const memo: RowMemo = new WeakMap();
        const { nowMs, state, opportunity } = first;
        let snapshot: WorkspaceSnapshot = first.snapshot;
        finishSteps(compileSteps(snapshot, { nowMs, refuse, memo }));
        for (const [{ snapshot: other }, picks] of edits) {
          snapshot = {
            ...snapshot,
            workspace: picks[0] === 0 ? other.workspace : snapshot.workspace,
            advertisers: mix(snapshot.advertisers, other.advertisers, picks),
            campaigns: mix(snapshot.campaigns, other.campaigns, picks),
            lineItems: mix(snapshot.lineItems, other.lineItems, picks),
            creatives: mix(snapshot.creatives, other.creatives, picks),
            deals: mix(snapshot.deals, other.deals, picks),
          };
          const onTop = finishSteps(compileSteps(snapshot, { nowMs, refuse, memo }));
          const anew = compileWorkspace(snapshot, nowMs, refuse);
          const answer = (compiled: typeof anew) => {
            let at = 0;
            const random = () => drawn[at++ % drawn.length] as number;
            const { placements, noFill, losers } = decide(compiled, opportunity, {
              state,
              nowMs,
              random,
              explain: true,
            });
            const shown = placements.map((one) => [one?.row.lineItem.id, one?.creative.creative.id, one?.bidMicros]);
            return { shown, noFill, losers };
          };
          expect(answer(onTop)).toEqual(answer(anew));
        }
      },
    ),
    { numRuns: 300 },
  );
});
