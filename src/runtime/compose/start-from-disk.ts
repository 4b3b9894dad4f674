import { accessSync } from 'node:fs';
import { join } from 'node:path';
import type { Settings } from '../../config/settings.ts';
import { readSnapshotProgram } from '../../delivery/snapshot/snapshot-file.ts';
import { isTlsPrepared } from '../../http/tls/tls.ts';
import { SECRET_FILES } from '../../storage/secrets.ts';
import { secretsDirOf } from '../supervisor/endpoints.ts';
import type { Endpoints } from '../supervisor/part.ts';
import { readProgramMark } from './program-mark.ts';
import { tlsSettings } from './tls-settings.ts';

/**
 * Whether delivery workers can serve before PostgreSQL, analytics and core: there is a snapshot that this very program wrote, all
 * secrets, and a certificate that the core would leave as it is (ADR 0032). Looks at the beginning of the snapshot only.
 */
export async function canStartFromDisk(settings: Settings, endpoints: Endpoints): Promise<boolean> {
  const { dataDir } = settings;
  if ((await readSnapshotProgram(join(dataDir, 'snapshot'))) !== readProgramMark()) return false;
  // Without one of them a worker would make a secret of its own, and links of ads that were served before would not count.
  if (!SECRET_FILES.every((name) => isReadable(join(secretsDirOf(dataDir), name)))) return false;
  return isTlsPrepared(tlsSettings(settings, endpoints), dataDir, { nowMs: Date.now() });
}

function isReadable(path: string): boolean {
  try {
    accessSync(path);
    return true;
  } catch {
    return false;
  }
}
