/**
 * `node scripts/render-chart.ts`: renders the Helm chart with each file of deploy/helm/examples and writes deploy/helm/rendered/, which
 * test/helm-chart.long.test.ts checks. Needs `helm`, or another program with its command `template` in the environment variable HELM.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { CHART_FOLDER, chartMark, normalizeManifests } from '../test/support/helm-chart.ts';

const folder = fileURLToPath(new URL('../deploy/helm/', import.meta.url));
mkdirSync(`${folder}rendered`, { recursive: true });
for (const name of readdirSync(`${folder}examples`)) {
  const args = ['template', 'placard', CHART_FOLDER, '--namespace', 'ads', '--values', `${folder}examples/${name}`];
  const rendered = execFileSync(process.env['HELM'] ?? 'helm', args, { encoding: 'utf8' });
  writeFileSync(`${folder}rendered/${name}`, `# ${chartMark()}\n${normalizeManifests(rendered)}`);
}
