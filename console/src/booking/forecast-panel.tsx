import { Anchor, Group, List, Loader, Skeleton, Stack, Table, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { BookingForecast } from '../api/bookings/booking.ts';
import { formatCount, formatMoney } from '../format/desk-format.ts';
import { sayRemarks } from '../delivery/say-delivery.ts';
import { useCellContext } from '../session/desk-scope.ts';
import { say } from '../messages/say.ts';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import type { ShownForecast } from './use-booking.ts';

/** Fewer sampled requests than this tell little. */
const SAMPLE_MIN = 1_000;
const CONTENDING_SHOWN = 5;

interface ForecastPanelProps extends ShownForecast {
  /** Impressions that the goal needs over the flight; null: another goal, or none. */
  readonly goal: number | null;
  /** Of the network. */
  readonly currency: string;
}

/** What the draft could get, beside the form all the time. */
export function ForecastPanel({ forecast, goal, currency, isAsking, isOutdated, error }: ForecastPanelProps) {
  return (
    <Stack gap="sm" aria-busy={isAsking}>
      <Group gap="xs">
        <Title order={2} size="h3" id="forecast-title">
          {say('forecast.title')}
        </Title>
        {isAsking || isOutdated ? <Loader size="xs" aria-hidden="true" /> : null}
      </Group>
      <ProblemAlert error={error} />
      {forecast === undefined ? (
        <Waiting isAsking={isAsking} />
      ) : (
        <Figures {...{ forecast, goal, currency, isAsking }} />
      )}
    </Stack>
  );
}

function Waiting({ isAsking }: { readonly isAsking: boolean }) {
  return isAsking ? <Skeleton height={120} /> : <Text c="dimmed">{say('forecast.wait')}</Text>;
}

interface FiguresProps extends Omit<ForecastPanelProps, 'error' | 'isOutdated'> {
  readonly forecast: BookingForecast;
}

function Figures({ forecast, goal, currency, isAsking }: FiguresProps) {
  const { impressions, sampleSize, sampledHours } = forecast;
  const notes = sayRemarks(forecast, useCellContext());
  return (
    <Stack gap="sm">
      {forecast.precision === 'ROUGH' ? (
        <Text size="sm" c="dimmed">
          {say(isAsking ? 'forecast.rough' : 'forecast.only_rough')}
        </Text>
      ) : null}
      {sampleSize < SAMPLE_MIN ? (
        <Text fw={600} component="output" display="block">
          {say('forecast.little', { count: formatCount(sampleSize) })}
        </Text>
      ) : (
        <div>
          <Text fw={650} component="output" display="block">
            {say('forecast.likely', { count: formatCount(impressions) })}
          </Text>
          <Text size="sm">
            {say('forecast.range', {
              low: formatCount(forecast.likelyLow),
              high: formatCount(forecast.likelyHigh),
              least: formatCount(forecast.impressionsLow),
              most: formatCount(forecast.impressionsHigh),
            })}
          </Text>
          {goal === null ? null : (
            <Text size="sm" fw={600}>
              {verdictOf(forecast, goal)}
            </Text>
          )}
        </div>
      )}
      <Funnel forecast={forecast} />
      <Money forecast={forecast} currency={currency} />
      <Contending items={forecast.contending} />
      {notes.map((note) => (
        <Text key={note} size="sm" c="dimmed">
          {note}
        </Text>
      ))}
      <Text size="xs" c="dimmed">
        {say('forecast.sample', { count: formatCount(sampleSize), hours: formatCount(Math.round(sampledHours)) })}
      </Text>
    </Stack>
  );
}

/** From all requests to what is left for the draft. */
function Funnel({ forecast }: { readonly forecast: BookingForecast }) {
  const steps = [
    ['forecast.opportunities', forecast.opportunities],
    ['forecast.matched', forecast.matched],
    ['forecast.available', forecast.available],
    ['forecast.possible', forecast.possible],
    ['forecast.shown', forecast.impressions],
  ] as const;
  return (
    <Table verticalSpacing={4}>
      <Table.Tbody>
        {steps.map(([key, count]) => (
          <Table.Tr key={key}>
            <Table.Th scope="row" fw={500}>
              {say(key)}
            </Table.Th>
            <Table.Td className="number-cell">{formatCount(count)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

/** What it earns, and from whom it takes. */
function Money({ forecast, currency }: { readonly forecast: BookingForecast; readonly currency: string }) {
  const { revenue, displacedRevenue, displacedHeaderBidRevenue, displaced } = forecast;
  if (forecast.possible === 0) return null;
  const money = (amount: number): string => formatMoney(amount.toFixed(2), currency);
  const [earned, lost, header] = [revenue, displacedRevenue, displacedHeaderBidRevenue].map(Number) as [
    number,
    number,
    number,
  ];
  const net = Number(earned.toFixed(2)) - Number(lost.toFixed(2));
  return (
    <div>
      <Text size="sm" fw={600}>
        {displaced.length === 0 && lost <= 0
          ? say('forecast.earns_only', { revenue: money(earned) })
          : say(net < 0 ? 'forecast.loses' : 'forecast.earns', {
              revenue: money(earned),
              lost: money(lost),
              net: money(Math.abs(net)),
            })}
      </Text>
      {displaced.length === 0 && header <= 0 ? null : (
        <List size="sm" listStyleType="none" aria-label={say('forecast.displaced')}>
          {displaced.slice(0, CONTENDING_SHOWN).map((one) => (
            <List.Item key={one.lineItemId}>
              <LineItemLink id={one.lineItemId} name={one.name} />
              {` −${formatCount(one.impressions)}, −${money(Number(one.revenue))}`}
            </List.Item>
          ))}
          {header <= 0 ? null : <List.Item>{`${say('forecast.header_bids')} −${money(header)}`}</List.Item>}
        </List>
      )}
    </div>
  );
}

/** Opens the line item beside the page. */
function LineItemLink({ id, name }: { readonly id: string; readonly name: string }) {
  return (
    <Anchor
      inherit
      renderRoot={(props) => <Link to="/desk/line-items/$id" params={{ id }} search={{}} target="_blank" {...props} />}
    >
      <bdi>{name}</bdi>
    </Anchor>
  );
}

/** The line items that want the same opportunities. */
function Contending({ items }: { readonly items: BookingForecast['contending'] }) {
  if (items.length === 0) return null;
  return (
    <div>
      <Text size="sm" fw={600}>
        {say('forecast.contending')}
      </Text>
      <List size="sm" listStyleType="none">
        {items.slice(0, CONTENDING_SHOWN).map(({ lineItemId, name, opportunities }) => (
          <List.Item key={lineItemId}>
            <LineItemLink id={lineItemId} name={name} />
            {` ${formatCount(opportunities)}`}
          </List.Item>
        ))}
      </List>
    </div>
  );
}

/** A goal ends its own delivery: what reaches it would go beyond. */
const REACHED = 0.99;

function verdictOf({ impressions, impressionsLow, impressionsHigh }: BookingForecast, goal: number): string {
  const of = formatCount(goal);
  if (impressions >= REACHED * goal) return say('forecast.reaches');
  if (impressionsHigh < goal) return say('forecast.unlikely', { likely: formatCount(impressions), goal: of });
  return say('forecast.open', { low: formatCount(impressionsLow), high: formatCount(impressionsHigh), goal: of });
}

/** Whether a goal is within the forecast; null: it is not known. */
export function isWithinReach(forecast: BookingForecast | undefined, goal: number | null): boolean | null {
  if (forecast === undefined || goal === null || forecast.sampleSize < SAMPLE_MIN) return null;
  return forecast.impressionsHigh >= goal;
}
