import { Button, Group, Select, SimpleGrid, Stack, TagsInput, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { LineItemDetail } from '../api/bookings/desk-object.ts';
import { updateObjects } from '../api/bookings/object-updates.ts';
import { toTargetingInput } from '../api/bookings/targeting.ts';
import type { FieldProblem } from '../api/transport/problem.ts';
import { TargetingFields } from '../targeting/targeting-fields.tsx';
import { NumberField } from '../format/number-field.tsx';
import { say } from '../messages/say.ts';
import { Dialog } from '../ui/dialog.tsx';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import type { BothSides } from '../changes/compare-sides.ts';
import { ConflictDialog } from '../changes/conflict-dialog.tsx';
import { CAP_WINDOWS, changesOf, type EditTexts, textsOf } from './edit-texts.ts';
import { offerUndo } from '../changes/undo.tsx';
import { deskKey, useCellContext, useDeskScope } from '../session/desk-scope.ts';

/** A line item while it is edited, and how it is saved. */
function useEdit(item: LineItemDetail, onClose: () => void) {
  const scope = useDeskScope();
  const client = useQueryClient();
  const { timezone = 'UTC' } = useCellContext();
  // What the form began with: the page behind it goes on reading.
  const [base] = useState(item);
  const zone = base.timezone ?? timezone;
  const [before] = useState(() => textsOf(base, zone));
  const [texts, setTexts] = useState<EditTexts>(before);
  const [problems, setProblems] = useState<readonly FieldProblem[]>([]);
  const [conflict, setConflict] = useState<BothSides | null>(null);
  const change = (next: Partial<EditTexts>): void => setTexts((known) => ({ ...known, ...next }));
  const changes = changesOf(base, { before, texts, zone });
  const saving = useMutation({
    mutationFn: async () => {
      const update = { id: base.id, version: base.version, input: changes.input };
      return (await updateObjects(scope, 'lineItem', [update], { validateOnly: false }))[0];
    },
    onSuccess: async (result) => {
      if (result?.code === 'conflict')
        return setConflict({
          kind: 'lineItem',
          id: base.id,
          name: base.name,
          base: changes.undo,
          mine: changes.input,
        });
      if (result === undefined || result.code !== null) return setProblems(result?.problems ?? []);
      if (result.version !== null)
        offerUndo(client, {
          scope,
          kind: 'lineItem',
          text: say('edit.saved', { name: base.name }),
          updates: [{ id: base.id, version: result.version, input: undoInput(changes.undo) }],
        });
      await client.invalidateQueries({ queryKey: deskKey(scope) });
      return onClose();
    },
  });
  return { base, zone, texts, change, changes, problems, setProblems, conflict, setConflict, saving };
}

/** The settings of a line item. What somebody else has saved meanwhile is shown beside what was typed, and both are merged. */
export function EditDialog({ item, onClose }: { readonly item: LineItemDetail; onClose: () => void }) {
  const { base, zone, texts, change, changes, problems, setProblems, conflict, setConflict, saving } = useEdit(
    item,
    onClose,
  );
  if (conflict !== null)
    return <ConflictDialog sides={conflict} onClose={(isSaved) => (isSaved ? onClose() : setConflict(null))} />;
  const fault = (name: string): string | null =>
    changes.faults.includes(name)
      ? say('edit.unreadable')
      : (problems.find(({ path }) => path.split(/[.[\]]/).includes(name))?.message ?? null);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setProblems([]);
    saving.mutate();
  };
  const isReady = Object.keys(changes.input).length > 0 && changes.faults.length === 0;
  return (
    <Dialog opened onClose={onClose} size="xl" title={say('edit.title', { name: base.name })}>
      <form onSubmit={submit} noValidate>
        <Stack>
          <ProblemAlert error={saving.error} />
          <PlainFields texts={texts} change={change} fault={fault} zone={zone} />
          <Text fw={600} size="sm">
            {say('edit.targeting')}
          </Text>
          {texts.targeting === null ? (
            <Text size="sm" c="dimmed">
              {say('edit.targeting_nested')}
            </Text>
          ) : (
            <TargetingFields rows={texts.targeting} change={(targeting) => change({ targeting })} />
          )}
          {fault('targeting') === null ? null : <Text c="var(--mantine-color-error)">{fault('targeting')}</Text>}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {say('action.cancel')}
            </Button>
            <Button type="submit" loading={saving.isPending} disabled={!isReady}>
              {say('action.save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}

/** A tree as it was read has absent members; the API takes none. */
function undoInput(undo: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { targeting } = undo;
  return targeting === undefined || targeting === null
    ? { ...undo }
    : { ...undo, targeting: toTargetingInput(targeting) };
}

interface PlainFieldsProps {
  readonly texts: EditTexts;
  change: (next: Partial<EditTexts>) => void;
  fault: (name: string) => string | null;
  readonly zone: string;
}

function PlainFields({ texts, change, fault, zone }: PlainFieldsProps) {
  const text = (name: 'name' | 'startsAt' | 'endsAt', label: string) => ({
    label,
    value: texts[name],
    error: fault(name),
    onChange: (event: { readonly currentTarget: { readonly value: string } }) =>
      change({ [name]: event.currentTarget.value }),
  });
  const number = (name: 'price' | 'goal' | 'level' | 'capCount', label: string, path: string = name) => ({
    label,
    value: texts[name],
    error: fault(path),
    onChange: (typed: string) => change({ [name]: typed }),
  });
  return (
    <>
      <TextInput {...text('name', say('booking.name'))} required maxLength={200} data-autofocus />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput {...text('startsAt', say('booking.starts'))} type="datetime-local" />
        <TextInput {...text('endsAt', say('booking.ends'))} type="datetime-local" />
      </SimpleGrid>
      <Text size="sm" c="dimmed">
        {say('booking.zone', { timezone: zone })}
      </Text>
      <SimpleGrid cols={{ base: 1, xs: 3 }}>
        <NumberField {...number('price', say('booking.price'))} />
        {texts.hasGoal ? <NumberField {...number('goal', say('booking.goal'))} isWhole /> : null}
        <NumberField {...number('level', say('booking.level'))} isWhole />
      </SimpleGrid>
      {texts.hasOneCap ? (
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <NumberField {...number('capCount', say('booking.cap'), 'frequencyCaps')} isWhole />
          <Select
            label={say('booking.cap_per')}
            data={CAP_WINDOWS.map((value) => ({ value, label: say(`booking.cap_${value}`) }))}
            value={texts.capWindow}
            allowDeselect={false}
            onChange={(window) => change({ capWindow: window as EditTexts['capWindow'] })}
          />
        </SimpleGrid>
      ) : null}
      <TagsInput
        label={say('desk_column.labels')}
        value={[...texts.labels]}
        error={fault('labels')}
        onChange={(labels) => change({ labels })}
      />
    </>
  );
}
