import { Alert, Button, Group, Modal, Stack, Table, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type BookedKind, type StatusResult, type StatusUpdate, updateStatuses } from '../api/desk-object.ts';
import { describeProblem } from '../api/problem.ts';
import type { Scope } from '../api/scope.ts';
import { say } from '../messages/say.ts';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { LoadingPage } from '../ui/state-pages.tsx';
import { StatusWord } from './state-words.tsx';
import { ACTION_TEXTS, remarkOf, type StatusPlan, undoOf, updatesOf } from './status-plan.ts';
import { deskKey, useDeskScope } from './use-desk-list.ts';

const UNDO_MS = 60_000;
const NAMES_SHOWN = 5;

interface StatusDialogProps {
  readonly kind: BookedKind;
  readonly plan: StatusPlan;
  onDone: () => void;
  onClose: () => void;
}

/** Shows what a change of status does, object by object, as the server validates it; then does it, and offers to undo it. */
export function StatusDialog({ kind, plan, onDone, onClose }: StatusDialogProps) {
  const scope = useDeskScope();
  const client = useQueryClient();
  const [refused, setRefused] = useState<readonly StatusResult[] | null>(null);
  const updates = updatesOf(plan);
  const preview = useQuery({
    queryKey: ['desk-preview', scope.environment, scope.networkId, kind, updates],
    queryFn: ({ signal }) => updateStatuses(scope, kind, updates, { validateOnly: true, signal }),
    enabled: updates.length > 0,
    staleTime: 0,
    gcTime: 0,
  });
  const running = useMutation({
    mutationFn: () => updateStatuses(scope, kind, updates, { validateOnly: false }),
    onSuccess: async (results) => {
      const done = undoOf(plan, results);
      if (done.length > 0) offerUndo({ scope, client, kind, plan, updates: done });
      const failed = results.filter(({ code }) => code !== null);
      await client.invalidateQueries({ queryKey: deskKey(scope) });
      if (failed.length > 0) return setRefused(failed);
      onDone();
      return onClose();
    },
  });
  const results = refused ?? preview.data;
  const doable = updates.length - (preview.data ?? []).filter(({ code }) => code !== null).length;
  return (
    <Modal opened onClose={onClose} size="lg" title={say(ACTION_TEXTS[plan.action].title, { count: updates.length })}>
      <Stack>
        <ProblemAlert error={running.error ?? preview.error} />
        {refused === null ? null : (
          <Alert
            color="orange"
            variant="outline"
            role="alert"
            styles={{ message: { color: 'var(--mantine-color-text)' } }}
          >
            {say('status.applied_some', { count: refused.length })}
          </Alert>
        )}
        {updates.length === 0 ? <Text>{say('status.nothing')}</Text> : null}
        {preview.isLoading ? <LoadingPage /> : null}
        {results === undefined ? null : <PreviewTable plan={plan} results={results} isOver={refused !== null} />}
        <Staying plan={plan} />
        <Group justify="flex-end">
          <Button variant="default" onClick={refused === null ? onClose : onDone}>
            {say(refused === null ? 'action.cancel' : 'action.done')}
          </Button>
          {refused === null ? (
            <Button
              loading={running.isPending}
              disabled={preview.data === undefined || doable === 0}
              onClick={() => running.mutate()}
              data-autofocus
            >
              {say(ACTION_TEXTS[plan.action].verb)}
            </Button>
          ) : null}
        </Group>
      </Stack>
    </Modal>
  );
}

function PreviewTable({
  plan,
  results,
  isOver,
}: {
  readonly plan: StatusPlan;
  readonly results: readonly StatusResult[];
  /** Only what failed is left to show. */
  readonly isOver: boolean;
}) {
  const byId = new Map(results.map((result) => [result.id, result]));
  const shown = isOver ? plan.changing.filter(({ id }) => byId.has(id)) : plan.changing;
  const hasRemarks = results.some((result) => remarkOf(result) !== null);
  return (
    <Table.ScrollContainer minWidth={280} mah="50vh" type="native" scrollAreaProps={{ tabIndex: 0 }}>
      <Table verticalSpacing={6}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{say('desk_column.name')}</Table.Th>
            <Table.Th scope="col">{say('status.change')}</Table.Th>
            {hasRemarks ? <Table.Th scope="col">{say('status.remark')}</Table.Th> : null}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {shown.map(({ id, name }) => {
            const result = byId.get(id);
            return (
              <Table.Tr key={id}>
                <Table.Td>
                  <bdi>{name}</bdi>
                </Table.Td>
                <Table.Td style={{ whiteSpace: 'nowrap' }}>
                  <StatusWord status={plan.from} /> → <StatusWord status={plan.to} />
                </Table.Td>
                {hasRemarks ? <Table.Td>{remarkOf(result)}</Table.Td> : null}
              </Table.Tr>
            );
          })}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function Staying({ plan: { staying } }: { readonly plan: StatusPlan }) {
  if (staying.length === 0) return null;
  const names = staying.slice(0, NAMES_SHOWN).map(({ name }) => name);
  const list = new Intl.ListFormat('en').format(
    staying.length > NAMES_SHOWN ? [...names, String(staying.length - NAMES_SHOWN)] : names,
  );
  return (
    <Text size="sm" c="dimmed">
      {say('status.stays', { count: staying.length, names: list })}
    </Text>
  );
}

interface Undoing {
  readonly scope: Scope;
  readonly client: QueryClient;
  readonly kind: BookedKind;
  readonly plan: StatusPlan;
  readonly updates: readonly StatusUpdate[];
}

/** Says what was done, with a button that undoes it for objects that nobody has changed since. */
function offerUndo(undoing: Undoing): void {
  const { plan, updates } = undoing;
  const id = `undo-${plan.action}-${updates.map((update) => `${update.id}.${update.version}`).join('-')}`;
  const undo = (): void => {
    notifications.hide(id);
    void runUndo(undoing);
  };
  notifications.show({
    id,
    autoClose: UNDO_MS,
    message: (
      <Group justify="space-between" wrap="nowrap">
        <span>{say(ACTION_TEXTS[plan.action].done, { count: updates.length })}</span>
        <Button size="xs" variant="default" onClick={undo}>
          {say('status.undo')}
        </Button>
      </Group>
    ),
  });
}

async function runUndo({ scope, client, kind, updates }: Undoing): Promise<void> {
  try {
    const results = await updateStatuses(scope, kind, updates, { validateOnly: false });
    const failed = results.filter(({ code }) => code !== null).length;
    if (failed < results.length)
      notifications.show({ message: say('status.undone', { count: results.length - failed }) });
    if (failed > 0) notifications.show({ color: 'red', message: say('status.undo_failed', { count: failed }) });
  } catch (error) {
    notifications.show({ color: 'red', message: describeProblem(error) });
  }
  await client.invalidateQueries({ queryKey: deskKey(scope) });
}
