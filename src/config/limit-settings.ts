import { integer, setting } from './setting-spec.ts';

/** Bounds on connections: rows of the settings table. */
export const connectionSettings = {
  connections: setting({
    name: 'PLACARD_CONNECTIONS',
    kind: 'count',
    default: '10000',
    defaultTitle: '10000',
    secret: false,
    description:
      'Open connections of each server process, 10 to 1000000; more are closed as soon as they are accepted.',
    example: '20000',
    schema: integer(10, 1_000_000),
  }),
  connectionsPerAddress: setting({
    name: 'PLACARD_CONNECTIONS_PER_ADDRESS',
    kind: 'count',
    default: '1000',
    defaultTitle: '1000',
    secret: false,
    description:
      'Of these, from one IPv4 address or one IPv6 /64 network, 1 to 1000000. Trusted proxies and all connections with PLACARD_TLS=loopback do not count.',
    example: '200',
    schema: integer(1, 1_000_000),
  }),
} as const;

/** Bounds on what networks store, and on the disk: rows of the settings table. */
export const storageSettings = {
  reportMegabytes: setting({
    name: 'PLACARD_REPORT_MEGABYTES',
    kind: 'megabytes',
    default: '10000',
    defaultTitle: '10000',
    secret: false,
    description:
      'Disk space for the finished report files of one network environment, 1 to 1000000; when it is used up, no report starts until one expires.',
    example: '50000',
    schema: integer(1, 1_000_000),
  }),
  assetMegabytes: setting({
    name: 'PLACARD_ASSET_MEGABYTES',
    kind: 'megabytes',
    default: '2000',
    defaultTitle: '2000',
    secret: false,
    reload: true,
    description: 'How much space the uploaded files of one network environment may take, 1 to 1000000.',
    example: '10000',
    schema: integer(1, 1_000_000),
  }),
  segmentMembers: setting({
    name: 'PLACARD_SEGMENT_MEMBERS',
    kind: 'count',
    default: '20000000',
    defaultTitle: '20000000',
    secret: false,
    reload: true,
    description:
      'How many uploaded members all segments of one network environment may have together, 1 to 999999999; a user in two segments counts twice.',
    example: '100000000',
    schema: integer(1, 999_999_999),
  }),
  objects: setting({
    name: 'PLACARD_OBJECTS',
    kind: 'count',
    default: '250000',
    defaultTitle: '250000',
    secret: false,
    reload: true,
    description:
      'How many objects of each kind (campaigns, line items, creatives, ad units and so on) one network environment may have, archived ones included, 1 to 10000000.',
    example: '1000000',
    schema: integer(1, 10_000_000),
  }),
  freeDiskMegabytes: setting({
    name: 'PLACARD_FREE_DISK_MEGABYTES',
    kind: 'megabytes',
    default: '1000',
    defaultTitle: '1000',
    secret: false,
    reload: true,
    description:
      'Uploads and reports are refused while the disk of the data folder has less free space than this, 0 to 1000000; ads and events continue.',
    example: '5000',
    schema: integer(0, 1_000_000),
  }),
} as const;

/** What the decision log keeps: rows of the settings table. */
export const decisionLogSettings = {
  decisionLogPerSecond: setting({
    name: 'PLACARD_DECISION_LOG_PER_SECOND',
    kind: 'count',
    default: null,
    defaultTitle: '5 with a demo network, else 0 (none)',
    secret: false,
    reload: true,
    description:
      'How many decisions a second each worker writes into the decision log, at most, of each network environment, 0 to 1000; `placard decisions replay` makes them again.',
    example: '1',
    schema: integer(0, 1_000).nullable(),
  }),
  decisionLogDays: setting({
    name: 'PLACARD_DECISION_LOG_DAYS',
    kind: 'days',
    default: '7',
    defaultTitle: '7',
    secret: false,
    reload: true,
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
    reload: true,
    description:
      'Disk space for the decision log of one machine, snapshots included, 50 to 100000; the oldest files are deleted first.',
    example: '20000',
    schema: integer(50, 100_000),
  }),
} as const;
