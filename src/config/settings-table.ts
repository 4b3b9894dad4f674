import { isIP } from 'node:net';
import { z } from 'zod';

/** What the machine says, for defaults that depend on it. Passed in so that a test can choose. */
export interface Machine {
  readonly cores: number;
  readonly hasIpv6: boolean;
  readonly isTerminal: boolean;
}

/** One row of the settings table: what `docs/configuration.md` says and what `readSettings` does. */
export interface SettingSpec<Value = unknown> {
  /** The environment variable. */
  readonly name: string;
  /** The kind of value, as a person reads it. */
  readonly kind: string;
  /** The default as environment text; null when there is none (the value is then null). */
  readonly default: string | null | ((machine: Machine) => string);
  /** How the documentation puts the default. */
  readonly defaultTitle: string;
  /** Secrets can also be read from a file, by the name with `_FILE` appended, and are never printed. */
  readonly secret: boolean;
  readonly description: string;
  readonly example: string;
  /** Takes the environment text (null: not set, no default) and gives the value, or an issue that says what to write. */
  readonly schema: z.ZodType<Value, string | null>;
}

function setting<Value>(spec: SettingSpec<Value>): SettingSpec<Value> {
  return spec;
}

function integer(min: number, max: number): z.ZodType<number, string | null> {
  const message = `write a whole number from ${min} to ${max}`;
  return z
    .string({ error: message })
    .regex(/^\d{1,9}$/, message)
    .transform(Number)
    .refine((value) => value >= min && value <= max, message);
}

function oneOf<const Choices extends readonly [string, ...string[]]>(
  choices: Choices,
): z.ZodType<Choices[number], string | null> {
  return z.string().pipe(z.enum(choices, { error: `write one of: ${choices.join(', ')}` }));
}

function optionalUrl(protocols: readonly string[], example: string): z.ZodType<string | null, string | null> {
  const message = `write an address that begins with ${protocols.map((one) => `${one}//`).join(' or ')}, such as ${example}`;
  return z.union([z.null(), z.string().refine((text) => protocols.includes(protocolOf(text)), message)], {
    error: message,
  });
}

function protocolOf(text: string): string {
  return URL.canParse(text) ? new URL(text).protocol : '';
}

/** A public base address: no trailing slash, no query, no fragment, no credentials. */
function optionalPublicUrl(example: string): z.ZodType<string | null, string | null> {
  const message = `write an https:// address without query or fragment, such as ${example}`;
  const valid = (text: string): boolean => {
    if (!/^https?:$/.test(protocolOf(text))) return false;
    const url = new URL(text);
    return url.search === '' && url.hash === '' && url.username === '' && url.password === '';
  };
  const schema = z
    .string()
    .refine(valid, message)
    .transform((text) => text.replace(/\/+$/, ''));
  return z.union([z.null(), schema], { error: message });
}

/** True for an IP address or a CIDR range of either family. */
export function isAddressOrRange(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
}

const addressListMessage = 'write IP addresses or CIDR ranges, separated by commas, such as 10.0.0.0/8,192.0.2.7';

/** Every setting of the program. The keys are the fields of `Settings`. Nothing else reads the environment. */
export const settingsTable = {
  dataDir: setting({
    name: 'PLACARD_DATA',
    kind: 'folder',
    default: './data',
    defaultTitle: './data',
    secret: false,
    description: 'Where everything that must outlive a restart is kept: stores, spool, certificates, secrets.',
    example: '/var/lib/placard',
    schema: z.string({ error: 'write the path of a folder' }).min(1, 'write the path of a folder'),
  }),
  corePort: setting({
    name: 'PLACARD_CORE_PORT',
    kind: 'port',
    default: '8443',
    defaultTitle: '8443',
    secret: false,
    description: 'Port of the core: management API, Reports API, downloads, console. 0 picks a free one.',
    example: '443',
    schema: integer(0, 65_535),
  }),
  deliveryPort: setting({
    name: 'PLACARD_DELIVERY_PORT',
    kind: 'port',
    default: '8444',
    defaultTitle: '8444',
    secret: false,
    description: 'Port of delivery: bids, ad requests, activity pixel, tracking links. 0 picks a free one.',
    example: '8444',
    schema: integer(0, 65_535),
  }),
  corePublicUrl: setting({
    name: 'PLACARD_CORE_PUBLIC_URL',
    kind: 'address',
    default: null,
    defaultTitle: 'https://localhost:<core port>',
    secret: false,
    description: 'The address under which clients reach the core; download links are built from it.',
    example: 'https://ads.example.com',
    schema: optionalPublicUrl('https://ads.example.com'),
  }),
  deliveryPublicUrl: setting({
    name: 'PLACARD_DELIVERY_PUBLIC_URL',
    kind: 'address',
    default: null,
    defaultTitle: 'https://localhost:<delivery port>',
    secret: false,
    description: 'The address under which browsers reach delivery; tracking links are built from it.',
    example: 'https://d.example.com',
    schema: optionalPublicUrl('https://d.example.com'),
  }),
  workers: setting({
    name: 'PLACARD_WORKERS',
    kind: 'count',
    default: (machine: Machine) => String(Math.min(64, Math.max(1, machine.cores - 1))),
    defaultTitle: 'cores − 1, at least 1',
    secret: false,
    description: 'Delivery processes on this machine, 1 to 64.',
    example: '3',
    schema: integer(1, 64),
  }),
  nodes: setting({
    name: 'PLACARD_NODES',
    kind: 'count',
    default: '1',
    defaultTitle: '1',
    secret: false,
    description:
      'Machines that serve the same networks, with as many workers each, 1 to 64: each one admits its part of a rate limit while Redis is away.',
    example: '2',
    schema: integer(1, 64),
  }),
  tls: setting({
    name: 'PLACARD_TLS',
    kind: 'self, files, proxy or loopback',
    default: 'self',
    defaultTitle: 'self',
    secret: false,
    description:
      'self: a local CA and certificate are made in the data folder. files: your certificate. proxy: a trusted proxy ends TLS. loopback: plain HTTP on 127.0.0.1 only.',
    example: 'files',
    schema: oneOf(['self', 'files', 'proxy', 'loopback']),
  }),
  tlsCertFile: setting({
    name: 'PLACARD_TLS_CERT_FILE',
    kind: 'file',
    default: null,
    defaultTitle: 'none',
    secret: false,
    description: 'Certificate chain in PEM, for PLACARD_TLS=files.',
    example: '/etc/placard/fullchain.pem',
    schema: z.string().nullable(),
  }),
  tlsKeyFile: setting({
    name: 'PLACARD_TLS_KEY_FILE',
    kind: 'file',
    default: null,
    defaultTitle: 'none',
    secret: false,
    description: 'Private key in PEM, for PLACARD_TLS=files.',
    example: '/etc/placard/privkey.pem',
    schema: z.string().nullable(),
  }),
  trustedProxies: setting({
    name: 'PLACARD_TRUSTED_PROXIES',
    kind: 'list of addresses and CIDR ranges',
    default: '',
    defaultTitle: 'none',
    secret: false,
    description: 'Proxies whose X-Forwarded-For and X-Forwarded-Proto are believed. Required for PLACARD_TLS=proxy.',
    example: '10.0.0.0/8,192.0.2.7',
    schema: z
      .string({ error: addressListMessage })
      .transform((text) => text.split(/[\s,]+/).filter((part) => part !== ''))
      .refine((parts) => parts.every(isAddressOrRange), addressListMessage)
      .transform((parts): readonly string[] => Object.freeze(parts)),
  }),
  webhookAllowedRanges: setting({
    name: 'PLACARD_WEBHOOK_ALLOWED_RANGES',
    kind: 'list of addresses and CIDR ranges',
    default: '',
    defaultTitle: 'none',
    secret: false,
    description: 'Private addresses that webhooks of scheduled reports may reach; public ones they always may.',
    example: '10.20.0.0/16',
    schema: z
      .string({ error: addressListMessage })
      .transform((text) => text.split(/[\s,]+/).filter((part) => part !== ''))
      .refine((parts) => parts.every(isAddressOrRange), addressListMessage)
      .transform((parts): readonly string[] => Object.freeze(parts)),
  }),
  bind: setting({
    name: 'PLACARD_BIND',
    kind: 'IP address',
    default: (machine: Machine) => (machine.hasIpv6 ? '::' : '0.0.0.0'),
    defaultTitle: 'all interfaces',
    secret: false,
    description: 'The address to listen on. With PLACARD_TLS=loopback it is always 127.0.0.1.',
    example: '192.0.2.10',
    schema: z
      .string()
      .refine((text) => isIP(text) !== 0, 'write an IP address of this machine, or 0.0.0.0 or :: for all of them'),
  }),
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
  redisUrl: setting({
    name: 'PLACARD_REDIS_URL',
    kind: 'address',
    default: null,
    defaultTitle: 'an LMDB store of its own in the data folder',
    secret: true,
    description: 'A Redis (7 or newer) for counters and caps; needed when delivery runs on more than one machine.',
    example: 'redis://:secret@redis.example:6379/0',
    schema: optionalUrl(['redis:', 'rediss:'], 'redis://:secret@redis.example:6379/0'),
  }),
  s3Url: setting({
    name: 'PLACARD_S3_URL',
    kind: 'address',
    default: null,
    defaultTitle: 'the data folder',
    secret: false,
    description:
      'An S3-compatible bucket for uploaded files and finished reports (in its folder reports), path style, with a folder when wanted; needed when delivery runs on more than one machine.',
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
  reportMegabytes: setting({
    name: 'PLACARD_REPORT_MEGABYTES',
    kind: 'megabytes',
    default: '10000',
    defaultTitle: '10000',
    secret: false,
    description:
      'How much room the finished report files of one network environment may take, 1 to 1000000; beyond it none is made until one expires.',
    example: '50000',
    schema: integer(1, 1_000_000),
  }),
  geoDatabase: setting({
    name: 'PLACARD_GEO_DATABASE',
    kind: 'file',
    default: null,
    defaultTitle: 'none',
    secret: false,
    description:
      'A database of places in MMDB format (such as GeoLite2 City) for requests that do not say where the device is. Read again when it is replaced.',
    example: '/var/lib/geoip/GeoLite2-City.mmdb',
    schema: z.string().nullable(),
  }),
  decisionLogPerSecond: setting({
    name: 'PLACARD_DECISION_LOG_PER_SECOND',
    kind: 'count',
    default: '0',
    defaultTitle: '0 (none)',
    secret: false,
    description:
      'How many decisions a second each worker writes into the decision log, at most, of each network environment, 0 to 1000; `placard decisions replay` makes them again.',
    example: '1',
    schema: integer(0, 1_000),
  }),
  decisionLogDays: setting({
    name: 'PLACARD_DECISION_LOG_DAYS',
    kind: 'days',
    default: '7',
    defaultTitle: '7',
    secret: false,
    description: 'How long logged decisions are kept, 1 to 90.',
    example: '30',
    schema: integer(1, 90),
  }),
  decisionLogMegabytes: setting({
    name: 'PLACARD_DECISION_LOG_MEGABYTES',
    kind: 'megabytes',
    default: '1000',
    defaultTitle: '1000',
    secret: false,
    description:
      'How much room the decision log of one machine may take, snapshots included, 50 to 100000; the oldest goes first.',
    example: '20000',
    schema: integer(50, 100_000),
  }),
  demo: setting({
    name: 'PLACARD_DEMO',
    kind: 'true, false or auto',
    default: 'auto',
    defaultTitle: 'auto',
    secret: false,
    description: 'Whether to make the demo network (id 1000). auto: on the first start of an empty data folder.',
    example: 'false',
    schema: oneOf(['true', 'false', 'auto']),
  }),
  logLevel: setting({
    name: 'PLACARD_LOG_LEVEL',
    kind: 'trace, debug, info, warn, error or silent',
    default: 'info',
    defaultTitle: 'info',
    secret: false,
    description: 'How much is logged.',
    example: 'warn',
    schema: oneOf(['trace', 'debug', 'info', 'warn', 'error', 'silent']),
  }),
  logFormat: setting({
    name: 'PLACARD_LOG_FORMAT',
    kind: 'json or pretty',
    default: (machine: Machine) => (machine.isTerminal ? 'pretty' : 'json'),
    defaultTitle: 'pretty on a terminal, else json',
    secret: false,
    description: 'How log lines look. They go to standard error.',
    example: 'json',
    schema: oneOf(['json', 'pretty']),
  }),
} as const;

type Table = typeof settingsTable;

/** The settings of this process, checked, with defaults filled in; frozen. Fields: see `docs/configuration.md`. */
export type Settings = { readonly [Field in keyof Table]: z.output<Table[Field]['schema']> };
