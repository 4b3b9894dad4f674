import { ActionIcon, Autocomplete, Button, Group, MultiSelect, Select, Stack, TagsInput, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { loadCatalog } from '../api/bookings/catalog.ts';
import { deskKey, useDeskScope } from '../session/desk-scope.ts';
import { useKeyChoices } from '../pickers/use-key-choices.ts';
import { useNames } from '../pickers/use-names.ts';
import { say } from '../messages/say.ts';
import { Icon } from '../ui/icons.tsx';
import { CopyTargeting } from './copy-targeting.tsx';
import { countries } from './countries.ts';
import { DIMENSIONS, type Dimension, NEW_ROW, type TargetingRow, targetingOf } from './targeting-rows.ts';
import { describeTree, idsIn } from './targeting-words.ts';

const TYPING_MS = 250;
const CHOICES_SHOWN = 30;
const OBJECTS = { AD_UNIT: 'adUnits', SITE: 'sites', SEGMENT: 'segments' } as const;
const DEVICES = ['desktop', 'mobile', 'tablet', 'tv'] as const;

/** Conditions for the line item to serve: groups that must all hold, each by any of its rows. */
export function TargetingFields({
  rows,
  change,
}: {
  readonly rows: readonly TargetingRow[];
  change: (rows: readonly TargetingRow[]) => void;
}) {
  const tree = targetingOf(rows);
  const nameOf = useNames(idsIn(tree));
  return (
    <Stack gap="sm">
      {rows.map((row, at) => (
        <RowFields
          key={at}
          number={at + 1}
          row={row}
          change={(next) => change(rows.map((one, index) => (index === at ? next : one)))}
          remove={() => change(rows.filter((_one, index) => index !== at))}
        />
      ))}
      <Group justify="space-between">
        <Button
          size="xs"
          variant="default"
          leftSection={<Icon name="plus" size={14} />}
          onClick={() => change([...rows, NEW_ROW])}
        >
          {say('booking.targeting_add')}
        </Button>
        <CopyTargeting onCopy={(copied) => change([...rows.filter(({ values }) => values.length > 0), ...copied])} />
      </Group>
      <Text size="sm" c="dimmed" component="output">
        {describeTree(tree, nameOf)}
      </Text>
    </Stack>
  );
}

function RowFields({
  number,
  row,
  change,
  remove,
}: {
  readonly number: number;
  readonly row: TargetingRow;
  change: (row: TargetingRow) => void;
  remove: () => void;
}) {
  const { dimension, key, isNot, isOr, values } = row;
  return (
    <Group align="flex-end" gap="xs" wrap="wrap" className={isOr ? 'targeting-or' : undefined}>
      {number === 1 ? null : (
        <Select
          size="xs"
          w={75}
          aria-label={say('booking.targeting_join', { number })}
          data={[
            { value: 'and', label: say('booking.targeting_and') },
            { value: 'or', label: say('booking.targeting_or') },
          ]}
          value={isOr ? 'or' : 'and'}
          allowDeselect={false}
          onChange={(value) => change({ ...row, isOr: value === 'or' })}
        />
      )}
      <Select
        size="xs"
        w={150}
        aria-label={say('booking.targeting_what', { number })}
        data={DIMENSIONS.map((value) => ({ value, label: say(`dimension.${value}`) }))}
        value={dimension}
        allowDeselect={false}
        onChange={(value) => change({ ...NEW_ROW, isNot, isOr, dimension: (value ?? 'AD_UNIT') as Dimension })}
      />
      {dimension === 'KEY_VALUE' ? <KeyField value={key} change={(next) => change({ ...row, key: next })} /> : null}
      <Select
        size="xs"
        w={120}
        aria-label={`${say('booking.targeting_is')} / ${say('booking.targeting_not')}`}
        data={[
          { value: 'is', label: say('booking.targeting_is') },
          { value: 'not', label: say('booking.targeting_not') },
        ]}
        value={isNot ? 'not' : 'is'}
        allowDeselect={false}
        onChange={(value) => change({ ...row, isNot: value === 'not' })}
      />
      <div style={{ flex: '1 1 12rem' }}>
        <ValuesField
          dimension={dimension}
          ofKey={key}
          values={values}
          change={(next) => change({ ...row, values: next })}
        />
      </div>
      <ActionIcon aria-label={say('booking.targeting_remove')} onClick={remove}>
        <Icon name="close" size={16} />
      </ActionIcon>
    </Group>
  );
}

function KeyField({ value, change }: { readonly value: string; change: (key: string) => void }) {
  return (
    <Autocomplete
      size="xs"
      w={140}
      label={say('booking.targeting_key')}
      value={value}
      data={[...useKeyChoices(value).keys]}
      limit={CHOICES_SHOWN}
      onChange={change}
    />
  );
}

interface ValuesFieldProps {
  readonly dimension: Dimension;
  readonly values: readonly string[];
  change: (values: readonly string[]) => void;
}

function ValuesField({ dimension, ofKey, values, change }: ValuesFieldProps & { readonly ofKey: string }) {
  const shared = { size: 'xs', 'aria-label': say('booking.targeting_values'), onChange: change } as const;
  switch (dimension) {
    case 'AD_UNIT':
    case 'SITE':
    case 'SEGMENT':
      return <ObjectValues dimension={dimension} values={values} change={change} />;
    case 'COUNTRY':
      return <MultiSelect {...shared} value={[...values]} data={[...countries()]} searchable limit={CHOICES_SHOWN} />;
    case 'DEVICE_TYPE':
      return (
        <MultiSelect
          {...shared}
          value={[...values]}
          data={DEVICES.map((value) => ({ value, label: say(`device.${value}`) }))}
        />
      );
    case 'KEY_VALUE':
      return <KeyValues ofKey={ofKey} values={values} change={change} />;
    default:
      return <TagsInput {...shared} value={[...values]} acceptValueOnBlur />;
  }
}

/** Values that the network knows for a key, and any others. */
function KeyValues({ ofKey, values, change }: Omit<ValuesFieldProps, 'dimension'> & { readonly ofKey: string }) {
  return (
    <TagsInput
      size="xs"
      aria-label={say('booking.targeting_values')}
      value={[...values]}
      data={[...useKeyChoices(ofKey).values]}
      limit={CHOICES_SHOWN}
      acceptValueOnBlur
      onChange={change}
    />
  );
}

/** Names of the network's objects; those that are chosen stay in the list whatever is typed. */
function ObjectValues({ dimension, values, change }: ValuesFieldProps & { readonly dimension: keyof typeof OBJECTS }) {
  const scope = useDeskScope();
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), TYPING_MS);
  const kind = OBJECTS[dimension];
  const sort = { field: 'NAME', direction: 'ASC' } as const;
  const choices = useQuery({
    queryKey: [...deskKey(scope), 'targeting-choices', kind, search, values],
    queryFn: async ({ signal }) => {
      const load = async (filter: object) =>
        (await loadCatalog(scope, kind, { filter, sort, first: CHOICES_SHOWN, after: null }, signal)).rows;
      const [chosen, found] = await Promise.all([
        values.length === 0 ? [] : load({ ids: values }),
        load({ statuses: ['ACTIVE'], ...(search === '' ? {} : { search }) }),
      ]);
      return [...chosen, ...found.filter(({ id }) => chosen.every((one) => one.id !== id))];
    },
    placeholderData: keepPreviousData,
    enabled: scope.networkId !== '',
  });
  return (
    <MultiSelect
      size="xs"
      aria-label={say('booking.targeting_values')}
      data={(choices.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
      value={[...values]}
      searchable
      onSearchChange={setTyped}
      nothingFoundMessage={say('palette.nothing')}
      onChange={change}
    />
  );
}
