import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ArmDay, ArmDaysQuestion } from '../../../domain/experiments/experiment-results.ts';
import { createTestManagement, type TestManagement } from '../../fixtures/test-management.ts';

const DAY_MS = 86_400_000;
const START = Date.parse('2026-11-20T10:00:00Z');
const after = (days: number): string => new Date(START + days * DAY_MS).toISOString();
const FIELDS = 'id state version sharePercent startsAt endsAt status';
const CREATE = `mutation ($input: CreateExperimentInput!) { made: createExperiment(input: $input) {
  experiment { ${FIELDS} } userErrors { field code message } } }`;
const UPDATE = `mutation ($id: ID!, $input: UpdateExperimentInput!) { made: updateExperiment(id: $id, input: $input) {
  experiment { ${FIELDS} } userErrors { field code message } } }`;
const BULK = `mutation ($inputs: [CreateExperimentInput!]!) { made: createExperiments(inputs: $inputs, mode: ROW_BY_ROW) {
  results { experiment { id } userErrors { field code } } } }`;

let api: TestManagement;
let days: readonly ArmDay[] = [];
const asked: ArmDaysQuestion[] = [];

beforeAll(async () => {
  const experimentFigures = {
    readArmDays: async (question: ArmDaysQuestion) => {
      asked.push(question);
      return days;
    },
  };
  api = await createTestManagement({ experimentFigures });
});
afterAll(() => api.close());
beforeEach(async () => {
  api.clock.nowMs = START;
  days = [];
  asked.length = 0;
  await api.database.db.deleteFrom('experiments').execute();
});

interface Made {
  readonly experiment: Readonly<Record<string, unknown>> & { readonly id: string };
  readonly userErrors: readonly { readonly field: string; readonly code: string; readonly message: string }[];
}

const input = (more: object = {}) => ({
  name: 'Goals without prices',
  rule: 'NO_PRICES',
  sharePercent: 10,
  startsAt: after(0),
  endsAt: after(14),
  ...more,
});
const create = async (more: object = {}, as = 'writer'): Promise<Made> =>
  (await api.data<{ made: Made }>(CREATE, { input: input(more) }, { as })).made;
const update = async (id: string, change: object): Promise<Made> =>
  (await api.data<{ made: Made }>(UPDATE, { id, input: change }, { as: 'writer' })).made;
const problemsOf = ({ userErrors }: Made) => userErrors.map(({ field, code }) => `${field} ${code}`);

describe('one experiment at a time', () => {
  test('another one is refused by the name of the one that has not ended, also within one call; other workspaces have their own', async () => {
    const { experiment } = await create();
    expect(experiment).toMatchObject({ state: 'RUNNING', sharePercent: 10 });
    const later = await create({ startsAt: after(20), endsAt: after(30) });
    expect(problemsOf(later)).toEqual(['input.endsAt ONE_EXPERIMENT']);
    expect(later.userErrors[0]?.message).toContain(`"Goals without prices" (${experiment.id})`);
    for (const as of ['staging', 'stranger']) expect(problemsOf(await create({}, as)), as).toEqual([]);
    await update(experiment.id, { endsAt: after(0) });
    const { made } = await api.data<{ made: { results: object[] } }>(BULK, {
      inputs: [input(), input()],
    });
    expect(made.results).toMatchObject([
      { experiment: { id: expect.any(String) }, userErrors: [] },
      { experiment: null, userErrors: [{ field: 'inputs.1.endsAt', code: 'ONE_EXPERIMENT' }] },
    ]);
  });

  test('only one of several that are created at the same time is made', async () => {
    const made = await Promise.all([create(), create(), create()]);
    expect(made.flatMap(problemsOf)).toEqual(['input.endsAt ONE_EXPERIMENT', 'input.endsAt ONE_EXPERIMENT']);
  });
});

describe('an experiment that was called off', () => {
  test('only one of a new one and one that is to begin after all gets its time', async () => {
    for (let round = 0; round < 5; round += 1) {
      await api.database.db.deleteFrom('experiments').execute();
      const { experiment } = await create({ startsAt: after(5) });
      await update(experiment.id, { endsAt: after(5) });
      const both = await Promise.all([create(), update(experiment.id, { endsAt: after(9) })]);
      expect(both.flatMap(problemsOf)).toEqual(['input.endsAt ONE_EXPERIMENT']);
    }
  });
});

describe('the life of an experiment', () => {
  test('share and start are fixed once it has begun; its end may move until it has ended', async () => {
    const { experiment } = await create({ startsAt: after(1) });
    expect(experiment['state']).toBe('SCHEDULED');
    expect(problemsOf(await update(experiment.id, { sharePercent: 20, startsAt: after(2) }))).toEqual([]);
    api.clock.nowMs = START + 3 * DAY_MS;
    expect(problemsOf(await update(experiment.id, { sharePercent: 30, startsAt: after(4) }))).toEqual([
      'input.sharePercent FIXED',
      'input.startsAt FIXED',
    ]);
    expect(problemsOf(await update(experiment.id, { endsAt: after(9) }))).toEqual([]);
    const stopped = await update(experiment.id, { endsAt: after(3), name: 'Stopped' });
    expect(stopped.experiment).toMatchObject({ state: 'ENDED' });
    expect(problemsOf(await update(experiment.id, { endsAt: after(20) }))).toEqual(['input.endsAt FIXED']);
    expect(problemsOf(await update(experiment.id, { name: 'Renamed' }))).toEqual([]);
  });

  test('one that has not begun is called off by an end at its start, and then another one may begin', async () => {
    const { experiment } = await create({ startsAt: after(5) });
    const off = await update(experiment.id, { endsAt: after(5) });
    expect(off.experiment['state']).toBe('ENDED');
    expect(problemsOf(await create())).toEqual([]);
  });

  test('archiving ends it', async () => {
    const { experiment } = await create();
    api.clock.nowMs = START + DAY_MS;
    await api.data(`mutation ($id: ID!) { archiveExperiment(id: $id) { experiment { id } } }`, { id: experiment.id });
    const { found } = await api.data<{ found: object }>(
      `query ($id: ID!) { found: experiment(id: $id) { ${FIELDS} } }`,
      {
        id: experiment.id,
      },
    );
    expect(found).toMatchObject({ status: 'ARCHIVED', state: 'ENDED', endsAt: after(1) });
    expect(problemsOf(await create({ startsAt: after(1) }))).toEqual([]);
  });

  test.each([
    ['an end before the start', { endsAt: after(-1) }, 'input.endsAt BEFORE_START'],
    ['an end at the start', { endsAt: after(0) }, 'input.endsAt BEFORE_START'],
    ['more than a year', { endsAt: after(367) }, 'input.endsAt OUT_OF_RANGE'],
    ['no share', { sharePercent: 0 }, 'input.sharePercent OUT_OF_RANGE'],
    ['more than half of the traffic', { sharePercent: 51 }, 'input.sharePercent OUT_OF_RANGE'],
  ])('%s is refused', async (_title, more, problem) => {
    expect(problemsOf(await create(more))).toEqual([problem]);
  });
});

describe('results', () => {
  const RESULTS = `query { experiments(first: 1) { nodes { results {
    days arms { arm requests revenue revenuePerThousandRequests } differences { measure value low high rest } } } } }`;
  const figures = { impressions: 0, clicks: 0, conversions: 0, guaranteedImpressions: 0 };
  const results = async () => {
    const { experiments } = await api.data<{ experiments: { nodes: { results: object }[] } }>(
      RESULTS,
      {},
      { as: 'reader' },
    );
    return experiments.nodes[0]?.results;
  };

  test('arms and differences are those of the days that are over, in the time zone of the network', async () => {
    const { experiment } = await create();
    api.clock.nowMs = Date.parse('2026-11-23T23:30:00Z');
    // In Warsaw, the 24th has begun: the 23rd is over, and the 24th is not.
    days = ['2026-11-20', '2026-11-21', '2026-11-22', '2026-11-23', '2026-11-24'].flatMap((day) => [
      { ...figures, day, arm: 'RULE' as const, requests: 1_000, revenueNanos: 2_000_000_000n },
      { ...figures, day, arm: 'REST' as const, requests: 9_000, revenueNanos: 27_000_000_000n },
    ]);
    expect(await results()).toMatchObject({
      days: 4,
      arms: [
        { arm: 'RULE', requests: 5_000, revenue: '10', revenuePerThousandRequests: '2' },
        { arm: 'REST', requests: 45_000, revenue: '135', revenuePerThousandRequests: '3' },
      ],
      differences: expect.arrayContaining([{ measure: 'REVENUE', value: -1, low: -1, high: -1, rest: 3 }]),
    });
    expect(asked).toEqual([
      {
        workspaceId: 1,
        experimentId: experiment.id,
        startsAtMs: START,
        endsAtMs: api.clock.nowMs,
        timezone: 'Europe/Warsaw',
      },
    ]);
  });

  test('an experiment without events has no differences', async () => {
    await create();
    expect(await results()).toMatchObject({
      days: 0,
      arms: [{ requests: 0, revenuePerThousandRequests: null }, { requests: 0 }],
      differences: expect.arrayContaining([{ measure: 'CLICKS', value: null, low: null, high: null, rest: null }]),
    });
  });
});
