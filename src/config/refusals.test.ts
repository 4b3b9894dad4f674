/** Every sentence that refuses a setting, in one file; `npx vitest run src/config -u` writes it again. */
import { readdirSync, readFileSync } from 'node:fs';
import { parseSync, Visitor } from 'oxc-parser';
import { expect, test } from 'vitest';
import { readSettings, SettingsError } from './settings.ts';
import { type SettingSpec, settingsTable } from './settings-table.ts';

type Given = Readonly<Record<string, string>>;

/** Each setting that has a form refuses some of them. */
const WRONG = ['@', '-1', '999999999', '1000000000000', 'a b', 'x'.repeat(301), 'ftp://a', 'https://a?b'];
const FILES: Given = {
  '/empty': ' \n',
  '/large': '#'.repeat(65_537),
  '/lines': 'warn\nPATH=/bin\nPLACARD_SETTINGS_FILE=/x\nPLACARD_LOG_LEVEL=info\nPLACARD_LOG_LEVEL=warn',
  '/wrong': '\nPLACARD_OBJECTS=many',
};
const PROXY = { PLACARD_TLS: 'proxy', PLACARD_TRUSTED_PROXIES: '10.0.0.0/8' };
/** What is wrong with several settings together, with names, and with files. */
const TOGETHER: readonly Given[] = [
  { PLACARD_DELVERY_PORT: '1' },
  { PLACARD_X: '1' },
  { PLACARD_REDIS_URL: 'redis://h', PLACARD_REDIS_URL_FILE: '/f' },
  { PLACARD_REDIS_URL_FILE: '/none' },
  { PLACARD_REDIS_URL_FILE: '/empty' },
  { PLACARD_REDIS_URL_FILE: '/large' },
  { PLACARD_SETTINGS_FILE: '/none' },
  { PLACARD_SETTINGS_FILE: '/large' },
  { PLACARD_SETTINGS_FILE: '/lines' },
  { PLACARD_SETTINGS_FILE: '/wrong' },
  { PLACARD_TLS: 'files' },
  { PLACARD_TLS_CERT_FILE: '/c', PLACARD_TLS_KEY_FILE: '/k' },
  { ...PROXY, PLACARD_TLS_CERT_FILE: '/c' },
  { PLACARD_TLS: 'proxy' },
  { PLACARD_TLS: 'loopback', PLACARD_BIND: '0.0.0.0' },
  { PLACARD_CORE_PUBLIC_URL: 'http://a.example', PLACARD_DELIVERY_PUBLIC_URL: 'http://b.example' },
  { PLACARD_POSTGRES_OWNER_URL: 'postgres://h/d' },
  { PLACARD_POSTGRES_DIRECT_URL: 'postgres://h/d' },
  { PLACARD_CLICKHOUSE_CLUSTER: 'main' },
  { PLACARD_EVENT_COPIES: '1' },
  { PLACARD_S3_URL: 'https://s3.example/b' },
  { PLACARD_EXPORT_S3_URL: 'https://s3.example/b', PLACARD_EXPORT_DIR: '/e' },
  { PLACARD_SMTP_URL: 'smtps://mail.example' },
  { PLACARD_OIDC_ISSUER: 'http://login.example' },
  { PLACARD_CORE_PORT: '1', PLACARD_DELIVERY_PORT: '1', PLACARD_SQL_PORT: '1' },
];

function readFile(path: string): string {
  const text = FILES[path];
  if (text === undefined) throw new Error('no such file');
  return text;
}

/** What `placard` says of an environment, a line a problem. */
function refuse(env: Given): readonly string[] {
  try {
    readSettings(env, readFile, { cores: 4, hasIpv6: true, isTerminal: false });
    return [];
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    return error.message.split('\n');
  }
}

/** What a setting says of texts that are none of its values, each sentence once. */
function refusalsOf({ name }: SettingSpec): readonly string[] {
  const found = WRONG.flatMap((text) => refuse({ [name]: text })).filter((line) => line.startsWith(`  ${name}: `));
  return [...new Set(found.map((line) => line.replace(/ \(it is ".*"\)$/, '')))];
}

function writeRefusals(): string {
  const alone = Object.values(settingsTable).flatMap(refusalsOf);
  const together = TOGETHER.flatMap((env) => [
    `${Object.entries(env)
      .map((pair) => pair.join('='))
      .join(' ')}`,
    ...refuse(env),
  ]);
  return ['A wrong value', ...alone, '', 'Settings that do not go together, and files', ...together, ''].join('\n');
}

test('each refusal of a setting says what to write', async () => {
  await expect(writeRefusals()).toMatchFileSnapshot('fixtures/refusals.txt');
});

/** The sentences in the code of a file, as their parts between placeholders. */
function sentencesOf(file: string): readonly string[] {
  const found: string[] = [];
  new Visitor({
    Literal: ({ value }) => void (typeof value === 'string' && found.push(value)),
    TemplateElement: ({ value }) => void found.push(value.cooked ?? ''),
  }).visit(parseSync(file, readFileSync(new URL(file, import.meta.url), 'utf8')).program);
  return found.map((text) => text.trim()).filter((text) => /[a-z]+ [a-z]+/.test(text));
}

test('each sentence in the code of settings is in that file, or documented', () => {
  const known = writeRefusals() + readFileSync(new URL('../../docs/configuration.md', import.meta.url), 'utf8');
  const files = readdirSync(new URL('.', import.meta.url)).filter((file) => /(?<!\.test)\.ts$/.test(file));
  expect(files.flatMap(sentencesOf).filter((sentence) => !known.includes(sentence))).toEqual([]);
});
