import { isIP } from 'node:net';
import { z } from 'zod';
import { backupSettings } from './backup-settings.ts';
import { clusterSettings } from './cluster-settings.ts';
import { exportSettings } from './export-settings.ts';
import { traceSettings } from './trace-settings.ts';
import { connectionSettings, decisionLogSettings, storageSettings } from './limit-settings.ts';
import { mailSettings } from './mail-settings.ts';
import { metricsSettings } from './metrics-settings.ts';
import { addressList, integer, contacts, type Machine, oneOf, optionalPublicUrl, setting } from './setting-spec.ts';
import { signInSettings } from './sign-in-settings.ts';
import { sqlSettings } from './sql-settings.ts';
import { storeSettings } from './store-settings.ts';

export type { Machine, SettingSpec } from './setting-spec.ts';

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
    schema: z.string(),
  }),
  settingsFile: setting({
    name: 'PLACARD_SETTINGS_FILE',
    kind: 'file',
    default: null,
    defaultTitle: 'none',
    secret: false,
    description:
      'A file of further settings, one PLACARD_…=… per line, read at the start and at SIGHUP. It overrides the environment.',
    example: '/etc/placard/settings.env',
    schema: z.string().nullable(),
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
  reportsYield: setting({
    name: 'PLACARD_REPORTS_YIELD',
    kind: 'on or off',
    default: 'on',
    defaultTitle: 'on',
    secret: false,
    reload: true,
    description: 'on: reports and exports slow down while delivery workers of this machine wait for a core.',
    example: 'off',
    schema: oneOf(['on', 'off']),
  }),
  ...metricsSettings,
  ...sqlSettings,
  drainSeconds: setting({
    name: 'PLACARD_DRAIN_SECONDS',
    kind: 'count',
    default: '3',
    defaultTitle: '3',
    secret: false,
    reload: true,
    description:
      'How long SIGTERM waits, 0 to 300: `/readyz` is 503 and each response ends its connection, while requests still get responses. Set it above the interval at which your load balancer checks readiness.',
    example: '15',
    schema: integer(0, 300),
  }),
  nodes: setting({
    name: 'PLACARD_NODES',
    kind: 'count',
    default: '1',
    defaultTitle: '1',
    secret: false,
    description:
      'Machines that serve the same networks, with as many workers each, 1 to 64: each one admits its part of a rate limit while Redis is unavailable.',
    example: '2',
    schema: integer(1, 64),
  }),
  ...clusterSettings,
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
    schema: addressList(),
  }),
  stitchers: setting({
    name: 'PLACARD_STITCHERS',
    kind: 'list of addresses and CIDR ranges',
    default: '',
    defaultTitle: 'none',
    secret: false,
    description:
      'Servers that stitch ads into streams. Their X-Device-IP, X-Device-User-Agent and other X-Device headers describe the device of the user, at the addresses of players and the links of ads.',
    example: '192.0.2.0/28',
    schema: addressList(),
  }),
  reviveNetwork: setting({
    name: 'PLACARD_REVIVE_NETWORK',
    kind: 'network id',
    default: '',
    defaultTitle: 'none',
    secret: false,
    description:
      "The network that is served at the addresses of Revive Adserver's tags, /delivery/asyncjs.php and others, for pages whose tags were not replaced.",
    example: '1000',
    schema: z
      .string()
      .regex(/^\d{0,20}$/, 'must be the id of a network')
      .transform((id) => (id === '' ? null : id)),
  }),
  ...connectionSettings,
  webhookAllowedRanges: setting({
    name: 'PLACARD_WEBHOOK_ALLOWED_RANGES',
    kind: 'list of addresses and CIDR ranges',
    default: '',
    defaultTitle: 'none',
    secret: false,
    description: 'Private addresses that webhooks of scheduled reports may reach; public ones they always may.',
    example: '10.20.0.0/16',
    schema: addressList(),
  }),
  vastAllowedRanges: setting({
    name: 'PLACARD_VAST_ALLOWED_RANGES',
    kind: 'list of addresses and CIDR ranges',
    default: '',
    defaultTitle: 'none',
    secret: false,
    description:
      'Private addresses that tags of third parties may have where the server unwraps them; public ones they always may. With 127.0.0.1, tags on this machine may use plain HTTP, for testing.',
    example: '10.20.0.0/16',
    schema: addressList(),
  }),
  probe: setting({
    name: 'PLACARD_PROBE',
    kind: 'true or false',
    default: 'false',
    defaultTitle: 'false',
    secret: false,
    description: 'Whether this installation tries itself once a minute, as a customer would, in a network of its own.',
    example: 'true',
    schema: oneOf(['true', 'false']),
  }),
  securityContacts: setting({
    name: 'PLACARD_SECURITY_CONTACT',
    kind: 'list of e-mail addresses, https:// or tel: addresses',
    default: '',
    defaultTitle: 'none (no security.txt)',
    secret: false,
    description:
      'Contacts for reporting a vulnerability in this installation, preferred first; published in /.well-known/security.txt.',
    example: 'security@example.com,https://example.com/security',
    schema: contacts(),
  }),
  ...signInSettings,
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
  ...storeSettings,
  ...exportSettings,
  ...traceSettings,
  ...mailSettings,
  ...backupSettings,
  ...storageSettings,
  geoDatabase: setting({
    name: 'PLACARD_GEO_DATABASE',
    kind: 'file',
    default: null,
    defaultTitle: 'none',
    secret: false,
    description:
      'A database of locations in MMDB format (such as GeoLite2 City) for requests that do not say where the device is. Read again when it is replaced.',
    example: '/var/lib/geoip/GeoLite2-City.mmdb',
    schema: z.string().nullable(),
  }),
  ...decisionLogSettings,
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
  demoTraffic: setting({
    name: 'PLACARD_DEMO_TRAFFIC',
    kind: 'true or false',
    default: 'true',
    defaultTitle: 'true',
    secret: false,
    description:
      'Whether the demo network has a little live traffic: about one page view a second through the endpoints that pages use.',
    example: 'false',
    schema: oneOf(['true', 'false']),
  }),
  logLevel: setting({
    name: 'PLACARD_LOG_LEVEL',
    kind: 'trace, debug, info, warn, error or silent',
    default: 'info',
    defaultTitle: 'info',
    secret: false,
    reload: true,
    description: 'How much is logged.',
    example: 'warn',
    schema: oneOf(['trace', 'debug', 'info', 'warn', 'error', 'silent']),
  }),
  logFormat: setting({
    name: 'PLACARD_LOG_FORMAT',
    kind: 'json, pretty or brief',
    default: (machine: Machine) => (machine.isTerminal ? 'brief' : 'json'),
    defaultTitle: 'brief on a terminal, else json',
    secret: false,
    description:
      'How log lines look. They go to standard error. `brief` shows milestones of the start, warnings and errors, and writes all lines as JSON to `log/placard.log` in the data folder (20 MiB and the file before).',
    example: 'json',
    schema: oneOf(['json', 'pretty', 'brief']),
  }),
} as const;

type Table = typeof settingsTable;

/** The settings of this process, checked, with defaults filled in; frozen. Fields: see `docs/configuration.md`. */
export type Settings = { readonly [Field in keyof Table]: z.output<Table[Field]['schema']> };
