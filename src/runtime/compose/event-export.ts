import { join } from 'node:path';
import type { Settings } from '../../config/settings.ts';
import { openExportBucket } from '../../storage/export/export-bucket.ts';
import { openExportFolder } from '../../storage/export/export-folder.ts';
import type { ExportKind } from '../../storage/export/exported-workspaces.sql.ts';
import type { ExportTarget } from '../../storage/export/export-target.ts';

/** Files of the export that are not uploaded yet, in the data folder. */
const STAGING_FOLDER = 'export-staging';

/**
 * Where the settings say that events and decisions are exported to; null: nowhere. A process that exports events has the export's lock, and one
 * process of a machine exports decisions: so each kind has one file that waits.
 */
export function openExportTarget(settings: Settings, kind: ExportKind): ExportTarget | null {
  if (settings.exportDir !== null) return openExportFolder(settings.exportDir);
  const accessKeyId = settings.exportS3AccessKeyId ?? settings.s3AccessKeyId;
  const secretKey = settings.exportS3SecretKey ?? settings.s3SecretKey;
  const { exportS3Url: url } = settings;
  if (url === null || accessKeyId === null || secretKey === null) return null;
  const region = settings.exportS3Region ?? settings.s3Region;
  const stagingFile = join(settings.dataDir, STAGING_FOLDER, `${kind}.tmp`);
  return openExportBucket({ url, region, accessKeyId, secretKey, stagingFile });
}
