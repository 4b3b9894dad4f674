import { Alert, Progress } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { loadDemoProgress } from '../api/account/demo-progress.ts';
import { say } from '../messages/say.ts';

const LOOK_MS = 2_000;

/** How far the demo's history is, while it is made: its figures grow until then. */
export function DemoNotice() {
  const progress = useQuery({
    queryKey: ['demo-progress'],
    queryFn: ({ signal }) => loadDemoProgress(signal),
    refetchInterval: ({ state }) => (state.data === null ? false : LOOK_MS),
    retry: false,
  }).data;
  if (progress === undefined || progress === null) return null;
  const { done, of } = progress;
  return (
    <Alert color="blue" variant="outline" styles={{ message: { color: 'var(--mantine-color-text)' } }}>
      {say('today.demo_progress', { done, days: of })}
      <Progress value={of === 0 ? 0 : (100 * done) / of} aria-label={say('today.demo')} mt="xs" />
    </Alert>
  );
}
