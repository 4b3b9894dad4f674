import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ARM_KEY_ID, armOf, armValue, type Experiment, withArm } from './experiment.ts';
import { NO_KEY_VALUES } from '../targeting/key-value.ts';

const SECRET = Buffer.from('a secret of this test, and of no other one');
const RUNNING: Experiment = {
  id: '12',
  rule: 'NO_PRICES',
  sharePercent: 10,
  startsAtMs: 1_000,
  endsAtMs: 2_000,
};
const at = (random: () => number = () => expect.fail('no draw is needed'), secret = SECRET) => ({
  secret,
  nowMs: 1_500,
  random,
});
const users = (count: number) => Array.from({ length: count }, (_, user) => user.toString(16).padStart(16, '0'));
const arms = (experiment: Experiment, count = 4_000, secret = SECRET) =>
  users(count).map((userHash) => armOf(experiment, { workspaceId: 1, userHash }, at(undefined, secret))?.arm);

describe('the arm of a request', () => {
  test('the share of users is that of the experiment within binomial bounds, and each user keeps the arm', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 50 }), fc.bigInt({ min: 1n, max: 2n ** 60n }), (sharePercent, id) => {
        const experiment = { ...RUNNING, id: String(id), sharePercent };
        const drawn = arms(experiment);
        const share = sharePercent / 100;
        const deviation = Math.sqrt((share * (1 - share)) / drawn.length);
        const found = drawn.filter((arm) => arm === 'RULE').length / drawn.length;
        expect(Math.abs(found - share)).toBeLessThan(5 * deviation);
        expect(arms(experiment)).toEqual(drawn);
      }),
      { numRuns: 30, seed: 5 },
    );
  });

  test('arms of two experiments, and of two secrets, are independent', () => {
    const experiment = { ...RUNNING, sharePercent: 50 };
    const first = arms(experiment);
    for (const other of [arms({ ...experiment, id: '13' }), arms(experiment, 4_000, Buffer.from('another'))]) {
      const same = other.filter((arm, user) => arm === first[user]).length / other.length;
      expect(Math.abs(same - 0.5)).toBeLessThan(5 * Math.sqrt(0.25 / other.length));
    }
  });

  test('a request without a user is drawn by itself', () => {
    const nobody = { workspaceId: 1, userHash: '' };
    expect(
      armOf(
        RUNNING,
        nobody,
        at(() => 0.0999),
      )?.arm,
    ).toBe('RULE');
    expect(
      armOf(
        RUNNING,
        nobody,
        at(() => 0.1),
      )?.arm,
    ).toBe('REST');
  });

  test('a request has no arm without an experiment, before it and from its end on, and nothing is drawn', () => {
    const subject = { workspaceId: 1, userHash: '' };
    expect(armOf(undefined, subject, at())).toBeNull();
    expect(armOf(RUNNING, subject, { ...at(), nowMs: 999 })).toBeNull();
    expect(armOf(RUNNING, subject, { ...at(), nowMs: 2_000 })).toBeNull();
    expect(armOf(RUNNING, subject, { ...at(() => 0), nowMs: 1_000 })).not.toBeNull();
  });
});

test('the key-values of a slot have the arm, and slots with the same ones share an object', () => {
  const own = { '7': 'sports' };
  const arm = { experimentId: '12', arm: 'REST', rule: 'NO_PRICES', sharePercent: 10 } as const;
  const keyValuesOf = withArm(({ keyValues }) => (keyValues === undefined ? NO_KEY_VALUES : own), arm);
  const bare = keyValuesOf({});
  expect(bare).toEqual({ [ARM_KEY_ID]: armValue('12', 'REST') });
  expect(keyValuesOf({})).toBe(bare);
  const whole = keyValuesOf({ keyValues: new Map() });
  expect(whole).toEqual({ [ARM_KEY_ID]: '12:REST', '7': 'sports' });
  expect(keyValuesOf({ keyValues: new Map() })).toBe(whole);
});
