import { Group, Paper, Stack, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Creative, LineItemDetail } from '../api/bookings/desk-object.ts';
import { addDays, dateIn } from '../reports/calendar.ts';
import { reportQuery } from '../api/reports/report-query.ts';
import { say } from '../messages/say.ts';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { type CreativeFigures, creativeQuery, figuresByCreative } from '../delivery/creative-figures.ts';
import { AdThumbnail } from '../ui/ad-frame.tsx';
import { Term } from '../ui/explained.tsx';
import { ObjectLink } from '../tables/column-parts.tsx';
import { AddCreatives } from './add-creatives.tsx';
import { type Comparison, compareRates } from './creative-test.ts';
import { formatCount, formatRate } from '../format/desk-format.ts';
import { ReviewWord } from '../delivery/state-words.tsx';
import { useCellContext, useDeskScope } from '../session/desk-scope.ts';

/** The Reports API accepts no more days at a time. */
const DAYS = 90;
const PICTURE = { width: 160, height: 160 };
const NONE: CreativeFigures = { impressions: 0, clicks: 0 };

/** The creatives of a line item with their own figures, what keeps each from serving, and which one is clicked more. */
export function CreativesSection({
  lineItem,
}: {
  readonly lineItem: Pick<LineItemDetail, 'id' | 'creatives' | 'campaign'>;
}) {
  const { nodes, totalCount } = lineItem.creatives;
  const scope = useDeskScope();
  const { timezone, nowMs } = useCellContext();
  const today = timezone === undefined ? null : dateIn(timezone, nowMs);
  const report = useQuery(
    reportQuery(
      scope,
      today === null || timezone === undefined || nodes.length === 0
        ? null
        : creativeQuery({ lineItemId: lineItem.id }, { from: addDays(today, 1 - DAYS), to: today }, timezone),
    ),
  );
  const figures = report.data === undefined ? null : figuresByCreative(report.data.rows);
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="creatives-title">
      <Stack gap="sm">
        <Title order={2} size="h3" id="creatives-title">
          {say('creatives.title')}
        </Title>
        <ProblemAlert error={report.error} onRetry={() => void report.refetch()} />
        {nodes.length === 0 ? (
          <Group>
            <Text>{say('creatives.empty')}</Text>
            {lineItem.campaign === null ? null : <AddCreatives campaignId={lineItem.campaign.id} size="xs" />}
          </Group>
        ) : (
          <CreativeTable creatives={nodes} figures={figures} />
        )}
        {figures === null ? null : <CreativeTest creatives={nodes} figures={figures} />}
        {totalCount > nodes.length ? (
          <Text size="sm" c="dimmed">
            {say('creatives.more', { shown: nodes.length, total: totalCount })}
          </Text>
        ) : null}
      </Stack>
    </Paper>
  );
}

type Figures = ReadonlyMap<string, CreativeFigures>;

function CreativeTable({
  creatives,
  figures,
}: {
  readonly creatives: readonly Creative[];
  readonly figures: Figures | null;
}) {
  const none = say('value.none_measure');
  const text = (id: string, of: (one: CreativeFigures) => string): string =>
    figures === null ? none : of(figures.get(id) ?? NONE);
  return (
    <Table.ScrollContainer minWidth={300} type="native" tabIndex={0}>
      <Table verticalSpacing={6}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{say('creatives.picture')}</Table.Th>
            <Table.Th scope="col">{say('desk_column.name')}</Table.Th>
            <Table.Th scope="col">{say('creatives.review')}</Table.Th>
            <Table.Th scope="col">{say('desk_column.status')}</Table.Th>
            <Table.Th scope="col">{say('creatives.format')}</Table.Th>
            {(['impressions', 'clicks', 'ctr'] as const).map((name) => (
              <Table.Th key={name} scope="col" className="number-cell">
                <Term text={say(`desk_column_text.${name}`)}>{say(`desk_column.${name}`)}</Term>
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {creatives.map(({ id, name, format, width, height, status, reviewState, preview }) => (
            <Table.Tr key={id}>
              <Table.Td>
                <AdThumbnail
                  url={preview.url}
                  size={{ width, height }}
                  title={say('creatives.frame', { name })}
                  box={PICTURE}
                />
              </Table.Td>
              <Table.Th scope="row" fw={500} miw={160}>
                <ObjectLink to="/desk/creatives/$id" id={id} name={name} />
              </Table.Th>
              <Table.Td>
                <ReviewWord state={reviewState} />
              </Table.Td>
              <Table.Td>{say(`creative_status.${status}`)}</Table.Td>
              <Table.Td style={{ whiteSpace: 'nowrap' }}>
                {`${say(`creative_format.${format}`)}, ${width === 0 ? say('creative_size.any') : `${width} × ${height}`}`}
              </Table.Td>
              <Table.Td className="number-cell">{text(id, (one) => formatCount(one.impressions))}</Table.Td>
              <Table.Td className="number-cell">{text(id, (one) => formatCount(one.clicks))}</Table.Td>
              <Table.Td className="number-cell">
                {text(id, (one) => (one.impressions === 0 ? none : formatRate(one.clicks / one.impressions)))}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

/** Compares creatives of one size by their click rates: the one that was shown most against each other. */
function CreativeTest({ creatives, figures }: { readonly creatives: readonly Creative[]; readonly figures: Figures }) {
  const pairs = pairsOf(creatives, figures);
  if (pairs.length === 0) return null;
  return (
    <div>
      <Title order={3} size="h4">
        {say('test.title')}
      </Title>
      {pairs.map(({ first, second, comparison }) => (
        <Text key={second.id} size="sm">
          {describeTest({ first, second, comparison }, figures)}
        </Text>
      ))}
      <Text size="sm" c="dimmed">
        {say('test.method')}
      </Text>
    </div>
  );
}

interface Pair {
  readonly first: Creative;
  readonly second: Creative;
  readonly comparison: Comparison;
}

/** Creatives of different sizes have different ad units: comparing their rates says little. */
function pairsOf(creatives: readonly Creative[], figures: Figures): readonly Pair[] {
  const of = ({ id }: Creative): CreativeFigures => figures.get(id) ?? NONE;
  const bySize = Map.groupBy(
    creatives.filter((one) => of(one).impressions > 0),
    ({ format, width, height }) => `${format} ${width} × ${height}`,
  );
  return [...bySize.values()].flatMap((same) => {
    const [first, ...others] = same.toSorted((one, other) => of(other).impressions - of(one).impressions);
    if (first === undefined) return [];
    return others.map((second) => ({ first, second, comparison: compareRates(of(first), of(second)) }));
  });
}

function describeTest({ first, second, comparison }: Pair, figures: Figures): string {
  const { lift, pValue, verdict, needed, low, high } = comparison;
  const [shown, clicked] = [figures.get(first.id) ?? NONE, figures.get(second.id) ?? NONE];
  return say(`test.${verdict}`, {
    first: first.name,
    second: second.name,
    lift: formatRate(Math.abs(lift)),
    low: formatRate(low),
    high: formatRate(high),
    p: pValue < 0.001 ? '0.001' : pValue.toFixed(3),
    n1: formatCount(shown.impressions),
    n2: formatCount(clicked.impressions),
    needed: needed === null ? say('value.none_measure') : formatCount(needed),
  });
}
