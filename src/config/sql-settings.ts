import { integer, oneOf, setting } from './setting-spec.ts';

/** Settings of the SQL endpoint: rows of the settings table. */
export const sqlSettings = {
  sqlPort: setting({
    name: 'PLACARD_SQL_PORT',
    kind: 'port',
    default: null,
    defaultTitle: 'none',
    secret: false,
    description:
      "Port at which the core speaks PostgreSQL's protocol over the reports (docs/sql.md). 0 picks a free one.",
    example: '5433',
    schema: integer(0, 65_535).nullable(),
  }),
  sqlConnections: setting({
    name: 'PLACARD_SQL_CONNECTIONS',
    kind: 'count',
    default: '200',
    defaultTitle: '200',
    secret: false,
    description:
      'Sessions at the SQL port that have signed in, 1 to 10000; one more is refused. Half of them from one address.',
    example: '500',
    schema: integer(1, 10_000),
  }),
  sqlConnectionsPerNetwork: setting({
    name: 'PLACARD_SQL_CONNECTIONS_PER_NETWORK',
    kind: 'count',
    default: '20',
    defaultTitle: '20',
    secret: false,
    description: 'Of these, to one network environment, 1 to 10000.',
    example: '50',
    schema: integer(1, 10_000),
  }),
  sqlPlain: setting({
    name: 'PLACARD_SQL_PLAIN',
    kind: 'loopback or any',
    default: 'loopback',
    defaultTitle: 'loopback',
    secret: false,
    description:
      'Who may send a password to the SQL port without TLS. any: everybody, for a network in which nobody else reads along.',
    example: 'any',
    schema: oneOf(['loopback', 'any']),
  }),
} as const;
