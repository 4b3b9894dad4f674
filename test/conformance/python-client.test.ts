import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type OpenApi, writePythonRest } from '../../scripts/sdk/python-rest.ts';
import { server } from './support/server.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../', import.meta.url));
const sources = join(root, 'sdk/python');
const TIMEOUT_MS = 110_000;
const hasPython = await run('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 10))']).then(
  () => true,
  () => false,
);

/** The examples of the README, by their headings. */
const readme = readFileSync(join(sources, 'README.md'), 'utf8');
const examples = [...readme.matchAll(/```python\n([\s\S]*?)```/g)].map((match, index) => {
  const heading =
    readme
      .slice(0, match.index)
      .match(/^#+ .*$/gm)
      ?.at(-1) ?? '';
  return { title: heading.replace(/^#+ /, ''), file: `example_${index}.py`, code: match[1] ?? '' };
});
const expected: Readonly<Record<string, RegExp>> = {
  'placard (Python)': /^(?:IMAGE|HTML) \d+ \d+ https:\/\/\S+\n$/,
  Management: /^True\nonly validated: True\nrefused: .{5,}\n$/,
  'Reports, bulk jobs, uploads': /^\d+ rows\n\S*impressions\S*\nTrue\n$/i,
};

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'placard-python-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const environment = (): NodeJS.ProcessEnv => ({
  ...process.env,
  PYTHONPATH: sources,
  PYTHONDONTWRITEBYTECODE: '1',
  ...(server.demo.caFile === null ? {} : { SSL_CERT_FILE: server.demo.caFile }),
  AD_SERVER_CORE_URL: server.coreUrl,
  AD_SERVER_DELIVERY_URL: server.deliveryUrl,
  AD_SERVER_KEY: server.demo.keys.admin,
});

test('the module of the REST API equals contract/openapi.json (else run node scripts/write-openapi.ts)', () => {
  const document = JSON.parse(readFileSync(join(root, 'contract/openapi.json'), 'utf8')) as OpenApi;
  expect(readFileSync(join(sources, 'placard/rest.py'), 'utf8')).toBe(writePythonRest(document));
});

describe.skipIf(!hasPython)('the Python client (skipped where there is no Python 3.10)', () => {
  test('its own tests pass', async () => {
    const args = ['-W', 'error', '-m', 'unittest', 'discover', '-s', 'tests', '-t', '.'];
    const { stderr } = await run('python3', args, { cwd: sources, env: environment(), timeout: TIMEOUT_MS });
    expect(stderr).toMatch(/^Ran \d{2,} tests[\s\S]*\nOK\n$/m);
  });

  test('the README has an example for each part of the client', () => {
    expect(examples.map((example) => example.title)).toEqual(Object.keys(expected));
  });

  test.each(examples)('the README’s example "$title" runs against a server', async ({ title, file, code }) => {
    writeFileSync(join(folder, file), code);
    const { stdout } = await run('python3', [file], { cwd: folder, env: environment(), timeout: TIMEOUT_MS });
    expect(stdout).toMatch(expected[title] ?? /never/);
  });

  test('the client imports the standard library only', async () => {
    const program = [
      'import sys, placard',
      'own = {name.split(".")[0] for name in sys.modules} - set(sys.stdlib_module_names) - {"placard", "__main__"}',
      'print(sorted(name for name in own if not name.startswith("_")))',
    ].join('\n');
    const { stdout } = await run('python3', ['-S', '-c', program], { env: environment(), timeout: TIMEOUT_MS });
    expect(stdout.trim()).toBe('[]');
  });
});
