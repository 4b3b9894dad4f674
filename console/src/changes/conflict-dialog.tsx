import { Button, Group, Radio, Stack, Table, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { loadObjectFields, updateObjects } from '../api/bookings/object-updates.ts';
import { formatInstant } from '../format/format-value.ts';
import { say } from '../messages/say.ts';
import { actorWords } from '../ui/actor-words.ts';
import { Dialog } from '../ui/dialog.tsx';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { LoadingPage } from '../ui/state-pages.tsx';
import { remarkOf } from './bulk-plan.ts';
import { type BothSides, type ComparedField, compareSides, keptInput, type Side } from './compare-sides.ts';
import { deskKey, useDeskScope } from '../session/desk-scope.ts';

/** Shows both sides of an object that two people changed, field by field, and saves what is chosen of each. */
export function ConflictDialog({ sides, onClose }: { readonly sides: BothSides; onClose: (isSaved: boolean) => void }) {
  const scope = useDeskScope();
  const client = useQueryClient();
  const names = Object.keys(sides.mine);
  const present = useQuery({
    queryKey: ['desk-conflict', scope.environment, scope.networkId, sides.kind, sides.id, names],
    queryFn: ({ signal }) => loadObjectFields(scope, sides, names, signal),
    staleTime: 0,
    gcTime: 0,
  });
  const [chosen, setChosen] = useState<Readonly<Record<string, Side>>>({});
  const theirs = present.data ?? null;
  const rows = compareSides(sides, theirs?.fields ?? null);
  const sideOf = (name: string): Side => chosen[name] ?? 'mine';
  const saving = useMutation({
    mutationFn: async () => {
      const input = keptInput(sides, rows, chosen);
      if (theirs === null || Object.keys(input).length === 0) return null;
      const update = { id: sides.id, version: theirs.version, input };
      const [result] = await updateObjects(scope, sides.kind, [update], { validateOnly: false });
      return result === undefined ? null : remarkOf({ ...result, warnings: [] });
    },
    onSuccess: async (remark) => {
      await client.invalidateQueries({ queryKey: deskKey(scope) });
      if (remark !== null) return void notifications.show({ color: 'red', message: remark });
      notifications.show({ message: say('conflict.merged', { name: sides.name }) });
      return onClose(true);
    },
  });
  return (
    <Dialog opened onClose={() => onClose(false)} size="lg" title={say('conflict.title', { name: sides.name })}>
      <Stack>
        <ProblemAlert error={saving.error ?? present.error} />
        {present.isLoading ? <LoadingPage /> : null}
        {theirs === null ? null : (
          <>
            <Text>
              {say('conflict.who', {
                who: actorWords(theirs.updatedBy),
                at: formatInstant(theirs.updatedAt),
              })}
            </Text>
            <SidesTable rows={rows} sideOf={sideOf} onChoose={(name, side) => setChosen({ ...chosen, [name]: side })} />
          </>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={() => onClose(false)}>
            {say('conflict.discard')}
          </Button>
          <Button loading={saving.isPending} disabled={theirs === null} onClick={() => saving.mutate()}>
            {say('conflict.save')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

/** Each field as it was read, as somebody else saved it, and as it was typed. Where both changed a field, one is chosen. */
function SidesTable({
  rows,
  sideOf,
  onChoose,
}: {
  readonly rows: readonly ComparedField[];
  sideOf: (name: string) => Side;
  onChoose: (name: string, side: Side) => void;
}) {
  const radio = (name: string, side: Side, label: string) => (
    <Radio name={`side-${name}`} label={label} checked={sideOf(name) === side} onChange={() => onChoose(name, side)} />
  );
  return (
    <Table verticalSpacing={6}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">{say('diagnosis.field')}</Table.Th>
          <Table.Th scope="col">{say('conflict.base')}</Table.Th>
          <Table.Th scope="col">{say('conflict.theirs')}</Table.Th>
          <Table.Th scope="col">{say('conflict.mine')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map(({ name, label, base, theirText, mine, isBoth }) => (
          <Table.Tr key={name}>
            <Table.Th scope="row">{label}</Table.Th>
            <Table.Td className="desk-value">{base}</Table.Td>
            {isBoth ? (
              <>
                <Table.Td className="desk-value">{radio(name, 'theirs', theirText)}</Table.Td>
                <Table.Td className="desk-value">{radio(name, 'mine', mine)}</Table.Td>
              </>
            ) : (
              <>
                <Table.Td c="dimmed">{say('conflict.same')}</Table.Td>
                <Table.Td className="desk-value">{mine}</Table.Td>
              </>
            )}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
