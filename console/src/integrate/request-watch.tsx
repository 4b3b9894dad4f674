import { Button, List, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type AdUnitCounts, countAdUnit } from '../api/inventory/integration.ts';
import { deskKey, useDeskScope } from '../session/desk-scope.ts';
import { type MessageKey, say } from '../messages/say.ts';
import { ProblemAlert } from '../ui/problem-alert.tsx';

const POLL_MS = 4_000;
/** Each look is a report: one that nobody stops ends by itself. */
const LOOKS_MAX = 100;

const STEPS = [
  ['requests', 'integrate.step_request'],
  ['served', 'integrate.step_served'],
  ['impressions', 'integrate.step_impression'],
] as const satisfies readonly (readonly [keyof AdUnitCounts, MessageKey])[];

/** Watches for the first request of a page with the snippet, then for its ad and the impression. */
export function RequestWatch({ adUnitId }: { readonly adUnitId: string }) {
  const [watch, setWatch] = useState(0);
  return (
    <Stack gap="sm">
      <Text>{say('integrate.check_lead')}</Text>
      <Button variant="default" style={{ alignSelf: 'flex-start' }} onClick={() => setWatch(watch + 1)}>
        {say(watch === 0 ? 'integrate.check' : 'integrate.check_again')}
      </Button>
      {watch === 0 ? null : <Watching key={watch} watch={watch} adUnitId={adUnitId} />}
    </Stack>
  );
}

function Watching({ watch, adUnitId }: { readonly watch: number; readonly adUnitId: string }) {
  const scope = useDeskScope();
  const key = [...deskKey(scope), 'request-watch', adUnitId, watch];
  const before = useQuery({
    queryKey: [...key, 'before'],
    queryFn: ({ signal }) => countAdUnit(scope, adUnitId, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const start = before.data;
  const now = useQuery({
    queryKey: [...key, 'now'],
    queryFn: ({ signal }) => countAdUnit(scope, adUnitId, signal),
    enabled: start !== undefined,
    refetchInterval: ({ state: { data, dataUpdateCount, errorUpdateCount } }) => {
      const isDone = data !== undefined && start !== undefined && data.impressions > start.impressions;
      return isDone || dataUpdateCount + errorUpdateCount >= LOOKS_MAX ? false : POLL_MS;
    },
  });
  const error = before.error ?? now.error;
  if (start === undefined)
    return error === null ? <Text>{say('integrate.check_starts')}</Text> : <ProblemAlert error={error} />;
  const since = now.data ?? start;
  const hasStarted = since.requests > start.requests;
  return (
    <div aria-live="polite">
      <ProblemAlert error={now.error} />
      <Text fw={600}>{say(hasStarted ? 'integrate.check_found' : 'integrate.check_waits')}</Text>
      <List>
        {STEPS.map(([name, label]) => (
          <List.Item key={name}>{say(label, { count: since[name] - start[name] })}</List.Item>
        ))}
      </List>
    </div>
  );
}
