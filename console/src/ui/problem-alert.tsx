import { Alert, Button, Group } from '@mantine/core';
import { describeProblem } from '../api/transport/problem.ts';
import { say } from '../messages/say.ts';

/** A failure as a sentence, where it belongs. `onRetry`: what to do to try again. */
export function ProblemAlert({ error, onRetry }: { readonly error: unknown; readonly onRetry?: () => void }) {
  if (error === null || error === undefined) return null;
  return (
    <Alert
      color="red"
      variant="outline"
      role="alert"
      title={say('state.failed')}
      styles={{ title: { color: 'var(--mantine-color-error)' }, message: { color: 'var(--mantine-color-text)' } }}
    >
      <Group justify="space-between">
        <span>{describeProblem(error)}</span>
        {onRetry === undefined ? null : (
          <Button size="xs" variant="default" onClick={onRetry}>
            {say('action.retry')}
          </Button>
        )}
      </Group>
    </Alert>
  );
}
