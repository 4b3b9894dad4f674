import { isDecimalId } from '../../../domain/ids/ids.ts';
import { formatMicros } from '../../../domain/money/money.ts';
import { NetworkStatusRef } from '../../fields/enumerations.ts';
import { builder } from '../../kernel/builder.ts';
import { moneyTwin } from '../../kernel/money-type.ts';
import { queryableOf } from '../../kernel/transactions.sql.ts';
import { findNetwork, type NetworkRow } from './network.sql.ts';

/** The network type; settings are fields of it. */
export const NetworkRef = builder.objectRef<NetworkRow>('Network').implement({
  description: 'A tenant: a publisher with its inventory, bookings and reports.',
  fields: (t) => ({
    id: t.id({ description: 'Decimal id.', resolve: (network) => String(network.id) }),
    name: t.exposeString('name', { description: 'Name.' }),
    status: t.field({
      type: NetworkStatusRef,
      description: 'Whether it serves and accepts changes.',
      resolve: (network) => network.status,
    }),
    timezone: t.exposeString('timezone', { description: 'IANA time zone; a day of the network is a day there.' }),
    currency: t.exposeString('currency', { description: 'ISO 4217 code; all money of the network is in it.' }),
    floor: t.field({
      type: 'Decimal',
      description: 'Floor price as CPM; 0 = none.',
      resolve: (network) => formatMicros(network.floor_micros),
    }),
    floorMoney: t.field(
      moneyTwin<NetworkRow>('Floor price as CPM; 0 = none.', (network) => formatMicros(network.floor_micros)),
    ),
    version: t.exposeInt('version', {
      description: 'Grows with every change; send it with an update to detect concurrent changes.',
    }),
    createdAt: t.field({
      type: 'DateTime',
      description: 'When it was made.',
      resolve: (network) => network.created_at,
    }),
    updatedAt: t.field({
      type: 'DateTime',
      description: 'When it was last changed.',
      resolve: (network) => network.updated_at,
    }),
  }),
});

builder.queryField('network', (t) =>
  t.field({
    type: NetworkRef,
    nullable: true,
    description: 'The network of the credentials, by its id; null for any other.',
    args: { id: t.arg.id({ required: true, description: 'Its decimal id.' }) },
    resolve: async (_root, args, context) => {
      const id = String(args.id);
      if (!isDecimalId(id) || id !== context.principal.networkId) return null;
      return (await findNetwork(queryableOf(context), id)) ?? null;
    },
  }),
);
