import { QUOTA_NAMES, QUOTAS, type QuotaUse } from '../../../domain/tenancy/quota.ts';
import { readQuotaUsage } from '../../../storage/sql/quota-usage.sql.ts';
import { builder } from '../../kernel/builder.ts';
import { queryableOf } from '../../kernel/transactions.sql.ts';
import { NetworkRef } from './network.ts';

const LOADER = 'storage use';

const UnitRef = builder.enumType('StorageUnit', {
  description: 'The unit of a storage quota.',
  values: {
    bytes: { value: 'bytes', description: 'Bytes.' },
    count: { value: 'count', description: 'Objects.' },
  } as const,
});

const StorageUseRef = builder.objectRef<QuotaUse>('StorageUse').implement({
  description: 'How much of one storage quota the environment uses.',
  fields: (t) => ({
    name: t.exposeString('name', { description: `One of ${QUOTA_NAMES.join(', ')}; errors use the same name.` }),
    title: t.string({ description: 'What is counted.', resolve: ({ name }) => QUOTAS[name].title }),
    unit: t.field({ type: UnitRef, description: 'Its unit.', resolve: ({ unit }) => unit }),
    used: t.field({ type: 'Long', description: 'Present use.', resolve: ({ used }) => used }),
    limit: t.field({
      type: 'Long',
      description: 'The quota; more is refused as `quota_exceeded`.',
      resolve: ({ limit }) => limit,
    }),
  }),
});

builder.objectField(NetworkRef, 'storage', (t) =>
  t.field({
    type: [StorageUseRef],
    description: 'Storage of this environment, with its quotas.',
    resolve: async (_network, _args, context): Promise<QuotaUse[]> => {
      // A request reads it once, however often it selects the field.
      const reading =
        (context.loaders.get(LOADER) as ReturnType<typeof readQuotaUsage> | undefined) ??
        readQuotaUsage(queryableOf(context), context.principal.workspaceId);
      context.loaders.set(LOADER, reading);
      const [usage] = await reading;
      if (usage === undefined) return [];
      return QUOTA_NAMES.map((name) => ({
        name,
        unit: QUOTAS[name].unit,
        used: usage[name],
        limit: context.quotas[name],
      }));
    },
  }),
);
