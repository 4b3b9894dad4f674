import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openReportsServer, type LoadOptions, type ReportsServer } from './fixtures/reports-server.ts';

const IMPRESSIONS = 'campaign_overview.impressions';
let server: ReportsServer;

beforeAll(async () => {
  server = await openReportsServer({ timing: { staleAfterMs: 100, continueWaitMs: 200 } });
});
afterAll(() => server.close());
beforeEach(() => {
  server.hold = null;
});

/** A day of its own for every test, so that none finds another's results. */
let days = 0;
function newDay(): string {
  days += 1;
  return `2026-01-${String(days).padStart(2, '0')}`;
}

function query(day: string, more: object = {}): object {
  return {
    measures: [IMPRESSIONS],
    timeDimensions: [{ dimension: 'campaign_overview.time', dateRange: [day, day] }],
    ...more,
  };
}

interface LoadBody {
  readonly data: readonly Record<string, string>[];
  readonly lastRefreshTime: string;
  readonly dataAsOf: string | null;
  readonly completeUntil: string | null;
}

async function ask(
  asked: object,
  options: LoadOptions = {},
): Promise<{ count: string | undefined; body: LoadBody; etag: string }> {
  const response = await server.load(asked, options);
  const body = (await response.json()) as LoadBody;
  expect(response.status, JSON.stringify(body)).toBe(200);
  return { count: body.data[0]?.[IMPRESSIONS], body, etag: response.headers.get('etag') ?? '' };
}

/** How many statements `work` began. */
async function statementsOf(work: () => Promise<unknown>): Promise<number> {
  const before = server.begunCount();
  await work();
  return server.begunCount() - before;
}

const event = (day: string, more: object = {}): Record<string, unknown> => ({ time: `${day} 10:00:00.000`, ...more });

describe('a result', () => {
  test('a result is computed once while its days do not change, even when other days do', async () => {
    const [day, other] = [newDay(), newDay()];
    await server.insert([event(day)]);
    expect((await ask(query(day))).count).toBe('1');
    await server.insert([event(other)]);
    await sleep(2_100);
    expect(await statementsOf(() => ask(query(day)))).toBe(0);
    expect((await ask(query(day))).count).toBe('1');
  });

  test('a result is computed again within two seconds of an event in its days, even a late one', async () => {
    const day = newDay();
    await server.insert([event(day)]);
    expect((await ask(query(day))).count).toBe('1');
    await server.insert([event(day)]);
    await expect.poll(async () => (await ask(query(day))).count).toBe('2');
  });

  test('rows that are sent again under another name count again and appear in the result', async () => {
    const day = newDay();
    await server.insert([event(day)]);
    await server.insert([event(day)]);
    expect((await ask(query(day), { cache: 'must-revalidate' })).count).toBe('2');
  });

  test('a result belongs to its workspace, its query and its form', async () => {
    const day = newDay();
    await server.insert([event(day), event(day, { workspace_id: 2 }), event(day, { workspace_id: 2 })]);
    expect((await ask(query(day))).count).toBe('1');
    expect((await ask(query(day), { network: 2 })).count).toBe('2');
    const compact = await server.load(query(day, { responseFormat: 'compact' }));
    expect(await compact.json()).toMatchObject({ data: { members: [IMPRESSIONS], dataset: [['1']] } });
    const filters = [{ member: 'campaign_overview.country', operator: 'equals', values: ['DE'] }];
    expect((await ask(query(day, { filters }))).count).toBe('0');
  });

  test('a change of names renews a result with names and leaves others cached', async () => {
    const day = newDay();
    await server.insert([event(day)]);
    const named = query(day, { dimensions: ['campaign_overview.campaign_name'] });
    await Promise.all([named, query(day)].map((one) => ask(one, { cache: 'must-revalidate' })));
    server.namesVersion = '2';
    expect(await statementsOf(() => ask(named))).toBe(1);
    expect(await statementsOf(() => ask(query(day)))).toBe(0);
  });

  test('a compressed response holds the same rows as a plain one, however often it is sent', async () => {
    const day = newDay();
    await server.insert([event(day)]);
    const dimensions = ['campaign_id', 'creative_id', 'site_id', 'country', 'device_type'].map(
      (name) => `campaign_overview.${name}`,
    );
    const wide = query(day, { dimensions });
    const { body: plain } = await ask(wide);
    for (let time = 0; time < 5; time += 1) {
      const response = await server.load(wide, { headers: { 'accept-encoding': 'gzip' } });
      expect(await response.json()).toMatchObject({ data: plain.data });
      const isCompressed = response.headers.get('content-encoding') === 'gzip';
      expect(response.headers.get('vary')).toBe(isCompressed ? 'Accept, accept-encoding' : 'Accept');
    }
  });

  test('a result that many clients request together is computed once', async () => {
    const day = newDay();
    await server.insert([event(day)]);
    // All of them know of the event: else those who hear of it on the way compute the day again, as they should.
    await ask(query(newDay()), { cache: 'must-revalidate' });
    expect(await statementsOf(() => Promise.all(Array.from({ length: 20 }, () => ask(query(day)))))).toBe(1);
  });
});

describe('cache modes', () => {
  async function outdated(): Promise<string> {
    const day = newDay();
    await server.insert([event(day)]);
    await ask(query(day), { cache: 'must-revalidate' });
    await server.insert([event(day)]);
    return day;
  }

  test('must-revalidate includes events that came in before the request', async () => {
    const day = await outdated();
    expect((await ask(query(day), { cache: 'must-revalidate' })).count).toBe('2');
  });

  test('must-revalidate uses the cached result when nothing came in', async () => {
    const day = await outdated();
    await ask(query(day), { cache: 'must-revalidate' });
    expect(await statementsOf(() => ask(query(day), { cache: 'must-revalidate' }))).toBe(0);
  });

  test('no-cache queries the store every time', async () => {
    const day = await outdated();
    expect(await statementsOf(() => ask(query(day), { cache: 'no-cache' }))).toBe(1);
    expect(await statementsOf(() => ask(query(day, { cache: 'no-cache' })))).toBe(1);
  });

  test('no-cache counts events from before the request, and its result hides no later ones', async () => {
    const day = await outdated();
    expect((await ask(query(day), { cache: 'no-cache' })).count).toBe('2');
    await server.insert([event(day)]);
    expect((await ask(query(day), { cache: 'no-cache' })).count).toBe('3');
    await expect.poll(async () => (await ask(query(day))).count).toBe('3');
  });

  test('a Cube client that bypasses the cache and has to retry gets the result that it started, once', async () => {
    const day = newDay();
    await server.insert([event(day)]);
    const asked = async (): Promise<string> =>
      (await server.load(query(day), { multi: true, cache: 'no-cache' })).text();
    const held = Promise.withResolvers<void>();
    server.hold = held.promise;
    const begun = await statementsOf(async () => {
      expect(await asked()).toBe('{"error":"Continue wait"}');
      expect(await asked()).toBe('{"error":"Continue wait"}');
      held.resolve();
      await expect.poll(asked).toMatch(/"campaign_overview.impressions":"1"/);
    });
    expect(begun).toBe(1);
    server.hold = null;
    expect(await statementsOf(asked)).toBe(1);
  });

  test('stale-while-revalidate returns the cached result at once and a newer one soon', async () => {
    const day = await outdated();
    await sleep(2_100);
    const first = await ask(query(day), { cache: 'stale-while-revalidate' });
    expect(first.count).toBe('1');
    const mode = { cache: 'stale-while-revalidate' };
    await expect.poll(async () => (await ask(query(day), mode)).count).toBe('2');
  });

  test('stale-if-slow waits for a fast store, and returns the cached result with its age when the store is slow', async () => {
    const day = await outdated();
    await sleep(2_100);
    const held = Promise.withResolvers<void>();
    server.hold = held.promise;
    const stale = await ask(query(day));
    expect(stale.count).toBe('1');
    expect(Date.now() - Date.parse(stale.body.lastRefreshTime)).toBeGreaterThan(2_000);
    held.resolve();
    await expect.poll(async () => (await ask(query(day))).count).toBe('2');
  });
});

describe('freshness', () => {
  test('a response states when the newest batch came in, and until when the rows are known to be correct', async () => {
    const day = newDay();
    const beforeMs = Date.now();
    await server.insert([event(day)]);
    const insertedMs = Date.now();
    const { body } = await ask(query(day), { cache: 'must-revalidate' });
    const asOfMs = Date.parse(body.dataAsOf ?? '');
    expect(asOfMs).toBeGreaterThanOrEqual(beforeMs);
    expect(asOfMs).toBeLessThanOrEqual(insertedMs);
    await sleep(1_100);
    const again = await ask(query(day), { cache: 'must-revalidate' });
    expect(Date.parse(again.body.lastRefreshTime)).toBeGreaterThan(Date.parse(body.lastRefreshTime) + 1_000);
    expect(again.body.dataAsOf).toBe(body.dataAsOf);
  });

  test('the freshness of a network without events is null', async () => {
    expect((await ask(query('2026-01-01'), { network: 77 })).body.dataAsOf).toBeNull();
  });

  test('a response states until when all events are counted, never later than its rows are known to be correct', async () => {
    const day = newDay();
    await server.insert([event(day)]);
    expect((await ask(query(day))).body.completeUntil).toBeNull();
    server.completeUntilMs = Date.parse('2026-11-20T10:00:00Z');
    expect((await ask(query(day))).body.completeUntil).toBe('2026-11-20T10:00:00.000Z');
    server.completeUntilMs = Date.now() + 86_400_000;
    const { body } = await ask(query(day));
    expect(body.completeUntil).toBe(body.lastRefreshTime);
    server.completeUntilMs = null;
  });

  test('a header states the freshness too', async () => {
    const day = newDay();
    await server.insert([event(day)]);
    const response = await server.load(query(day), { cache: 'must-revalidate' });
    expect(response.headers.get('x-data-as-of')).toBe(((await response.json()) as LoadBody).dataAsOf);
  });
});

describe('ETag', () => {
  const revalidate = { cache: 'must-revalidate' };

  test('unchanged rows get 304 without a body, and new rows get a new tag', async () => {
    const day = newDay();
    await server.insert([event(day)]);
    const { etag } = await ask(query(day), revalidate);
    expect(etag).toMatch(/^W\/"[\w-]+"$/);
    const same = await server.load(query(day), { ...revalidate, headers: { 'if-none-match': `"other", ${etag}` } });
    expect([same.status, same.headers.get('etag'), await same.text()]).toEqual([304, etag, '']);
    await server.insert([event(day)]);
    const other = await server.load(query(day), { ...revalidate, headers: { 'if-none-match': etag } });
    expect(other.status).toBe(200);
    expect(other.headers.get('etag')).not.toBe(etag);
  });

  test('another query, form or network has another tag', async () => {
    const day = newDay();
    await server.insert([event(day)]);
    const asks: [object, LoadOptions][] = [
      [query(day), {}],
      [query(day, { limit: 7 }), {}],
      [query(day), { multi: true }],
      [query(day), { network: 2 }],
      [query(day), { headers: { accept: 'text/csv' } }],
    ];
    const tags = await Promise.all(
      asks.map(async ([asked, options]) => (await server.load(asked, options)).headers.get('etag')),
    );
    expect(new Set(tags).size).toBe(asks.length);
  });

  test('a 304 runs no statement for rows', async () => {
    const day = newDay();
    await server.insert([event(day)]);
    const { etag } = await ask(query(day), revalidate);
    expect(await statementsOf(() => server.load(query(day), { headers: { 'if-none-match': etag } }))).toBe(0);
  });
});
