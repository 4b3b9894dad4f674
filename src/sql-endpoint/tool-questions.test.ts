/** What the default screens of tools ask: each question gets its rows or what to do, and none ends the session. */
import { Client, type QueryConfig } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DRAW_SEED } from '../../test/support/draw-seed.ts';
import { TRIES_ALL } from '../../test/support/longer-runs.ts';
import { CATALOG_QUESTIONS } from './fixtures/questions/catalog-questions.ts';
import type { Outcome } from './fixtures/questions/question.ts';
import { REPORT_QUESTIONS } from './fixtures/questions/report-questions.ts';
import { VERSION_QUESTIONS } from './fixtures/questions/version-questions.ts';
import { openTestEndpoint, PASSWORD } from './fixtures/test-endpoint.ts';
import type { SqlEndpoint } from './sql-endpoint.ts';

/** Of so many questions one is asked in each form, another one for each tree; with `DRAWS=all`, each. */
const ONE_IN = { simple: 2, extended: 5 } as const;

let endpoint: SqlEndpoint;
let client: Client;
const faults: unknown[] = [];

beforeAll(async () => {
  const row = { 'campaign_overview.country': 'PL', 'campaign_overview.impressions': '3' };
  endpoint = await openTestEndpoint(() => ({ data: [row], total: 1 }), {
    log: { event: (...fault: unknown[]) => faults.push(fault) } as never,
  });
  client = new Client({ host: '127.0.0.1', port: endpoint.port, user: 'u', password: PASSWORD, database: '1' });
  client.on('error', (error) => faults.push(error));
  await client.connect();
  // On a busy machine, making the first catalog takes longer than a statement may.
  while ((await ask('SELECT 1 FROM pg_catalog.pg_class LIMIT 1', 'simple'))[0] === '57014');
}, 180_000);
afterAll(async () => {
  await client.end();
  await endpoint.stop();
});

/** @param mode `simple`: one message; `extended`: Parse, Bind, Describe, Execute */
async function ask(text: string, mode: 'simple' | 'extended'): Promise<Outcome> {
  try {
    const result: unknown = await client.query({ text, queryMode: mode } as QueryConfig);
    const results = Array.isArray(result) ? result : [result];
    return results.some(({ rows }: { readonly rows: unknown[] }) => rows.length > 0) ? 'rows' : 'empty';
  } catch (error) {
    const { code = '', hint = '' } = error as { readonly code?: string; readonly hint?: string };
    return [code, hint];
  } finally {
    await client.query('ROLLBACK');
  }
}

describe.each(['simple', 'extended'] as const)('in the %s form', (mode) => {
  const questions = [...CATALOG_QUESTIONS, ...VERSION_QUESTIONS, ...REPORT_QUESTIONS].filter(
    // One message of the extended form has one statement. What it adds, Parse and Describe, a few questions show.
    ([, sql], at) => (mode === 'simple' || !sql.includes(';')) && (TRIES_ALL || (at + DRAW_SEED) % ONE_IN[mode] === 0),
  );
  test.each(questions)('%s gets rows or what to do', async (_screen, sql, outcome) => {
    const found = await ask(sql, mode);
    if (typeof outcome === 'string') expect(found).toBe(outcome);
    else expect(found).toEqual([outcome[0], expect.stringContaining(outcome[1])]);
    expect(faults).toEqual([]);
    expect(endpoint.sessions()).toBe(1);
  });
});
