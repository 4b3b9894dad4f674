import { builder } from '../../kernel/builder.ts';
import { queryableOf } from '../../kernel/transactions.sql.ts';
import { type OfferedSite, type Offering, readOffering } from './offering.sql.ts';

const SITES_MAX = 1_000;

const SiteRef = builder.objectRef<OfferedSite>('OfferedSite').implement({
  description: 'A site, as buyers see it.',
  fields: (t) => ({
    id: t.id({ description: 'Its id.', resolve: ({ id }) => String(id) }),
    name: t.exposeString('name', { description: 'Its name.' }),
    domain: t.exposeString('domain', { description: 'Its domain.' }),
  }),
});

const OfferingRef = builder.objectRef<Offering>('Offering').implement({
  description: 'What buyers know of a network besides its products.',
  fields: (t) => ({
    currency: t.exposeString('currency', { description: 'ISO 4217 code; all money of the network is in it.' }),
    timezone: t.exposeString('timezone', { description: 'IANA time zone; a day of the network is a day there.' }),
    sites: t.field({
      type: [SiteRef],
      description: `Its sites that are in use, by id, at most ${SITES_MAX}.`,
      resolve: ({ sites }) => sites,
    }),
  }),
});

builder.queryField('offering', (t) =>
  t.field({
    type: OfferingRef,
    description: 'The currency, the days and the sites of the network of the key.',
    resolve: (_root, _args, context) => readOffering(queryableOf(context), context.principal, SITES_MAX),
  }),
);
