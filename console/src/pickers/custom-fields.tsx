import { Select, SimpleGrid, TextInput } from '@mantine/core';
import type { BookedKind } from '../api/bookings/desk-list.ts';
import type { CustomFieldFacts, CustomValue } from '../api/bookings/line-item-settings.ts';
import { ExactNumberField } from '../format/number-field.tsx';
import { say } from '../messages/say.ts';
import { useSettingChoices } from './use-setting-choices.ts';

type CustomValues = Readonly<Record<string, CustomValue>>;

/** The custom fields that the network has for a kind of objects; nothing where it has none. */
export function CustomFields({
  kind,
  values,
  onChange,
}: {
  readonly kind: BookedKind;
  readonly values: CustomValues;
  onChange: (values: CustomValues) => void;
}) {
  const fields = useSettingChoices(kind)?.customFields ?? [];
  if (fields.length === 0) return null;
  const set = (key: string, value: CustomValue): void => {
    const { [key]: _before, ...others } = values;
    onChange(value === '' || value === null ? others : { ...others, [key]: value });
  };
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      {fields.map((field) => (
        <CustomField key={field.key} field={field} value={values[field.key]} set={set} />
      ))}
    </SimpleGrid>
  );
}

interface CustomFieldProps {
  readonly field: CustomFieldFacts;
  readonly value: CustomValue | undefined;
  set: (key: string, value: CustomValue) => void;
}

/** The value of a custom number. Another text stays a text, which the server refuses. */
export function customNumber(held: string): CustomValue {
  return held === '' || Number.isNaN(Number(held)) ? held : Number(held);
}

function CustomField({ field: { key, name, type, choices }, value, set }: CustomFieldProps) {
  const text = value === undefined || value === null ? '' : String(value);
  if (type === 'CHOICE' || type === 'BOOLEAN') {
    const data =
      type === 'CHOICE'
        ? choices.map((one) => ({ value: one, label: one }))
        : [
            { value: 'true', label: say('value.yes') },
            { value: 'false', label: say('value.no') },
          ];
    return (
      <Select
        label={name}
        data={data}
        value={text === '' ? null : text}
        clearable
        clearButtonProps={{ 'aria-label': say('action.clear') }}
        onChange={(next) => set(key, type === 'BOOLEAN' && next !== null ? next === 'true' : next)}
      />
    );
  }
  if (type === 'NUMBER')
    return <ExactNumberField label={name} value={text} onChange={(held) => set(key, customNumber(held))} />;
  return (
    <TextInput
      label={name}
      type={type === 'DATE' ? 'date' : 'text'}
      value={text}
      onChange={(event) => set(key, event.currentTarget.value)}
    />
  );
}
