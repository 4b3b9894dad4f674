import { Alert, Button, Group, MultiSelect, Select, Stack, Text, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { type CatalogKind, type CatalogRow, type CatalogRows, saveCatalogObject } from '../api/bookings/catalog.ts';
import { ApiProblem, problemOf } from '../api/transport/problem.ts';
import { deskKey, useDeskScope } from '../session/desk-scope.ts';
import { NumberField } from '../format/number-field.tsx';
import { say } from '../messages/say.ts';
import { memberChoices, useMembers } from '../pickers/member-select.tsx';
import { PartsInput } from '../pickers/parts-input.tsx';
import { ObjectsPicker } from '../pickers/objects-picker.tsx';
import { ObjectPicker } from '../pickers/object-picker.tsx';
import { later } from '../ui/later.tsx';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { type CatalogField, choicesOf } from './catalog-fields.ts';
import { fieldsOf } from './catalog-kinds.tsx';
import { titleOf } from './catalog-plan.ts';
import { countShown, type FieldTexts, inputOf, isNumeric, mergeTyped, textsOf } from './field-text.ts';

const RuleFields = later(async () => (await import('../audience/rule-fields.tsx')).RuleFields, ['audience']);

const TargetingInput = later(
  async () => (await import('../targeting/targeting-input.tsx')).TargetingInput,
  ['desk', 'booking', 'delivery', 'item-form'],
);

interface ObjectFormProps {
  readonly kind: CatalogKind;
  /** Null: a new one. */
  readonly object: CatalogRow | null;
  /** Gets the id of the saved object. */
  onSaved: (id: string) => void;
  /** Reads the object again. */
  onReload: () => void;
}

/** The fields of one object, new or not. Faults are shown at their fields, all at once. */
export function ObjectForm({ kind, object, onSaved, onReload }: ObjectFormProps) {
  const fields = fieldsOf(kind).filter(({ onlyNew }) => object === null || onlyNew !== true);
  const [before, setBefore] = useState<FieldTexts>(() => textsOf(fields, object));
  const [texts, setTexts] = useState<FieldTexts>(before);
  const [version, setVersion] = useState(object?.version ?? 0);
  const scope = useDeskScope();
  const client = useQueryClient();
  const saving = useMutation({
    mutationFn: async () => {
      const input = inputOf(fields, texts, before);
      return saveCatalogObject(scope, kind, input, object === null ? null : { id: object.id, version });
    },
    onSuccess: async (id) => {
      await client.invalidateQueries({ queryKey: deskKey(scope) });
      notifications.show({ message: say(object === null ? 'catalog.created' : 'catalog.saved') });
      setBefore(texts);
      onSaved(id);
    },
  });
  // The object is newer than what the form began with: after its own change, or once it was loaded again after a conflict.
  if (object !== null && object.version > version && !saving.isPending) {
    setVersion(object.version);
    const now = textsOf(fields, object);
    setTexts(Object.fromEntries(fields.map(({ name }) => [name, mergeTyped(name, { texts, before, now })])));
    setBefore(now);
    saving.reset();
  }
  const isConflict = saving.error instanceof ApiProblem && saving.error.code === 'conflict';
  const isChanged = fields.some(({ name }) => (texts[name] ?? '') !== (before[name] ?? ''));
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (isChanged) saving.mutate();
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm">
        {isConflict ? (
          <Alert color="orange" variant="outline" role="alert">
            <Stack gap="xs" align="flex-start">
              {say('catalog.conflict')}
              <Button size="xs" variant="default" onClick={onReload}>
                {say('catalog.load_new')}
              </Button>
            </Stack>
          </Alert>
        ) : (
          <SavingProblem error={saving.error} fields={fields} />
        )}
        {fields.map((field) => {
          const { name, kind: typed } = field;
          const value = texts[name] ?? '';
          const onChange = (next: string): void => setTexts((known) => ({ ...known, [name]: next }));
          if (typed !== 'rule') {
            const error = problemOf(saving.error, name);
            return <FieldInput key={name} field={field} value={value} error={error} onChange={onChange} />;
          }
          const emptied = value === (before[name] ?? '') ? null : sizeOf(object);
          return <RuleFields key={name} text={value} error={saving.error} emptied={emptied} onChange={onChange} />;
        })}
        <Group>
          <Button type="submit" loading={saving.isPending} disabled={!isChanged}>
            {say(object === null ? 'catalog.new' : 'action.save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** The members that a segment loses with another rule; null of a new one. */
function sizeOf(object: CatalogRow | null): number | null {
  return object === null ? null : (object as CatalogRows['segments']).sizeEstimate;
}

/** What went wrong. Faults of fields are shown at the fields, and named here once. */
function SavingProblem({ error, fields }: { readonly error: unknown; readonly fields: readonly CatalogField[] }) {
  const shown = countShown(error, fields);
  if (shown === 0 || !(error instanceof ApiProblem) || error.fields.length > shown)
    return <ProblemAlert error={error} />;
  return (
    <Text c="var(--mantine-color-error)" role="alert">
      {say('catalog_field.see', { count: shown })}
    </Text>
  );
}

const HINTS = { list: 'catalog.list_hint', sizes: 'catalog.sizes_hint', days: 'catalog.days_hint' } as const;

interface FieldInputProps {
  readonly field: CatalogField;
  /** Absent: the title of the field. */
  readonly label?: string;
  readonly value: string;
  readonly error: string | null;
  onChange: (value: string) => void;
}

/** One field, typed as its kind is. */
export function FieldInput({ field, label = titleOf(field), value, error, onChange }: FieldInputProps) {
  if (field.kind === 'object' && field.of !== undefined)
    return (
      <ObjectPicker
        kind={field.of}
        label={label}
        value={value}
        isRequired={field.isRequired === true}
        error={error}
        {...(field.isRequired === true ? { placeholder: '' } : {})}
        onChange={onChange}
      />
    );
  if (field.kind === 'targeting')
    return (
      <TargetingInput
        label={label}
        isRequired={field.isRequired === true}
        text={value}
        error={error}
        onChange={onChange}
      />
    );
  if (field.kind === 'group' || field.kind === 'rows')
    return (
      <PartsInput
        parts={field.parts ?? []}
        isRows={field.kind === 'rows'}
        label={label}
        value={value}
        error={error}
        onChange={onChange}
        draw={(part, text, set) => <FieldInput key={part.name} field={part} value={text} error={null} onChange={set} />}
      />
    );
  if (field.kind === 'objects' && field.of !== undefined)
    return <ObjectsPicker kind={field.of} label={label} value={value} error={error} onChange={onChange} />;
  if (field.kind === 'many' || field.kind === 'members')
    return <ManyInput field={field} label={label} value={value} error={error} onChange={onChange} />;
  const choices = choicesOf(field);
  if (choices.length > 0)
    return (
      <Select
        label={label}
        required={field.isRequired === true}
        data={choices.map(([one, key]) => ({ value: one, label: say(key) }))}
        value={value === '' ? null : value}
        error={error}
        allowDeselect={field.isOptional === true}
        onChange={(chosen) => onChange(chosen ?? '')}
      />
    );
  const hint = field.kind in HINTS ? { description: say(HINTS[field.kind as keyof typeof HINTS]) } : {};
  const shared = { label, ...hint, required: field.isRequired === true, value, error };
  if (isNumeric(field.kind)) return <NumberField {...shared} isWhole={field.kind === 'integer'} onChange={onChange} />;
  return (
    <TextInput
      {...shared}
      onChange={(event) => onChange(event.currentTarget.value)}
      {...(field.name === 'name' ? { 'data-autofocus': true } : {})}
    />
  );
}

/** Some of the choices of a field, or some of the members; the text has them separated by commas. */
function ManyInput({ field: { kind, choices }, label = '', value, error, onChange }: FieldInputProps) {
  const members = useMembers();
  const chosen = value.split(', ').filter((one) => one !== '');
  const known =
    kind === 'members'
      ? memberChoices(members)
      : (choices ?? []).map(([one, key]) => ({ value: one, label: say(key) }));
  const gone = chosen.filter((one) => known.every((each) => each.value !== one));
  return (
    <MultiSelect
      label={label}
      placeholder={chosen.length > 0 || kind === 'members' ? '' : say('value.any')}
      data={[...known, ...gone.map((one) => ({ value: one, label: one }))]}
      value={chosen}
      error={error}
      searchable
      nothingFoundMessage={say('palette.nothing')}
      onChange={(next) => onChange(next.join(', '))}
    />
  );
}
