import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type EpochPart, EpochTokens, type TokenBounds } from './epoch-tokens.ts';
import { runsOf } from '../../../test/support/longer-runs.ts';

/** The counters of one epoch. An addition counts at once; its response may arrive later. */
class Counters {
  readonly #values = new Map<string, number>();

  add(part: EpochPart): () => void {
    const values = part.increments.map(({ key, by }) => {
      const value = (this.#values.get(key) ?? 0) + Number(by);
      this.#values.set(key, value);
      return value;
    });
    return () => part.apply(values);
  }
}

function newProcesses(count: number): EpochTokens[] {
  return Array.from({ length: count }, () => new EpochTokens('q', 60_000));
}

const sumOf = (all: readonly EpochTokens[], bounds: TokenBounds): number =>
  all.reduce((sum, tokens) => sum + tokens.usable(bounds), 0);

test('a third process that joins first when two are stated does not take the parts of the others', () => {
  const bounds = { limit: 300, processes: 2 };
  const counters = new Counters();
  const all = newProcesses(3);
  for (const tokens of all) counters.add(tokens.register(bounds))();
  for (const tokens of all.toReversed()) counters.add(tokens.join(150, bounds))();
  for (const tokens of all) counters.add(tokens.change(300, bounds))();
  expect(all.map((tokens) => tokens.usable(bounds))).toEqual([150, 150, 0]);
});

test('a process that joins without registration takes only the tokens beyond the parts of the others', () => {
  const bounds = { limit: 300, processes: 3 };
  const counters = new Counters();
  const [first, second, late] = newProcesses(3) as [EpochTokens, EpochTokens, EpochTokens];
  counters.add(first.register(bounds))();
  counters.add(late.join(300, bounds))();
  expect(late.usable(bounds)).toBe(200);
  // No tokens are left to keep for it.
  counters.add(second.register(bounds))();
  expect([second.isKept, second.usable(bounds)]).toEqual([false, 0]);
  expect(sumOf([first, second, late], bounds)).toBe(300);
});

test('a part becomes free for the others once a process without a kept part has joined', () => {
  const bounds = { limit: 300, processes: 2 };
  const counters = new Counters();
  const [first, second] = newProcesses(2) as [EpochTokens, EpochTokens];
  counters.add(first.join(200, bounds))();
  counters.add(second.register(bounds))();
  counters.add(second.join(0, bounds))();
  counters.add(first.change(100, bounds))();
  expect(first.usable(bounds)).toBe(300);
});

test('processes together never hold more than the limit, for any number of processes and any delay of responses', () => {
  const step = fc.record({
    at: fc.nat({ max: 6 }),
    kind: fc.constantFrom('register', 'join', 'change', 'return', 'leave', 'respond'),
    tokens: fc.nat({ max: 300 }),
  });
  const world = fc.record({
    limit: fc.integer({ min: 1, max: 300 }),
    processes: fc.integer({ min: 1, max: 7 }),
    steps: fc.array(step, { maxLength: 60 }),
  });
  fc.assert(
    fc.property(world, ({ limit, processes, steps }) => {
      const bounds = { limit, processes };
      const counters = new Counters();
      const all = newProcesses(7);
      const responses = new Map<EpochTokens, () => void>();
      const gone = new Set<EpochTokens>();
      for (const { at, kind, tokens } of steps) {
        const one = all[at];
        if (one === undefined || gone.has(one)) continue;
        // One addition of a process at a time.
        responses.get(one)?.();
        responses.delete(one);
        const held = one.hasJoined ? one.usable(bounds) : 0;
        if (kind === 'register' && !one.isRegistered && !one.hasJoined)
          responses.set(one, counters.add(one.register(bounds)));
        if (kind === 'join' && !one.hasJoined) responses.set(one, counters.add(one.join(tokens, bounds)));
        if (kind === 'change' && one.hasJoined) responses.set(one, counters.add(one.change(tokens, bounds)));
        if (kind === 'return' && held > 0)
          responses.set(one, counters.add(one.change(-Math.min(held, tokens), bounds)));
        if (kind === 'leave') {
          gone.add(one);
          counters.add(one.leave(held));
        }
        expect(sumOf(all, bounds)).toBeLessThanOrEqual(limit);
      }
    }),
    { numRuns: runsOf(2_000), seed: 20_261_122 },
  );
});
