import { Select, Stack } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { FrequencyCap } from '../api/bookings/desk-list.ts';
import type { BookedKind } from '../api/bookings/desk-object.ts';
import { NumberField, NumberValueField } from '../format/number-field.tsx';
import { say } from '../messages/say.ts';
import { Dialog } from '../ui/dialog.tsx';
import {
  BULK_FIELDS,
  type BulkContext,
  type BulkEdit,
  type BulkField,
  type BulkPlan,
  type EditedRow,
  planEdit,
} from '../changes/bulk-plan.ts';
import { moneyOf } from '../tables/cell-editor-kinds.ts';
import { labelChangeOf, LabelInputs, type LabelTexts, NO_LABELS, PreviewButtons } from '../changes/bulk-inputs.tsx';

const CAP_WINDOWS = ['HOUR', 'DAY', 'WEEK', 'MONTH', 'LIFETIME'] as const;

interface Typed extends LabelTexts {
  readonly field: BulkField;
  /** Null: the field is empty or cannot be read. */
  readonly amount: number | null;
  readonly window: FrequencyCap['window'];
  /** Of budgets: by percent, or to the amount in `money`. */
  readonly budgetWay: 'percent' | 'amount';
  readonly money: string;
}

const USUAL: Readonly<Record<BulkField, number>> = {
  end: 7,
  price: 10,
  goal: 10,
  budget: 10,
  budget_day: 10,
  labels: 0,
  cap: 3,
};
/** Fields that change by percent. */
const BY_PERCENT: readonly BulkField[] = ['price', 'goal', 'budget', 'budget_day'];

/** Null: what is typed cannot be read. */
function editOf({ field, amount, window, budgetWay, money, ...labels }: Typed): BulkEdit | null {
  if (field === 'labels') return { field, change: labelChangeOf(labels) };
  if ((field === 'budget' || field === 'budget_day') && budgetWay === 'amount') {
    const all = moneyOf(money);
    return all === undefined ? null : { field, change: { amount: all } };
  }
  if (amount === null) return null;
  switch (field) {
    case 'end':
      return { field, days: amount };
    case 'price':
    case 'goal':
      return { field, percent: amount };
    case 'budget':
    case 'budget_day':
      return { field, change: { percent: amount } };
    case 'cap':
      return { field, cap: amount < 1 ? null : { count: amount, window } };
  }
}

/** Asks what to change in several line items or campaigns; the preview comes next. */
export function BulkEditDialog({
  kind,
  rows,
  context,
  onPlan,
  onClose,
}: {
  readonly kind: BookedKind;
  readonly rows: readonly EditedRow[];
  readonly context: BulkContext;
  onPlan: (plan: BulkPlan) => void;
  onClose: () => void;
}) {
  const [typed, setTyped] = useState<Typed>({
    field: 'end',
    amount: USUAL.end,
    window: 'DAY',
    budgetWay: 'percent',
    money: '',
    ...NO_LABELS,
  });
  const change = (next: Partial<Typed>): void => setTyped((known) => ({ ...known, ...next }));
  const edit = editOf(typed);
  const plan = edit === null ? null : planEdit(edit, rows, context);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (plan !== null && plan.changes.length > 0) onPlan(plan);
  };
  return (
    <Dialog opened onClose={onClose} title={say('bulk.edit_title', { count: rows.length })}>
      <form onSubmit={submit}>
        <Stack>
          <Select
            label={say('bulk.what')}
            data={BULK_FIELDS[kind].map((value) => ({ value, label: say(`bulk.of_${value}`) }))}
            value={typed.field}
            allowDeselect={false}
            onChange={(field) => change({ field: field as BulkField, amount: USUAL[field as BulkField] })}
            data-autofocus
          />
          <ValueFields typed={typed} rows={rows} isUnreadable={edit === null} change={change} />
          <PreviewButtons plan={plan} onClose={onClose} />
        </Stack>
      </form>
    </Dialog>
  );
}

/** The fields of a change: by how much, which labels, or which cap. */
function ValueFields({
  typed,
  rows,
  isUnreadable,
  change,
}: {
  readonly typed: Typed;
  readonly rows: readonly EditedRow[];
  readonly isUnreadable: boolean;
  change: (next: Partial<Typed>) => void;
}) {
  const isBudget = typed.field === 'budget' || typed.field === 'budget_day';
  return (
    <>
      {isBudget ? (
        <Select
          label={say('bulk.budget_way')}
          data={(['percent', 'amount'] as const).map((value) => ({ value, label: say(`bulk.budget_by_${value}`) }))}
          value={typed.budgetWay}
          allowDeselect={false}
          onChange={(budgetWay) => change({ budgetWay: budgetWay as Typed['budgetWay'] })}
        />
      ) : null}
      {typed.field === 'labels' ? (
        <LabelInputs texts={typed} rows={rows} onChange={change} />
      ) : isBudget && typed.budgetWay === 'amount' ? (
        <NumberField
          label={say('bulk.budget_amount')}
          description={say('bulk.budget_hint')}
          value={typed.money}
          error={isUnreadable ? say('catalog_field.decimal') : null}
          onChange={(money) => change({ money })}
        />
      ) : (
        <NumberValueField
          key={typed.field}
          label={say(`bulk.amount_${typed.field}`)}
          description={say(`bulk.hint_${typed.field}`)}
          value={typed.amount}
          isWhole={!BY_PERCENT.includes(typed.field)}
          min={typed.field === 'cap' ? 0 : -99}
          max={typed.field === 'end' ? 3_650 : 100_000}
          onChange={(amount) => change({ amount })}
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
    </>
  );
}
