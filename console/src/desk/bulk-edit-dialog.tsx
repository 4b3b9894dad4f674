import { Button, Group, NumberInput, Select, Stack, TagsInput, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { BulkRow, FrequencyCap } from '../api/desk-list.ts';
import { say } from '../messages/say.ts';
import { Dialog } from '../ui/dialog.tsx';
import { BULK_FIELDS, type BulkContext, type BulkEdit, type BulkField, type BulkPlan, planEdit } from './bulk-plan.ts';

const CAP_WINDOWS = ['HOUR', 'DAY', 'WEEK', 'MONTH', 'LIFETIME'] as const;

interface Typed {
  readonly field: BulkField;
  readonly amount: number;
  readonly add: readonly string[];
  readonly remove: readonly string[];
  readonly window: FrequencyCap['window'];
}

const USUAL: Readonly<Record<BulkField, number>> = { end: 7, price: 10, goal: 10, labels: 0, cap: 3 };

function editOf({ field, amount, add, remove, window }: Typed): BulkEdit {
  switch (field) {
    case 'end':
      return { field, days: Math.round(amount) };
    case 'price':
    case 'goal':
      return { field, percent: amount };
    case 'labels':
      return { field, add, remove };
    case 'cap':
      return { field, cap: amount < 1 ? null : { count: Math.round(amount), window } };
  }
}

/** Asks what to change in several line items; the preview comes next. */
export function BulkEditDialog({
  rows,
  context,
  onPlan,
  onClose,
}: {
  readonly rows: readonly BulkRow[];
  readonly context: BulkContext;
  onPlan: (plan: BulkPlan) => void;
  onClose: () => void;
}) {
  const [typed, setTyped] = useState<Typed>({ field: 'end', amount: USUAL.end, add: [], remove: [], window: 'DAY' });
  const change = (next: Partial<Typed>): void => setTyped((known) => ({ ...known, ...next }));
  const plan = planEdit(editOf(typed), rows, context);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (plan.changes.length > 0) onPlan(plan);
  };
  const known = [...new Set(rows.flatMap(({ labels }) => labels))].toSorted();
  return (
    <Dialog opened onClose={onClose} title={say('bulk.edit_title', { count: rows.length })}>
      <form onSubmit={submit}>
        <Stack>
          <Select
            label={say('bulk.what')}
            data={BULK_FIELDS.map((value) => ({ value, label: say(`bulk.of_${value}`) }))}
            value={typed.field}
            allowDeselect={false}
            onChange={(field) => change({ field: field as BulkField, amount: USUAL[field as BulkField] })}
            data-autofocus
          />
          {typed.field === 'labels' ? (
            <>
              <TagsInput
                label={say('bulk.labels_add')}
                value={[...typed.add]}
                data={known}
                onChange={(add) => change({ add })}
              />
              <TagsInput
                label={say('bulk.labels_remove')}
                value={[...typed.remove]}
                data={known}
                onChange={(remove) => change({ remove })}
              />
            </>
          ) : (
            <NumberInput
              label={say(`bulk.amount_${typed.field}`)}
              description={say(`bulk.hint_${typed.field}`)}
              value={typed.amount}
              allowDecimal={typed.field === 'price' || typed.field === 'goal'}
              min={typed.field === 'cap' ? 0 : -99}
              max={typed.field === 'end' ? 3_650 : 100_000}
              onChange={(amount) => change({ amount: Number(amount) })}
            />
          )}
          {typed.field === 'cap' ? (
            <Select
              label={say('booking.cap_per')}
              data={CAP_WINDOWS.map((value) => ({ value, label: say(`booking.cap_${value}`) }))}
              value={typed.window}
              allowDeselect={false}
              onChange={(window) => change({ window: window as Typed['window'] })}
            />
          ) : null}
          <Text size="sm" component="output">
            {say('bulk.would', { count: plan.changes.length, staying: plan.staying.length })}
          </Text>
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {say('action.cancel')}
            </Button>
            <Button type="submit" disabled={plan.changes.length === 0}>
              {say('bulk.preview')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
