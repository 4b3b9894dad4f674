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
