import { join } from 'node:path';
import type { Settings } from '../../config/settings.ts';
import { openExportBucket } from '../../storage/export/export-bucket.ts';
import { openExportFolder } from '../../storage/export/export-folder.ts';
import type { ExportTarget } from '../../storage/export/export-target.ts';

/** Files of the export that are not uploaded yet, in the data folder. */
const STAGING_FOLDER = 'export-staging';

/** Where the settings say that events are exported to; null: nowhere. */
export function openExportTarget(settings: Settings): ExportTarget | null {
  if (settings.exportDir !== null) return openExportFolder(settings.exportDir);
  const accessKeyId = settings.exportS3AccessKeyId ?? settings.s3AccessKeyId;
  const secretKey = settings.exportS3SecretKey ?? settings.s3SecretKey;
  const { exportS3Url: url } = settings;
  if (url === null || accessKeyId === null || secretKey === null) return null;
  const region = settings.exportS3Region ?? settings.s3Region;
  const stagingDir = join(settings.dataDir, STAGING_FOLDER);
  return openExportBucket({ url, region, accessKeyId, secretKey, stagingDir });
}
