import { z } from 'zod';
import { integer, setting } from './setting-spec.ts';

/** Settings of backups. */
export const backupSettings = {
  backupTo: setting({
    name: 'PLACARD_BACKUP_TO',
    kind: 'text',
    default: null,
    defaultTitle: 'none',
    secret: false,
    description: 'Where a backup is written once a day: a folder, or the address of a bucket. It needs the passphrase.',
    example: '/backups',
    schema: z
      .string()
      .regex(/^(?:\/|https?:\/\/)\S/, 'write the absolute path of a folder, or the address of a bucket')
      .nullable(),
  }),
  backupKeep: setting({
    name: 'PLACARD_BACKUP_KEEP',
    kind: 'number',
    default: '7',
    defaultTitle: '7',
    secret: false,
    description: 'How many of the backups in the folder PLACARD_BACKUP_TO stay. A bucket has rules of its own.',
    example: '30',
    schema: integer(1, 1_000),
  }),
  backupPassphrase: setting({
    name: 'PLACARD_BACKUP_PASSPHRASE',
    kind: 'text',
    default: null,
    defaultTitle: 'none',
    secret: true,
    reload: true,
    description: 'The passphrase of `placard backup` and `placard restore`, of at least 12 characters.',
    example: 'correct horse battery staple',
    schema: z.string().nullable(),
  }),
  backupS3Region: setting({
    name: 'PLACARD_BACKUP_S3_REGION',
    kind: 'text',
    default: null,
    defaultTitle: 'PLACARD_S3_REGION',
    secret: false,
    reload: true,
    description: 'The region that requests to a bucket of backups are signed for.',
    example: 'eu-central-1',
    schema: z
      .string()
      .regex(/^[\w-]{1,50}$/, 'write the name of a region, such as eu-central-1')
      .nullable(),
  }),
  backupS3AccessKeyId: setting({
    name: 'PLACARD_BACKUP_S3_ACCESS_KEY_ID',
    kind: 'text',
    default: null,
    defaultTitle: 'PLACARD_S3_ACCESS_KEY_ID',
    secret: true,
    reload: true,
    description: 'The access key id for a bucket of backups.',
    example: 'AKIAIOSFODNN7EXAMPLE',
    schema: z.string().nullable(),
  }),
  backupS3SecretKey: setting({
    name: 'PLACARD_BACKUP_S3_SECRET_KEY',
    kind: 'text',
    default: null,
    defaultTitle: 'PLACARD_S3_SECRET_KEY',
    secret: true,
    reload: true,
    description: 'The secret access key for a bucket of backups.',
    example: 'wJalrXUtnFEMI',
    schema: z.string().nullable(),
  }),
  backupClickhouseTo: setting({
    name: 'PLACARD_BACKUP_CLICKHOUSE_TO',
    kind: 'text',
    default: null,
    defaultTitle: 'none',
    secret: true,
    reload: true,
    description:
      "Where the ClickHouse of PLACARD_CLICKHOUSE_URL writes its backups and reads them, as it stands behind BACKUP … TO; {name} becomes the backup's name.",
    example: "Disk('backups', '{name}')",
    schema: z
      .string()
      .regex(
        /^(?:Disk|File|S3|AzureBlobStorage)\([^;]*\{name\}[^;]*\)$/,
        "write Disk('backups', '{name}') or S3('https://…/{name}', …)",
      )
      .nullable(),
  }),
} as const;
