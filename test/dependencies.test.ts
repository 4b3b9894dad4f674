import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../', import.meta.url));
const read = (name: string): string => readFileSync(join(root, name), 'utf8');

describe('hashes of the lock file', () => {
  interface Entry {
    readonly integrity?: string;
    readonly link?: boolean;
  }

  /** Packages of a lock file from a registry whose content `npm ci` would not check. */
  function findUnchecked(packages: Readonly<Record<string, Entry>>): string[] {
    return Object.entries(packages)
      .filter(([path, { link }]) => path.includes('node_modules/') && link !== true)
      .filter(([, { integrity = '' }]) => !/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity))
      .map(([path]) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length));
  }

  test('each package of a registry has a SHA-512, but for those that docs/dependencies.md names', () => {
    const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, Entry> };
    const section = read('docs/dependencies.md').split('## Hashes\n')[1]?.split('\n## ')[0] ?? '';
    const named = [...section.matchAll(/^- `([^`]+)`/gm)].map((row) => String(row[1]));
    expect(findUnchecked(packages).sort()).toEqual(named.sort());
  });

  test('an entry without a hash, or with one that is too short, is named', () => {
    const integrity = `sha512-${'A'.repeat(86)}==`;
    const packages = {
      '': {},
      console: {},
      'node_modules/@placard/console': { link: true },
      'node_modules/good': { integrity },
      'node_modules/good/node_modules/@a/bare': {},
      'node_modules/weak': { integrity: 'sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=' },
    };
    expect(findUnchecked(packages)).toEqual(['@a/bare', 'weak']);
  });
});

describe('install scripts', () => {
  const { packages } = JSON.parse(read('package-lock.json')) as {
    packages: Record<string, { hasInstallScript?: boolean }>;
  };
  const { allowScripts } = JSON.parse(read('package.json')) as { allowScripts: Record<string, boolean> };
  const table = new Map<string, string | undefined>(
    [...read('docs/dependencies.md').matchAll(/^\| `([^`]+)` \| (yes|no) \| (.{5,}) \|$/gm)].map(
      (row) => [String(row[1]), row[2]] as const,
    ),
  );

  test('the lock file has exactly the install scripts that docs/dependencies.md justifies', () => {
    const locked = Object.entries(packages)
      .filter(([, { hasInstallScript }]) => hasInstallScript === true)
      .map(([path]) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length));
    expect([...table.keys()].sort()).toEqual([...new Set(locked)].sort());
  });

  test('install scripts run only where docs/dependencies.md says so', () => {
    const documented = [...table].filter(([, may]) => may === 'yes').map(([name]) => name);
    const allowed = Object.keys(allowScripts).filter((name) => allowScripts[name] === true);
    expect(allowed.sort()).toEqual(documented.sort());
  });
});

describe('container images', () => {
  const dir = mkdtempSync(join(tmpdir(), 'placard-images-'));
  afterAll(() => rmSync(dir, { recursive: true, force: true }));
  const file = join(dir, 'images.env');
  const run = (...args: string[]): string =>
    execFileSync(process.execPath, [join(root, 'scripts/pin-images.ts'), '--file', file, ...args], {
      encoding: 'utf8',
      env: { ...process.env, PATH: dir },
      stdio: ['ignore', 'pipe', 'pipe'],
    });

  test('the Dockerfile and the compose files use the images of images.env', () => {
    const images = new Map(
      [...read('images.env').matchAll(/^(\w+_IMAGE)=([^@\s]+)/gm)].map((row) => [String(row[1]), row[2]] as const),
    );
    expect(read('Dockerfile')).toContain(`ARG NODE_IMAGE=${images.get('NODE_IMAGE')}\n`);
    expect([...read('Dockerfile').matchAll(/^FROM (\S+)/gm)].map((row) => String(row[1]))).toEqual([
      '${NODE_IMAGE}',
      '${NODE_IMAGE}',
    ]);
    const files = ['compose.yaml', 'compose.cluster.yaml'].map(read);
    const named = files.flatMap((text) => [...text.matchAll(/\$\{(\w+_IMAGE)\}/g)].map((row) => String(row[1])));
    expect([...new Set(named)].sort()).toEqual([...images.keys()].sort());
    // The cluster names the image that it builds itself.
    for (const text of files) expect(text.replace('image: placard-cluster', '')).not.toMatch(/image: "?[a-z]/);
  });

  test('images that lack a digest fail the check of a release, and pass it once they are pinned', () => {
    writeFileSync(file, read('images.env').replaceAll(/@sha256:[0-9a-f]{64}/g, ''));
    expect(() => run('--check')).toThrow();
    // Stands for the registry, which a test does not ask.
    const digest = `sha256:${'0123456789abcdef'.repeat(4)}`;
    writeFileSync(join(dir, 'skopeo'), `#!/bin/sh\necho ${digest}\n`);
    chmodSync(join(dir, 'skopeo'), 0o755);
    expect(run()).toContain(`POSTGRES_IMAGE=docker.io/library/postgres:18@${digest}`);
    run('--check');
    run();
    expect(readFileSync(file, 'utf8').match(/@sha256:/g)).toHaveLength(
      read('images.env').match(/^\w+_IMAGE=/gm)?.length ?? 0,
    );
  });

  test('images stay unchanged when no tool can read a digest', () => {
    writeFileSync(file, 'NODE_IMAGE=docker.io/library/node:26\n');
    writeFileSync(join(dir, 'skopeo'), '#!/bin/sh\necho something else\n');
    expect(() => run()).toThrow(/skopeo printed no digest/);
    expect(readFileSync(file, 'utf8')).toBe('NODE_IMAGE=docker.io/library/node:26\n');
  });
});
