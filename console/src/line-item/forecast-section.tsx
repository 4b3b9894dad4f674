import { Paper, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { loadForecastRecord } from '../api/bookings/forecast-record.ts';
import { sayForecast } from '../delivery/say-forecast.ts';
import { say } from '../messages/say.ts';
import { deskKey, useDeskScope, type CellContext } from '../session/desk-scope.ts';
import { ProblemAlert } from '../ui/problem-alert.tsx';

/** What was forecast of a line item, and how it came out. Nothing where no forecast is stored. */
export function ForecastSection({
  lineItemId,
  context,
}: {
  readonly lineItemId: string;
  readonly context: CellContext;
}) {
  const scope = useDeskScope();
  const found = useQuery({
    queryKey: [...deskKey(scope), 'forecastRecord', lineItemId],
    queryFn: ({ signal }) => loadForecastRecord(scope, lineItemId, signal),
    staleTime: 60_000,
  });
  if (found.error === null && (found.data === undefined || found.data === null)) return null;
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="forecast-record-title">
      <Stack gap="xs">
        <Title order={2} size="h3" id="forecast-record-title">
          {say('forecast_record.title')}
        </Title>
        <ProblemAlert error={found.error} onRetry={() => void found.refetch()} />
        {found.data === undefined || found.data === null
          ? null
          : sayForecast(found.data, context).map((sentence) => <Text key={sentence}>{sentence}</Text>)}
      </Stack>
    </Paper>
  );
}
