import { readdirSync } from 'node:fs';
import { readVersion } from '../../config/version.ts';

/**
 * Names this program in files whose form may change with it: its version and its newest migration, such as `0.1.0/0041-cpcv`. Reads names
 * only: a delivery worker loads no migration.
 */
export function readProgramMark(): string {
  const names = readdirSync(new URL('../../storage/sql/migrations/', import.meta.url));
  const newest =
    names
      .filter((name) => /^\d{4}-/.test(name))
      .sort()
      .at(-1) ?? '';
  return `${readVersion()}/${newest.replace(/\..*$/, '')}`;
}
