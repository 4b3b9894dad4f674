import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { compileWorkspace } from './index/compile-workspace.ts';
import { decide } from './decide.ts';
import { sampleOpportunity, sampleSlot, sampleSnapshot, stateOf } from '../../../test/worlds/sample-workspace.ts';
import type { SampleInput } from '../../../test/worlds/sample-workspace.ts';
import type { Opportunity, Slot } from '../../domain/requests/opportunity.ts';

/** A file of cases/: how it differs from the samples, and the expected decision. */
interface DecideCase {
  readonly about: string;
  readonly now?: string;
  readonly random?: readonly number[];
  readonly network?: SampleInput;
  readonly request?: Omit<Partial<Opportunity>, 'keyValues' | 'slots'> & {
    readonly keyValues?: Record<string, string[]>;
    readonly slots?: readonly Partial<Slot>[];
  };
  /** By the end of their key: `li/1/imp/all` → 5. */
  readonly counters?: Record<string, number>;
  readonly expect: {
    /** The line item of each slot; null = empty. */
    readonly lineItems: readonly (string | null)[];
    readonly creatives?: readonly (string | null)[];
    /** The companions that the video of each slot carries. */
    readonly companions?: readonly (readonly string[] | null)[];
    readonly bidMicros?: readonly (number | null)[];
    readonly dealCodes?: readonly (string | null)[];
    readonly noFill?: string;
    /** The header bidder that wins each slot. */
    readonly headerBidders?: readonly (string | null)[];
    /** Why line items lost the first slot. */
    readonly reasons?: Record<string, string>;
  };
}

const HOUR_MS = 3_600_000;
const SETS = [
  'blockedCategories',
  'allowedCategories',
  'blockedDomains',
  'allowedSeats',
  'blockedSeats',
  'creativeLanguages',
] as const;
const folder = fileURLToPath(new URL('cases/', import.meta.url));
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.json'));

function readCase(name: string): DecideCase {
  return JSON.parse(readFileSync(`${folder}${name}`, 'utf8')) as DecideCase;
}

function opportunityOf({ request = {} }: DecideCase): Opportunity {
  const { keyValues = {}, slots = [{}], ...rest } = request;
  const sets = Object.fromEntries(SETS.map((name) => [name, new Set((rest[name] as unknown as string[]) ?? [])]));
  return sampleOpportunity({
    ...rest,
    ...sets,
    keyValues: new Map(Object.entries(keyValues)),
    slots: slots.map((slot, index) => sampleSlot({ slotId: `s${index + 1}`, ...slot })),
  });
}

/** @param ageMs how long before the decision the workspace was compiled */
function run(one: DecideCase, explain: boolean, ageMs = 0) {
  const nowMs = Date.parse(one.now ?? '2026-11-20T10:00:00Z');
  const compiled = compileWorkspace(sampleSnapshot(one.network ?? {}), nowMs - ageMs, (_id, error) => {
    throw error;
  });
  const counters = Object.fromEntries(
    Object.entries(one.counters ?? {}).map(([key, value]) => [key.startsWith('f/') ? key : `d/1/${key}`, value]),
  );
  const draws = [...(one.random ?? [])];
  return decide(compiled, opportunityOf(one), {
    state: stateOf(counters),
    nowMs,
    random: () => draws.shift() ?? 0,
    explain,
  });
}

describe('decisions', () => {
  test('the folder holds cases', () => {
    expect(files.length).toBeGreaterThanOrEqual(150);
  });

  test.each(files)('%s', (name) => {
    const one = readCase(name);
    const decision = run(one, true);
    const { placements } = decision;
    expect(
      placements.map((placement) => placement?.lineItem.booked.id ?? null),
      one.about,
    ).toEqual(one.expect.lineItems);
    if (one.expect.creatives !== undefined) {
      expect(placements.map((placement) => placement?.creative.creative.id ?? null)).toEqual(one.expect.creatives);
    }
    if (one.expect.companions !== undefined) {
      const brought = placements.map(
        (placement) => placement?.companions.creatives.map(({ creative }) => creative.id) ?? null,
      );
      expect(brought).toEqual(one.expect.companions);
    }
    if (one.expect.bidMicros !== undefined) {
      expect(placements.map((placement) => placement?.bidMicros ?? null)).toEqual(one.expect.bidMicros);
    }
    if (one.expect.dealCodes !== undefined) {
      expect(placements.map((placement) => placement?.dealCode ?? null)).toEqual(one.expect.dealCodes);
    }
    if (one.expect.headerBidders !== undefined) {
      const won = decision.headerBids ?? placements.map(() => null);
      expect(won.map((headerBid) => headerBid?.bidder ?? null)).toEqual(one.expect.headerBidders);
    }
    if (one.expect.noFill !== undefined) expect(decision.noFill).toBe(one.expect.noFill);
    for (const [lineItemId, reason] of Object.entries(one.expect.reasons ?? {})) {
      const loser = decision.losers.find((each) => each.lineItemId === lineItemId && each.slotId === 's1');
      expect(loser?.reason, `line item ${lineItemId}`).toBe(reason);
    }
  });

  test.each(files)('an explanation does not change the decision: %s', (name) => {
    const one = readCase(name);
    const idsOf = (decision: ReturnType<typeof run>) =>
      decision.placements.map((placement) => placement?.creative.creative.id ?? null);
    expect(idsOf(run(one, false))).toEqual(idsOf(run(one, true)));
  });

  // Compiling leaves out what has ended: the edges of flights are then those of the decision.
  test.each(files)('a workspace that was compiled an hour before decides alike: %s', (name) => {
    const one = readCase(name);
    const outcomeOf = ({ placements, losers, noFill }: ReturnType<typeof run>) => ({
      creatives: placements.map((placement) => placement?.creative.creative.id ?? null),
      reasons: losers.map(({ lineItemId, slotId, reason }) => `${slotId} ${lineItemId} ${reason}`).toSorted(),
      noFill,
    });
    expect(outcomeOf(run(one, true, HOUR_MS))).toEqual(outcomeOf(run(one, true)));
  });
});
