import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  type ActivityEntry,
  type ActivityFilter,
  type ActivitySource,
  loadActivity,
  subjectOf,
} from './activity-feed.ts';

const SCOPE = { networkId: '1000', environment: 'production' } as const;

interface Change {
  readonly sequence: string;
  readonly objectId: string;
  readonly objectKind: string;
  readonly actor: string;
}

/** A log of changes; other environments use the numbers between. */
let log: readonly Change[] = [];
/** What was asked for: the first number of each window. */
let windows: number[] = [];

afterEach(() => {
  vi.unstubAllGlobals();
  log = [];
  windows = [];
});

const change = (sequence: number, fields: Partial<Change> = {}): Change => ({
  sequence: String(sequence),
  objectId: String(sequence),
  objectKind: 'lineItem',
  actor: 'user:7 ann@example.com',
  ...fields,
});

interface Asked {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** Responds as the server does: to the feed from old to new, to names by id, to the audit log with what it has. */
function serve(end: number, audit: readonly object[] = []): void {
  const respond = ({ query, variables }: Asked): object => {
    if (query.includes('auditLog')) {
      const edges = audit.map((node) => ({ node }));
      return { auditLog: { edges, pageInfo: { hasNextPage: true, endCursor: 'c1' } } };
    }
    if (query.includes('nodes(ids'))
      return Object.fromEntries(
        Object.entries(variables).map(([kind, ids]) => [
          kind,
          (ids as string[]).map((id) => (id === 'gone' ? null : { name: `${kind} called ${id}` })),
        ]),
      );
    const { after, first } = variables as { after: string; first: number };
    if (after === 'now') return { changes: { nodes: [], pageInfo: { endCursor: String(end) } } };
    windows.push(Number(after));
    const nodes = log.filter(({ sequence }) => Number(sequence) > Number(after)).slice(0, first);
    return { changes: { nodes, pageInfo: { endCursor: '' } } };
  };
  vi.stubGlobal('fetch', (_url: unknown, { body }: { body: string }) =>
    Promise.resolve(Response.json({ data: respond(JSON.parse(body) as Asked) })),
  );
}

async function load(source: ActivitySource, filter: Partial<ActivityFilter> = {}, before: string | null = null) {
  const asked = { source, actorId: null, kind: null, ...filter };
  const page = await loadActivity(SCOPE, asked, before, new AbortController().signal);
  return { ...page, sequences: page.entries.map(({ sequence }) => Number(sequence)) };
}

describe('the feed of changes', () => {
  test('a page has the newest changes first, and the next page goes on where it ended', async () => {
    log = Array.from({ length: 120 }, (_none, at) => change(at + 1));
    serve(120);
    const first = await load('changes');
    expect(first.sequences).toEqual(Array.from({ length: 100 }, (_none, at) => 120 - at));
    const second = await load('changes', {}, first.next);
    expect(second.sequences).toEqual(Array.from({ length: 20 }, (_none, at) => 20 - at));
    expect(second.next).toBeNull();
  });

  test('numbers that other environments use make no gap between two windows', async () => {
    log = [1, 100, 101, 200, 201, 300].map((sequence) => change(sequence));
    serve(300);
    expect((await load('changes')).sequences).toEqual([300, 201, 200, 101, 100, 1]);
    expect(windows).toEqual([200, 100, 0]);
  });

  test('a page ends after ten windows, and says where the next one begins', async () => {
    log = [change(1)];
    serve(5_000);
    const { sequences, next } = await load('changes');
    expect(sequences).toEqual([]);
    expect(windows).toHaveLength(10);
    expect(next).toBe('4000');
  });

  test('one actor is told apart from others whose number begins alike', async () => {
    log = [change(1), change(2, { actor: 'user:77 bert@example.com' }), change(3, { actor: 'user:7' })];
    serve(3);
    expect((await load('changes', { actorId: 'user:7' })).sequences).toEqual([3, 1]);
  });
});

describe('the audit log', () => {
  const entry = (sequence: number, environment: string | null, actor = 'user:7 ann@example.com') => {
    return { ...change(sequence, { actor }), environment, details: {} };
  };

  test('entries of this environment and of none are shown, by the chosen actor', async () => {
    serve(0, [
      entry(5, 'PRODUCTION'),
      entry(4, 'STAGING'),
      entry(3, null),
      entry(2, 'PRODUCTION', 'user:77 bert@example.com'),
    ]);
    const page = await load('audit', { actorId: 'user:7' });
    expect(page.sequences).toEqual([5, 3]);
    expect(page.next).toBe('c1');
  });
});

describe('names', () => {
  test('each object has its present name, and a deleted one has none', async () => {
    log = [
      change(1, { objectId: '42' }),
      change(2, { objectId: 'gone' }),
      change(3, { objectKind: 'site', objectId: '9' }),
      change(4, { objectKind: 'team', objectId: '3' }),
    ];
    serve(4);
    const { names } = await load('changes');
    expect([...names]).toEqual([
      ['lineItem 42', 'lineItem called 42'],
      ['site 9', 'site called 9'],
    ]);
  });

  test.each([
    ['of an approval, its line item', { objectKind: 'bookingApproval', objectId: '42' }, 'lineItem', '42'],
    [
      'of a comment, what it is on',
      { objectKind: 'comment', objectId: '1', details: { after: { objectKind: 'campaign', objectId: '9' } } },
      'campaign',
      '9',
    ],
    ['of a deleted comment, the comment', { objectKind: 'comment', objectId: '1', details: {} }, 'comment', '1'],
  ])('the subject is, %s', (_what, fields, kind, id) => {
    expect(subjectOf({ ...({ details: {} } as unknown as ActivityEntry), ...fields })).toEqual({ kind, id });
  });
});
