import { z } from 'zod';
import { type ExportedWorkspace, exportFolder } from '../../storage/export/exported-workspaces.sql.ts';

/** The version of columns and manifest. A new column raises nothing; a changed or removed one raises it. */
export const EXPORT_SCHEMA_VERSION = 1;

export const HOUR_MS = 3_600_000;
export const MANIFEST_NAME = '_manifest.json';
const COMPLETE_NAME = '_complete.json';

const fileSchema = z.object({
  name: z.string().regex(/^events-\d{5}\.parquet$/),
  rows: z.number().int().min(1),
  bytes: z.number().int().min(1),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  /** 1 when it is first written; one more each time that it is written again under its name. */
  revision: z.number().int().min(1),
  /** It holds the events that the analytics store received in this time; epoch milliseconds, the end excluded. */
  storedFrom: z.number().int().min(0),
  storedUntil: z.number().int().min(0),
  /** Of the events of that time it holds those whose `cityHash64(event_id) % slices` is `slice`. */
  slice: z.number().int().min(0),
  slices: z.number().int().min(1).max(100_000),
});

const manifestSchema = z.object({
  schemaVersion: z.literal(EXPORT_SCHEMA_VERSION),
  kind: z.literal('events'),
  environment: z.enum(['production', 'staging']),
  networkId: z.string(),
  /** The hour of the events' `time`: start, and end excluded. */
  from: z.iso.datetime(),
  until: z.iso.datetime(),
  /** Rises with every change of the hour's files. */
  revision: z.number().int().min(0),
  rows: z.number().int().min(0),
  bytes: z.number().int().min(0),
  /** No two rows of all files together have the same value here. */
  uniqueBy: z.literal('event_id'),
  columns: z.array(z.object({ name: z.string(), type: z.string() })),
  files: z.array(fileSchema),
});

/** One file of an exported hour. */
export type ExportedFile = z.infer<typeof fileSchema>;
/** The content of an hour's folder. */
export type HourManifest = z.infer<typeof manifestSchema>;

/** Where a workspace says up to when it is exported. */
export function completePath(workspace: ExportedWorkspace): string {
  return `${exportFolder(workspace, 'events')}/${COMPLETE_NAME}`;
}

/** @throws Error when the text is not a manifest of this version */
export function parseManifest(text: string, name: string): HourManifest {
  try {
    return manifestSchema.parse(JSON.parse(text));
  } catch (cause) {
    throw new Error(`The manifest ${name} cannot be read; delete it, and its hour is exported again.`, { cause });
  }
}

/** The manifest of an hour with these files. */
export function buildManifest(
  of: { readonly workspace: ExportedWorkspace; readonly hourMs: number; readonly revision: number },
  files: readonly ExportedFile[],
  columns: HourManifest['columns'],
): HourManifest {
  const { workspace, hourMs, revision } = of;
  return {
    schemaVersion: EXPORT_SCHEMA_VERSION,
    kind: 'events',
    environment: workspace.environment,
    networkId: workspace.networkId,
    from: new Date(hourMs).toISOString(),
    until: new Date(hourMs + HOUR_MS).toISOString(),
    revision,
    rows: files.reduce((sum, { rows }) => sum + rows, 0),
    bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
    uniqueBy: 'event_id',
    columns: [...columns],
    files: [...files],
  };
}
