import type { Scope } from '../api/transport/scope.ts';
import type { CsvKind } from './format/csv-kinds.ts';
import { storePortion } from './format/csv-objects.ts';
import { type CsvRun, madeLines, type PendingPortion } from './csv-run.ts';
import type { CsvTable } from './format/csv-text.ts';

/** What the browser remembers of an import until it is complete. */
export interface CsvProgress {
  /** Of the file, SHA-256 in hex. */
  readonly hash: string;
  readonly startedMs: number;
  /** Lines that were made, with the ids of their objects. */
  readonly made: readonly (readonly [line: number, id: string])[];
  /** The portion whose outcome was not known. */
  readonly pending: PendingPortion | null;
}

/** For how long the server remembers a portion by its key, less an hour. */
const VALID_MS = 23 * 3_600_000;

function nameOf({ networkId, environment }: Scope, kind: CsvKind): string {
  return `placard.csv.${networkId}.${environment}.${kind}`;
}

/** The hash of a file, SHA-256 in hex. */
export async function hashOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The interrupted import of a file; null: there is none. */
export function readProgress(
  scope: Scope,
  kind: CsvKind,
  { hash, nowMs }: { readonly hash: string; readonly nowMs: number },
): CsvProgress | null {
  try {
    const found = JSON.parse(localStorage.getItem(nameOf(scope, kind)) ?? 'null') as CsvProgress | null;
    return found !== null && found.hash === hash && nowMs - found.startedMs < VALID_MS ? found : null;
  } catch {
    return null;
  }
}

/** Remembers how far a run is. Where the browser stores nothing, an interrupted import of this page alone can go on. */
export function writeProgress(
  run: CsvRun,
  {
    hash,
    startedMs,
    earlier,
  }: Pick<CsvProgress, 'hash' | 'startedMs'> & { readonly earlier: ReadonlyMap<number, string> },
): void {
  const { pending, scope, plan } = run;
  const made = [...earlier, ...madeLines(run)];
  const progress: CsvProgress = { hash, startedMs, made, pending };
  try {
    localStorage.setItem(nameOf(scope, plan.kind), JSON.stringify(progress));
  } catch {
    // The storage is full or switched off.
  }
}

/** Sends the portion again whose outcome was not known, which stores it once. @returns the lines that are made by now. @throws ApiProblem */
export async function finishPending(
  scope: Scope,
  { made, pending }: CsvProgress,
): Promise<ReadonlyMap<number, string>> {
  const lines = new Map(made);
  if (pending === null) return lines;
  const outcomes = await storePortion(scope, pending.portion, pending.key);
  for (const [at, name] of pending.names.entries()) {
    const object = outcomes[at]?.object ?? null;
    if (typeof name === 'number' && object !== null && pending.portion.verb !== 'update') lines.set(name, object.id);
  }
  return lines;
}

/** Forgets the import of a kind. */
export function dropProgress(scope: Scope, kind: CsvKind): void {
  try {
    localStorage.removeItem(nameOf(scope, kind));
  } catch {
    // It is switched off.
  }
}

/** A file that was read. */
export interface CsvFile {
  readonly table: CsvTable;
  readonly hash: string;
}
