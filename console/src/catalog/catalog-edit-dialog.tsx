import { Select, Stack } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { CatalogKind, CatalogRow } from '../api/bookings/catalog.ts';
import type { BulkPlan } from '../changes/bulk-plan.ts';
import { ChangesDialog } from '../changes/changes-dialog.tsx';
import { labelChangeOf, LabelInputs, type LabelTexts, NO_LABELS, PreviewButtons } from '../changes/bulk-inputs.tsx';
import { useCellContext } from '../session/desk-scope.ts';
import { say } from '../messages/say.ts';
import { Dialog } from '../ui/dialog.tsx';
import { choicesOf } from './catalog-fields.ts';
import { fieldsOf } from './catalog-kinds.tsx';
import { planField, planLabels, settableFields, titleOf } from './catalog-plan.ts';
import { FieldInput } from './object-form.tsx';

const LABELS = 'labels';

/** Asks which field the chosen objects get, and its value; then comes the preview. */
export function CatalogEditDialog({
  kind,
  rows,
  onDone,
  onClose,
}: {
  readonly kind: CatalogKind;
  readonly rows: readonly CatalogRow[];
  onDone: () => void;
  onClose: () => void;
}) {
  const { currency } = useCellContext();
  const fields = settableFields(fieldsOf(kind));
  const [name, setName] = useState(LABELS);
  const [text, setText] = useState('');
  const [labels, setLabels] = useState<LabelTexts>(NO_LABELS);
  const [chosen, setChosen] = useState<BulkPlan | null>(null);
  const field = fields.find((one) => one.name === name);
  const plan = field === undefined ? planLabels(labelChangeOf(labels), rows) : planField(field, text, rows, currency);
  const change = (next: string): void => {
    const to = fields.find((one) => one.name === next);
    setName(next);
    setText(to === undefined ? '' : (choicesOf(to)[0]?.[0] ?? ''));
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (plan !== null && plan.changes.length > 0) setChosen(plan);
  };
  if (chosen !== null) return <ChangesDialog kind={kind} plan={chosen} onDone={onDone} onClose={onClose} />;
  return (
    <Dialog opened onClose={onClose} title={say('bulk.edit_title', { count: rows.length })}>
      <form onSubmit={submit} noValidate>
        <Stack>
          <Select
            label={say('bulk.what')}
            data={[LABELS, ...fields.map((one) => one.name)].map((value) => ({
              value,
              label: titleOf({ name: value }),
            }))}
            value={name}
            allowDeselect={false}
            onChange={(next) => change(next ?? LABELS)}
            data-autofocus
          />
          {field === undefined ? (
            <LabelInputs
              texts={labels}
              rows={rows}
              onChange={(next) => setLabels((known) => ({ ...known, ...next }))}
            />
          ) : (
            <FieldInput
              field={field}
              label={say('bulk.value')}
              value={text}
              error={plan === null && text !== '' ? say(`catalog_field.${field.kind}`) : null}
              onChange={setText}
            />
          )}
          <PreviewButtons plan={plan} onClose={onClose} />
        </Stack>
      </form>
    </Dialog>
  );
}
