import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { WorkspaceSnapshot } from '../../../domain/booking/snapshot.ts';
import { compileSteps, compileWorkspace } from './compile-workspace.ts';
import type { CompiledWorkspace } from './compiled-workspace.ts';
import { decide } from '../decide.ts';
import { randomWorld } from '../../../../test/worlds/random-world.ts';
import type { Opportunity } from '../../../domain/requests/opportunity.ts';
import { SNAPSHOT_PARTS, sortSnapshot } from './snapshot-parts.ts';
import type { SnapshotParts } from './snapshot-parts.ts';
import { finishSteps } from './work-steps.ts';
import { runsOf } from '../../../../test/support/longer-runs.ts';

const HOUR_MS = 3_600_000;
const reportUnusable = (_id: string, error: unknown): never => {
  throw error;
};

/** The entries of `before`, some of them replaced or dropped, and some of `other` added. Unchanged entries are the same objects. */
function mix<T extends { readonly id: string }>(
  before: readonly T[],
  other: readonly T[],
  choices: readonly number[],
): readonly T[] {
  const byId = new Map(before.map((lineItem) => [lineItem.id, lineItem]));
  let isChanged = false;
  for (const [index, lineItem] of other.entries()) {
    const choice = choices[index % choices.length];
    if (choice === 0) byId.set(lineItem.id, lineItem);
    else if (choice === 1) byId.delete(lineItem.id);
    isChanged ||= choice === 0 || choice === 1;
  }
  return isChanged ? [...byId.values()] : before;
}

/** The snapshot with some entries of every part replaced, dropped or added. */
function mixAll(snapshot: WorkspaceSnapshot, other: WorkspaceSnapshot, choices: readonly number[]): WorkspaceSnapshot {
  const parts = SNAPSHOT_PARTS.map((part, at) => {
    const turned = [...choices.slice(at % choices.length), ...choices.slice(0, at % choices.length)];
    return [part, mix<{ readonly id: string }>(snapshot[part], other[part], turned)] as const;
  });
  const workspace = choices[0] === 0 && choices[1] === 0 ? other.workspace : snapshot.workspace;
  return finishSteps(sortSnapshot({ workspace, ...(Object.fromEntries(parts) as unknown as SnapshotParts) }));
}

interface Asked {
  readonly opportunity: Opportunity;
  readonly state: Parameters<typeof decide>[2]['state'];
  readonly nowMs: number;
  readonly drawn: readonly number[];
}

/** A compiled workspace as plain data: its line items, those that the index finds, and the decision with all reasons. */
function describe(compiled: CompiledWorkspace, { opportunity, state, nowMs, drawn }: Asked) {
  let at = 0;
  const random = () => drawn[at++ % drawn.length] as number;
  const { placements, noFill, losers } = decide(compiled, opportunity, { state, nowMs, random, explain: true });
  const { lineItems, idle, index, matches, stretches, inventory, segments, floors } = compiled;
  const found = opportunity.slots.map((slot) => {
    const sizes = slot.sizes.map(({ width, height }) => `${width}x${height}`);
    const localMoment = () => ({ day: '', weekday: 1, minute: 0 });
    index.setRequest({ opportunity, slot, sizes, deals: [], localMoment }, [
      'banner:0x0',
      ...sizes.map((size) => `banner:${size}`),
    ]);
    return stretches.flatMap((stretch) => [...matches.subarray(0, index.collect(stretch, matches))]);
  });
  return {
    placements: placements.map((one) => [one?.lineItem.booked.id, one?.creative.creative.id, one?.bidMicros]),
    noFill,
    losers,
    rows: [...lineItems].map(({ residual, ...lineItem }) => ({ ...lineItem, isTested: residual !== null })),
    idle: idle.map(({ id, reason }) => [id, reason]),
    found,
    tallies: Object.fromEntries(Array.from(compiled.tallies, ([name, { lineItemCount }]) => [name, lineItemCount])),
    inventory,
    segments,
    floors,
  };
}

test('compiling a change incrementally gives the same line items, index and decisions as compiling from scratch', {
  timeout: 120_000,
}, () => {
  const choices = fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 3, maxLength: 12 });
  const drawn = fc.array(fc.double({ min: 0, max: 0.999, noNaN: true }), { minLength: 1, maxLength: 5 });
  const edit = fc.tuple(randomWorld, choices, fc.integer({ min: 0, max: 2 }));
  fc.assert(
    fc.property(
      randomWorld,
      fc.array(edit, { minLength: 1, maxLength: 5 }),
      drawn,
      fc.constantFrom(0, 1_000),
      (first, edits, draws, layeredMax) => {
        const { state, opportunity } = first;
        let { nowMs } = first;
        let onTop = compileWorkspace(first.snapshot, nowMs, reportUnusable);
        for (const [{ snapshot: other }, picks, hours] of edits) {
          nowMs += hours * HOUR_MS;
          const snapshot = mixAll(onTop.snapshot as WorkspaceSnapshot, other, picks);
          const former = onTop;
          const asked = { opportunity, state, nowMs, drawn: draws };
          const formerly = describe(former, asked);
          onTop = finishSteps(compileSteps(snapshot, { nowMs, reportUnusable, previous: former, layeredMax }));
          expect(describe(onTop, asked)).toEqual(describe(compileWorkspace(snapshot, nowMs, reportUnusable), asked));
          expect(describe(former, asked), 'what it was compiled on top of stays as it was').toEqual(formerly);
        }
      },
    ),
    { numRuns: runsOf(100) },
  );
});
