/**
 * `npm run sbom`: writes sbom.cdx.json, the parts of this program in CycloneDX 1.5, from the lock file: what runs in production, the
 * console's packages included. `npm run sbom -- --all` adds what only development needs.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

const OUTPUT = 'sbom.cdx.json';

interface Bom {
  readonly bomFormat: string;
  readonly specVersion: string;
  readonly metadata: { readonly component: Record<string, unknown> };
  readonly components: readonly { readonly purl?: string; readonly hashes?: readonly unknown[] }[];
}

const own = JSON.parse(readFileSync('package.json', 'utf8')) as { name: string; version: string };
const scope = process.argv.includes('--all') ? [] : ['--omit=dev'];
const args = ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--package-lock-only', ...scope];
const text = execFileSync('npm', args, {
  encoding: 'utf8',
  maxBuffer: 64 * 1024 * 1024,
  stdio: ['ignore', 'pipe', 'ignore'],
});
const bom = JSON.parse(text) as Bom;
if (bom.bomFormat !== 'CycloneDX' || bom.components.some(({ purl }) => purl === undefined)) {
  throw new Error('npm wrote no CycloneDX document, or parts without an address');
}
// npm takes the folder for the name.
const component = { ...bom.metadata.component, name: own.name, purl: `pkg:npm/${own.name}@${own.version}` };
writeFileSync(OUTPUT, `${JSON.stringify({ ...bom, metadata: { ...bom.metadata, component } }, null, 2)}\n`);
console.log(`${OUTPUT}: CycloneDX ${bom.specVersion}, ${bom.components.length} parts`);
