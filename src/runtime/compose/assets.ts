import type { Settings } from '../../config/settings.ts';
import { type AssetStore, openAssetStore } from '../../storage/assets.ts';
import { openBucketAssets } from '../../storage/bucket-assets.ts';
import type { BucketOptions } from '../../storage/bucket.ts';

/** Where uploaded files are kept: in the bucket that the settings name, else in the data folder. */
export function openAssets(settings: Settings): AssetStore {
  const bucket = bucketOf(settings);
  return bucket === null ? openAssetStore(settings.dataDir) : openBucketAssets(bucket);
}

/** The bucket that the settings name; null when they name none. */
export function bucketOf(settings: Settings): BucketOptions | null {
  const { s3Url: url, s3Region: region, s3AccessKeyId: accessKeyId, s3SecretKey: secretKey } = settings;
  return url === null || accessKeyId === null || secretKey === null ? null : { url, region, accessKeyId, secretKey };
}
