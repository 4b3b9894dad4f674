import type { Settings } from '../config/settings.ts';
import { type AssetStore, openAssetStore } from '../storage/assets.ts';
import { openBucketAssets } from '../storage/bucket-assets.ts';

/** Where uploaded files are kept: in the bucket that the settings name, else in the data folder. */
export function openAssets(settings: Settings): AssetStore {
  const { s3Url: url, s3Region: region, s3AccessKeyId: accessKeyId, s3SecretKey: secretKey } = settings;
  if (url === null || accessKeyId === null || secretKey === null) return openAssetStore(settings.dataDir);
  return openBucketAssets({ url, region, accessKeyId, secretKey });
}
