import { ActionIcon, Group, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type DealItem, loadDealItem, loadDealItems } from '../api/bookings/orders/deal-items.ts';
import { type BulkPlan, planSteps } from '../changes/bulk-plan.ts';
import { ChangesDialog } from '../changes/changes-dialog.tsx';
import { StatusWord } from '../delivery/state-words.tsx';
import { say } from '../messages/say.ts';
import { ObjectFilter } from '../pickers/object-filter.tsx';
import { deskKey, useDeskScope } from '../session/desk-scope.ts';
import { useCanEdit } from '../session/session.ts';
import { ObjectLink } from '../tables/column-parts.tsx';
import { Icon } from '../ui/icons.tsx';
import { ProblemAlert } from '../ui/problem-alert.tsx';

/** The line items that serve a deal: one more is bound by its name, each is taken off again. Both are previewed and can be undone. */
export function DealItems({ deal }: { readonly deal: { readonly id: string; readonly name: string } }) {
  const scope = useDeskScope();
  const canEdit = useCanEdit();
  const [plan, setPlan] = useState<BulkPlan | null>(null);
  const found = useQuery({
    queryKey: [...deskKey(scope), 'deal-items', deal.id],
    queryFn: ({ signal }) => loadDealItems(scope, deal.id, signal),
    enabled: scope.networkId !== '',
  });
  const binding = useMutation({
    mutationFn: (id: string) => loadDealItem(scope, id),
    onSuccess: (item) => setPlan(item === null ? null : planDeal(item, deal)),
  });
  const items = found.data?.nodes ?? [];
  return (
    <Stack gap="xs">
      <Title order={3} size="h5">
        {say('deal_items.title')}
      </Title>
      <ProblemAlert error={found.error ?? binding.error} onRetry={() => void found.refetch()} />
      {found.data?.nodes.length === 0 ? (
        <Text size="sm" c="dimmed">
          {say('deal_items.none')}
        </Text>
      ) : null}
      {items.map((item) => (
        <Group key={item.id} justify="space-between" wrap="nowrap">
          <ObjectLink to="/desk/line-items/$id" id={item.id} name={item.name} />
          <Group gap="xs" wrap="nowrap">
            <StatusWord status={item.status} />
            {canEdit ? (
              <ActionIcon
                aria-label={say('deal_items.remove', { name: item.name })}
                onClick={() => setPlan(planDeal(item, null))}
              >
                <Icon name="close" size={16} />
              </ActionIcon>
            ) : null}
          </Group>
        </Group>
      ))}
      {(found.data?.totalCount ?? 0) > items.length ? (
        <Text size="sm" c="dimmed">
          {say('catalog.count', { shown: items.length, total: found.data?.totalCount ?? 0 })}
        </Text>
      ) : null}
      {canEdit ? (
        <ObjectFilter
          kind="lineItems"
          label={say('deal_items.add')}
          placeholder=""
          size="sm"
          value={null}
          onChange={(id) => (id === null ? undefined : binding.mutate(id))}
        />
      ) : null}
      {plan === null ? null : (
        <ChangesDialog kind="lineItem" plan={plan} onDone={() => setPlan(null)} onClose={() => setPlan(null)} />
      )}
    </Stack>
  );
}

/** Binds a line item to a deal; null takes it off. */
function planDeal(item: DealItem, deal: { readonly id: string; readonly name: string } | null): BulkPlan {
  const text = (one: { readonly name: string } | null): string => one?.name ?? say('value.none');
  return planSteps(say('field.dealId'), [item], (one) =>
    one.deal?.id === deal?.id
      ? null
      : {
          before: text(one.deal),
          after: text(deal),
          input: { dealId: deal?.id ?? null },
          undo: { dealId: one.deal?.id ?? null },
        },
  );
}
