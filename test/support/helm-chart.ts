import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAllDocuments, stringify } from 'yaml';

/** The chart. */
export const CHART_FOLDER = fileURLToPath(new URL('../../deploy/helm/placard', import.meta.url));

/** One object for Kubernetes. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec?: Readonly<Record<string, unknown>>;
}

/** The objects of a YAML text. @throws Error for what is not YAML */
export function parseManifests(text: string): Manifest[] {
  return parseAllDocuments(text).flatMap((document) => {
    const [error] = document.errors;
    if (error !== undefined) throw error;
    const value = document.toJS() as Manifest | null;
    return value === null ? [] : [value];
  });
}

/** The same objects in one order and form: renderers differ in both. */
export function normalizeManifests(text: string): string {
  const sorted = parseManifests(text).sort((one, other) => nameOf(one).localeCompare(nameOf(other), 'en'));
  return sorted.map((one) => stringify(one, { sortMapEntries: true, lineWidth: 0 })).join('---\n');
}

function nameOf({ kind, metadata }: Manifest): string {
  return `${kind}/${metadata.name}`;
}

/** Names the present state of the chart and of the examples that it is rendered with. */
export function chartMark(): string {
  const folders = [CHART_FOLDER, join(CHART_FOLDER, '../examples')];
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name)),
  );
  const hash = createHash('sha256');
  for (const file of files.sort()) hash.update(file.slice(CHART_FOLDER.length)).update('\0').update(readFileSync(file));
  return `Rendered from the chart ${hash.digest('hex').slice(0, 16)} by scripts/render-chart.ts.`;
}
