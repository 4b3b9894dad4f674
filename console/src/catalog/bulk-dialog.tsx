import { Alert, Button, Group, Stack, Table, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import {
  type CatalogKind,
  type CatalogResult,
  type CatalogRow,
  type CatalogUpdate,
  updateCatalog,
} from '../api/catalog.ts';
import { describeProblem } from '../api/problem.ts';
import type { Scope } from '../api/scope.ts';
import { deskKey, useDeskScope } from '../desk/use-desk-list.ts';
import { ReviewWord, StatusWord } from '../desk/state-words.tsx';
import { say } from '../messages/say.ts';
import { Dialog } from '../ui/dialog.tsx';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { LoadingPage } from '../ui/state-pages.tsx';
import { type BulkAction, remarkOf, undoOf, updatesOf, valueOf } from './bulk-actions.ts';

const UNDO_MS = 60_000;
/** A reason is validated once nobody has typed for so long. */
const TYPING_MS = 400;
const REASON_CHARS_MAX = 1_000;

/** Shows what an action does, object by object, as the server validates it; then does it, and offers to undo it. */
export function BulkDialog({
  kind,
  action,
  rows,
  onDone,
  onClose,
}: {
  readonly kind: CatalogKind;
  readonly action: BulkAction;
  /** Those that the action does something to. */
  readonly rows: readonly CatalogRow[];
  onDone: () => void;
  onClose: () => void;
}) {
  const scope = useDeskScope();
  const client = useQueryClient();
  const [refused, setRefused] = useState<readonly CatalogResult[] | null>(null);
  const [reason, setReason] = useState('');
  const [typed] = useDebouncedValue(reason.trim(), TYPING_MS);
  const updates = updatesOf(action, rows, typed);
  const preview = useQuery({
    queryKey: ['catalog-preview', scope.environment, scope.networkId, kind, updates],
    queryFn: ({ signal }) => updateCatalog(scope, kind, updates, { validateOnly: true, signal }),
    enabled: updates.length > 0,
    staleTime: 0,
    gcTime: 0,
    placeholderData: (before) => before,
  });
  const running = useMutation({
    mutationFn: () => updateCatalog(scope, kind, updatesOf(action, rows, reason.trim()), { validateOnly: false }),
    onSuccess: async (results) => {
      const undoing = undoOf(action, rows, results);
      if (undoing.length > 0) offerUndo({ scope, client, kind, action, updates: undoing });
      const failed = results.filter(({ code }) => code !== null);
      await client.invalidateQueries({ queryKey: deskKey(scope) });
      if (failed.length > 0) return setRefused(failed);
      return onDone();
    },
  });
  const results = refused ?? preview.data;
  const doable = updates.length - (preview.data ?? []).filter(({ code }) => code !== null).length;
  const verb = say(action.verb);
  return (
    <Dialog opened onClose={onClose} size="lg" title={say('catalog_action.title', { verb, count: rows.length })}>
      <Stack>
        <ProblemAlert error={running.error ?? preview.error} />
        {refused === null ? null : (
          <Alert color="orange" variant="outline" role="alert">
            {say('status.applied_some', { count: refused.length })}
          </Alert>
        )}
        {rows.length === 0 ? <Text>{say('catalog_action.nothing')}</Text> : null}
        {action.hasReason === true && refused === null ? (
          <TextInput
            label={say('catalog_action.reason')}
            description={say('catalog_action.reason_help')}
            maxLength={REASON_CHARS_MAX}
            value={reason}
            onChange={({ currentTarget }) => setReason(currentTarget.value)}
            data-autofocus
          />
        ) : null}
        {preview.isLoading ? <LoadingPage /> : null}
        {results === undefined ? null : (
          <PreviewTable action={action} rows={rows} results={results} isOver={refused !== null} />
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={refused === null ? onClose : onDone}>
            {say(refused === null ? 'action.cancel' : 'action.done')}
          </Button>
          {refused === null ? (
            <Button
              loading={running.isPending}
              disabled={preview.data === undefined || doable === 0}
              onClick={() => running.mutate()}
              {...(action.hasReason === true ? {} : { 'data-autofocus': true })}
            >
              {verb}
            </Button>
          ) : null}
        </Group>
      </Stack>
    </Dialog>
  );
}

function PreviewTable({
  action,
  rows,
  results,
  isOver,
}: {
  readonly action: BulkAction;
  readonly rows: readonly CatalogRow[];
  readonly results: readonly CatalogResult[];
  /** Only what failed is left to show. */
  readonly isOver: boolean;
}) {
  const byId = new Map(results.map((result) => [result.id, result]));
  const shown = isOver ? rows.filter(({ id }) => byId.has(id)) : rows;
  const hasRemarks = results.some((result) => remarkOf(result) !== null);
  return (
    <Table.ScrollContainer minWidth={280} mah="50vh" type="native" scrollAreaProps={{ tabIndex: 0 }}>
      <Table verticalSpacing={6}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{say('catalog_column.name')}</Table.Th>
            <Table.Th scope="col">{say('status.change')}</Table.Th>
            {hasRemarks ? <Table.Th scope="col">{say('status.remark')}</Table.Th> : null}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {shown.map((row) => (
            <Table.Tr key={row.id}>
              <Table.Td>
                <bdi>{row.name}</bdi>
              </Table.Td>
              <Table.Td style={{ whiteSpace: 'nowrap' }}>
                <ValueWord action={action} value={valueOf(row, action)} /> →{' '}
                <ValueWord action={action} value={action.to} />
              </Table.Td>
              {hasRemarks ? <Table.Td>{remarkOf(byId.get(row.id))}</Table.Td> : null}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function ValueWord({ action, value }: { readonly action: BulkAction; readonly value: string }) {
  if (action.field === 'status') return <StatusWord status={value as CatalogRow['status']} />;
  return <ReviewWord state={value as 'PENDING' | 'APPROVED' | 'REJECTED'} />;
}

interface Undoing {
  readonly scope: Scope;
  readonly client: QueryClient;
  readonly kind: CatalogKind;
  readonly action: BulkAction;
  readonly updates: readonly CatalogUpdate[];
}

/** Says what was done, with a button that undoes it for objects that nobody has changed since. */
function offerUndo(undoing: Undoing): void {
  const { action, updates } = undoing;
  const id = `undo-${action.verb}-${updates.map((update) => `${update.id}.${update.version}`).join('-')}`;
  const undo = (): void => {
    notifications.hide(id);
    void runUndo(undoing);
  };
  notifications.show({
    id,
    autoClose: UNDO_MS,
    message: (
      <Group justify="space-between" wrap="nowrap">
        <span>{say('catalog_action.done', { verb: say(action.verb), count: updates.length })}</span>
        <Button size="xs" variant="default" onClick={undo}>
          {say('status.undo')}
        </Button>
      </Group>
    ),
  });
}

async function runUndo({ scope, client, kind, updates }: Undoing): Promise<void> {
  try {
    const results = await updateCatalog(scope, kind, updates, { validateOnly: false });
    const failed = results.filter(({ code }) => code !== null).length;
    if (failed < results.length)
      notifications.show({ message: say('status.undone', { count: results.length - failed }) });
    if (failed > 0) notifications.show({ color: 'red', message: say('status.undo_failed', { count: failed }) });
  } catch (error) {
    notifications.show({ color: 'red', message: describeProblem(error) });
  }
  await client.invalidateQueries({ queryKey: deskKey(scope) });
}
