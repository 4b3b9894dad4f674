import { Button, Group, List, Paper, Select, Stack, Text, Title } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { CreativeDetail, CreativeOwner, CreativeUse } from '../api/bookings/creatives/creative-detail.ts';
import { findAssignable, loadLibraryUses } from '../api/bookings/creatives/library-uses.ts';
import { reportQuery } from '../api/reports/report-query.ts';
import type { BulkPlan } from '../changes/bulk-plan.ts';
import { type CreativeWay, planCreatives } from '../line-item/creative-plan.ts';
import { ChangesDialog } from '../changes/later-changes.ts';
import { type CreativeFigures, creativeQuery, figuresByCreative } from '../delivery/creative-figures.ts';
import { StatusWord } from '../delivery/state-words.tsx';
import { formatCount, formatRate } from '../format/desk-format.ts';
import { say } from '../messages/say.ts';
import { addDays, dateIn } from '../reports/calendar.ts';
import { deskKey, useCellContext, useDeskScope } from '../session/desk-scope.ts';
import { useCanEdit } from '../session/session.ts';
import { ObjectLink } from '../tables/column-parts.tsx';
import { ProblemAlert } from '../ui/problem-alert.tsx';

/** The Reports API accepts no more days at a time. */
const DAYS = 90;
const TYPING_MS = 250;

/** The line items that a creative serves in, what was counted of it in each, and what lets it serve in others. */
export function CreativeUses({ creative: { name, uses, owner } }: { readonly creative: CreativeDetail }) {
  const canEdit = useCanEdit();
  const [plan, setPlan] = useState<BulkPlan | null>(null);
  const { figures, error, refetch } = useFigures(uses);
  const isShared = owner.kind === 'libraryCreative';
  const planRemoval = (use: CreativeUse): void => setPlan(planOf('take', { id: owner.id, name }, use, uses));
  const close = (): void => setPlan(null);
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="uses-title" miw={0}>
      <Stack gap="sm">
        <Title order={2} size="h3" id="uses-title">
          {say('creative.uses')}
        </Title>
        <ProblemAlert error={error} onRetry={refetch} />
        {uses.length === 0 ? <Text>{say('creative.unused')}</Text> : null}
        <List listStyleType="none" spacing="xs">
          {uses.map((use) => (
            <List.Item key={use.id}>
              <Group gap="xs">
                <StatusWord status={use.lineItem.status} />
                <ObjectLink to="/desk/line-items/$id" id={use.lineItem.id} name={use.lineItem.name} />
                {canEdit && isShared ? (
                  <Button
                    size="compact-xs"
                    variant="subtle"
                    aria-label={say('creative.take_from', { name: use.lineItem.name })}
                    onClick={() => planRemoval(use)}
                  >
                    {say('creative.take')}
                  </Button>
                ) : null}
              </Group>
              {figures === null ? null : <Figures figures={figures.get(use.id)} />}
            </List.Item>
          ))}
        </List>
        {canEdit && isShared ? <Assign key={uses.length} name={name} owner={owner} onPlan={setPlan} /> : null}
        {isShared ? null : (
          <Text size="sm" c="dimmed">
            {say('creative.own')}
          </Text>
        )}
        {plan === null ? null : <ChangesDialog kind="lineItem" plan={plan} onDone={close} onClose={close} />}
      </Stack>
    </Paper>
  );
}

/** The counted figures of each use. */
function useFigures(uses: readonly CreativeUse[]) {
  const scope = useDeskScope();
  const { timezone, nowMs } = useCellContext();
  const today = timezone === undefined ? null : dateIn(timezone, nowMs);
  const creativeIds = uses.map(({ id }) => id);
  const report = useQuery(
    reportQuery(
      scope,
      today === null || timezone === undefined || creativeIds.length === 0
        ? null
        : creativeQuery({ creativeIds }, { from: addDays(today, 1 - DAYS), to: today }, timezone),
    ),
  );
  const figures = report.data === undefined ? null : figuresByCreative(report.data.rows);
  return { figures, error: report.error, refetch: () => void report.refetch() };
}

function Figures({ figures = { impressions: 0, clicks: 0 } }: { readonly figures: CreativeFigures | undefined }) {
  const { impressions, clicks } = figures;
  return (
    <Text size="sm" c="dimmed">
      {say('creative.figures', {
        days: DAYS,
        impressions: formatCount(impressions),
        clicks: formatCount(clicks),
        rate: impressions === 0 ? say('value.none_measure') : formatRate(clicks / impressions),
      })}
    </Text>
  );
}

type Named = Pick<CreativeDetail, 'id' | 'name'>;

function planOf(
  way: CreativeWay,
  creative: Named,
  { lineItem, version }: { readonly lineItem: Named; readonly version: number },
  uses: Parameters<typeof planCreatives>[2],
): BulkPlan {
  return planCreatives({ way, creative }, [{ id: lineItem.id, name: lineItem.name, version }], uses);
}

/** Lets a creative of the library serve in one more line item of its advertiser. */
function Assign({
  name,
  owner: { id, advertiserId },
  onPlan,
}: {
  readonly name: string;
  readonly owner: CreativeOwner;
  onPlan: (plan: BulkPlan) => void;
}) {
  const scope = useDeskScope();
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), TYPING_MS);
  const found = useQuery({
    queryKey: [...deskKey(scope), 'assignable', advertiserId, search],
    queryFn: ({ signal }) => findAssignable(scope, { advertiserId: advertiserId ?? '', search }, signal),
    placeholderData: keepPreviousData,
    enabled: advertiserId !== null,
  });
  const uses = useQuery({
    queryKey: [...deskKey(scope), 'library-uses', id],
    queryFn: ({ signal }) => loadLibraryUses(scope, id, signal),
  });
  const used = new Set(uses.data?.map(({ lineItemId }) => lineItemId));
  const choices = (found.data ?? []).filter((one) => !used.has(one.id));
  return (
    <>
      <ProblemAlert error={found.error ?? uses.error} />
      <Select
        label={say('creative.assign')}
        description={say('creative.assign_hint')}
        maw={480}
        data={choices.map((one) => ({ value: one.id, label: one.name }))}
        value={null}
        searchable
        nothingFoundMessage={say('palette.nothing')}
        // The server has searched.
        filter={({ options }) => options}
        disabled={uses.data === undefined}
        onSearchChange={setTyped}
        onChange={(chosen) => {
          const lineItem = choices.find((one) => one.id === chosen);
          if (lineItem !== undefined)
            onPlan(planOf('assign', { id, name }, { lineItem, version: lineItem.version }, uses.data ?? []));
        }}
      />
    </>
  );
}
