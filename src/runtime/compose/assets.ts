import type { Settings } from '../../config/settings.ts';
import type { Log } from '../../domain/log/log.ts';
import { type AssetStore, openAssetStore } from '../../storage/assets.ts';
import { openBucketAssets } from '../../storage/bucket-assets.ts';
import type { BucketOptions } from '../../storage/bucket.ts';
import { openSharedAssets } from '../../storage/shared-assets/shared-assets.ts';
import type { Kysely } from 'kysely';
import type { Database } from '../../storage/sql/schema.ts';

/** A store of assets that may first have to copy files to where every node reads them. */
export interface OpenedAssets extends AssetStore {
  /** Copies in the background; never rejects. */
  share(log: Log): Promise<void>;
}

/**
 * Where uploaded files are kept: in the bucket that the settings name; else in a PostgreSQL that other nodes may use, too; else, beside the
 * built-in PostgreSQL, in the data folder.
 */
export function openAssets(settings: Settings, sql: Kysely<Database>): OpenedAssets {
  const bucket = bucketOf(settings);
  if (bucket === null && settings.postgresUrl === null)
    return { ...openAssetStore(settings.dataDir), share: () => Promise.resolve() };
  const assets = openSharedAssets({
    dataDir: settings.dataDir,
    sql,
    bucket: bucket === null ? null : openBucketAssets(bucket),
    nowMs: Date.now,
  });
  return {
    ...assets,
    share: async (log) => {
      try {
        const files = await assets.share();
        if (files > 0) log.event('assets.copied', { files });
      } catch (error) {
        log.event('assets.not_copied', { err: error });
      }
    },
  };
}

/** The bucket that the settings name; null when they name none. */
export function bucketOf(settings: Settings): BucketOptions | null {
  const { s3Url: url, s3Region: region, s3AccessKeyId: accessKeyId, s3SecretKey: secretKey } = settings;
  return url === null || accessKeyId === null || secretKey === null ? null : { url, region, accessKeyId, secretKey };
}
