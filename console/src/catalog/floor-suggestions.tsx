import { Button, Paper, Stack, Table, Text, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { loadCatalogObject } from '../api/bookings/catalog.ts';
import { type FloorSuggestion, loadFloorSuggestions } from '../api/inventory/floor-suggestions.ts';
import { type BulkPlan, planSteps } from '../changes/bulk-plan.ts';
import { ChangesDialog } from '../changes/changes-dialog.tsx';
import { formatCount, formatMoney } from '../format/desk-format.ts';
import { say } from '../messages/say.ts';
import { deskKey, useCellContext, useDeskScope } from '../session/desk-scope.ts';
import { useCanEdit } from '../session/session.ts';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { titleOf } from './catalog-plan.ts';

/** Floors of ad units that would have earned more with what was bid; each is set by one button, with a preview and undo. */
export function FloorSuggestions() {
  const scope = useDeskScope();
  const { currency } = useCellContext();
  const [plan, setPlan] = useState<BulkPlan | null>(null);
  const canEdit = useCanEdit();
  const found = useQuery({
    queryKey: [...deskKey(scope), 'floor-suggestions'],
    queryFn: ({ signal }) => loadFloorSuggestions(scope, signal),
    staleTime: 300_000,
    enabled: scope.networkId !== '',
  });
  const planning = useMutation({
    mutationFn: async ({ adUnitId, suggestedFloor }: FloorSuggestion) => {
      const adUnit = await loadCatalogObject(scope, 'adUnits', adUnitId, new AbortController().signal);
      return planSteps(titleOf({ name: 'floor' }), adUnit === null ? [] : [adUnit], ({ floor }) => ({
        before: formatMoney(floor, currency),
        after: formatMoney(suggestedFloor, currency),
        input: { floor: suggestedFloor },
        undo: { floor },
      }));
    },
    onSuccess: setPlan,
  });
  const { data } = found;
  return (
    <Paper withBorder p="sm" component="section" aria-labelledby="floor-suggestions">
      <Stack gap="xs">
        <Title order={2} size="h4" id="floor-suggestions">
          {say('floor_suggestions.title')}
        </Title>
        <ProblemAlert error={found.error ?? planning.error} onRetry={() => void found.refetch()} />
        {data === undefined ? null : (
          <Text size="sm" c="dimmed">
            {data.length === 0
              ? say('floor_suggestions.none')
              : say('floor_suggestions.lead', { hours: formatCount(Math.round(data[0]?.sampledHours ?? 0)) })}
          </Text>
        )}
        {data === undefined || data.length === 0 ? null : (
          <Suggestions
            rows={data}
            currency={currency}
            onSet={canEdit ? (one) => planning.mutate(one) : null}
            isBusy={planning.isPending}
          />
        )}
      </Stack>
      {plan === null ? null : (
        <ChangesDialog kind="adUnits" plan={plan} onDone={() => setPlan(null)} onClose={() => setPlan(null)} />
      )}
    </Paper>
  );
}

function Suggestions({
  rows,
  currency,
  onSet,
  isBusy,
}: {
  readonly rows: readonly FloorSuggestion[];
  readonly currency: string | undefined;
  /** Null: the member may not change floors. */
  readonly onSet: ((one: FloorSuggestion) => void) | null;
  readonly isBusy: boolean;
}) {
  const money = (amount: string): string => formatMoney(amount, currency);
  return (
    <Table.ScrollContainer minWidth={280} mah="40vh" type="native" tabIndex={0}>
      <Table verticalSpacing={6}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{say('catalog_column.adUnitId')}</Table.Th>
            <Table.Th scope="col">{say('catalog_column.floor')}</Table.Th>
            <Table.Th scope="col">{say('floor_suggestions.gain')}</Table.Th>
            <Table.Th scope="col">{say('floor_suggestions.paid')}</Table.Th>
            {onSet === null ? null : (
              <Table.Th scope="col">
                <span className="visually-hidden">{say('floor_suggestions.set')}</span>
              </Table.Th>
            )}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((one) => (
            <Table.Tr key={one.adUnitId}>
              <Table.Td>
                <bdi>{one.name}</bdi>
              </Table.Td>
              <Table.Td>{`${money(one.floor)} → ${money(one.suggestedFloor)}`}</Table.Td>
              <Table.Td>
                {say('floor_suggestions.gain_of', {
                  gain: money(one.gain),
                  low: money(one.gainLow),
                  high: money(one.gainHigh),
                  revenue: money(one.revenue),
                })}
              </Table.Td>
              <Table.Td>{`${formatCount(one.paidSlots)} → ${formatCount(one.suggestedPaidSlots)}`}</Table.Td>
              {onSet === null ? null : (
                <Table.Td>
                  <Button size="xs" variant="default" disabled={isBusy} onClick={() => onSet(one)}>
                    {say('floor_suggestions.set')}
                  </Button>
                </Table.Td>
              )}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
