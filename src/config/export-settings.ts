import { z } from 'zod';
import { oneOf, optionalUrl, setting } from './setting-spec.ts';

const BUCKET = 'https://s3.eu-central-1.amazonaws.com/placard-events/raw';

/** Where single events are exported to: rows of the settings table. */
export const exportSettings = {
  exportDir: setting({
    name: 'PLACARD_EXPORT_DIR',
    kind: 'folder',
    default: null,
    defaultTitle: 'none (no export)',
    secret: false,
    description: 'A folder for hourly Parquet files of all events (docs/export.md).',
    example: '/var/lib/placard-export',
    schema: z.string().nullable(),
  }),
  exportS3Url: setting({
    name: 'PLACARD_EXPORT_S3_URL',
    kind: 'address',
    default: null,
    defaultTitle: 'none (no export)',
    secret: false,
    description: 'An S3-compatible bucket for these files instead of a folder, path style, with a folder when wanted.',
    example: BUCKET,
    schema: optionalUrl(['https:', 'http:'], BUCKET),
  }),
  exportS3Region: setting({
    name: 'PLACARD_EXPORT_S3_REGION',
    kind: 'text',
    default: null,
    defaultTitle: 'PLACARD_S3_REGION',
    secret: false,
    description: 'The region that requests to the bucket of the export are signed for.',
    example: 'eu-central-1',
    schema: z
      .string()
      .regex(/^[\w-]{1,50}$/, 'write the name of a region, such as eu-central-1')
      .nullable(),
  }),
  exportS3AccessKeyId: setting({
    name: 'PLACARD_EXPORT_S3_ACCESS_KEY_ID',
    kind: 'text',
    default: null,
    defaultTitle: 'PLACARD_S3_ACCESS_KEY_ID',
    secret: true,
    description: 'The access key id for the bucket of the export.',
    example: 'AKIAIOSFODNN7EXAMPLE',
    schema: z.string().nullable(),
  }),
  exportS3SecretKey: setting({
    name: 'PLACARD_EXPORT_S3_SECRET_KEY',
    kind: 'text',
    default: null,
    defaultTitle: 'PLACARD_S3_SECRET_KEY',
    secret: true,
    description: 'The secret access key for the bucket of the export.',
    example: 'wJalrXUtnFEMI',
    schema: z.string().nullable(),
  }),
  exportRetention: setting({
    name: 'PLACARD_EXPORT_RETENTION',
    kind: 'keep or delete',
    default: 'keep',
    defaultTitle: 'keep',
    secret: false,
    reload: true,
    description:
      "Whether exported files are deleted when the network's `retentionDays` delete their events. keep: they stay, as the publisher's own copy. delete: they go with the events.",
    example: 'delete',
    schema: oneOf(['keep', 'delete']),
  }),
} as const;
