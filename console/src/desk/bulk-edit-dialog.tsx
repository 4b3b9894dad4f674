import { Select, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { BookedKind, FrequencyCap } from '../api/bookings/desk-list.ts';
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
import { labelChangeOf, LabelInputs, type LabelTexts, NO_LABELS, PlanForm } from '../changes/bulk-inputs.tsx';
import { CreativesForm, TargetingForm } from './bulk-set-forms.tsx';

const CAP_WINDOWS = ['HOUR', 'DAY', 'WEEK', 'MONTH', 'LIFETIME'] as const;

/** Fields with a form of their own, because what they are now is read first. */
type SetField = 'targeting' | 'creatives';
type ValueField = Exclude<BulkField, SetField>;

interface Typed extends LabelTexts {
  /** Null: the field is empty or cannot be read. */
  readonly amount: number | null;
  readonly window: FrequencyCap['window'];
  /** Of budgets: by percent, or to the amount in `money`. */
  readonly budgetWay: 'percent' | 'amount';
  readonly money: string;
  /** Of a start or an end: by days, or to the time in `wall`. */
  readonly dateWay: 'shift' | 'set';
  readonly wall: string;
}

const USUAL: Readonly<Record<ValueField, number>> = {
  flight: 7,
  start: 7,
  end: 7,
  level: 8,
  price: 10,
  goal: 10,
  budget: 10,
  budget_day: 10,
  labels: 0,
  cap: 3,
};
/** Fields that change by percent. */
const BY_PERCENT: readonly BulkField[] = ['price', 'goal', 'budget', 'budget_day'];
/** The bounds of a number; of other fields: percent, down to nearly nothing. */
const BOUNDS: Readonly<Partial<Record<BulkField, readonly [min: number, max: number]>>> = {
  flight: [-3_650, 3_650],
  start: [-3_650, 3_650],
  end: [-3_650, 3_650],
  level: [1, 16],
  cap: [0, 100_000],
};
const PERCENT_BOUNDS = [-99, 100_000] as const;

/** Null: what is typed cannot be read. */
function editOf(
  field: ValueField,
  { amount, window, budgetWay, money, dateWay, wall, ...labels }: Typed,
): BulkEdit | null {
  if (field === 'labels') return { field, change: labelChangeOf(labels) };
  if ((field === 'start' || field === 'end') && dateWay === 'set') return { field, change: { wall } };
  if ((field === 'budget' || field === 'budget_day') && budgetWay === 'amount') {
    const all = moneyOf(money);
    return all === undefined ? null : { field, change: { amount: all } };
  }
  if (amount === null) return null;
  switch (field) {
    case 'flight':
      return { field, days: amount };
    case 'start':
    case 'end':
      return { field, change: { days: amount } };
    case 'level':
      return { field, level: amount };
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

interface BulkEditProps {
  readonly kind: BookedKind;
  readonly rows: readonly EditedRow[];
  readonly context: BulkContext;
  onPlan: (plan: BulkPlan) => void;
  onClose: () => void;
}

/** Asks what to change in several line items or campaigns; the preview comes next. */
export function BulkEditDialog({ kind, ...given }: BulkEditProps) {
  const [field, setField] = useState<BulkField>('end');
  const { rows, onPlan, onClose } = given;
  return (
    <Dialog
      opened
      onClose={onClose}
      size={field === 'targeting' ? 'lg' : 'md'}
      title={say('bulk.edit_title', { count: rows.length })}
    >
      <Stack>
        <Select
          label={say('bulk.what')}
          data={BULK_FIELDS[kind].map((value) => ({ value, label: say(`bulk.of_${value}`) }))}
          value={field}
          allowDeselect={false}
          onChange={(next) => setField(next as BulkField)}
          data-autofocus
        />
        {field === 'targeting' ? (
          <TargetingForm rows={rows} onPlan={onPlan} onClose={onClose} />
        ) : field === 'creatives' ? (
          <CreativesForm rows={rows} onPlan={onPlan} onClose={onClose} />
        ) : (
          <ValueForm key={field} field={field} {...given} />
        )}
      </Stack>
    </Dialog>
  );
}

/** A change by numbers, a date, labels or a cap. */
function ValueForm({
  field,
  rows,
  context,
  onPlan,
  onClose,
}: Omit<BulkEditProps, 'kind'> & { readonly field: ValueField }) {
  const [typed, setTyped] = useState<Typed>({
    amount: USUAL[field],
    window: 'DAY',
    budgetWay: 'percent',
    money: '',
    dateWay: 'shift',
    wall: '',
    ...NO_LABELS,
  });
  const change = (next: Partial<Typed>): void => setTyped((known) => ({ ...known, ...next }));
  const edit = editOf(field, typed);
  return (
    <PlanForm plan={edit === null ? null : planEdit(edit, rows, context)} onPlan={onPlan} onClose={onClose}>
      <ValueFields field={field} typed={typed} rows={rows} isUnreadable={edit === null} change={change} />
    </PlanForm>
  );
}

interface ValueFieldsProps {
  readonly field: ValueField;
  readonly typed: Typed;
  readonly rows: readonly EditedRow[];
  readonly isUnreadable: boolean;
  change: (next: Partial<Typed>) => void;
}

/** The fields of a change: by how much, which labels, or which cap. */
function ValueFields(props: ValueFieldsProps) {
  const { field, typed, rows, isUnreadable, change } = props;
  switch (field) {
    case 'labels':
      return <LabelInputs texts={typed} rows={rows} onChange={change} />;
    case 'start':
    case 'end':
      return <DateFields {...props} />;
    case 'budget':
    case 'budget_day':
      return (
        <>
          <Select
            label={say('bulk.budget_way')}
            data={(['percent', 'amount'] as const).map((value) => ({ value, label: say(`bulk.budget_by_${value}`) }))}
            value={typed.budgetWay}
            allowDeselect={false}
            onChange={(budgetWay) => change({ budgetWay: budgetWay as Typed['budgetWay'] })}
          />
          {typed.budgetWay === 'percent' ? (
            <AmountField {...props} />
          ) : (
            <NumberField
              label={say('bulk.budget_amount')}
              description={say('bulk.budget_hint')}
              value={typed.money}
              error={isUnreadable ? say('catalog_field.decimal') : null}
              onChange={(money) => change({ money })}
            />
          )}
        </>
      );
    case 'cap':
      return (
        <>
          <AmountField {...props} />
          <Select
            label={say('booking.cap_per')}
            data={CAP_WINDOWS.map((value) => ({ value, label: say(`booking.cap_${value}`) }))}
            value={typed.window}
            allowDeselect={false}
            onChange={(window) => change({ window: window as Typed['window'] })}
          />
        </>
      );
    default:
      return <AmountField {...props} />;
  }
}

/** Days by which a start or an end moves, or the time that all get. */
function DateFields(props: ValueFieldsProps) {
  const { field, typed, change } = props;
  return (
    <>
      <Select
        label={say('bulk.date_way')}
        data={(['shift', 'set'] as const).map((value) => ({ value, label: say(`bulk.date_${value}`) }))}
        value={typed.dateWay}
        allowDeselect={false}
        onChange={(dateWay) => change({ dateWay: dateWay as Typed['dateWay'] })}
      />
      {typed.dateWay === 'shift' ? (
        <AmountField {...props} />
      ) : (
        <TextInput
          type="datetime-local"
          label={say(field === 'start' ? 'booking.starts' : 'booking.ends')}
          description={say('bulk.date_hint')}
          value={typed.wall}
          onChange={(event) => change({ wall: event.currentTarget.value })}
        />
      )}
    </>
  );
}

function AmountField({ field, typed, change }: ValueFieldsProps) {
  const [min, max] = BOUNDS[field] ?? PERCENT_BOUNDS;
  return (
    <NumberValueField
      label={say(`bulk.amount_${field as Exclude<ValueField, 'labels'>}`)}
      description={say(`bulk.hint_${field as Exclude<ValueField, 'labels'>}`)}
      value={typed.amount}
      isWhole={!BY_PERCENT.includes(field)}
      min={min}
      max={max}
      onChange={(amount) => change({ amount })}
    />
  );
}
