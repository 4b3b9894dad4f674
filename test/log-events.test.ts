/** The table of log events, its page docs/operations/log-events.md, and what the code logs, held against each other. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { listSettingNames } from '../src/config/settings.ts';
import type { LogEvent } from '../src/domain/log/log-event.ts';
import { LOG_EVENT_SECTIONS, LOG_EVENTS } from '../src/domain/log/log-events.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const codes = Object.keys(LOG_EVENTS);
const rows = Object.values(LOG_EVENT_SECTIONS).flatMap((section) => Object.entries<LogEvent>(section));

function listSources(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) return listSources(path);
    return path.endsWith('.ts') && !path.endsWith('.test.ts') ? [path] : [];
  });
}

const sources = listSources(join(root, 'src'))
  .filter((path) => !path.includes('/fixtures/') && !path.endsWith('-log-events.ts'))
  .map((path) => ({ path: path.slice(root.length), text: readFileSync(path, 'utf8') }));

function renderPage(): string {
  const sections = Object.entries(LOG_EVENT_SECTIONS).map(([title, events]) => {
    const lines = Object.entries<LogEvent>(events)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([code, { level, sentence, action }]) => `| \`${code}\` | ${level} | ${sentence}. | ${action} |`);
    return [`## ${title}`, '', '| Event | Level | Meaning | What to do |', '|---|---|---|---|', ...lines, ''].join(
      '\n',
    );
  });
  return `${INTRODUCTION}\n${sections.join('\n')}`;
}

const INTRODUCTION = `# Log events

<!-- Generated from src/domain/log/: npx vitest run test/log-events.test.ts -u -->

Every line that the service logs is one event of this table. A line is one JSON object on standard error, at most 4 kB:

\`\`\`json
{"level":40,"time":1790000000000,"part":"core","pid":4711,"event":"postgres.idle_connection_lost","err":{"name":"error","code":"57P01","message":"terminating connection due to administrator command"},"msg":"An idle PostgreSQL connection broke; the pool opens a new one"}
\`\`\`

- \`event\` is the stable code: use it in alerts and searches. Sentences and fields may change.
- \`level\` is 20 for debug, 30 for info, 40 for warn, 50 for error and 60 for fatal. Alert on 50 and above.
- \`part\` names the process: \`supervisor\`, \`core\`, \`analytics\` or \`delivery <n>\`.
- \`err\` has name, code and message of an error with those of its causes; an error that nobody expected also has the innermost frames of
  Placard's own code as \`stack\`. \`isCut\` tells that fields were left out because the line would be too long.
- Values of fields that are named like secrets are written as \`[redacted]\`; in texts, passwords in addresses, bearer tokens and values
  with such names are.
- \`PLACARD_LOG_LEVEL\` sets the lowest level that is written, \`PLACARD_LOG_FORMAT=pretty\` writes lines for a person.
- On a terminal, \`placard serve\` shows milestones, warnings and errors; all lines are in \`log/placard.log\` of the data folder, or on the terminal with \`--verbose\`.
`;

describe('the table of log events', () => {
  test('the table has each code once, in the form area.what_happened', () => {
    expect(rows.map(([code]) => code).sort()).toEqual([...codes].sort());
    for (const code of codes) expect(code).toMatch(/^[a-z]+(_[a-z]+)*\.[a-z]+(_[a-z]+)*$/);
  });

  test.each(rows)('event %s has a sentence and an action', (_code, { sentence, action }) => {
    expect(sentence).toMatch(/^[A-Z].{10,110}[a-z0-9`]$/);
    expect(action).toMatch(/^[A-Z].{5,180}[.)]$|^Nothing[.:]/);
    expect(`${sentence}${action}`).not.toMatch(/[|\n]/);
  });

  test('an action names only existing settings', () => {
    const named = rows.flatMap(([, { action }]) => action.match(/PLACARD_[A-Z_]+/g) ?? []);
    expect(named.filter((name) => !listSettingNames().includes(name))).toEqual([]);
  });

  test('docs/operations/log-events.md equals the table', async () => {
    await expect(renderPage()).toMatchFileSnapshot('../docs/operations/log-events.md');
  });
});

describe('log events in the code', () => {
  const logged = sources.flatMap(({ text }) =>
    [...text.matchAll(/'([a-z_]+\.[a-z_]+)'/g)].map((match) => match[1] ?? ''),
  );

  test('the code logs every event of the table', () => {
    expect(codes.filter((code) => !logged.includes(code))).toEqual([]);
  });

  test('every module logs through Log.event, never by a level', () => {
    const calls = sources.flatMap(({ path, text }) =>
      [...text.matchAll(/\blog\??\.(?:trace|debug|info|warn|error|fatal)\(/gi)].map((match) => `${path}: ${match[0]}`),
    );
    expect(calls).toEqual([]);
  });

  test('only one file imports pino', () => {
    expect(sources.filter(({ text }) => /from 'pino'/.test(text)).map(({ path }) => path)).toEqual([
      'src/runtime/log/log.ts',
    ]);
  });
});
