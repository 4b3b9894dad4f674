import { Group, Stack, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { numberFormat } from '../format/intl-formats.ts';
import { type ArmFigures, type Experiment, type ExperimentResults, loadResults } from '../api/inventory/experiments.ts';
import { formatCount, formatMoney } from '../format/desk-format.ts';
import { currentLocale } from '../messages/language.ts';
import { say } from '../messages/say.ts';
import { deskKey, useCellContext, useDeskScope } from '../session/desk-scope.ts';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { ScrollRegion } from '../ui/scroll-region.tsx';
import { LoadingPage } from '../ui/state-pages.tsx';
import { axisEnd, type PercentDifference, percentOf, positionOf, verdictOf } from './interval-scale.ts';
import './experiments.css';

/** What both arms of an experiment had, and how they differ. */
export function ExperimentResultsView({ experiment }: { readonly experiment: Experiment }) {
  const scope = useDeskScope();
  const found = useQuery({
    queryKey: [...deskKey(scope), 'experiment-results', experiment.id],
    queryFn: ({ signal }) => loadResults(scope, experiment.id, signal),
    staleTime: 60_000,
  });
  return (
    <Stack gap="sm">
      <ProblemAlert error={found.error} onRetry={() => void found.refetch()} />
      {found.isPending ? <LoadingPage /> : null}
      {found.data === undefined || found.data === null ? null : <Found results={found.data} />}
    </Stack>
  );
}

function Found({ results: { arms, days, differences } }: { readonly results: ExperimentResults }) {
  if (arms.every(({ requests }) => requests === 0)) return <Text>{say('experiments.no_requests')}</Text>;
  const rows = differences.map((one) => ({ measure: one.measure, percent: percentOf(one) }));
  const revenue = rows.find(({ measure }) => measure === 'REVENUE')?.percent ?? null;
  const end = axisEnd(rows.map(({ percent }) => percent));
  return (
    <Stack gap="md">
      <Text fw={600}>{verdictText(revenue, days)}</Text>
      <ScrollRegion label={say('experiments.arms')}>
        <ArmsTable arms={arms} />
      </ScrollRegion>
      <Stack gap="xs" component="section" aria-label={say('experiments.differences')}>
        <Text size="sm" c="dimmed">
          {say('experiments.differences_lead', { days })}
        </Text>
        {rows.map(({ measure, percent }) => (
          <div key={measure}>
            <Group justify="space-between" gap="xs">
              <Text size="sm">{say(`experiments.measure_${measure}`)}</Text>
              <Text size="sm" fw={600}>
                {percentText(percent)}
              </Text>
            </Group>
            {percent === null ? null : <Interval difference={percent} end={end} />}
          </div>
        ))}
        <Group justify="space-between" aria-hidden>
          {[-end, 0, end].map((tick) => (
            <Text key={tick} size="xs" c="dimmed">
              {signed(tick)}
            </Text>
          ))}
        </Group>
      </Stack>
    </Stack>
  );
}

function verdictText(revenue: PercentDifference | null, days: number): string {
  const verdict = verdictOf(revenue);
  if (verdict === 'early' || revenue === null) return say('experiments.verdict_early', { days });
  if (verdict === 'none') return say('experiments.verdict_none', { range: rangeText(revenue) });
  return say(`experiments.verdict_${verdict}`, { percent: signed(revenue.value), range: rangeText(revenue) });
}

/** A percentage with its sign. */
function signed(percent: number): string {
  const digits = { signDisplay: 'exceptZero', maximumFractionDigits: Math.abs(percent) < 10 ? 1 : 0 } as const;
  return `${numberFormat(currentLocale(), digits).format(percent)}\u00a0%`;
}

function rangeText({ low, high }: PercentDifference): string {
  if (low === null || high === null) return say('experiments.no_interval');
  return say('experiments.range', { low: signed(low), high: signed(high) });
}

function percentText(percent: PercentDifference | null): string {
  if (percent === null) return '–';
  return say('experiments.difference', { percent: signed(percent.value), range: rangeText(percent) });
}

/** The difference as a dot, its interval as a bar, on an axis around 0. The text beside it says the same. */
function Interval({
  difference: { value, low, high },
  end,
}: {
  readonly difference: PercentDifference;
  readonly end: number;
}) {
  const from = low === null ? null : positionOf(low, end);
  const to = high === null ? null : positionOf(high, end);
  return (
    <div className="interval" aria-hidden>
      <div className="interval-zero" />
      {from === null || to === null ? null : (
        <div className="interval-reach" style={{ left: `${from}%`, width: `${to - from}%` }} />
      )}
      <div className="interval-value" style={{ left: `${positionOf(value, end)}%` }} />
    </div>
  );
}

function ArmsTable({ arms }: { readonly arms: readonly ArmFigures[] }) {
  const { currency } = useCellContext();
  const columns: readonly (readonly [string, (arm: ArmFigures) => string])[] = [
    [say('experiments.requests'), ({ requests }) => formatCount(requests)],
    [say('experiments.measure_IMPRESSIONS'), ({ impressions }) => formatCount(impressions)],
    [say('experiments.measure_GUARANTEED_IMPRESSIONS'), (arm) => formatCount(arm.guaranteedImpressions)],
    [say('experiments.measure_CLICKS'), ({ clicks }) => formatCount(clicks)],
    [say('experiments.measure_CONVERSIONS'), ({ conversions }) => formatCount(conversions)],
    [say('experiments.measure_REVENUE'), ({ revenue }) => formatMoney(revenue, currency)],
    [
      say('experiments.per_thousand'),
      ({ revenuePerThousandRequests: one }) => (one === null ? '–' : formatMoney(one, currency)),
    ],
  ];
  return (
    <Table verticalSpacing={6}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">{say('experiments.arm')}</Table.Th>
          {columns.map(([title]) => (
            <Table.Th key={title} scope="col" ta="right">
              {title}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {arms.map((arm) => (
          <Table.Tr key={arm.arm}>
            <Table.Th scope="row" fw={500}>
              {say(`experiments.arm_${arm.arm}`)}
            </Table.Th>
            {columns.map(([title, render]) => (
              <Table.Td key={title} ta="right">
                {render(arm)}
              </Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
