import { Alert, Progress } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { loadHistoryLoading } from '../api/account/history-loading.ts';
import { say } from '../messages/say.ts';
import { useDeskScope } from '../session/desk-scope.ts';

/** While history is loading, and for the case that an import begins. */
const LOADING_MS = 2_000;
const QUIET_MS = 60_000;

/** Says that history is still loading, so that nothing is called late: how far that of the demo is, or that an import is counted. */
export function HistoryNotice() {
  const scope = useDeskScope();
  const loading = useQuery({
    queryKey: ['history-loading', scope.environment, scope.networkId],
    queryFn: ({ signal }) => loadHistoryLoading(scope, signal),
    refetchInterval: ({ state }) => (state.data === null ? QUIET_MS : LOADING_MS),
    enabled: scope.networkId !== '',
    retry: false,
  }).data;
  if (loading === undefined || loading === null) return null;
  const { days } = loading;
  return (
    <Alert color="blue" variant="outline" styles={{ message: { color: 'var(--mantine-color-text)' } }}>
      {days === null ? say('today.history_import') : say('today.demo_progress', { done: days.done, days: days.of })}{' '}
      {say('today.history_unknown')}
      {days === null || days.of === 0 ? null : (
        <Progress value={(100 * days.done) / days.of} aria-label={say('today.demo')} mt="xs" />
      )}
    </Alert>
  );
}
