import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { ERROR_CODES } from '../domain/error-codes.ts';
import { DOCS_POLICY, renderDocsPage } from './docs-page.ts';
import { buildOpenApi } from './openapi.ts';
import { OPERATIONS } from './operations.ts';

const description = buildOpenApi();
const committed = readFileSync(new URL('../../contract/openapi.json', import.meta.url), 'utf8');

describe('the API description', () => {
  test('contract/openapi.json is current (else run node scripts/write-openapi.ts)', () => {
    expect(JSON.parse(committed)).toEqual(JSON.parse(JSON.stringify(description)));
  });

  test('every reference in it leads somewhere, and every schema is used', () => {
    const refs = new Set([...committed.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map((match) => match[1]));
    expect(refs).toEqual(new Set(Object.keys(description.components.schemas)));
  });

  test('every operation has a name of its own, a tag with words, and parameters for its path', () => {
    const ids = OPERATIONS.map((operation) => operation.id);
    expect(new Set(ids).size).toBe(ids.length);
    const tags = new Set(description.tags.map((tag) => tag.name));
    expect(OPERATIONS.filter((operation) => !tags.has(operation.tag))).toEqual([]);
    for (const [path, item] of Object.entries(description.paths)) {
      const named = ((item['parameters'] ?? []) as { name: string; schema?: object }[]).map((one) => one.name);
      expect(named).toEqual([...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]));
    }
  });

  test('every error code can be met somewhere, but those of sessions and of GraphQL fields', () => {
    const elsewhere = ['idempotency_conflict', 'gone'];
    const unmet = ERROR_CODES.filter((code) => !committed.includes(`${code}: `));
    expect(unmet.filter((code) => !elsewhere.includes(code))).toEqual([]);
  });
});

describe('the page of the API description', () => {
  const page = renderDocsPage(description);

  test('runs nothing and loads nothing', () => {
    expect(page).not.toMatch(/<script|<iframe|\son\w+=|src="|@import|url\(/);
    expect([...page.matchAll(/<link [^>]*>/g)].map((match) => match[0])).toEqual(['<link rel="icon" href="data:,">']);
    expect(DOCS_POLICY).toMatch(/^default-src 'none'/);
  });

  test('the page has an anchor for every operation and schema, and no dead link', () => {
    const targets = new Set([...page.matchAll(/ id="([\w-]+)"/g)].map((match) => match[1]));
    for (const operation of OPERATIONS) expect(targets).toContain(operation.id);
    const links = [...page.matchAll(/href="#([\w-]+)"/g)].map((match) => match[1]);
    expect(links.filter((link) => !targets.has(link))).toEqual([]);
  });
});
