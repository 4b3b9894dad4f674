/** The pages and files for operators name things that exist. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const ROOT = new URL('../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, ROOT), 'utf8');

interface Dashboard {
  readonly panels: readonly { readonly title: string; readonly targets: readonly { readonly expr: string }[] }[];
}

/** Each rule is two lines of the file. */
const rules = [...read('deploy/prometheus/placard-alerts.yaml').matchAll(/- alert: (\w+)\n +expr: (.+)\n/g)].map(
  ([, alert = '', expr = '']) => ({ alert, expr }),
);
const dashboard = JSON.parse(read('deploy/grafana/placard.json')) as Dashboard;

/** Names of metrics in our code, and of those that prom-client adds and we use. */
function metricNames(): Set<string> {
  const files = readdirSync(new URL('src', ROOT), { recursive: true, encoding: 'utf8' });
  const sources = files
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => read(`src/${name}`));
  const own = sources.flatMap((text) => [...text.matchAll(/'(placard_[a-z_]+)'/g)].map((found) => found[1] ?? ''));
  return new Set([...own, 'up', 'process_resident_memory_bytes', 'process_cpu_seconds_total']);
}

/** The metrics that an expression names. */
function metricsIn(expression: string): string[] {
  const names = expression.match(/\b(?:placard|process|nodejs)_[a-z_]+\b|\bup\b/g) ?? [];
  return names.map((name) => name.replace(/_(?:bucket|count|sum)$/, ''));
}

const EXPRESSIONS = [
  ...rules.map(({ alert, expr }) => [alert, expr] as const),
  ...dashboard.panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [title, expr] as const)),
];

test.each(EXPRESSIONS)('%s reads metrics that exist: %s', (_title, expression) => {
  const known = metricNames();
  const named = metricsIn(expression);
  expect(named.length).toBeGreaterThan(0);
  expect(named.filter((name) => !known.has(name))).toEqual([]);
});

test('every alert of the file is read', () => {
  expect(rules.length).toBe(read('deploy/prometheus/placard-alerts.yaml').match(/- alert:/g)?.length);
});

test('each alert has a section that says what to do, and each section an alert', () => {
  const sections = [...read('docs/operations/alerts.md').matchAll(/^## (\w+)$/gm)].map((found) => found[1]);
  expect(sections).toEqual(rules.map(({ alert }) => alert));
});

test('the alerts page names log events and metrics that exist', () => {
  const page = read('docs/operations/alerts.md');
  const events = read('docs/operations/log-events.md');
  const named = [...page.matchAll(/`((?:service|process|http|spool|event|export)\.[a-z_]+)`/g)].map(
    (found) => found[1] ?? '',
  );
  expect(named.filter((name) => !events.includes(`\`${name}\``))).toEqual([]);
  const known = metricNames();
  expect((page.match(/placard_[a-z_]+/g) ?? []).filter((name) => !known.has(name))).toEqual([]);
});

test('each failure in docs/operations/failures.md names a test that causes it', () => {
  const rows = read('docs/operations/failures.md')
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(1);
  const cited = rows.map((row) => [...row.matchAll(/`((?:src|test)\/[^`]+\.test\.ts)`: ([^;|]+?)(?=;| \|)/g)]);
  expect(cited.filter((tests) => tests.length === 0)).toEqual([]);
  const missing = cited
    .flat()
    .filter(([, path = '', title = '']) => !existsSync(new URL(path, ROOT)) || !read(path).includes(title));
  expect(missing.map(([text]) => text)).toEqual([]);
});
