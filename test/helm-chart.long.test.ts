/** The Helm chart: what it renders to is what Kubernetes takes, and names settings and processes that exist. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { settingsTable } from '../src/config/settings-table.ts';
import { chartMark, type Manifest, parseManifests } from './support/helm-chart.ts';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const FOLDER = join(ROOT, 'deploy/helm');
const EXAMPLES = readdirSync(join(FOLDER, 'examples'));
const rendered = new Map(EXAMPLES.map((name) => [name, readFileSync(join(FOLDER, 'rendered', name), 'utf8')]));
/** Where the type of each kind is declared. */
const TYPES: Readonly<Record<string, string>> = {
  StatefulSet: 'apps/v1',
  Service: 'core/v1',
  ServiceAccount: 'core/v1',
  Secret: 'core/v1',
  PodDisruptionBudget: 'policy/v1',
  HorizontalPodAutoscaler: 'autoscaling/v2',
  NetworkPolicy: 'networking/v1',
  Ingress: 'networking/v1',
};

interface Container {
  readonly env: readonly { readonly name: string; readonly value: string }[];
  readonly ports: readonly [{ readonly name: string; readonly containerPort: number }, ...unknown[]];
  readonly args: readonly string[];
  readonly [probe: `${string}Probe`]: { readonly httpGet: { readonly path: string; readonly port: string } };
  readonly lifecycle: { readonly preStop: { readonly exec: { readonly command: readonly string[] } } };
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
}

interface Pod {
  readonly name: string;
  readonly part: string;
  readonly graceSeconds: number;
  readonly container: Container;
  readonly secretKeys: readonly string[];
}

function podsOf(manifests: readonly Manifest[]): Pod[] {
  return manifests
    .filter(({ kind }) => kind === 'StatefulSet')
    .map(({ metadata, spec }) => {
      const { template } = spec as { template: { metadata: { labels: Record<string, string> }; spec: PodSpec } };
      const [container] = template.spec.containers;
      const secret = template.spec.volumes.find((volume) => volume.secret !== undefined)?.secret;
      return {
        name: metadata.name,
        part: template.metadata.labels['app.kubernetes.io/component'] ?? '',
        graceSeconds: template.spec.terminationGracePeriodSeconds,
        container,
        secretKeys: secret?.items.map(({ key }) => key) ?? [],
      };
    });
}

interface PodSpec {
  readonly containers: readonly [Container];
  readonly terminationGracePeriodSeconds: number;
  readonly volumes: readonly { readonly secret?: { readonly items: readonly { readonly key: string }[] } }[];
}

const valueOf = ({ env }: Container, name: string): string | undefined => env.find((one) => one.name === name)?.value;

test('the rendered files are those of the present chart (else: node scripts/render-chart.ts)', () => {
  for (const [name, text] of rendered) expect(text.split('\n', 1)[0], name).toBe(`# ${chartMark()}`);
});

describe('types of Kubernetes', () => {
  const dir = mkdtempSync(join(tmpdir(), 'placard-chart-'));
  afterAll(() => rmSync(dir, { recursive: true, force: true }));

  /** Unknown fields, missing fields and wrong types are errors: an object literal must fit its type exactly. */
  function compile(manifests: readonly Manifest[]): string {
    const lines = manifests.map(({ kind, ...rest }, at) => {
      const type = `import('kubernetes-types/${TYPES[kind] ?? 'unknown'}').${kind}`;
      return `export const object${at}: ${type} = ${JSON.stringify({ kind, ...rest }, null, 1)};`;
    });
    writeFileSync(join(dir, 'manifests.ts'), lines.join('\n'));
    const paths = { 'kubernetes-types/*': [join(ROOT, 'node_modules/kubernetes-types/*')] };
    const compilerOptions = {
      noEmit: true,
      strict: true,
      module: 'esnext',
      moduleResolution: 'bundler',
      types: [],
      paths,
    };
    writeFileSync(join(dir, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['manifests.ts'] }));
    const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
    const { stdout } = spawnSync(process.execPath, [compiler, '-p', dir], { encoding: 'utf8' });
    return stdout;
  }

  test('every object of every example has the fields of its kind and no other', () => {
    const manifests = [...rendered.values()].flatMap((text) => parseManifests(text));
    expect(new Set(manifests.map(({ kind }) => kind))).toEqual(new Set(Object.keys(TYPES)));
    expect(compile(manifests)).toBe('');
  });

  test('a misspelt field of a probe does not compile', () => {
    const text = [...rendered.values()].join('---\n').replaceAll('failureThreshold', 'failureTreshold');
    expect(compile(parseManifests(text))).toMatch(/'"failureTreshold"' does not exist in type 'Probe'/);
  });
});

/** The parts that an example installs. */
function partsOf(name: string): string[] {
  return name === 'everything.yaml' ? ['core', 'delivery'] : ['core', 'delivery', 'jobs'];
}

describe.each(EXAMPLES)('the example %s', (name) => {
  const manifests = parseManifests(rendered.get(name) ?? '');
  const pods = podsOf(manifests);
  const named = (kind: string): string[] =>
    manifests.filter((one) => one.kind === kind).map(({ metadata }) => metadata.name);

  test('each part has a service and a disruption budget of its name', () => {
    expect(pods.map(({ part }) => part)).toEqual(partsOf(name));
    expect(named('Service')).toEqual(pods.map((pod) => pod.name));
    expect(named('PodDisruptionBudget')).toEqual(pods.map((pod) => pod.name));
  });

  test('each part runs a role, probes its own port and drains before it is killed', () => {
    for (const { part, container, graceSeconds } of pods) {
      expect(container.args).toEqual(['serve', '--role', part]);
      const [{ name: port }] = container.ports;
      for (const [probe, path] of [
        ['startupProbe', '/readyz'],
        ['readinessProbe', '/readyz'],
        ['livenessProbe', '/healthz'],
      ] as const)
        expect(container[probe]?.httpGet).toMatchObject({ path, port });
      const [, preStop = ''] = container.lifecycle.preStop.exec.command;
      expect(graceSeconds).toBeGreaterThanOrEqual(
        Number(preStop) + Number(valueOf(container, 'PLACARD_DRAIN_SECONDS')) + 60,
      );
    }
  });

  test('each variable is a setting, and each secret comes from a file that is mounted', () => {
    const settings = new Map(Object.values(settingsTable).map((one) => [one.name, one]));
    for (const { container, secretKeys } of pods) {
      for (const { name: variable, value } of container.env) {
        const setting = settings.get(variable.replace(/_FILE$/, '')) ?? settings.get(variable);
        expect(setting, variable).toBeDefined();
        if (!variable.endsWith('_FILE')) continue;
        expect(secretKeys).toContain(value.replace('/run/secrets/placard/', ''));
      }
    }
  });

  test('only cores get the address of the owner of the tables', () => {
    const parts = pods.filter(({ secretKeys }) => secretKeys.includes('postgres-owner-url')).map(({ part }) => part);
    expect(parts).toEqual(partsOf(name).filter((part) => part === 'core'));
  });
});
