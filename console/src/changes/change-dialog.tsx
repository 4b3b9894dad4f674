import { Button, Group, Stack, Table, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { applyChange, type DeliveryChange, loadBefore } from '../api/bookings/diagnosis.ts';
import type { NamedIds, NamedKind } from '../api/bookings/names.ts';
import type { TargetingTree } from '../api/bookings/targeting.ts';
import { ApiProblem } from '../api/transport/problem.ts';
import { isMessageKey, say } from '../messages/say.ts';
import { useNames } from '../pickers/use-names.ts';
import { describeConditions, idsIn } from '../targeting/targeting-words.ts';
import { deskKey, useDeskScope } from '../session/desk-scope.ts';
import { Dialog } from '../ui/dialog.tsx';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { LoadingPage } from '../ui/state-pages.tsx';
import { BeforeAfterHead } from './before-after-head.tsx';
import { changedFields } from './change-preview.ts';
import { describeField, fieldName } from './field-words.ts';

/** Shows every field that a change sets, now and after, and makes the change. */
export function ChangeDialog({
  change,
  sentence,
  onClose,
}: {
  readonly change: DeliveryChange;
  /** The sentence that tells the change, in the person's language. */
  readonly sentence: string;
  onClose: () => void;
}) {
  const scope = useDeskScope();
  const client = useQueryClient();
  const before = useQuery({
    queryKey: ['desk-before', scope.environment, scope.networkId, change.mutation, change.variables],
    queryFn: ({ signal }) => loadBefore(scope, change, signal),
    staleTime: 0,
    gcTime: 0,
  });
  const applying = useMutation({
    mutationFn: () => applyChange(scope, change),
    onSuccess: () => {
      notifications.show({ message: say('diagnosis.changed') });
      onClose();
    },
    onSettled: () => client.invalidateQueries({ queryKey: deskKey(scope) }),
  });
  const isConflict = applying.error instanceof ApiProblem && applying.error.code === 'conflict';
  const kind = `kind.${change.mutation?.replace(/^(update|create)/, '') ?? ''}`;
  const name = before.data?.['name'];
  return (
    <Dialog opened onClose={onClose} size="lg" title={say('diagnosis.confirm')}>
      <Stack>
        {isConflict ? (
          <Text role="alert" c="var(--mantine-color-error)">
            {say('diagnosis.conflict')}
          </Text>
        ) : (
          <ProblemAlert error={applying.error ?? before.error} />
        )}
        <Text>{sentence}</Text>
        {before.isLoading ? <LoadingPage /> : null}
        {typeof name === 'string' && isMessageKey(kind) ? (
          <Text size="sm" c="dimmed">
            {say('diagnosis.object', { kind: say(kind), name })}
          </Text>
        ) : null}
        {before.data === undefined ? null : <ChangedFields change={change} before={before.data} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {say('action.cancel')}
          </Button>
          <Button
            loading={applying.isPending}
            disabled={before.data === undefined || isConflict}
            onClick={() => applying.mutate()}
          >
            {say('diagnosis.apply')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

/** Every field that a change sets, before and after. */
function ChangedFields({
  change,
  before,
}: {
  readonly change: DeliveryChange;
  readonly before: Parameters<typeof changedFields>[1];
}) {
  const fields = changedFields(change, before);
  const trees = fields.filter(({ name }) => name === 'targeting').flatMap((field) => [field.before, field.after]);
  const nameOf = useNames(mergedIds(trees.map((tree) => idsIn(treeOf(tree)))));
  const describe = (name: string, value: unknown): string =>
    name === 'targeting' ? describeConditions(treeOf(value), nameOf) : describeField(name, value);
  return (
    <Table verticalSpacing={6}>
      <BeforeAfterHead />
      <Table.Tbody>
        {fields.map((field) => (
          <Table.Tr key={field.name}>
            <Table.Th scope="row">{fieldName(field.name)}</Table.Th>
            <Table.Td className="desk-value">
              <span className="diff-before">{describe(field.name, field.before)}</span>
            </Table.Td>
            <Table.Td className="desk-value">
              <span className="diff-after">{describe(field.name, field.after)}</span>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function treeOf(value: unknown): TargetingTree | null {
  return (value ?? null) as TargetingTree | null;
}

function mergedIds(all: readonly NamedIds[]): NamedIds {
  const kinds = [...new Set(all.flatMap((ids) => Object.keys(ids)))] as NamedKind[];
  return Object.fromEntries(
    kinds.map((kind) => [kind, [...new Set(all.flatMap((ids) => ids[kind] ?? []))].toSorted()]),
  );
}
