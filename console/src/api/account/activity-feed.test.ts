import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  type ActivityEntry,
  type ActivityFilter,
  type ActivitySource,
  loadActivity,
  loadParts,
  subjectOf,
} from './activity-feed.ts';

const SCOPE = { networkId: '1000', environment: 'production' } as const;

interface Change {
  readonly sequence: string;
  readonly objectId: string;
  readonly objectKind: string;
  readonly actor: string;
  readonly changeSet: string | null;
}

/** A log of changes; other environments use the numbers between. */
let log: readonly Change[] = [];
/** The variables of each request to the feed. */
let asked: Readonly<Record<string, unknown>>[] = [];

afterEach(() => {
  vi.unstubAllGlobals();
  log = [];
  asked = [];
});

const change = (sequence: number, fields: Partial<Change> = {}): Change => ({
  sequence: String(sequence),
  objectId: String(sequence),
  objectKind: 'lineItem',
  actor: 'user:7 ann@example.com',
  changeSet: null,
  ...fields,
});

interface Question {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** Responds as the server does: to the feed backwards, to names by id, to the audit log with what it has. */
function serve(audit: readonly object[] = []): void {
  const respond = ({ query, variables }: Question): object => {
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
    asked.push(variables);
    const { before, last, changeSet } = variables as { before: string | null; last: number; changeSet: string | null };
    const earlier = log
      .filter(({ sequence }) => Number(sequence) < Number(before ?? Number.POSITIVE_INFINITY))
      .filter((one) => changeSet === null || one.changeSet === changeSet);
    const nodes = earlier.slice(-last);
    const pageInfo = { startCursor: nodes[0]?.sequence ?? '1', hasPreviousPage: nodes.length < earlier.length };
    return { changes: { nodes, pageInfo } };
  };
  vi.stubGlobal('fetch', (_url: unknown, { body }: { body: string }) =>
    Promise.resolve(Response.json({ data: respond(JSON.parse(body) as Question) })),
  );
}

async function load(source: ActivitySource, filter: Partial<ActivityFilter> = {}, before: string | null = null) {
  const narrowed = { source, actorId: null, kind: null, ...filter };
  const page = await loadActivity(SCOPE, narrowed, before, new AbortController().signal);
  return { ...page, sequences: page.entries.map(({ sequence }) => Number(sequence)) };
}

describe('the feed of changes', () => {
  test('a page has the newest changes first, and the next page goes on where it ended', async () => {
    log = Array.from({ length: 120 }, (_none, at) => change(at + 1));
    serve();
    const first = await load('changes');
    expect(first.sequences).toEqual(Array.from({ length: 100 }, (_none, at) => 120 - at));
    const second = await load('changes', {}, first.next);
    expect(second.sequences).toEqual(Array.from({ length: 20 }, (_none, at) => 20 - at));
    expect(second.next).toBeNull();
  });

  test('a page ends after ten requests for the changes of an actor, and says where the next one begins', async () => {
    log = Array.from({ length: 1_100 }, (_none, at) => change(at + 1));
    serve();
    const { sequences, next } = await load('changes', { actorId: 'user:8' });
    expect(sequences).toEqual([]);
    expect(asked).toHaveLength(10);
    expect(next).toBe('101');
  });

  test('a change of many objects is one entry, and its parts are read by the name of the change', async () => {
    log = [change(1, { changeSet: 'spring' }), change(2), change(3, { changeSet: 'spring' })];
    serve();
    await load('changes');
    expect(asked[0]).toMatchObject({ fold: true, changeSet: null });
    const of = { ...change(3, { changeSet: 'spring' }), details: {} } as unknown as ActivityEntry;
    const parts = await loadParts(SCOPE, { source: 'changes', of }, null, new AbortController().signal);
    expect(parts.entries.map(({ sequence }) => sequence)).toEqual(['3', '1']);
    expect(asked[1]).toMatchObject({ fold: false, changeSet: 'spring', kinds: ['lineItem'] });
  });

  test('one actor is told apart from others whose number begins alike', async () => {
    log = [change(1), change(2, { actor: 'user:77 bert@example.com' }), change(3, { actor: 'user:7' })];
    serve();
    expect((await load('changes', { actorId: 'user:7' })).sequences).toEqual([3, 1]);
  });
});

describe('the audit log', () => {
  const entry = (sequence: number, environment: string | null, actor = 'user:7 ann@example.com') => {
    return { ...change(sequence, { actor }), environment, details: {} };
  };

  test('entries of this environment and of none are shown, by the chosen actor', async () => {
    serve([
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
    serve();
    const { names } = await load('changes');
    expect([...names]).toEqual([
      ['lineItem 42', 'lineItem called 42'],
      ['site 9', 'site called 9'],
      ['team 3', 'team called 3'],
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
