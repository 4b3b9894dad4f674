import { Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ForecastAccuracy, loadForecastAccuracy } from '../api/bookings/forecast-record.ts';
import { formatPercent } from '../format/desk-format.ts';
import { say } from '../messages/say.ts';
import { deskKey, useCellContext, useDeskScope } from '../session/desk-scope.ts';
import { ProblemAlert } from '../ui/problem-alert.tsx';

const DAYS = 90;
const DAY_MS = 86_400_000;

/** How good the network's forecasts were, by the flights that ended lately. */
export function ForecastAccuracySection() {
  const scope = useDeskScope();
  const { nowMs } = useCellContext();
  // Whole days: the figures change once a day at most, and so does the question.
  const toMs = Math.ceil(nowMs / DAY_MS) * DAY_MS;
  const span = { from: new Date(toMs - DAYS * DAY_MS).toISOString(), to: new Date(toMs).toISOString() };
  const found = useQuery({
    queryKey: [...deskKey(scope), 'forecastAccuracy', span],
    queryFn: ({ signal }) => loadForecastAccuracy(scope, span, signal),
    staleTime: 300_000,
    enabled: scope.networkId !== '',
  });
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="accuracy-title">
      <Stack gap="sm">
        <Title order={2} size="h4" id="accuracy-title">
          {say('accuracy.title')}
        </Title>
        <ProblemAlert error={found.error} onRetry={() => void found.refetch()} />
        {found.data === undefined ? null : <Figures accuracy={found.data} />}
      </Stack>
    </Paper>
  );
}

function Figures({ accuracy }: { readonly accuracy: ForecastAccuracy }) {
  const { scored, notScored, insideLikelyPercent, insidePossiblePercent, medianErrorPercent, biasPercent } = accuracy;
  const left = notScored === 0 ? null : say('accuracy.not_scored', { count: notScored });
  if (scored === 0)
    return (
      <>
        <Text>{say('accuracy.none')}</Text>
        {left === null ? null : (
          <Text size="sm" c="dimmed">
            {left}
          </Text>
        )}
      </>
    );
  const percent = (value: number | null): string => (value === null ? say('value.none_measure') : formatPercent(value));
  const bias = biasPercent ?? 0;
  const facts: readonly (readonly [string, string])[] = [
    [say('accuracy.likely'), percent(insideLikelyPercent)],
    [say('accuracy.possible'), percent(insidePossiblePercent)],
    [say('accuracy.median'), percent(medianErrorPercent)],
    [
      say('accuracy.bias'),
      bias === 0
        ? percent(0)
        : say(bias > 0 ? 'accuracy.too_high' : 'accuracy.too_low', { percent: formatPercent(Math.abs(bias)) }),
    ],
  ];
  return (
    <>
      <Text>{say('accuracy.flights', { count: scored, days: DAYS })}</Text>
      <SimpleGrid component="dl" cols={{ base: 2, sm: 4 }} spacing="sm" m={0}>
        {facts.map(([title, text]) => (
          <div key={title}>
            <Text component="dt" size="sm" c="dimmed">
              {title}
            </Text>
            <Text component="dd" m={0} fw={600}>
              {text}
            </Text>
          </div>
        ))}
      </SimpleGrid>
      <Text size="sm" c="dimmed">
        {left === null ? say('accuracy.method') : `${say('accuracy.method')} ${left}`}
      </Text>
    </>
  );
}
