import {
  ActionIcon,
  Alert,
  Autocomplete,
  Button,
  Fieldset,
  Group,
  Radio,
  Select,
  Stack,
  TagsInput,
  Text,
  TextInput,
} from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { loadCatalog } from '../api/bookings/catalog.ts';
import { deskKey, useDeskScope } from '../session/desk-scope.ts';
import { useKeyChoices } from '../pickers/use-key-choices.ts';
import { currentLocale } from '../messages/language.ts';
import { say } from '../messages/say.ts';
import { Icon } from '../ui/icons.tsx';
import {
  NEW_RULE_ROW,
  type RowProblems,
  RULE_KINDS,
  RULE_ROWS_MAX,
  type RuleRow,
  rowsOfText,
  ruleProblemsOf,
  textOfRows,
} from './rule-rows.ts';

const TYPING_MS = 250;
const CHOICES_SHOWN = 30;

interface RuleFieldsProps {
  /** As in `rule-rows.ts`. */
  readonly text: string;
  /** What was wrong when it was saved. */
  readonly error: unknown;
  /** The size of the segment while its rule differs from the stored one; null: the stored rule, or a new segment. */
  readonly emptied: number | null;
  onChange: (text: string) => void;
}

/** Where the members of a segment come from: uploads alone, or also a rule of conditions, any of which is enough. */
export function RuleFields({ text, error, emptied, onChange }: RuleFieldsProps) {
  const rows = rowsOfText(text);
  // What was typed before the rule was switched off comes back with it.
  const [last, setLast] = useState<readonly RuleRow[]>(rows ?? [NEW_RULE_ROW]);
  const problems = ruleProblemsOf(error);
  const change = (next: readonly RuleRow[]): void => {
    setLast(next);
    onChange(textOfRows(next));
  };
  return (
    <Fieldset legend={say('rule.title')} p="sm">
      <Stack gap="sm">
        <Radio.Group
          aria-label={say('rule.source')}
          value={rows === null ? 'uploads' : 'rule'}
          onChange={(value) => onChange(value === 'rule' ? textOfRows(last.length === 0 ? [NEW_RULE_ROW] : last) : '')}
        >
          <Stack gap={6}>
            <Radio size="sm" value="uploads" label={say('rule.uploads')} />
            <Radio size="sm" value="rule" label={say('rule.rule')} />
          </Stack>
        </Radio.Group>
        {rows?.map((row, at) => (
          <RowFields
            key={at}
            number={at + 1}
            row={row}
            problems={problems.rows.get(at) ?? {}}
            change={(next) => change(rows.map((one, index) => (index === at ? next : one)))}
            remove={() => change(rows.filter((_one, index) => index !== at))}
          />
        ))}
        {rows === null ? null : (
          <Group justify="space-between" gap="xs">
            <Button
              size="xs"
              variant="default"
              leftSection={<Icon name="plus" size={14} />}
              disabled={rows.length >= RULE_ROWS_MAX}
              onClick={() => change([...rows, NEW_RULE_ROW])}
            >
              {say('rule.add')}
            </Button>
          </Group>
        )}
        {problems.rule === null ? null : (
          <Text size="sm" c="var(--mantine-color-error)">
            {problems.rule}
          </Text>
        )}
        {rows === null ? null : <Said rows={rows} />}
        {emptied === null ? null : (
          <Alert variant="outline" color="orange" styles={{ message: { color: 'var(--mantine-color-text)' } }}>
            {say('rule.emptied', { count: emptied })}
          </Alert>
        )}
      </Stack>
    </Fieldset>
  );
}

interface RowProps {
  readonly number: number;
  readonly row: RuleRow;
  readonly problems: RowProblems;
  change: (row: RuleRow) => void;
  remove: () => void;
}

function RowFields({ number, row, problems, change, remove }: RowProps) {
  return (
    <Fieldset variant="unstyled" legend={<Text size="xs">{say('rule.condition', { number })}</Text>}>
      <Group align="flex-start" gap="xs" wrap="wrap">
        <Select
          size="xs"
          w={130}
          label={say('rule.what')}
          data={RULE_KINDS.map((value) => ({ value, label: say(`rule.kind_${value}`) }))}
          value={row.kind}
          allowDeselect={false}
          onChange={(value) => change({ ...row, kind: value === 'activity' ? 'activity' : 'keyValue' })}
        />
        {row.kind === 'keyValue' ? (
          <KeyValueFields row={row} problems={problems} change={change} />
        ) : (
          <ActivityFields row={row} problems={problems} change={change} />
        )}
        <ActionIcon mt={24} aria-label={say('rule.remove', { number })} onClick={remove}>
          <Icon name="close" size={16} />
        </ActionIcon>
      </Group>
    </Fieldset>
  );
}

function KeyValueFields({ row, problems, change }: Pick<RowProps, 'row' | 'problems' | 'change'>) {
  const choices = useKeyChoices(row.key);
  return (
    <>
      <Autocomplete
        size="xs"
        w={150}
        label={say('rule.key')}
        value={row.key}
        error={problems.key}
        data={[...choices.keys]}
        limit={CHOICES_SHOWN}
        onChange={(key) => change({ ...row, key })}
      />
      <TagsInput
        size="xs"
        style={{ flex: '1 1 10rem' }}
        label={say('rule.values')}
        placeholder={row.values.length === 0 ? say('rule.any_value') : ''}
        value={[...row.values]}
        data={[...choices.values]}
        limit={CHOICES_SHOWN}
        error={problems.values}
        acceptValueOnBlur
        onChange={(values) => change({ ...row, values })}
      />
    </>
  );
}

function ActivityFields({ row, problems, change }: Pick<RowProps, 'row' | 'problems' | 'change'>) {
  const activities = useActivityChoices(row.activityId === '' ? null : row.activityId);
  return (
    <>
      <Select
        size="xs"
        style={{ flex: '1 1 10rem' }}
        label={say('rule.activity')}
        data={activities.data.map(({ id, name }) => ({ value: id, label: name }))}
        value={row.activityId === '' ? null : row.activityId}
        error={problems.activityId}
        searchable
        filter={({ options }) => options}
        nothingFoundMessage={say('palette.nothing')}
        onSearchChange={activities.search}
        onChange={(id) => change({ ...row, activityId: id ?? '' })}
      />
      <TextInput
        size="xs"
        w={120}
        label={say('rule.event')}
        placeholder={say('rule.any_event')}
        value={row.event}
        error={problems.event}
        onChange={(event) => change({ ...row, event: event.currentTarget.value })}
      />
    </>
  );
}

/** Activities in use whose name contains what is typed, and the one that is chosen. */
function useActivityChoices(chosenId: string | null) {
  const scope = useDeskScope();
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), TYPING_MS);
  const sort = { field: 'NAME', direction: 'ASC' } as const;
  const found = useQuery({
    queryKey: [...deskKey(scope), 'activity-choices', search, chosenId],
    queryFn: async ({ signal }) => {
      const load = async (filter: object) =>
        (await loadCatalog(scope, 'activities', { filter, sort, first: CHOICES_SHOWN, after: null }, signal)).rows;
      const [chosen, others] = await Promise.all([
        chosenId === null ? [] : load({ ids: [chosenId] }),
        load({ statuses: ['ACTIVE'], ...(search === '' ? {} : { search }) }),
      ]);
      return [...chosen, ...others.filter(({ id }) => chosen.every((one) => one.id !== id))];
    },
    placeholderData: keepPreviousData,
    enabled: scope.networkId !== '',
  });
  const data = found.data ?? [];
  const chosen = data.find(({ id }) => id === chosenId);
  return { data, search: (text: string) => setTyped(text === chosen?.name ? '' : text) };
}

/** The rule, said back in a sentence. Activities are named above. */
function Said({ rows }: { readonly rows: readonly RuleRow[] }) {
  const conditions = rows.filter(({ kind, key, activityId }) => (kind === 'keyValue' ? key : activityId) !== '');
  if (conditions.length === 0) return null;
  const list = (parts: readonly string[]) =>
    new Intl.ListFormat(currentLocale(), { type: 'disjunction' }).format(parts);
  const parts = conditions.map(({ kind, key, values, event }) => {
    if (kind === 'activity') return event === '' ? say('rule.said_activity') : say('rule.said_event', { event });
    return values.length === 0 ? say('rule.said_key', { key }) : say('rule.said_values', { key, values: list(values) });
  });
  return (
    <Text size="sm" c="dimmed" component="output">
      {say('rule.said', { conditions: list(parts) })}
    </Text>
  );
}
