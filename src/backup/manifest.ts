import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

/** The last file of a backup: one without it is incomplete. */
export const MANIFEST_FILE = 'manifest.json';

/** A path inside of the backup: no empty, `.` or `..` part, so that it cannot leave the folder. */
const PATH = z.string().regex(/^(?!.*(?:^|\/)\.{0,2}(?:\/|$))[\w./-]+$/);

const manifestSchema = z.object({
  /** 1: programs that did not name the parts. */
  format: z.union([z.literal(1), z.literal(2)]),
  /** The program that made it. */
  version: z.string().regex(/^\d+\.\d+\.\d+/),
  /** Files of PostgreSQL fit this system and processor only. */
  platform: z.string(),
  /** The last migration that the program has. */
  migration: z.string(),
  /** Names of its parts. Older programs wrote always the same. */
  parts: z.array(z.string()).readonly().default(['spool', 'analytics', 'postgres', 'files', 'secrets']),
  /** Every event that was acknowledged before this time is in the backup. */
  cutAt: z.iso.datetime(),
  finishedAt: z.iso.datetime(),
  /** Other nodes that the cut went through: their spools had reached the analytics store. */
  nodes: z
    .array(z.object({ id: z.string(), host: z.string() }))
    .readonly()
    .default([]),
  folders: z.array(PATH).readonly(),
  files: z.array(z.object({ path: PATH, bytes: z.int().nonnegative(), sha256: z.string().length(64) })).readonly(),
});

/** The list of everything in a backup. */
export type Manifest = z.infer<typeof manifestSchema>;
/** One file of a backup. */
export type BackupFile = Manifest['files'][number];

/** A backup that cannot be used, and why. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}

/** @throws BackupError when the backup is incomplete or of an unknown form */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, MANIFEST_FILE), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error;
    throw new BackupError(`${folder} has no ${MANIFEST_FILE}: it is not a backup, or one that was not finished.`);
  });
  const parsed = manifestSchema.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  throw new BackupError(`The ${MANIFEST_FILE} of ${folder} is damaged, or another program wrote it.`);
}

/** @throws Error when a backup would have a manifest that no restore could read */
export function parseManifest(value: unknown): Manifest {
  return manifestSchema.parse(value);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The program and machine that are to restore a backup. */
export interface RestoringProgram {
  readonly version: string;
  readonly platform: string;
}

/** @throws BackupError when this program is older than the backup, or the machine is of another kind */
export function requireFits(manifest: Manifest, { version, platform }: RestoringProgram): void {
  if (isOlder(version, manifest.version))
    throw new BackupError(
      `Placard ${manifest.version} made this backup; this one is ${version}. Use that or a newer one.`,
    );
  if (manifest.parts.includes('postgres') && platform !== manifest.platform)
    throw new BackupError(`This backup is for ${manifest.platform}; this machine is ${platform}.`);
}

/**
 * @throws BackupError when the stores of the restoring installation are not those that the backup is for
 */
export function requireStores(
  { parts }: Manifest,
  external: { readonly postgres: boolean; readonly clickhouse: boolean; readonly hasClickhouseTarget: boolean },
): void {
  if (parts.includes('postgres') && external.postgres)
    throw new BackupError(
      'This backup holds files of a built-in PostgreSQL: restore it without PLACARD_POSTGRES_URL, or make one with --portable.',
    );
  if (parts.includes('analytics') && external.clickhouse)
    throw new BackupError('This backup is of a built-in analytics store: restore it without PLACARD_CLICKHOUSE_URL.');
  if (parts.includes('clickhouse') && !(external.clickhouse && external.hasClickhouseTarget))
    throw new BackupError(
      'The events of this backup are in a backup of ClickHouse: set PLACARD_CLICKHOUSE_URL and PLACARD_BACKUP_CLICKHOUSE_TO.',
    );
}

/** By major, minor and patch. */
function isOlder(version: string, other: string): boolean {
  const [a, b] = [version, other].map((text) => text.split(/[.-]/).slice(0, 3).map(Number));
  const at = [0, 1, 2].find((index) => a?.[index] !== b?.[index]);
  return at !== undefined && (a?.[at] ?? 0) < (b?.[at] ?? 0);
}
