import { Anchor, List, Skeleton, Stack, Table, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { BookingForecast } from '../api/bookings/booking.ts';
import { formatCount } from '../format/desk-format.ts';
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
}

/** What the draft could get, beside the form all the time. */
export function ForecastPanel({ forecast, goal, isAsking, isOutdated, error }: ForecastPanelProps) {
  return (
    <Stack gap="sm" aria-busy={isAsking}>
      <Title order={2} size="h3" id="forecast-title">
        {say('forecast.title')}
      </Title>
      <ProblemAlert error={error} />
      {forecast === undefined ? (
        <Waiting isAsking={isAsking} />
      ) : (
        <Figures {...{ forecast, goal, isAsking, isOutdated }} />
      )}
    </Stack>
  );
}

function Waiting({ isAsking }: { readonly isAsking: boolean }) {
  return isAsking ? <Skeleton height={120} /> : <Text c="dimmed">{say('forecast.wait')}</Text>;
}

interface FiguresProps extends Omit<ForecastPanelProps, 'error'> {
  readonly forecast: BookingForecast;
}

function Figures({ forecast, goal, isAsking, isOutdated }: FiguresProps) {
  const { impressions, impressionsLow, impressionsHigh, sampleSize, sampledHours } = forecast;
  const notes = sayRemarks(forecast, useCellContext());
  return (
    <Stack gap="sm" style={isOutdated ? { opacity: 0.6 } : {}}>
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
            {say('forecast.range', { low: formatCount(impressionsLow), high: formatCount(impressionsHigh) })}
          </Text>
          {goal === null ? null : (
            <Text size="sm" fw={600}>
              {verdictOf(forecast, goal)}
            </Text>
          )}
        </div>
      )}
      <Funnel forecast={forecast} />
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
            <Anchor
              inherit
              renderRoot={(props) => (
                <Link to="/desk/line-items/$id" params={{ id: lineItemId }} search={{}} target="_blank" {...props} />
              )}
            >
              <bdi>{name}</bdi>
            </Anchor>
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
