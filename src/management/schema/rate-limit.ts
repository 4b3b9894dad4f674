import { builder } from '../kernel/builder.ts';
import type { RequestUse } from '../kernel/context.ts';

const RateLimitRef = builder.objectRef<RequestUse>('RateLimit').implement({
  description: 'What the network may still ask today, and what this request costs.',
  fields: (t) => ({
    limit: t.field({
      type: 'Long',
      nullable: true,
      description: 'Requests a day of the network and environment; null where none are counted.',
      resolve: ({ daily }) => daily?.limit ?? null,
    }),
    remaining: t.field({
      type: 'Long',
      nullable: true,
      description: 'How many of them are left after this one.',
      resolve: ({ daily }) => daily?.remaining ?? null,
    }),
    resetAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When all of them are there again.',
      resolve: ({ daily }) => (daily === null ? null : new Date(daily.resetSeconds * 1_000)),
    }),
    cost: t.exposeInt('cost', { description: 'The points of this document; at most 100,000.' }),
  }),
});

builder.queryField('rateLimit', (t) =>
  t.field({
    type: RateLimitRef,
    description: 'The headroom of the daily limit, and the cost of this document.',
    resolve: (_root, _args, context) => context.use,
  }),
);
