import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { checkMac, type Passphrase, writeMac } from './seal.ts';

/** The last file of a backup: one without it is incomplete. */
export const MANIFEST_FILE = 'manifest.json';
/** Proof that a holder of the passphrase wrote the manifest. */
export const MAC_FILE = 'manifest.mac';

/** A path inside of the backup: no empty, `.` or `..` part, so that it cannot leave the folder. */
const PATH = z.string().regex(/^(?!.*(?:^|\/)\.{0,2}(?:\/|$))[\w./-]+$/);

const manifestSchema = z.object({
  /** Earlier formats had no proof of their origin. */
  format: z.literal(3),
  /** The program that made it. */
  version: z.string().regex(/^\d+\.\d+\.\d+/),
  /** Files of PostgreSQL fit this system and processor only. */
  platform: z.string(),
  /** The last migration that the program has. */
  migration: z.string(),
  /** Names of its parts. */
  parts: z.array(z.string()).readonly(),
  /** Every event that was acknowledged before this time is in the backup. */
  cutAt: z.iso.datetime(),
  finishedAt: z.iso.datetime(),
  /** Other nodes that the cut went through: their spools had reached the analytics store. */
  nodes: z.array(z.object({ id: z.string(), host: z.string() })).readonly(),
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

/**
 * Reads nothing of the manifest before its proof is checked.
 * @throws BackupError when the backup is incomplete, was changed, or is of an unknown form
 */
export async function readManifest(folder: string, passphrase: Passphrase): Promise<Manifest> {
  const bytes = await readFile(join(folder, MANIFEST_FILE)).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error;
    throw new BackupError(`${folder} has no ${MANIFEST_FILE}: it is not a backup, or one that was not finished.`);
  });
  const text = await readFile(join(folder, MAC_FILE), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    throw new BackupError(
      `The file ${MAC_FILE} of the backup is missing: nothing proves who wrote the backup. Restore a backup of an older program with that program.`,
    );
  });
  const found = await checkMac(passphrase, { bytes, text });
  if (found === 'unreadable')
    throw new BackupError(
      `The passphrase is not that of this backup, or the file ${MAC_FILE} of the backup was changed.`,
    );
  if (found === 'changed')
    throw new BackupError(
      `The file ${MANIFEST_FILE} of the backup was changed: its proof in ${MAC_FILE} is of another one.`,
    );
  const parsed = manifestSchema.safeParse(parseJson(bytes.toString('utf8')));
  if (parsed.success) return parsed.data;
  throw new BackupError(`The ${MANIFEST_FILE} of ${folder} is damaged, or another program wrote it.`);
}

/** The texts of both files of a manifest. */
export async function renderManifest(
  manifest: Manifest,
  passphrase: Passphrase,
): Promise<{ readonly manifest: string; readonly mac: string }> {
  const text = `${JSON.stringify(manifest, null, 1)}\n`;
  return { manifest: text, mac: await writeMac(passphrase, Buffer.from(text)) };
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
      'The events of this backup are in a backup of ClickHouse: set PLACARD_CLICKHOUSE_URL (of a drill: --clickhouse-url-file) and PLACARD_BACKUP_CLICKHOUSE_TO.',
    );
}

/** By major, minor and patch. */
function isOlder(version: string, other: string): boolean {
  const [a, b] = [version, other].map((text) => text.split(/[.-]/).slice(0, 3).map(Number));
  const at = [0, 1, 2].find((index) => a?.[index] !== b?.[index]);
  return at !== undefined && (a?.[at] ?? 0) < (b?.[at] ?? 0);
}
