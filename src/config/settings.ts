import { AGENT_VARIABLES } from './agent-settings.ts';
import { readFileSync } from 'node:fs';
import { availableParallelism, networkInterfaces } from 'node:os';
import { resolve } from 'node:path';
import { findNearestName } from '../domain/nearest-name.ts';
import { parseSettingsFile, SETTINGS_FILE_BYTES_MAX } from './settings-file.ts';
import { type Machine, type SettingSpec, type Settings, settingsTable } from './settings-table.ts';

export type { Settings } from './settings-table.ts';

/** Environment variables, as `process.env` has them. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Reads a file as UTF-8 text; throws when it cannot. */
export type ReadFile = (path: string) => string;

/** One thing that is wrong with the configuration: the variable, and what to write instead. */
export interface SettingProblem {
  readonly name: string;
  readonly message: string;
}

/** Thrown by `readSettings`; its message lists every problem at once, one a line. */
export class SettingsError extends Error {
  readonly problems: readonly SettingProblem[];

  constructor(problems: readonly SettingProblem[]) {
    const lines = problems.map((problem) => `  ${problem.name}: ${problem.message}`);
    super(`The configuration has ${problems.length} problem${problems.length === 1 ? '' : 's'}:\n${lines.join('\n')}`);
    this.name = 'SettingsError';
    this.problems = problems;
  }
}

const rows: readonly (readonly [string, SettingSpec])[] = Object.entries(settingsTable);
const fileBytesMax = 65_536;
/** Variables of test runs share the prefix and are none of the program's. */
const testPrefix = 'PLACARD_TEST_';
const prefix = 'PLACARD_';

/** The facts about this machine that defaults depend on. */
export function readMachine(): Machine {
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  return {
    cores: availableParallelism(),
    hasIpv6: addresses.some((address) => address.family === 'IPv6'),
    isTerminal: process.stderr.isTTY === true,
  };
}

/**
 * Reads and checks all settings.
 * @param readFile used for the `_FILE` variants of secrets
 * @throws SettingsError naming every bad, contradicting and unknown PLACARD_ variable
 */
export function readSettings(
  given: Environment,
  readFile: ReadFile = (path) => readFileSync(path, 'utf8'),
  machine: Machine = readMachine(),
): Settings {
  const { env, lineOf, problems: fileProblems } = addSettingsFile(given, readFile);
  const problems: SettingProblem[] = [...fileProblems, ...findUnknownNames(env)];
  const values: Record<string, unknown> = {};
  for (const [field, spec] of rows) {
    const text = readText(spec, env, readFile, problems) ?? defaultText(spec, machine);
    const parsed = spec.schema.safeParse(text);
    if (parsed.success) values[field] = parsed.data;
    else problems.push({ name: spec.name, message: describeProblem(spec, text, parsed.error.issues[0]?.message) });
  }
  // Every field is there unless a problem says why; the casts end here.
  const settings = values as unknown as Settings;
  const bad = new Set(problems.map((problem) => problem.name));
  problems.push(...findContradictions(settings, env, bad));
  if (problems.length > 0)
    throw new SettingsError(problems.map(({ name, message }) => ({ name, message: `${lineOf(name)}${message}` })));
  return Object.freeze({
    ...settings,
    dataDir: resolve(settings.dataDir),
    exportDir: settings.exportDir === null ? null : resolve(settings.exportDir),
    bind: settings.tls === 'loopback' ? '127.0.0.1' : settings.bind,
  });
}

interface MergedEnvironment {
  readonly env: Environment;
  /** The line of a variable as the beginning of a problem; empty for one of the environment itself. */
  readonly lineOf: (name: string) => string;
  readonly problems: readonly SettingProblem[];
}

/** The environment with the settings of the file that it names, which override its own. */
function addSettingsFile(env: Environment, readFile: ReadFile): MergedEnvironment {
  const { name } = settingsTable.settingsFile;
  const path = textOf(env, name);
  if (path === null) return { env, lineOf: () => '', problems: [] };
  try {
    const text = readFile(path);
    if (text.length > SETTINGS_FILE_BYTES_MAX) throw new Error(`it is larger than ${SETTINGS_FILE_BYTES_MAX} bytes`);
    const { lines, problems } = parseSettingsFile(text);
    const values = [...lines].map(([variable, { value }]) => [variable, value] as const);
    const lineOf = (variable: string): string => {
      const line = lines.get(variable)?.line;
      return line === undefined ? '' : `line ${line} of ${path}: `;
    };
    const found = problems.map((message) => ({ name, message: `${message} (in ${path})` }));
    return { env: { ...env, ...Object.fromEntries(values) }, lineOf, problems: found };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const message = `write the path of a readable file; ${path} is not one: ${reason}`;
    return { env, lineOf: () => '', problems: [{ name, message }] };
  }
}

/** The settings of this process, from its own environment. @throws SettingsError */
export function readProcessSettings(): Settings {
  return readSettings(process.env);
}

/** All names that the program knows, `_FILE` variants included. */
export function listSettingNames(): string[] {
  return rows.flatMap(([, spec]) => (spec.secret ? [spec.name, `${spec.name}_FILE`] : [spec.name]));
}

function defaultText(spec: SettingSpec, machine: Machine): string | null {
  return typeof spec.default === 'function' ? spec.default(machine) : spec.default;
}

/** An empty variable counts as not set, as compose files and unit files leave them. */
function textOf(env: Environment, name: string): string | null {
  const text = env[name]?.trim();
  return text === undefined || text === '' ? null : text;
}

function readText(spec: SettingSpec, env: Environment, readFile: ReadFile, problems: SettingProblem[]): string | null {
  const direct = textOf(env, spec.name);
  const fileName = `${spec.name}_FILE`;
  const path = spec.secret ? textOf(env, fileName) : null;
  if (path === null) return direct;
  if (direct !== null) {
    problems.push({ name: fileName, message: `set either ${spec.name} or ${fileName}, not both` });
    return direct;
  }
  try {
    const text = readFile(path);
    if (text.length > fileBytesMax) throw new Error(`it is larger than ${fileBytesMax} bytes`);
    if (text.trim() === '') throw new Error('it is empty');
    return text.trim();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    problems.push({ name: fileName, message: `write the path of a readable file; ${path} is not one: ${reason}` });
    return null;
  }
}

function describeProblem(spec: SettingSpec, text: string | null, message: string | undefined): string {
  const shown = spec.secret || text === null ? '' : ` (it is ${JSON.stringify(text.slice(0, 100))})`;
  return `${message ?? `write ${spec.kind}, such as ${spec.example}`}${shown}`;
}

function findUnknownNames(env: Environment): SettingProblem[] {
  const known = listSettingNames();
  const left = new Set([...known, ...AGENT_VARIABLES]);
  const unknown = Object.keys(env).filter(
    (name) => name.startsWith(prefix) && !name.startsWith(testPrefix) && !left.has(name),
  );
  return unknown.map((name) => {
    // Compared without the prefix that all share, which would make everything look alike.
    const endings = known.map((one) => one.slice(prefix.length));
    const nearest = findNearestName(name.slice(prefix.length), endings);
    const advice = nearest === null ? 'remove it' : `did you mean ${prefix}${nearest}?`;
    return { name, message: `there is no such setting; ${advice} (all of them: docs/configuration.md)` };
  });
}

/**
 * Rules over more than one setting. A rule is skipped when one of its settings is already known to be bad. None reads a setting that a reload
 * changes: a reload takes over those alone, so that the rest of its file would not count.
 */
function findContradictions(settings: Settings, env: Environment, bad: ReadonlySet<string>): SettingProblem[] {
  const problems: SettingProblem[] = [];
  const require = (name: string, holds: boolean, message: string): void => {
    if (!holds && !bad.has(name)) problems.push({ name, message });
  };
  if (bad.has('PLACARD_TLS')) return problems;
  const { tls } = settings;
  if (tls === 'files') {
    require('PLACARD_TLS_CERT_FILE', settings.tlsCertFile !== null, 'name the certificate file: PLACARD_TLS is files');
    require('PLACARD_TLS_KEY_FILE', settings.tlsKeyFile !== null, 'name the key file: PLACARD_TLS is files');
  } else {
    const message = `remove it, or set PLACARD_TLS=files (it is ${tls})`;
    require('PLACARD_TLS_CERT_FILE', (settings.tlsCertFile ?? null) === null, message);
    require('PLACARD_TLS_KEY_FILE', (settings.tlsKeyFile ?? null) === null, message);
  }
  if (tls === 'proxy') {
    const message = 'name the addresses of your proxies: with PLACARD_TLS=proxy only they are believed';
    require('PLACARD_TRUSTED_PROXIES', (settings.trustedProxies ?? []).length > 0, message);
  }
  if (tls === 'loopback') {
    const holds = ['127.0.0.1', null].includes(textOf(env, 'PLACARD_BIND'));
    require('PLACARD_BIND', holds, 'remove it: with PLACARD_TLS=loopback Placard listens on 127.0.0.1 only');
  } else {
    for (const [name, url] of publicUrls(settings)) {
      require(name, url?.startsWith('http:') !==
        true, 'write an https:// address (http:// is for PLACARD_TLS=loopback)');
    }
  }
  checkStoreAddresses(settings, require);
  if ((settings.eventCopies ?? 0) > 0) {
    const message = 'write the address of a Redis: PLACARD_EVENT_COPIES is set';
    require('PLACARD_REDIS_URL', settings.redisUrl !== null, message);
  }
  if ((settings.clickhouseCluster ?? null) !== null) {
    const message = 'write the address of one of its servers: PLACARD_CLICKHOUSE_CLUSTER is set';
    require('PLACARD_CLICKHOUSE_URL', settings.clickhouseUrl !== null, message);
  }
  if ((settings.s3Url ?? null) !== null) {
    const message = 'write it, or name a file that holds it: PLACARD_S3_URL is set';
    require('PLACARD_S3_ACCESS_KEY_ID', settings.s3AccessKeyId !== null, message);
    require('PLACARD_S3_SECRET_KEY', settings.s3SecretKey !== null, message);
  }
  if ((settings.exportS3Url ?? null) !== null) {
    const keys = [
      ['PLACARD_EXPORT_S3_ACCESS_KEY_ID', settings.exportS3AccessKeyId ?? settings.s3AccessKeyId],
      ['PLACARD_EXPORT_S3_SECRET_KEY', settings.exportS3SecretKey ?? settings.s3SecretKey],
    ] as const;
    for (const [name, key] of keys)
      require(name, key !== null, 'write it, or name a file that holds it: PLACARD_EXPORT_S3_URL is set');
    const message = 'remove it, or PLACARD_EXPORT_S3_URL: events are exported to one of them';
    require('PLACARD_EXPORT_DIR', (settings.exportDir ?? null) === null, message);
  }
  if ((settings.smtpUrl ?? null) !== null) {
    require('PLACARD_MAIL_FROM', settings.mailFrom !== null, 'write the sender of all mail: PLACARD_SMTP_URL is set');
  }
  if ((settings.oidcIssuer ?? null) !== null) {
    const message = 'write it, or name a file that holds it: PLACARD_OIDC_ISSUER is set';
    require('PLACARD_OIDC_CLIENT_ID', settings.oidcClientId !== null, message);
    require('PLACARD_OIDC_CLIENT_SECRET', settings.oidcClientSecret !== null, message);
    const isPlain = settings.oidcIssuer?.startsWith('http:') === true;
    require('PLACARD_OIDC_ISSUER', !isPlain || settings.oidcHttpLoopback === 'true', 'write an https:// address');
  }
  const isSqlPortFree =
    (settings.sqlPort ?? 0) === 0 || ![settings.corePort, settings.deliveryPort].includes(settings.sqlPort ?? 0);
  require('PLACARD_SQL_PORT', isSqlPortFree, 'write another port than PLACARD_CORE_PORT and PLACARD_DELIVERY_PORT');
  const samePort = settings.corePort !== 0 && settings.corePort === settings.deliveryPort;
  require('PLACARD_DELIVERY_PORT', !samePort, `write another port than PLACARD_CORE_PORT (${settings.corePort})`);
  return problems;
}

/** PostgreSQL under several addresses. */
function checkStoreAddresses(
  settings: Settings,
  require: (name: string, holds: boolean, message: string) => void,
): void {
  for (const [name, url] of [
    ['PLACARD_POSTGRES_OWNER_URL', settings.postgresOwnerUrl],
    ['PLACARD_POSTGRES_DIRECT_URL', settings.postgresDirectUrl],
  ] as const) {
    const message = `write the address that the service uses: ${name} is set`;
    require('PLACARD_POSTGRES_URL', (url ?? null) === null || settings.postgresUrl !== null, message);
  }
}

function publicUrls(settings: Settings): readonly (readonly [string, string | null | undefined])[] {
  return [
    ['PLACARD_CORE_PUBLIC_URL', settings.corePublicUrl],
    ['PLACARD_DELIVERY_PUBLIC_URL', settings.deliveryPublicUrl],
  ];
}
