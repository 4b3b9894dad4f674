/** Runs the Cube cases: dates and normal forms against their functions, everything else through the HTTP routes on a real store. */
import { isDeepStrictEqual } from 'node:util';
import cube from '@cubejs-client/core';
import type { FastifyInstance } from 'fastify';
import { PlacardError } from '../../src/domain/errors.ts';
import { formatValue } from '../../src/reports/load/row-format.ts';
import type { MemberType } from '../../src/reports/model/cube.ts';
import { parseRelativeRange, resolveDateRange } from '../../src/reports/query/date-range.ts';
import { normalizeQuery, resolveFilterDates } from '../../src/reports/query/normalize.ts';
import type { FilterLeaf } from '../../src/reports/query/query.ts';

export interface CubeCase {
  readonly id: string;
  readonly group: string;
  readonly name: string;
  readonly input: Record<string, unknown>;
  readonly expected: unknown;
}

/** The dependencies of cases. */
export interface CaseBench {
  readonly app: FastifyInstance;
}

export interface CaseOutcome {
  readonly passed: boolean;
  readonly actual: unknown;
}

type Runner = (input: Record<string, unknown>, bench: CaseBench, expected: unknown) => unknown;

/** When the routes are asked. */
export const NOW_OF_ROUTES_MS = Date.parse('2026-07-15T13:03:20.518Z');

/** Runs one case. Never throws: what is thrown is the outcome. */
export async function runCase(one: CubeCase, bench: CaseBench): Promise<CaseOutcome> {
  const runner = RUNNERS[one.group];
  if (runner === undefined) return { passed: false, actual: `no runner for the group ${one.group}` };
  const actual = await outcomeOf(() => runner(one.input, bench, one.expected));
  const expected = one.expected;
  if (one.group === 'http') return { passed: matchesHttp(actual, expected), actual };
  return { passed: isDeepStrictEqual(toPlain(actual), toPlain(expected)), actual };
}

async function outcomeOf(run: () => unknown): Promise<unknown> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof PlacardError) return { error: error.message, status: 400 };
    return { thrown: error instanceof Error ? error.message : String(error) };
  }
}

const RUNNERS: Readonly<Record<string, Runner>> = {
  date_parse: (input) => parseRelativeRange(String(input['dateRange']), clockOf(input)),
  resolve_range: (input) => resolveDateRange(input['dateRange'] as string | string[], clockOf(input)),
  filter_dates: (input) => resolveFilterDates(input['filter'] as FilterLeaf, clockOf(input)),
  normalize: (input) =>
    normalizeQuery(input['query'], { nowMs: Date.parse(String(input['now'])), timezoneDefault: 'UTC' }),
  row_value: (input) => formatValue(input['raw'], input['type'] as MemberType),
  filter_rows: async (input, bench) => {
    const { data } = await load(bench, input);
    return { ids: (data as Record<string, string>[]).map((row) => Number(row['campaign_overview.id'])) };
  },
  rows: async (input, bench, expected) => shapeRows(await load(bench, input), expected as Record<string, unknown>),
  annotation: async (input, bench) => (await load(bench, input))['annotation'],
  http: (input, bench) => callHttp(input, bench),
  client: (input) => callClient(input),
};

function clockOf(input: Record<string, unknown>): { nowMs: number; timezone: string } {
  return { nowMs: Date.parse(String(input['now'])), timezone: String(input['timezone']) };
}

/** The response of `POST /load`. @throws PlacardError the problem that it says */
async function load(bench: CaseBench, { query, queryType }: Record<string, unknown>): Promise<Record<string, unknown>> {
  const response = await bench.app.inject({
    method: 'POST',
    url: '/reports/1/v1/load',
    headers: { authorization: 'valid' },
    payload: { query, queryType },
  });
  const body = response.json<Record<string, unknown>>();
  if (response.statusCode === 200) return body;
  throw new PlacardError('invalid_request', String(body['error']));
}

/** Only what the case speaks of: its keys pick from the response (`query_dimensions` → `query.dimensions`). */
function shapeRows(response: object, expected: Record<string, unknown>): Record<string, unknown> {
  const source = response as Record<string, unknown>;
  return Object.fromEntries(
    Object.entries(expected).map(([key, value]) => {
      if (key === 'results') {
        const results = source['results'] as object[];
        return [
          key,
          results.map((result, index) => shapeRows(result, (value as Record<string, unknown>[])[index] ?? {})),
        ];
      }
      const [owner = '', member] = key.includes('_') ? key.split(/_(.+)/) : [key];
      const nested = source[owner] as Record<string, unknown> | undefined;
      return [key, key in source || member === undefined ? source[key] : nested?.[member]];
    }),
  );
}

async function callHttp(input: Record<string, unknown>, bench: CaseBench): Promise<unknown> {
  const given = (input['headers'] ?? {}) as Record<string, string | null>;
  const headers: Record<string, string> = { authorization: 'valid' };
  for (const [name, value] of Object.entries(given)) {
    if (value === null) delete headers[name.toLowerCase()];
    else headers[name.toLowerCase()] = value;
  }
  const querystring = input['querystring'];
  const query = typeof querystring === 'string' && querystring !== '' ? `?${querystring}` : '';
  const response = await bench.app.inject({
    method: input['method'] as 'GET' | 'POST',
    url: `/reports/1/v1${String(input['path'])}${query}`,
    headers,
    ...(input['body'] === undefined ? {} : { payload: input['body'] as object }),
  });
  return { status: response.statusCode, body: response.json() as unknown };
}

function matchesHttp(actual: unknown, expected: unknown): boolean {
  const got = actual as { status: number; body: Record<string, unknown> };
  const wanted = expected as { status: number; body: Record<string, unknown> };
  if (got.status !== wanted.status) return false;
  return Object.entries(wanted.body).every(([key, value]) =>
    key.endsWith('_starts_with')
      ? String(got.body[key.slice(0, -'_starts_with'.length)]).startsWith(String(value))
      : isDeepStrictEqual(got.body[key], value),
  );
}

/** The unmodified client reads a fixed response. */
async function callClient(input: Record<string, unknown>): Promise<unknown> {
  const response = structuredClone(input['response']);
  const transport = {
    request: () => ({
      subscribe: (next: (result: object, retry: () => unknown) => unknown) =>
        next(
          { status: 200, text: () => Promise.resolve(JSON.stringify(response)), json: () => Promise.resolve(response) },
          () => undefined,
        ),
    }),
  };
  try {
    const api = cube('token', { apiUrl: 'http://127.0.0.1/v1', transport: transport as never });
    const resultSet = await api.load({ measures: ['campaign_overview.clicks'] });
    const call = input['call'] as string | { method: string; arg: unknown };
    if (typeof call === 'string') return resultSet;
    const methods = resultSet as unknown as Record<string, (argument?: unknown) => unknown>;
    return call.arg === null ? methods[call.method]?.() : methods[call.method]?.(call.arg);
  } catch (error) {
    return { throws: (error as Error).message };
  }
}

function toPlain(value: unknown): unknown {
  return value === undefined ? null : (JSON.parse(JSON.stringify(value)) as unknown);
}
