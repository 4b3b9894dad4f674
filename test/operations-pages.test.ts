/** The pages and files for operators name things that exist. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
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
const dashboards = ['placard', 'slo'].map((name) => JSON.parse(read(`deploy/grafana/${name}.json`)) as Dashboard);

const sources = readdirSync(new URL('src', ROOT), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  .map((name) => read(`src/${name}`));

/** Names of metrics in our code, and of those that prom-client adds and we use. */
function metricNames(): Set<string> {
  const own = sources.flatMap((text) => [...text.matchAll(/'(placard_[a-z_]+)'/g)].map((found) => found[1] ?? ''));
  return new Set([...own, 'up', 'process_resident_memory_bytes', 'process_cpu_seconds_total']);
}

/** Labels that every metric has: of Prometheus, of histograms, and of the scrape of all processes. */
const COMMON_LABELS = new Set(['instance', 'job', 'le', 'process']);

/** The labels that an expression selects or sums by. */
function labelsIn(expression: string): string[] {
  const selected = [...expression.matchAll(/([a-z_]+)(?:=~|!=|!~|=)"/g)].map((found) => found[1] ?? '');
  const summed = [...expression.matchAll(/\bby \(([^)]*)\)/g)].flatMap((found) => (found[1] ?? '').split(/,\s*/));
  return [...selected, ...summed];
}

/** Whether a file that declares one of the metrics knows the label. */
function hasLabel(metrics: readonly string[], label: string): boolean {
  const declaring = sources.filter((text) => metrics.some((name) => text.includes(`'${name}'`)));
  return declaring.some((text) => new RegExp(`labelNames[^;]*'${label}'|\\.open\\(\\{[^}]*\\b${label}\\b`).test(text));
}

/** The metrics that an expression names. */
function metricsIn(expression: string): string[] {
  const names = expression.match(/\b(?:placard|process|nodejs)_[a-z_]+\b|\bup\b/g) ?? [];
  return names.map((name) => name.replace(/_(?:bucket|count|sum)$/, ''));
}

const EXPRESSIONS = [
  ...rules.map(({ alert, expr }) => [alert, expr] as const),
  ...dashboards.flatMap(({ panels }) =>
    panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [title, expr] as const)),
  ),
];

test.each(EXPRESSIONS)('%s reads metrics that exist: %s', (_title, expression) => {
  const known = metricNames();
  const named = metricsIn(expression);
  expect(named.length).toBeGreaterThan(0);
  expect(named.filter((name) => !known.has(name))).toEqual([]);
  const labels = labelsIn(expression).filter((label) => !COMMON_LABELS.has(label));
  expect(labels.filter((label) => !hasLabel(named, label))).toEqual([]);
  const values = [...expression.matchAll(/[a-z_]+="(\w+)"/g)].map((found) => found[1] ?? '');
  const isWritten = (value: string): boolean => sources.some((text) => text.includes(`'${value}'`));
  expect(values.filter((value) => value !== 'placard' && !isWritten(value))).toEqual([]);
});

const hasPromtool = spawnSync('promtool', ['--version']).status === 0;

test.skipIf(!hasPromtool)('promtool accepts the alert rules', () => {
  const path = fileURLToPath(new URL('deploy/prometheus/placard-alerts.yaml', ROOT));
  const { status, stdout, stderr } = spawnSync('promtool', ['check', 'rules', path], { encoding: 'utf8' });
  expect(`${stdout}${stderr}`).toContain(`${rules.length} rules found`);
  expect(status).toBe(0);
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
  const missing = cited.flat().filter(([, path = '', title = '']) => {
    if (!existsSync(new URL(path, ROOT)) || title.split(' ').length < 4) return true;
    // Within one text in quotes, on a line that may be a title of its own.
    return !read(path)
      .split('\n')
      .some((line) => /(?:test|describe)\b|^\s+['"`]/.test(line) && line.includes(title));
  });
  expect(missing.map(([text]) => text)).toEqual([]);
});
