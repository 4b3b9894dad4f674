import { Alert, Button, Group, Progress, Stack, Table, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { type ObjectKind, type ObjectResult, updateObjects } from '../api/bookings/object-updates.ts';
import { asOneChange } from '../api/transport/scope.ts';
import { requestApproval } from '../api/bookings/team.ts';
import { currentLocale } from '../messages/language.ts';
import { say } from '../messages/say.ts';
import { Dialog } from '../ui/dialog.tsx';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { type BulkChange, type BulkPlan, idsToApprove, remarkOf, undoOf, updatesOf } from './bulk-plan.ts';
import { formatCount } from '../format/desk-format.ts';
import { offerUndo } from './undo.tsx';
import { deskKey, useDeskScope } from '../session/desk-scope.ts';

const NAMES_SHOWN = 5;
const ROWS_SHOWN = 200;

interface ChangesDialogProps {
  readonly kind: ObjectKind;
  readonly plan: BulkPlan;
  /** The plan that the server validates; while something is typed it lags. */
  readonly previewed?: BulkPlan;
  /** A field of the change, above the preview. */
  readonly children?: ReactNode;
  onDone: () => void;
  onClose: () => void;
}

/** The changes of a plan: previewed by the server, then applied. What was refused is kept. */
function useChanges({
  kind: ofTable,
  plan,
  previewed,
  onDone,
  onClose,
}: Required<Omit<ChangesDialogProps, 'children'>>) {
  const scope = useDeskScope();
  const client = useQueryClient();
  const { kind = ofTable, send = updateObjects } = plan;
  const [refused, setRefused] = useState<readonly ObjectResult[] | null>(null);
  const [done, setDone] = useState(0);
  const updates = updatesOf(plan);
  const validated = updatesOf(previewed);
  const preview = useQuery({
    queryKey: ['desk-preview', scope.environment, scope.networkId, kind, validated],
    queryFn: ({ signal }) => send(scope, kind, validated, { validateOnly: true, signal, onProgress: setDone }),
    enabled: validated.length > 0,
    staleTime: 0,
    gcTime: 0,
    placeholderData: (before) => before,
  });
  const valid = updates.filter(
    ({ id }) => !(preview.data ?? []).some((result) => result.id === id && result.code !== null),
  );
  const running = useMutation({
    mutationFn: () => send(asOneChange(scope, valid.length), kind, valid, { validateOnly: false, onProgress: setDone }),
    onMutate: () => setDone(0),
    onSuccess: async (results) => {
      const undo = undoOf(plan, results);
      if (undo.length > 0) offerUndo(client, { scope, kind, text: plan.done(undo.length), updates: undo });
      const failed = [...(preview.data ?? []), ...results].filter(({ code }) => code !== null);
      await client.invalidateQueries({ queryKey: deskKey(scope) });
      if (failed.length > 0) return setRefused(failed);
      onDone();
      return onClose();
    },
  });
  const results = refused ?? preview.data;
  return { updates, valid, refused, results, done, preview, running };
}

/** Shows what a change does, object by object, as the server validates it; then does it, and offers to undo it. */
export function ChangesDialog({ kind, plan, previewed = plan, children, onDone, onClose }: ChangesDialogProps) {
  const { updates, valid, refused, results, done, preview, running } = useChanges({
    kind,
    plan,
    previewed,
    onDone,
    onClose,
  });
  const isBusy = preview.isLoading || running.isPending;
  return (
    <Dialog opened onClose={isBusy && running.isPending ? () => undefined : onClose} size="lg" title={plan.title}>
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
        {refused === null ? children : null}
        {isBusy ? <Working done={done} total={running.isPending ? valid.length : updates.length} /> : null}
        {results === undefined ? null : (
          <PreviewTable changes={plan.changes} results={results} isOver={refused !== null} />
        )}
        {kind === 'lineItem' && results !== undefined ? <AskForApproval results={results} onAsked={onClose} /> : null}
        <Staying names={plan.staying} />
        <Group justify="flex-end">
          <Button variant="default" disabled={running.isPending} onClick={refused === null ? onClose : onDone}>
            {say(refused === null ? 'action.cancel' : 'action.done')}
          </Button>
          {refused === null ? (
            <Button
              loading={running.isPending}
              disabled={preview.data === undefined || valid.length === 0}
              onClick={() => running.mutate()}
              {...(children === undefined ? { 'data-autofocus': true } : {})}
            >
              {plan.verb(preview.data === undefined ? updates.length : valid.length)}
            </Button>
          ) : null}
        </Group>
      </Stack>
    </Dialog>
  );
}

/** How many of many are done. */
export function Working({ done, total }: { readonly done: number; readonly total: number }) {
  const text = say('bulk.progress', { done: formatCount(done), total: formatCount(total) });
  return (
    <div>
      <Text size="sm" component="output">
        {text}
      </Text>
      <Progress value={total === 0 ? 0 : (100 * done) / total} aria-label={text} mt={4} />
    </div>
  );
}

/** Those that would be refused first, and of the others as many as a person looks at. */
function PreviewTable({
  changes,
  results,
  isOver,
}: {
  readonly changes: readonly BulkChange[];
  readonly results: readonly ObjectResult[];
  /** Only what failed is left to show. */
  readonly isOver: boolean;
}) {
  const byId = new Map(results.map((result) => [result.id, result]));
  const isRefused = ({ id }: BulkChange): boolean => (byId.get(id)?.code ?? null) !== null;
  const wanted = isOver ? changes.filter(isRefused) : changes;
  const shown = [...wanted.filter(isRefused), ...wanted.filter((one) => !isRefused(one))].slice(0, ROWS_SHOWN);
  const refused = changes.filter(isRefused).length;
  const hasRemarks = shown.some(({ id }) => remarkOf(byId.get(id)) !== null);
  return (
    <>
      {refused === 0 || isOver ? null : (
        <Text size="sm" fw={600}>
          {say('bulk.refused', { count: refused })}
        </Text>
      )}
      <Table.ScrollContainer minWidth={280} mah="45vh" type="native" tabIndex={0}>
        <Table verticalSpacing={6}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">{say('desk_column.name')}</Table.Th>
              <Table.Th scope="col">{say('status.change')}</Table.Th>
              {hasRemarks ? <Table.Th scope="col">{say('status.remark')}</Table.Th> : null}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {shown.map(({ id, name, before, after }) => (
              <Table.Tr key={id}>
                <Table.Td>
                  <bdi>{name}</bdi>
                </Table.Td>
                <Table.Td>
                  <span className="diff-before">{before}</span> → <span className="diff-after">{after}</span>
                </Table.Td>
                {hasRemarks ? <Table.Td>{remarkOf(byId.get(id))}</Table.Td> : null}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {wanted.length > shown.length ? (
        <Text size="sm" c="dimmed">
          {say('bulk.more', { count: formatCount(wanted.length - shown.length) })}
        </Text>
      ) : null}
    </>
  );
}

/** Asks for the approval of line items that are refused without it. */
function AskForApproval({ results, onAsked }: { readonly results: readonly ObjectResult[]; onAsked: () => void }) {
  const scope = useDeskScope();
  const client = useQueryClient();
  const ids = idsToApprove(results);
  const asking = useMutation({
    mutationFn: async () => {
      for (const id of ids) await requestApproval(scope, id);
    },
    onSuccess: async () => {
      notifications.show({ message: say('approval.asked', { count: ids.length }) });
      await client.invalidateQueries({ queryKey: deskKey(scope) });
      onAsked();
    },
  });
  if (ids.length === 0) return null;
  return (
    <Group>
      <ProblemAlert error={asking.error} />
      <Button variant="default" loading={asking.isPending} onClick={() => asking.mutate()}>
        {say('approval.ask_many', { count: ids.length })}
      </Button>
    </Group>
  );
}

function Staying({ names }: { readonly names: readonly string[] }) {
  if (names.length === 0) return null;
  const shown = names.slice(0, NAMES_SHOWN);
  const list = new Intl.ListFormat(currentLocale()).format(
    names.length > NAMES_SHOWN ? [...shown, String(names.length - NAMES_SHOWN)] : shown,
  );
  return (
    <Text size="sm" c="dimmed">
      {say('status.stays', { count: names.length, names: list })}
    </Text>
  );
}
