import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { copySettings, reloadSettings } from './reload-settings.ts';
import { listSettingNames, readSettings, SettingsError } from './settings.ts';
import { type Machine, type SettingSpec, settingsTable } from './settings-table.ts';

const machine: Machine = { cores: 4, hasIpv6: true, isTerminal: false };
const noFiles = (path: string): string => {
  throw new Error(`no file ${path}`);
};
const read = (env: Record<string, string>) => readSettings(env, noFiles, machine);

function problemsOf(env: Record<string, string>, readFile: (path: string) => string = noFiles): Record<string, string> {
  try {
    readSettings(env, readFile, machine);
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    return Object.fromEntries(error.problems.map((problem) => [problem.name, problem.message]));
  }
  return {};
}

test('an empty environment gives the defaults, frozen', () => {
  const settings = read({});
  expect(settings).toMatchObject({
    corePort: 8443,
    deliveryPort: 8444,
    workers: 3,
    tls: 'self',
    trustedProxies: [],
    stitchers: [],
    webhookAllowedRanges: [],
    reviveNetwork: null,
    vastAllowedRanges: [],
    bind: '::',
    postgresUrl: null,
    demo: 'auto',
    logFormat: 'json',
  });
  expect(settings.dataDir.startsWith('/')).toBe(true);
  expect(Object.isFrozen(settings)).toBe(true);
});

test('a machine with one core still gets a worker, and one without IPv6 listens on IPv4', () => {
  const settings = readSettings({}, noFiles, { cores: 1, hasIpv6: false, isTerminal: true });
  expect(settings).toMatchObject({ workers: 1, bind: '0.0.0.0', logFormat: 'brief' });
});

test('an empty variable counts as not set', () => {
  expect(read({ PLACARD_CORE_PORT: '', PLACARD_POSTGRES_URL: ' ' })).toMatchObject({
    corePort: 8443,
    postgresUrl: null,
  });
});

test('a public address loses its trailing slash', () => {
  expect(read({ PLACARD_CORE_PUBLIC_URL: 'https://a.example/x/' }).corePublicUrl).toBe('https://a.example/x');
});

test('loopback always listens on 127.0.0.1', () => {
  expect(read({ PLACARD_TLS: 'loopback' }).bind).toBe('127.0.0.1');
});

test('all problems are told at once, each with what to write', () => {
  const problems = problemsOf({
    PLACARD_CORE_PORT: 'x',
    PLACARD_WORKERS: '0',
    PLACARD_TLS: 'none',
    PLACARD_DEMO: 'yes',
  });
  expect(Object.keys(problems).sort()).toEqual(['PLACARD_CORE_PORT', 'PLACARD_DEMO', 'PLACARD_TLS', 'PLACARD_WORKERS']);
  expect(problems['PLACARD_CORE_PORT']).toBe('write a whole number from 0 to 65535 (it is "x")');
  expect(problems['PLACARD_TLS']).toContain('self, files, proxy, loopback');
});

describe('one bad setting', () => {
  test.each<[string, Record<string, string>, string, RegExp]>([
    ['a port out of range', { PLACARD_CORE_PORT: '65536' }, 'PLACARD_CORE_PORT', /0 to 65535/],
    ['a negative count', { PLACARD_WORKERS: '-1' }, 'PLACARD_WORKERS', /1 to 64/],
    [
      'a misspelled name',
      { PLACARD_DELVERY_PORT: '1' },
      'PLACARD_DELVERY_PORT',
      /did you mean PLACARD_DELIVERY_PORT\?/,
    ],
    ['a name like nothing', { PLACARD_X: '1' }, 'PLACARD_X', /remove it/],
    ['a host name to bind', { PLACARD_BIND: 'localhost' }, 'PLACARD_BIND', /IP address/],
    ['another database', { PLACARD_POSTGRES_URL: 'mysql://h/d' }, 'PLACARD_POSTGRES_URL', /postgres:\/\//],
    ['a public address over http', { PLACARD_CORE_PUBLIC_URL: 'http://a.example' }, 'PLACARD_CORE_PUBLIC_URL', /https/],
    [
      'a public address with a query',
      { PLACARD_CORE_PUBLIC_URL: 'https://a.example?x=1' },
      'PLACARD_CORE_PUBLIC_URL',
      /query/,
    ],
    [
      'files without a key',
      { PLACARD_TLS: 'files', PLACARD_TLS_CERT_FILE: '/c' },
      'PLACARD_TLS_KEY_FILE',
      /name the key/,
    ],
    ['a certificate that is not used', { PLACARD_TLS_CERT_FILE: '/c' }, 'PLACARD_TLS_CERT_FILE', /PLACARD_TLS=files/],
    ['proxy without proxies', { PLACARD_TLS: 'proxy' }, 'PLACARD_TRUSTED_PROXIES', /addresses of your proxies/],
    ['a range that is none', { PLACARD_TRUSTED_PROXIES: '10.0.0.0/33' }, 'PLACARD_TRUSTED_PROXIES', /CIDR/],
    [
      'loopback on another address',
      { PLACARD_TLS: 'loopback', PLACARD_BIND: '0.0.0.0' },
      'PLACARD_BIND',
      /127\.0\.0\.1/,
    ],
    [
      'a bucket without its secret key',
      { PLACARD_S3_URL: 'https://s3.example/b', PLACARD_S3_ACCESS_KEY_ID: 'AKIA' },
      'PLACARD_S3_SECRET_KEY',
      /PLACARD_S3_URL is set/,
    ],
    ['one port twice', { PLACARD_DELIVERY_PORT: '8443' }, 'PLACARD_DELIVERY_PORT', /another port/],
  ])('%s', (_title, env, name, message) => {
    const problems = problemsOf(env);
    expect(Object.keys(problems)).toEqual([name]);
    expect(problems[name]).toMatch(message);
  });
});

describe('secrets', () => {
  test('secrets are read from the file that a name with _FILE points to', () => {
    const settings = readSettings(
      { PLACARD_REDIS_URL_FILE: '/run/secrets/redis' },
      (path) => (path === '/run/secrets/redis' ? 'redis://h:6379\n' : noFiles(path)),
      machine,
    );
    expect(settings.redisUrl).toBe('redis://h:6379');
  });

  test('a Redis cluster is named by the addresses of some of its nodes', () => {
    const urls = 'rediss://:p@a:6379,rediss://b:6379';
    expect(readSettings({ PLACARD_REDIS_URL: urls }, noFiles, machine).redisUrl).toBe(urls);
    for (const wrong of ['redis://a,rediss://b', 'redis://a,', 'redis://a,http://b'])
      expect(problemsOf({ PLACARD_REDIS_URL: wrong })).toHaveProperty('PLACARD_REDIS_URL');
  });

  test('secrets never appear in a problem', () => {
    const problems = problemsOf({ PLACARD_POSTGRES_URL: 'hunter2' });
    expect(JSON.stringify(problems)).not.toContain('hunter2');
  });

  test('given twice, or by an unreadable file, are a problem', () => {
    expect(problemsOf({ PLACARD_REDIS_URL: 'redis://h', PLACARD_REDIS_URL_FILE: '/f' })).toHaveProperty(
      'PLACARD_REDIS_URL_FILE',
    );
    expect(problemsOf({ PLACARD_REDIS_URL_FILE: '/f' })['PLACARD_REDIS_URL_FILE']).toContain('no file /f');
  });
});

test('variables of agents in the same shell are left alone', () => {
  expect(problemsOf({ PLACARD_URL: 'https://ads.example:8443', PLACARD_API_KEY: 'k' })).toEqual({});
});

describe('a settings file', () => {
  const readWith = (text: string, env: Record<string, string> = {}) =>
    readSettings(
      { PLACARD_SETTINGS_FILE: '/etc/p', ...env },
      (path) => (path === '/etc/p' ? text : noFiles(path)),
      machine,
    );

  test('a line counts before the environment, without quotes, comments and empty lines', () => {
    const text = '# ours\n\nPLACARD_LOG_LEVEL = "warn"\r\nPLACARD_OBJECTS=5000\n';
    const settings = readWith(text, { PLACARD_LOG_LEVEL: 'debug', PLACARD_DRAIN_SECONDS: '7' });
    expect(settings).toMatchObject({ logLevel: 'warn', objects: 5_000, drainSeconds: 7, settingsFile: '/etc/p' });
  });

  test.each([
    ['a wrong value', '\nPLACARD_OBJECTS=many', 'PLACARD_OBJECTS', /^line 2 of \/etc\/p: write a whole number/],
    ['an unknown name', 'PLACARD_OBJEKTS=5', 'PLACARD_OBJEKTS', /^line 1 of \/etc\/p: there is no such setting/],
    ['a line without a value', 'PLACARD_OBJECTS=5000\nwarn', 'PLACARD_SETTINGS_FILE', /^line 2: write NAME=value/],
    ['a name of another program', 'PATH=/bin', 'PLACARD_SETTINGS_FILE', /^line 1: PATH is not a setting/],
    [
      'a name twice',
      'PLACARD_OBJECTS=5000\n#\nPLACARD_OBJECTS=6000',
      'PLACARD_SETTINGS_FILE',
      /^line 3: PLACARD_OBJECTS is in line 1/,
    ],
    ['its own name', 'PLACARD_SETTINGS_FILE=/x', 'PLACARD_SETTINGS_FILE', /^line 1: .* environment/],
    ['more than 64 kB', '#'.repeat(65_537), 'PLACARD_SETTINGS_FILE', /larger than/],
  ])('%s is a problem that names the line', (_title, text, name, message) => {
    const problems = problemsOf({ PLACARD_SETTINGS_FILE: '/etc/p' }, () => text);
    expect(Object.keys(problems)).toEqual([name]);
    expect(problems[name]).toMatch(message);
  });

  test('a file that is missing is a problem', () => {
    expect(problemsOf({ PLACARD_SETTINGS_FILE: '/nowhere' })).toHaveProperty('PLACARD_SETTINGS_FILE');
  });

  test('a reload changes the settings that may change, and names the others', () => {
    const live = copySettings(readWith('PLACARD_LOG_LEVEL=info'));
    const next = readWith('PLACARD_LOG_LEVEL=debug\nPLACARD_OBJECTS=7000\nPLACARD_WORKERS=9');
    expect(reloadSettings(live, next)).toEqual({
      changed: ['PLACARD_OBJECTS', 'PLACARD_LOG_LEVEL'],
      needRestart: ['PLACARD_WORKERS'],
    });
    expect(live).toEqual({ ...next, workers: 3 });
  });
});

test('no rule over several settings reads one that a reload changes: it could be taken over without the others', () => {
  const source = readFileSync(new URL('settings.ts', import.meta.url), 'utf8');
  const rules = source.slice(source.indexOf('function findContradictions'));
  const read = [...rules.matchAll(/\bsettings\.(\w+)|\{ (tls) \} = settings/g)].map(
    ([, dotted, named]) => dotted ?? named,
  );
  expect(new Set(read).size).toBeGreaterThan(15);
  const table = settingsTable as Readonly<Record<string, SettingSpec>>;
  expect(read.filter((field) => table[field ?? ''] === undefined || table[field ?? '']?.reload === true)).toEqual([]);
});

describe('docs/configuration.md', () => {
  const specs: readonly SettingSpec[] = Object.values(settingsTable);
  const document = readFileSync(new URL('../../docs/configuration.md', import.meta.url), 'utf8');
  const documentRows = document.split('\n').filter((line) => line.startsWith('| `PLACARD_'));

  test('docs/configuration.md describes each setting as the table does', () => {
    const wanted = specs.map((spec) => {
      const reload = spec.reload === true ? 'SIGHUP' : 'restart';
      const secret = spec.secret ? ` Secret: \`${spec.name}_FILE\` names a file that holds it.` : '';
      return `| \`${spec.name}\` | ${spec.kind} | ${spec.defaultTitle} | ${reload} | ${spec.description}${secret} | \`${spec.example}\` |`;
    });
    expect(documentRows).toEqual(wanted);
  });

  test('names no setting that does not exist', () => {
    const named = new Set(document.match(/PLACARD_[A-Z0-9_]*[A-Z0-9]/g));
    expect([...named].filter((name) => !listSettingNames().includes(name))).toEqual([]);
  });

  test('every example is a value that is taken', () => {
    for (const spec of specs) expect(spec.schema.safeParse(spec.example).success, spec.name).toBe(true);
  });
});
