import { z } from 'zod';
import { integer, optionalUrl, optionalUrls, setting } from './setting-spec.ts';

/** Where PostgreSQL, ClickHouse, Redis and the bucket are: rows of the settings table. */
export const storeSettings = {
  postgresUrl: setting({
    name: 'PLACARD_POSTGRES_URL',
    kind: 'address',
    default: null,
    defaultTitle: 'a PostgreSQL of its own in the data folder',
    secret: true,
    description: 'A PostgreSQL (15 or newer) to use instead of the built-in one.',
    example: 'postgres://placard:secret@db.example:5432/placard',
    schema: optionalUrl(['postgres:', 'postgresql:'], 'postgres://placard:secret@db.example:5432/placard'),
  }),
  postgresOwnerUrl: setting({
    name: 'PLACARD_POSTGRES_OWNER_URL',
    kind: 'address',
    default: null,
    defaultTitle: 'PLACARD_POSTGRES_URL',
    secret: true,
    description:
      'The same database as another role, which owns the tables and runs migrations. The role of PLACARD_POSTGRES_URL then owns nothing and cannot change the audit log. Needed only where migrations run.',
    example: 'postgres://placard_owner:secret@db.example:5432/placard',
    schema: optionalUrl(['postgres:', 'postgresql:'], 'postgres://placard_owner:secret@db.example:5432/placard'),
  }),
  postgresDirectUrl: setting({
    name: 'PLACARD_POSTGRES_DIRECT_URL',
    kind: 'address',
    default: null,
    defaultTitle: 'PLACARD_POSTGRES_URL',
    secret: true,
    description:
      'The same database and role past a pooler, when PLACARD_POSTGRES_URL is one in transaction mode (PgBouncer): for what needs a session, which are change notices, migrations, backups.',
    example: 'postgres://placard:secret@db.example:5432/placard',
    schema: optionalUrl(['postgres:', 'postgresql:'], 'postgres://placard:secret@db.example:5432/placard'),
  }),
  clickhouseUrl: setting({
    name: 'PLACARD_CLICKHOUSE_URL',
    kind: 'address',
    default: null,
    defaultTitle: 'an analytics store of its own in the data folder',
    secret: true,
    description: 'A ClickHouse (HTTP interface) to use instead of the built-in one.',
    example: 'https://placard:secret@clickhouse.example:8443/placard',
    schema: optionalUrl(['http:', 'https:'], 'https://placard:secret@clickhouse.example:8443/placard'),
  }),
  clickhouseCluster: setting({
    name: 'PLACARD_CLICKHOUSE_CLUSTER',
    kind: 'text',
    default: null,
    defaultTitle: 'one server',
    secret: false,
    description:
      'The cluster of ClickHouse, as in `remote_servers` of its servers, on which tables are replicated and distributed. Set it before the first start.',
    example: 'main',
    schema: z
      .string()
      .regex(/^[\w.-]{1,100}$/, 'write the name of a cluster: letters, digits, _ . and -')
      .nullable(),
  }),
  redisUrl: setting({
    name: 'PLACARD_REDIS_URL',
    kind: 'address',
    default: null,
    defaultTitle: 'a ledger of its own in the data folder',
    secret: true,
    description:
      'A Redis or Valkey (7 or newer) for counters and caps; needed when delivery runs on more than one machine. Several addresses, separated by commas, are nodes of a cluster.',
    example: 'redis://:secret@redis.example:6379/0',
    schema: optionalUrls(['redis:', 'rediss:'], 'redis://:secret@redis.example:6379/0'),
  }),
  eventCopies: setting({
    name: 'PLACARD_EVENT_COPIES',
    kind: 'count',
    default: '0',
    defaultTitle: '0',
    secret: false,
    description:
      'On how many further machines an event is before it is acknowledged: 1 is PLACARD_REDIS_URL, each further one a replica of it. An event whose copies take more than two seconds gets 503. The same on every node.',
    example: '1',
    schema: integer(0, 4),
  }),
  s3Url: setting({
    name: 'PLACARD_S3_URL',
    kind: 'address',
    default: null,
    defaultTitle: 'PostgreSQL or the data folder',
    secret: false,
    description:
      'An S3-compatible bucket for uploaded files and finished reports (in its folder reports), path style, with a folder when wanted. Without it, uploaded files are in PLACARD_POSTGRES_URL when that is set.',
    example: 'https://s3.eu-central-1.amazonaws.com/placard-files',
    schema: optionalUrl(['https:', 'http:'], 'https://s3.eu-central-1.amazonaws.com/placard-files'),
  }),
  s3Region: setting({
    name: 'PLACARD_S3_REGION',
    kind: 'text',
    default: 'us-east-1',
    defaultTitle: 'us-east-1',
    secret: false,
    description: 'The region that requests to the bucket are signed for.',
    example: 'eu-central-1',
    schema: z.string().regex(/^[\w-]{1,50}$/, 'write the name of a region, such as eu-central-1'),
  }),
  s3AccessKeyId: setting({
    name: 'PLACARD_S3_ACCESS_KEY_ID',
    kind: 'text',
    default: null,
    defaultTitle: 'none',
    secret: true,
    description: 'The access key id for the bucket.',
    example: 'AKIAIOSFODNN7EXAMPLE',
    schema: z.string().nullable(),
  }),
  s3SecretKey: setting({
    name: 'PLACARD_S3_SECRET_KEY',
    kind: 'text',
    default: null,
    defaultTitle: 'none',
    secret: true,
    description: 'The secret access key for the bucket.',
    example: 'wJalrXUtnFEMI',
    schema: z.string().nullable(),
  }),
} as const;
