import { Badge, Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type Experiment, loadExperiments, stopExperiment } from '../api/inventory/experiments.ts';
import { formatFullDay, formatPercent } from '../format/desk-format.ts';
import { say } from '../messages/say.ts';
import { deskKey, useCellContext, useDeskScope } from '../session/desk-scope.ts';
import { useCanEdit } from '../session/session.ts';
import { FormDialog } from '../ui/form-dialog.tsx';
import { Icon } from '../ui/icons.tsx';
import { Page } from '../ui/page.tsx';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { EmptyState, LoadingPage } from '../ui/state-pages.tsx';
import { ExperimentResultsView } from './experiment-results.tsx';
import { NewExperimentDialog } from './new-experiment-dialog.tsx';

type Opened = { readonly kind: 'new' } | { readonly kind: 'stop'; readonly experiment: Experiment } | null;

/** Experiments: a share of the traffic that another rule decides, and what it comes to. */
export function ExperimentsPage() {
  const scope = useDeskScope();
  const canEdit = useCanEdit();
  const [opened, open] = useState<Opened>(null);
  const found = useQuery({
    queryKey: [...deskKey(scope), 'experiments'],
    queryFn: ({ signal }) => loadExperiments(scope, signal),
    enabled: scope.networkId !== '',
  });
  const list = found.data ?? [];
  const { timezone } = useCellContext();
  const mayBegin = canEdit && timezone !== undefined && found.isSuccess && list.every(({ state }) => state === 'ENDED');
  const begin = (
    <Button leftSection={<Icon name="plus" />} onClick={() => open({ kind: 'new' })}>
      {say('experiments.new')}
    </Button>
  );
  return (
    <Page
      title={say('nav.experiments')}
      lead={say('experiments.lead')}
      actions={mayBegin && list.length > 0 ? begin : null}
    >
      <Stack gap="md">
        <ProblemAlert error={found.error} onRetry={() => void found.refetch()} />
        {found.isPending ? <LoadingPage /> : null}
        {found.isSuccess && list.length === 0 ? (
          <EmptyState text={say('experiments.empty')}>{mayBegin ? begin : null}</EmptyState>
        ) : null}
        {list.map((experiment, at) => (
          <ExperimentCard
            key={experiment.id}
            experiment={experiment}
            isFirst={at === 0}
            onStop={canEdit ? () => open({ kind: 'stop', experiment }) : null}
          />
        ))}
      </Stack>
      {opened?.kind === 'new' && timezone !== undefined ? (
        <NewExperimentDialog timezone={timezone} onClose={() => open(null)} />
      ) : null}
      {opened?.kind === 'stop' ? <StopDialog experiment={opened.experiment} onClose={() => open(null)} /> : null}
    </Page>
  );
}

/** One experiment; the newest one shows its results at once. */
function ExperimentCard({
  experiment,
  isFirst,
  onStop,
}: {
  readonly experiment: Experiment;
  readonly isFirst: boolean;
  readonly onStop: (() => void) | null;
}) {
  const { timezone } = useCellContext();
  const [isOpen, setIsOpen] = useState(isFirst);
  const { id, name, state, rule, sharePercent, startsAt, endsAt } = experiment;
  const title = `experiment-${id}`;
  return (
    <Paper withBorder p="md" component="section" aria-labelledby={title}>
      <Stack gap="sm">
        <Group justify="space-between" align="flex-start">
          <div>
            <Group gap="xs">
              <Title order={2} size="h4" id={title}>
                <bdi>{name}</bdi>
              </Title>
              <Badge variant="outline" color={state === 'RUNNING' ? 'green.9' : 'gray'} c="var(--mantine-color-text)">
                {say(`experiments.state_${state}`)}
              </Badge>
            </Group>
            <Text size="sm">
              {say('experiments.what', { share: formatPercent(sharePercent), rule: say(`experiments.rule_${rule}`) })}
            </Text>
            <Text size="sm" c="dimmed">
              {say('experiments.when', {
                from: formatFullDay(startsAt, timezone),
                to: formatFullDay(endsAt, timezone),
              })}
            </Text>
          </div>
          {onStop === null || state === 'ENDED' ? null : (
            <Button variant="default" onClick={onStop} aria-label={say('experiments.stop_name', { name })}>
              {say('experiments.stop')}
            </Button>
          )}
        </Group>
        {state === 'SCHEDULED' ? null : isOpen ? (
          <ExperimentResultsView experiment={experiment} />
        ) : (
          <Group>
            <Button
              variant="default"
              onClick={() => setIsOpen(true)}
              aria-label={say('experiments.show_results_name', { name })}
            >
              {say('experiments.show_results')}
            </Button>
          </Group>
        )}
      </Stack>
    </Paper>
  );
}

function StopDialog({ experiment, onClose }: { readonly experiment: Experiment; readonly onClose: () => void }) {
  const scope = useDeskScope();
  const client = useQueryClient();
  const stopping = useMutation({
    mutationFn: () => stopExperiment(scope, experiment, Date.now()),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: deskKey(scope) });
      onClose();
    },
  });
  return (
    <FormDialog
      title={say('experiments.stop_name', { name: experiment.name })}
      action={say('experiments.stop')}
      submission={{ error: stopping.error, isPending: stopping.isPending, mutate: () => stopping.mutate() }}
      isDangerous
      onClose={onClose}
    >
      <Text>{say('experiments.stop_text')}</Text>
    </FormDialog>
  );
}
