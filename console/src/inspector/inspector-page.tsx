import { Button, Paper, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { say } from '../messages/say.ts';
import { Icon } from '../ui/icons.tsx';
import { Page } from '../ui/page.tsx';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { LoadingPage } from '../ui/state-pages.tsx';
import { InspectionView } from './inspection-view.tsx';
import { type InspectorState, writeInspectorParams } from './inspector-state.ts';
import { RequestForm } from './request-form.tsx';
import { useInspection, useInspectorState } from './use-inspection.ts';

/** Takes one decision apart: who wins a request, why the others lose, and what would change that. The address holds all of it. */
export function InspectorPage() {
  const [state, change] = useInspectorState();
  const inspection = useInspection(state);
  const { data } = inspection;
  const share = async (): Promise<void> => {
    await navigator.clipboard.writeText(window.location.href);
    notifications.show({ message: say('inspector.shared') });
  };
  return (
    <Page
      title={say('inspector.title')}
      lead={say('inspector.lead')}
      actions={
        data === undefined ? null : (
          <Button variant="default" leftSection={<Icon name="share" size={16} />} onClick={() => void share()}>
            {say('inspector.share')}
          </Button>
        )
      }
    >
      <Stack gap="md">
        <Paper withBorder p="md" component="section" aria-label={say('inspector.source')}>
          <RequestForm
            key={requestKey(state)}
            state={state}
            isBusy={inspection.isFetching}
            inspect={(draft) => {
              // Changes were imagined of another decision.
              if (requestKey(draft) === requestKey(state)) void inspection.refetch();
              else change({ ...draft, whatIfs: [] });
            }}
          />
        </Paper>
        <ProblemAlert error={inspection.error} onRetry={() => void inspection.refetch()} />
        {inspection.isAsked ? null : <Text c="dimmed">{say('inspector.start')}</Text>}
        {inspection.isAsked && inspection.isPending ? <LoadingPage /> : null}
        {data === undefined || !inspection.isAsked || inspection.error !== null ? null : (
          <div aria-busy={inspection.isFetching}>
            <InspectionView inspection={data} state={state} isBusy={inspection.isFetching} change={change} />
          </div>
        )}
      </Stack>
    </Page>
  );
}

/** The part of a state that says which request is decided. */
function requestKey(state: InspectorState): string {
  return JSON.stringify(writeInspectorParams({}, { ...state, lineItem: '', whatIfs: [] }));
}
