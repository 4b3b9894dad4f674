import { BackupError, type Manifest } from './manifest.ts';
import type { BackupPart } from './part.ts';
import { analyticsPart } from './analytics-part.olap.ts';
import { clickhousePart } from './clickhouse-part.olap.ts';
import { filesPart } from './files-part.ts';
import { postgresPart } from './postgres-part.sql.ts';
import { rowsPart } from './rows-part.sql.ts';
import { secretsPart } from './secrets-part.ts';
import { spoolPart } from './spool-part.ts';

/**
 * Every part of a backup, in the order of writing. Events come before the bookings that they name, rows before the files that they name,
 * and secrets last: every part then finds in a later one what it refers to. The hot store is made again from events and spool.
 */
const BACKUP_PARTS: readonly BackupPart[] = [
  spoolPart,
  analyticsPart,
  clickhousePart,
  postgresPart,
  rowsPart,
  filesPart,
  secretsPart,
];

/** How the stores of an installation are backed up. */
export interface BackedUpStores {
  /** `files`: of the built-in one, for the same system; `rows`: of any. */
  readonly postgres: 'files' | 'rows';
  /** `tables`: of the built-in one; `own`: a backup that ClickHouse makes itself. */
  readonly analytics: 'tables' | 'own';
}

/** The names of the parts of a new backup. */
export function partsFor({ postgres, analytics }: BackedUpStores): readonly string[] {
  const leftOut = [
    postgres === 'files' ? rowsPart : postgresPart,
    analytics === 'tables' ? clickhousePart : analyticsPart,
  ];
  return BACKUP_PARTS.filter((part) => !leftOut.includes(part)).map(({ name }) => name);
}

/** The parts with these names, in the order of writing. */
export function listParts(names: readonly string[]): readonly BackupPart[] {
  return BACKUP_PARTS.filter(({ name }) => names.includes(name));
}

/**
 * A restore accepts only paths that a part of this program writes, even from a manifest with a valid proof.
 * @throws BackupError that names the first other part, file or folder
 */
export function requireKnownPaths({ parts, files, folders }: Manifest): void {
  const known = listParts(parts);
  const unknownPart = parts.find((name) => known.every((part) => part.name !== name));
  if (unknownPart !== undefined)
    throw new BackupError(`The backup has a part ${unknownPart}, which this program does not.`);
  const unknownFile = files.find(({ path }) => known.every((part) => !part.files.test(path)));
  if (unknownFile !== undefined)
    throw new BackupError(`The manifest of the backup lists the file ${unknownFile.path}, which no part of it has.`);
  const unknownFolder = folders.find((path) => known.every((part) => part.folders?.test(path) !== true));
  if (unknownFolder !== undefined)
    throw new BackupError(`The manifest of the backup lists the folder ${unknownFolder}, which no part of it has.`);
}
