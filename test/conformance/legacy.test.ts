import { describe, expect, test } from 'vitest';
import type { HttpResponse } from '../support/http-client.ts';
import { credentialHeaders, eventually, graphql, load, send, server } from './support/server.ts';

interface Task {
  readonly task_id: string;
  readonly task_token: string;
  readonly task_name: string;
  readonly task_status: string;
  readonly task_progress: number;
  readonly task_start_time: string | null;
  readonly task_end_time: string | null;
  readonly task_duration: number | null;
  readonly task_download_url: string | null;
  readonly task_error_message: string | null;
}

const NINE =
  'task_id task_token task_name task_status task_progress task_start_time task_end_time task_duration task_download_url task_error_message';
const CREATE = `mutation report($report_definition_name: ID!, $report_name: String!, $attributes: ReportTaskAttrInput!, $task_external_type: String, $task_external_id: String) {
  report {
    generate_report(task: {
      report_definition_name: $report_definition_name, report_name: $report_name, attributes: $attributes,
      task_external_type: $task_external_type, task_external_id: $task_external_id
    }) { task_id }
  }
}`;
const dayBefore = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
const WEEK = { kind: 'dynamic', date_from: `${dayBefore(7)} 00:00:00`, date_to: `${dayBefore(1)} 23:59:59` };

function legacy(query: string, variables: unknown = {}, headers: Record<string, string> = credentialHeaders()) {
  return send(`${server.coreUrl}/graphql`, { headers, json: { query, variables } });
}

function create(attributes: Record<string, unknown>, over: Record<string, unknown> = {}): Promise<HttpResponse> {
  return legacy(CREATE, {
    report_definition_name: 'campaign_delivery',
    report_name: 'Conformance',
    attributes: { date_range: WEEK, ...attributes },
    ...over,
  });
}

async function createdId(attributes: Record<string, unknown>, over?: Record<string, unknown>): Promise<number> {
  const response = await create(attributes, over);
  expect(response.status, response.text).toBe(200);
  const { data } = response.json<{ data: { report: { generate_report: { task_id: string } } } }>();
  expect(data.report.generate_report.task_id).toMatch(/^\d+$/);
  return Number(data.report.generate_report.task_id);
}

async function poll(id: number): Promise<Task> {
  const query = `query report($task_id: Int!) { report { report_task(task_id: $task_id) { ${NINE} } } }`;
  const response = await legacy(query, { task_id: id });
  return response.json<{ data: { report: { report_task: Task } } }>().data.report.report_task;
}

function finish(id: number): Promise<Task> {
  return eventually(
    () => poll(id),
    ({ task_status }) => task_status === 'DONE' || task_status === 'FAILED',
  );
}

async function makeReport(attributes: Record<string, unknown>): Promise<{ task: Task; url: string }> {
  const task = await finish(await createdId(attributes));
  expect(task.task_status, task.task_error_message ?? '').toBe('DONE');
  return { task, url: task.task_download_url ?? '' };
}

function download(url: string, headers: Record<string, string> = {}): Promise<HttpResponse> {
  return send(url, { headers: { ...credentialHeaders(), ...headers } });
}

const newestId = async (): Promise<string | undefined> => {
  const response = await legacy('{ report { report_tasks(limit: 1) { task_id } } }');
  return response.json<{ data: { report: { report_tasks: Task[] } } }>().data.report.report_tasks[0]?.task_id;
};

// Conformance: V2
describe('legacy report tasks', () => {
  // Conformance: R0
  test.each([
    ['below report', 'query { report { report_defs { edges { report_definition_name } } } }'],
    [
      'on the root, in an operation with the name report',
      'query report { report_defs { edges { report_definition_name } } }',
    ],
  ])('report_defs works %s', async (_position, query) => {
    const response = await legacy(query);
    expect(response.status).toBe(200);
    expect(response.text).toContain('"report_definition_name":"campaign_delivery"');
  });

  // Conformance: R0
  test('the roots also have generate_report and report_task', async () => {
    const created = await legacy(
      `mutation report($a: ReportTaskAttrInput!) { generate_report(task: {report_definition_name: "hourly_delivery", report_name: "Root", attributes: $a}) { task_id } }`,
      { a: { date_range: WEEK } },
    );
    const { task_id } = created.json<{ data: { generate_report: { task_id: string } } }>().data.generate_report;
    const found = await legacy('query report($id: Int!) { report_task(task_id: $id) { task_id task_name } }', {
      id: Number(task_id),
    });
    expect(found.json<{ data: unknown }>().data).toEqual({ report_task: { task_id, task_name: 'Root' } });
  });

  // Conformance: R1
  test('the edges of report_defs have the fields directly, and the body describes the parameters', async () => {
    const response = await legacy(
      'query report { report { report_defs { edges { report_definition_name, report_definition_description, report_definition_body } } } }',
    );
    const { edges } = response.json<{
      data: {
        report: {
          report_defs: {
            edges: {
              report_definition_name: string;
              report_definition_description: string;
              report_definition_body: { parameters: Record<string, unknown> };
            }[];
          };
        };
      };
    }>().data.report.report_defs;
    expect(edges.map((edge) => edge.report_definition_name)).toEqual(
      expect.arrayContaining([
        'campaign_delivery',
        'creative_delivery',
        'inventory_delivery',
        'activity_report',
        'hourly_delivery',
      ]),
    );
    for (const edge of edges) {
      expect(edge.report_definition_description).toMatch(/\S/);
      expect(edge.report_definition_body.parameters).toMatchObject({
        metric: {
          type: 'array of string',
          default: expect.any(Array) as unknown,
          allowed_values: expect.any(Array) as unknown,
        },
      });
    }
  });

  // Conformance: R2
  test('generate_report accepts the published variable types, and every definition makes a report', async () => {
    for (const name of [
      'campaign_delivery',
      'creative_delivery',
      'inventory_delivery',
      'activity_report',
      'hourly_delivery',
    ]) {
      const id = await createdId(
        {},
        { report_definition_name: name, task_external_type: 'order', task_external_id: 'R2' },
      );
      const task = await finish(id);
      expect([name, task.task_status, task.task_error_message]).toEqual([name, 'DONE', null]);
    }
    const listed = await legacy(
      '{ report { report_tasks(task_external_type: "order", task_external_id: "R2", limit: 5) { task_id } } }',
    );
    expect(listed.json<{ data: { report: { report_tasks: unknown[] } } }>().data.report.report_tasks).toHaveLength(5);
  });

  // Conformance: R3
  test('report_task has all nine fields with the published types', async () => {
    const { task } = await makeReport({ granularity: 'day', metric: ['adclick', 'filled_emission'] });
    const iso = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/) as unknown;
    expect(task).toEqual({
      task_id: expect.stringMatching(/^\d+$/) as unknown,
      task_token: expect.stringMatching(/^[\w-]{16,}$/) as unknown,
      task_name: 'Conformance',
      task_status: 'DONE',
      task_progress: 100,
      task_start_time: iso,
      task_end_time: iso,
      task_duration: expect.any(Number) as unknown,
      task_download_url: `${server.demo.urls.reportsDownload}/${task.task_token}/`,
      task_error_message: null,
    });
    const seconds = (Date.parse(task.task_end_time ?? '') - Date.parse(task.task_start_time ?? '')) / 1_000;
    expect(task.task_duration).toBeCloseTo(seconds, 2);
  });

  // Conformance: R3
  test('an unknown task or one of the other environment is null', async () => {
    const id = await createdId({});
    const missing = await legacy('query ($id: Int!) { report_task(task_id: $id) { task_id } }', { id: 2_000_000_000 });
    expect(missing.json()).toMatchObject({ data: { report_task: null } });
    const staging = await send(`${server.coreUrl}/staging/graphql`, {
      headers: credentialHeaders(),
      json: { query: `{ report_task(task_id: ${id}) { task_id } }` },
    });
    expect(staging.status).toBe(401);
  });

  // Conformance: R4
  test('a task goes through its states in order, and its progress never decreases', async () => {
    const order = ['PENDING', 'PROCESSING', 'DONE'];
    const id = await createdId({ granularity: 'hour', split: ['creative_id', 'device_type', 'country'] });
    const seen: Task[] = [];
    await eventually(
      async () => {
        const task = await poll(id);
        seen.push(task);
        return task;
      },
      ({ task_status }) => task_status === 'DONE',
    );
    const ranks = seen.map(({ task_status }) => order.indexOf(task_status));
    expect(ranks).not.toContain(-1);
    expect(ranks).toEqual([...ranks].sort((left, right) => left - right));
    const progress = seen.map(({ task_progress }) => task_progress);
    expect(progress).toEqual([...progress].sort((left, right) => left - right));
    for (const { task_status, task_download_url } of seen) {
      expect(task_download_url !== null).toBe(task_status === 'DONE');
    }
  });

  // Conformance: R5
  test.each<[string, Record<string, unknown>, Record<string, unknown>, RegExp]>([
    ['timezone', { timezone: 'Mars/Olympus' }, {}, /Mars\/Olympus/],
    ['definition', {}, { report_definition_name: 'no_such_report' }, /no_such_report/],
    ['split dimension', { split: ['no_such_dimension'] }, {}, /no_such_dimension/],
    [
      'filter dimension',
      { filters: [{ dimension: 'no_such_filter', type: 'in', values: [{ value: '1' }] }] },
      {},
      /no_such_filter/,
    ],
    [
      'filter type',
      { filters: [{ dimension: 'line_item_id', type: 'resembles', values: [{ value: '1' }] }] },
      {},
      /resembles/,
    ],
    ['metric', { metric: ['no_such_metric'] }, {}, /no_such_metric/],
    ['granularity', { granularity: 'fortnight' }, {}, /fortnight/],
    [
      'date',
      { date_range: { kind: 'static', date_from: '2026-02-31 00:00:00', date_to: '2026-03-01 00:00:00' } },
      {},
      /2026-02-31/,
    ],
    ['kind', { date_range: { ...WEEK, kind: 'eventually' } }, {}, /eventually/],
  ])('an unknown %s gets a 4xx that names it, and no task is created', async (_what, attributes, over, named) => {
    const before = await newestId();
    const response = await create(attributes, over);
    expect(response.status).toBe(400);
    expect(response.json<{ error: string; message: string }>()).toMatchObject({
      error: 'validation_failed',
      message: expect.stringMatching(named) as unknown,
    });
    expect(await newestId()).toBe(before);
  });

  // Conformance: R5
  test('a report has the numbers of the Reports API in the requested time zone', async () => {
    const timezone = 'Asia/Kolkata';
    const { url } = await makeReport({
      granularity: 'day',
      timezone,
      split: [],
      metric: ['filled_emission', 'adclick', 'revenue'],
    });
    const member = (name: string): string => `campaign_overview.${name}`;
    const { data } = (
      await load({
        measures: ['impressions', 'clicks', 'revenue'].map(member),
        timeDimensions: [{ dimension: member('time'), dateRange: [dayBefore(7), dayBefore(1)], granularity: 'day' }],
        timezone,
      })
    ).json<{ data: Record<string, string>[] }>();
    const expected = data.map((row) =>
      [
        `${row[member('time.day')]?.slice(0, 10)} 00:00:00`,
        ...['impressions', 'clicks', 'revenue'].map((name) => row[member(name)]),
      ].join(','),
    );
    expect(expected.length).toBeGreaterThan(5);
    expect((await download(url)).text.trim().split('\r\n').slice(1)).toEqual(expected);
  });

  /** The line items of a report. */
  async function idsOf(filters: object): Promise<string[]> {
    const { url } = await makeReport({
      granularity: 'total',
      split: ['line_item_id'],
      metric: ['filled_emission'],
      ...filters,
    });
    const lines = (await download(url)).text.trim().split('\r\n').slice(1);
    return lines.map((line) => line.split(',')[0] ?? '');
  }

  // Conformance: R5
  test.each([
    ['in', 2, (id: string, values: string[]) => values.includes(id)],
    ['not_in', 2, (id: string, values: string[]) => !values.includes(id)],
    ['contains', 1, (id: string, [value]: string[]) => id.includes(value ?? '')],
  ])('a filter of the type %s narrows the report', async (type, count, accepts) => {
    const all = await idsOf({});
    const chosen = all.slice(0, count);
    const filter = { dimension: 'line_item_id', type, values: chosen.map((value) => ({ value })) };
    const expected = all.filter((id) => accepts(id, chosen));
    expect(expected.length).toBeGreaterThan(0);
    expect(expected.length).toBeLessThan(all.length);
    expect((await idsOf({ filters: [filter] })).toSorted()).toEqual(expected.toSorted());
  });

  // Conformance: R5
  test('a relative dynamic range resolves to its days', async () => {
    const { url } = await makeReport({
      date_range: { kind: 'dynamic', date_from: 'last_7_days' },
      granularity: 'day',
      split: [],
      metric: ['filled_emission'],
    });
    expect((await download(url)).text.trim().split('\r\n')).toHaveLength(8);
  });

  // Conformance: R6
  test('the default format is CSV with a header row, and format=raw is newline-delimited JSON of all rows', async () => {
    const { url } = await makeReport({
      granularity: 'day',
      split: ['line_item_id'],
      metric: ['filled_emission', 'adclick'],
    });
    const csv = await download(url);
    expect(csv.headers['content-type']).toMatch(/^text\/csv; charset=utf-8/);
    const [header, ...rows] = csv.text.trim().split('\r\n');
    expect(header).toBe('time,line_item_id,filled_emission,adclick');
    const raw = await download(`${url}?format=raw`);
    expect(raw.headers['content-type']).toMatch(/^application\/x-ndjson/);
    const objects = raw.text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, string>);
    expect(
      objects.map((row) => [row['time'], row['line_item_id'], row['filled_emission'], row['adclick']].join(',')),
    ).toEqual(rows);
  });

  // Conformance: R6
  test('the download is resumable and compressed on request', async () => {
    const { url } = await makeReport({ granularity: 'hour', split: ['line_item_id'], metric: ['filled_emission'] });
    const whole = await download(url);
    expect(whole.headers['content-encoding']).toBeUndefined();
    const part = await download(url, { range: 'bytes=10-', 'if-range': String(whole.headers.etag) });
    expect(part.status).toBe(206);
    expect(part.text).toBe(whole.text.slice(10));
    expect((await download(url, { range: 'bytes=999999999-' })).status).toBe(416);
    for (const encoding of ['gzip', 'deflate']) {
      const packed = await download(url, { 'accept-encoding': encoding });
      expect(packed.headers['content-encoding']).toBe(encoding);
      expect(packed.bytes.length).toBeLessThan(whole.bytes.length / 2);
    }
  });

  // Conformance: R6
  test('a token without credentials opens nothing, and an unknown token gets 404', async () => {
    const { url, task } = await makeReport({});
    expect((await send(url)).status).toBe(401);
    expect((await send(url)).json()).toMatchObject({ error: 'authentication_required' });
    const bearer = { authorization: `Bearer ${server.demo.keys.admin}` };
    expect((await send(url, { headers: bearer })).json()).toMatchObject({ error: 'authentication_required' });
    expect((await download(url, { 'x-internal-auth-token': 'x'.repeat(43) })).status).toBe(401);
    const other = url.replace(task.task_token, 'A'.repeat(task.task_token.length));
    expect((await download(other)).json()).toMatchObject({ error: 'not_found' });
    expect((await download(other)).status).toBe(404);
  });

  // Conformance: R7
  test('the schema marks the operations as deprecated, and response headers say so', async () => {
    const fields = '{ fields(includeDeprecated: true) { name isDeprecated deprecationReason } }';
    const schema = await send(`${server.coreUrl}/graphql`, {
      headers: { authorization: `Bearer ${server.demo.keys.admin}` },
      json: {
        query: `{ q: __type(name: "Query") ${fields} m: __type(name: "Mutation") ${fields} rq: __type(name: "ReportQueries") ${fields} rm: __type(name: "ReportMutations") ${fields} }`,
      },
    });
    const types = schema.json<{
      data: Record<string, { fields: { name: string; isDeprecated: boolean; deprecationReason: string }[] }>;
    }>().data;
    const names = ['report', 'report_defs', 'report_task', 'generate_report'];
    const legacyFields = Object.values(types).flatMap((type) => type.fields.filter(({ name }) => names.includes(name)));
    expect(legacyFields).toHaveLength(8);
    for (const field of legacyFields) {
      expect(field).toMatchObject({
        isDeprecated: true,
        deprecationReason: expect.stringMatching(/Reports API/) as unknown,
      });
    }
    const response = await legacy('query report { report_defs { edges { report_definition_name } } }');
    expect(response.headers['deprecation']).toMatch(/^@\d+$/);
    expect(response.headers['link']).toContain('rel="successor-version"');
    const other = await send(`${server.coreUrl}/graphql`, {
      headers: { authorization: `Bearer ${server.demo.keys.admin}` },
      json: { query: '{ network(id: 1000) { id } }' },
    });
    expect(other.headers['deprecation']).toBeUndefined();
  });
});

describe('header credentials on the legacy operations', () => {
  const defs = 'query report { report { report_defs { edges { report_definition_name } } } }';
  const bearer = { authorization: `Bearer ${server.demo.keys.admin}` };

  // Conformance: H2
  test('a request without a pair gets 401 authentication_required, and a wrong token gets 401 invalid_credentials', async () => {
    const nothing = await legacy(defs, {}, {});
    expect([nothing.status, nothing.json<{ error: string }>().error]).toEqual([401, 'authentication_required']);
    const wrong = await legacy(defs, {}, { ...credentialHeaders(), 'x-internal-auth-token': 'x'.repeat(43) });
    expect([wrong.status, wrong.json<{ error: string }>().error]).toEqual([401, 'invalid_credentials']);
  });

  // Conformance: H4
  test('a bearer key alone gets authentication_required, and a key beside the pair is accepted', async () => {
    const alone = await legacy(defs, {}, bearer);
    expect([alone.status, alone.json<{ error: string }>().error]).toEqual([401, 'authentication_required']);
    expect((await legacy(defs, {}, { ...bearer, ...credentialHeaders() })).status).toBe(200);
    const broken = await legacy(defs, {}, { authorization: 'Bearer plc_live_wrong', ...credentialHeaders() });
    expect([broken.status, broken.json<{ error: string }>().error]).toEqual([401, 'invalid_credentials']);
  });
});

describe('Scheduled reports', () => {
  const CREATE_SCHEDULE = `mutation ($input: CreateReportScheduleInput!) {
    createReportSchedule(input: $input) { schedule { id nextRunAt timezone version } webhookSecret }
  }`;
  const input = {
    name: 'Conformance',
    cron: '0 6 * * 1',
    query: {
      measures: ['campaign_overview.impressions'],
      dimensions: ['campaign_overview.line_item_id'],
      timeDimensions: [{ dimension: 'campaign_overview.time', dateRange: 'last 7 days' }],
    },
  };
  const key = server.demo.keys.readWrite;

  // Conformance: K5
  test('a key of the REPORTS module creates, runs and downloads a schedule, and a key of another module is refused', async () => {
    const created = await graphql(CREATE_SCHEDULE, { key, variables: { input } });
    expect(created.status, created.text).toBe(200);
    const { schedule } = created.json<{
      data: { createReportSchedule: { schedule: { id: string; nextRunAt: string } } };
    }>().data.createReportSchedule;
    expect(Date.parse(schedule.nextRunAt)).toBeGreaterThan(Date.now());
    await graphql('mutation ($id: ID!) { runReportSchedule(id: $id) { id status } }', {
      key,
      variables: { id: schedule.id },
    });
    const query =
      'query ($id: ID!) { reportSchedule(id: $id) { runs(first: 1) { status rowCount downloadUrl errorMessage } } }';
    const read = async () => {
      const response = await graphql(query, { key: server.demo.keys.reports, variables: { id: schedule.id } });
      return response.json<{
        data: {
          reportSchedule: { runs: { status: string; rowCount: number; downloadUrl: string; errorMessage: string }[] };
        };
      }>().data.reportSchedule.runs[0];
    };
    const run = await eventually(read, (one) => one?.status === 'DONE' || one?.status === 'FAILED', 60_000);
    expect(run).toMatchObject({ status: 'DONE', errorMessage: null });
    const csv = await send(run?.downloadUrl ?? '', {
      headers: { authorization: `Bearer ${server.demo.keys.reports}` },
    });
    expect(csv.text.trim().split('\r\n')).toHaveLength((run?.rowCount ?? 0) + 1);
    const other = await send(run?.downloadUrl ?? '', {
      headers: { authorization: `Bearer ${server.demo.keys.delivery}` },
    });
    expect([other.status, other.json<{ error: string }>().error]).toEqual([403, 'insufficient_permissions']);
    expect((await send(run?.downloadUrl ?? '')).status).toBe(401);
    const deleted = await graphql('mutation ($id: ID!) { deleteReportSchedule(id: $id) { id } }', {
      key,
      variables: { id: schedule.id },
    });
    expect(deleted.json()).toMatchObject({ data: { deleteReportSchedule: { id: schedule.id } } });
  });

  // Conformance: K4
  test('a read-only key reads schedules and changes none', async () => {
    const list = await graphql('{ reportSchedules { id name query cron status } }', { key: server.demo.keys.readOnly });
    expect(list.status).toBe(200);
    const refused = await graphql(CREATE_SCHEDULE, { key: server.demo.keys.readOnly, variables: { input } });
    expect([refused.status, refused.json<{ error: string }>().error]).toEqual([403, 'insufficient_permissions']);
  });

  // Conformance: G6
  test('a refusal of a schedule names the wrong fields, and private addresses are refused as webhooks', async () => {
    const wrong = { ...input, cron: '* * * * *', webhookUrl: 'https://169.254.169.254/latest' };
    const response = await graphql(CREATE_SCHEDULE, { key, variables: { input: wrong } });
    const { errors } = response.json<{ errors: { extensions: { code: string; fields: { path: string }[] } }[] }>();
    expect(errors[0]?.extensions.code).toBe('validation_failed');
    expect(errors[0]?.extensions.fields.map(({ path }) => path)).toEqual(['input.cron', 'input.webhookUrl']);
  });
});
