/** compose.yaml, compose.cluster.yaml and the systemd unit name settings, roles, secrets, images and volumes that exist. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { AGENT_VARIABLES } from '../src/config/agent-settings.ts';
import { listSettingNames, readSettings } from '../src/config/settings.ts';
import type { ServeRole } from '../src/runtime/supervisor/endpoints.ts';

const ROLES: readonly ServeRole[] = ['core', 'delivery'];
const ROOT = fileURLToPath(new URL('../', import.meta.url));

interface Service {
  readonly image?: string;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly secrets?: readonly string[];
  readonly volumes?: readonly string[];
  readonly depends_on?: Readonly<Record<string, unknown>>;
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
  readonly volumes: Readonly<Record<string, unknown>>;
}

/** Files and folders for operators and integrators, comments included: `placard serve` refuses a variable PLACARD_… that it does not know. */
const FOR_USERS = [
  'Dockerfile',
  'README.md',
  'SECURITY.md',
  'compose.yaml',
  'compose.cluster.yaml',
  'deploy',
  'docs',
  'console/src',
  'sdk/client/README.md',
  'sdk/prebid/README.md',
  'sdk/prebid-server/README.md',
  'sdk/python/README.md',
  'sdk/react/README.md',
  'sdk/tag/README.md',
];
/** Of agents (docs/mcp.md) and of the tests of the console. */
const OTHER_VARIABLES = AGENT_VARIABLES;

function filesOf(path: string): string[] {
  if (statSync(join(ROOT, path)).isFile()) return [path];
  return readdirSync(join(ROOT, path)).flatMap((name) => filesOf(join(path, name)));
}

test.each(FOR_USERS)('%s names no setting that does not exist', (root) => {
  const known = new Set([...listSettingNames(), ...OTHER_VARIABLES]);
  // A name that ends in "_" or "_*" stands for several.
  const isKnown = (name: string): boolean =>
    name.endsWith('_') ? [...known].some((one) => one.startsWith(name)) : known.has(name);
  const unknown = filesOf(root).flatMap((path) => {
    const names = readFileSync(join(ROOT, path), 'utf8').match(/\bPLACARD_[A-Z0-9_]+/g) ?? [];
    return names.filter((name) => !isKnown(name)).map((name) => `${path}: ${name}`);
  });
  expect(unknown).toEqual([]);
});

const read = (name: string): Compose => parse(readFileSync(join(ROOT, name), 'utf8'), { merge: true }) as Compose;
const dir = mkdtempSync(join(tmpdir(), 'placard-compose-'));
const makeSecrets = (): string =>
  execFileSync('sh', [join(ROOT, 'deploy/compose/make-secrets.sh'), join(dir, 'secrets')], { encoding: 'utf8' });

beforeAll(() => void makeSecrets());
afterAll(() => rmSync(dir, { recursive: true, force: true }));

test('the script that makes secrets keeps those that are there', () => {
  const folder = join(dir, 'secrets');
  const contents = (): string[] => readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
  const before = contents();
  makeSecrets();
  expect(contents()).toEqual(before);
  // The files are for the users of containers, the folder is for its owner alone.
  expect(statSync(folder).mode & 0o777).toBe(0o700);
});

describe.each(['compose.yaml', 'compose.cluster.yaml'])('%s', (name) => {
  const { services, secrets, volumes } = read(name);
  const placard = Object.entries(services).filter(([, { environment }]) => environment?.['PLACARD_POSTGRES_URL_FILE']);

  test('every service names secrets, services and volumes that the file has', () => {
    for (const [service, { secrets: own = [], depends_on: needed = {}, volumes: mounted = [] }] of Object.entries(
      services,
    )) {
      expect(
        own.filter((one) => secrets[one] === undefined),
        service,
      ).toEqual([]);
      expect(
        Object.keys(needed).filter((one) => services[one] === undefined),
        service,
      ).toEqual([]);
      const named = mounted.map((one) => one.split(':', 1)[0] ?? '').filter((one) => !one.startsWith('.'));
      expect(
        named.filter((one) => !Object.hasOwn(volumes, one)),
        service,
      ).toEqual([]);
    }
    const made = readdirSync(join(dir, 'secrets')).map((one) => `./secrets/${one}`);
    expect(Object.values(secrets).filter(({ file }) => !made.includes(file))).toEqual([]);
  });

  test('each Placard service has valid settings, and mounts each secret that it reads', () => {
    expect(placard.length).toBeGreaterThan(0);
    for (const [service, { environment = {}, secrets: own = [] }] of placard) {
      const files = Object.entries(environment).filter(([variable]) => variable.endsWith('_FILE'));
      for (const [, path] of files) expect(own, service).toContain(path.replace('/run/secrets/', ''));
      const resolved = Object.fromEntries(
        Object.entries(environment).map(([variable, value]) => [variable, value.replace(/\$\{\w+:-([^}]+)\}/g, '$1')]),
      );
      const readFile = (path: string): string => readFileSync(join(dir, path.replace('/run/', '')), 'utf8');
      expect(() => readSettings(resolved, readFile), service).not.toThrow();
    }
  });

  test('each command is a role', () => {
    for (const [, { command }] of placard) {
      if (command === undefined) continue;
      expect(command.slice(0, 2)).toEqual(['serve', '--role']);
      expect(ROLES).toContain(command[2]);
    }
  });
});

test('the cluster has two cores and three delivery nodes, each with a volume of its own, behind the proxy', () => {
  const { services } = read('compose.cluster.yaml');
  const nodes = Object.entries(services).filter(([, { command }]) => command?.[0] === 'serve');
  expect(nodes.map(([name]) => name)).toEqual(['core-1', 'core-2', 'delivery-1', 'delivery-2', 'delivery-3']);
  for (const [name, { volumes, command }] of nodes) {
    expect(volumes).toEqual([`${name}:/data`]);
    expect(name.split('-')[0]).toBe(command?.[2]);
  }
  const proxied = [...readFileSync(join(ROOT, 'deploy/compose/Caddyfile'), 'utf8').matchAll(/\b(\w+-\d):(\d+)/g)];
  expect(proxied.map((found) => `${found[1]}:${found[2]}`)).toEqual(
    nodes.map(([name]) => `${name}:${name.startsWith('core') ? '8443' : '8444'}`),
  );
});

test('a container and the systemd unit make no demo network unless asked for, and have the command on the PATH', () => {
  const container = readFileSync(join(ROOT, 'Dockerfile'), 'utf8');
  const unit = readFileSync(join(ROOT, 'deploy/systemd/placard.service'), 'utf8');
  expect(container).toMatch(/^ENV .*\bPLACARD_DEMO=false\b/m);
  expect(unit).toMatch(/^Environment=.*\bPLACARD_DEMO=false\b/m);
  expect(container).toMatch(/ln -s \/app\/bin\/placard\.mjs \/usr\/local\/bin\/placard$/m);
  const command = readFileSync(join(ROOT, 'deploy/systemd/placard'), 'utf8');
  const settingsOf = (text: string): string[] =>
    (text.match(/\b(?:PLACARD_DATA|PLACARD_SETTINGS_FILE)=\S+/g) ?? []).toSorted();
  expect(settingsOf(command)).toEqual(settingsOf(unit));
});

test('the systemd unit starts the service again for ever, and lets workers outlive the supervisor', () => {
  const unit = readFileSync(join(ROOT, 'deploy/systemd/placard.service'), 'utf8');
  const lines = unit.split('\n');
  expect(lines).toEqual(
    expect.arrayContaining(['Restart=always', 'StartLimitIntervalSec=0', 'KillMode=process', 'NoNewPrivileges=true']),
  );
  const [, command = ''] = /^ExecStart=\/opt\/placard\/(.+)$/m.exec(unit) ?? [];
  expect(command.split(' ').slice(1)).toEqual(['bin/placard.mjs', 'serve']);
});
