import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ApiProblem } from '../transport/problem.ts';
import { copyObjects, validateCopies } from './copies.ts';
import { updateObjects } from './object-updates.ts';

const SCOPE = { networkId: '1000', environment: 'staging' } as const;

interface Sent {
  readonly path: string;
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
}
let sent: Sent[] = [];
let respond: (request: Sent) => object = () => ({});

beforeEach(() => {
  sent = [];
  vi.stubGlobal('fetch', (path: string, init: RequestInit) => {
    const request = { path, ...(JSON.parse(init.body as string) as Omit<Sent, 'path'>) };
    sent.push(request);
    return Promise.resolve(new Response(JSON.stringify(respond(request))));
  });
});

afterEach(() => vi.unstubAllGlobals());

describe('changes of many objects', () => {
  const updates = Array.from({ length: 450 }, (_one, at) => ({ id: String(at), version: 1, input: { name: 'x' } }));

  test('changes go out two hundred a call, and each outcome has the id of its own object', async () => {
    respond = ({ variables }) => {
      const rows = variables['updates'] as typeof updates;
      const results = rows
        .map(({ id }, index) => ({
          index,
          code: id === '201' ? 'conflict' : null,
          message: null,
          problems: [],
          warnings: [],
          object: id === '201' ? null : { version: 2 },
        }))
        .toReversed();
      return { data: { done: { results } } };
    };
    const counts: number[] = [];
    const results = await updateObjects(SCOPE, 'lineItem', updates, {
      validateOnly: false,
      onProgress: (count) => counts.push(count),
    });
    expect(counts).toEqual([200, 400, 450]);
    expect(sent.map(({ path }) => path)).toEqual(['/staging/graphql', '/staging/graphql', '/staging/graphql']);
    expect(results.map(({ id }) => id).toSorted()).toEqual(updates.map(({ id }) => id).toSorted());
    expect(results.filter(({ code }) => code !== null)).toEqual([
      { id: '201', code: 'conflict', message: null, problems: [], warnings: [], version: null },
    ]);
  });

  test.each([
    ['lineItem', 'updateLineItems(', 'UpdateLineItemEntry'],
    ['campaign', 'updateCampaigns(', 'UpdateCampaignEntry'],
    ['creatives', 'updateCreatives(', 'UpdateCreativeEntry'],
    ['keyValues', 'updateKeyValues(', 'UpdateKeyValueEntry'],
  ] as const)('changes of the kind %s have the names of the schema', async (kind, mutation, type) => {
    respond = () => ({ data: { done: { results: [] } } });
    await updateObjects(SCOPE, kind, updates.slice(0, 1), { validateOnly: true });
    expect(sent[0]?.query).toContain(mutation);
    expect(sent[0]?.query).toContain(type);
    expect(sent[0]?.variables['validateOnly']).toBe(true);
  });
});

describe('copies', () => {
  test('copies of line items are made fifty a call', async () => {
    respond = ({ variables }) => ({
      data: { done: { lineItems: (variables['ids'] as string[]).map((id) => ({ id: `copy-${id}`, version: 1 })) } },
    });
    const ids = Array.from({ length: 120 }, (_one, at) => String(at));
    const copies = await copyObjects(SCOPE, 'lineItem', ids, { shiftDays: 7 });
    expect(sent.map(({ variables }) => (variables['ids'] as string[]).length)).toEqual([50, 50, 20]);
    expect(copies.made.map(({ id }) => id)).toEqual(ids.map((id) => `copy-${id}`));
  });

  test('copies of campaigns are refused one by one, with the reason', async () => {
    respond = ({ variables }) => {
      if (variables['id'] === 'bad') return { errors: [{ message: 'No.', extensions: { code: 'forbidden_here' } }] };
      const userErrors = variables['id'] === 'full' ? [{ message: 'Too many.' }, { message: 'Really.' }] : [];
      const copy = userErrors.length > 0 ? null : { id: `copy-${String(variables['id'])}`, version: 1 };
      return { data: { done: { copy, lineItemCount: 1, creativeCount: 1, userErrors } } };
    };
    const copies = await copyObjects(SCOPE, 'campaign', ['a', 'full', 'bad', 'b'], { shiftDays: 0 });
    expect(copies).toEqual({
      made: [
        { id: 'copy-a', version: 1 },
        { id: 'copy-b', version: 1 },
      ],
      refused: [
        { id: 'full', message: 'Too many. Really.' },
        { id: 'bad', message: 'No.' },
      ],
    });
  });

  test('copies of line items are validated ten a call, and a call that fails is the verdict of its own ten', async () => {
    respond = ({ variables }) => {
      if (variables['i0'] === '10') return { errors: [{ message: 'No.', extensions: { code: 'query_too_complex' } }] };
      const fields = Object.keys(variables).filter((name) => /^i\d+$/.test(name));
      return {
        data: Object.fromEntries(
          fields.map((name) => [
            `c${name.slice(1)}`,
            { creativeCount: 2, userErrors: variables[name] === '3' ? [{ message: 'Archived.' }] : [] },
          ]),
        ),
      };
    };
    const ids = Array.from({ length: 21 }, (_one, at) => String(at));
    const { signal } = new AbortController();
    const verdicts = await validateCopies(SCOPE, 'lineItem', ids, { shiftDays: 0, signal });
    expect(verdicts.map(({ id }) => id)).toEqual(ids);
    expect(verdicts[3]).toEqual({ id: '3', lineItemCount: 1, creativeCount: 2, message: 'Archived.' });
    expect(verdicts.filter(({ message }) => message !== null).map(({ id }) => id)).toEqual(['3', ...ids.slice(10, 20)]);
    expect(verdicts[20]?.message).toBeNull();
  });

  test('copies are not validated further once nobody waits', async () => {
    const controller = new AbortController();
    respond = () => {
      controller.abort();
      return { errors: [{ message: 'No.', extensions: { code: 'query_too_complex' } }] };
    };
    const validating = validateCopies(SCOPE, 'campaign', ['1', '2'], { shiftDays: 0, signal: controller.signal });
    await expect(validating).rejects.toBeInstanceOf(ApiProblem);
    expect(sent).toHaveLength(1);
  });
});
