import { Button, Group, Paper, Select, SimpleGrid, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { AppSearch } from '../session/app-search.ts';
import { say } from '../messages/say.ts';
import { actionWords, auditActions, auditKinds, kindWord } from '../activity/audit-words.ts';

/** What narrows the audit log. It takes effect in the address, once it is sent. */
export function AuditFilters({ search }: { readonly search: AppSearch }) {
  const navigate = useNavigate();
  const [draft, setDraft] = useState<AppSearch>(search);
  const apply = (next: AppSearch): void =>
    void navigate({
      to: '/settings/audit-log',
      search: (previous: AppSearch) => ({ network: previous['network'], env: previous['env'], ...next }) as AppSearch,
    });
  const edit = (change: AppSearch): void => setDraft((present) => ({ ...present, ...change }));
  const { actor = '', action = '', objectKind = '', objectId = '', from = '', to = '' } = draft;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        apply(draft);
      }}
    >
      <Paper withBorder p="sm">
        <SimpleGrid cols={{ base: 1, xs: 2, md: 3, xl: 6 }}>
          <TextInput
            size="xs"
            label={say('audit.actor')}
            placeholder={say('audit.actor_hint')}
            value={actor}
            onChange={(event) => edit({ actor: event.currentTarget.value })}
          />
          <ChoiceFilter
            label={say('audit.objectKind')}
            options={withChosen(auditKinds(), objectKind, kindWord)}
            value={objectKind}
            onChange={(value) => edit({ objectKind: value, action: '' })}
          />
          <ChoiceFilter
            label={say('audit.action')}
            options={withChosen(auditActions(objectKind), action, actionWords)}
            value={action}
            onChange={(value) => edit({ action: value })}
          />
          <TextInput
            size="xs"
            label={say('audit.objectId')}
            value={objectId}
            onChange={(event) => edit({ objectId: event.currentTarget.value })}
          />
          <DayFilter label={say('value.from')} value={from} onChange={(day) => edit({ from: day })} />
          <DayFilter label={say('value.to')} value={to} onChange={(day) => edit({ to: day })} />
        </SimpleGrid>
        <Group mt="sm">
          <Button size="xs" type="submit">
            {say('action.filter')}
          </Button>
          <Button size="xs" variant="default" onClick={() => apply({})}>
            {say('action.clear')}
          </Button>
        </Group>
      </Paper>
    </form>
  );
}

function DayFilter(props: { readonly label: string; readonly value: string; onChange: (day: string) => void }) {
  return (
    <TextInput
      size="xs"
      type="date"
      label={props.label}
      value={props.value}
      onChange={(event) => props.onChange(event.currentTarget.value)}
    />
  );
}

/** A choice of one of many; empty: any. */
function ChoiceFilter({
  label,
  options,
  value,
  onChange,
}: {
  readonly label: string;
  readonly options: Option[];
  readonly value: string;
  onChange: (value: string) => void;
}) {
  return (
    <Select
      size="xs"
      label={label}
      placeholder={say('value.any')}
      data={options}
      value={value === '' ? null : value}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': say('action.clear') }}
      onChange={(next) => onChange(next ?? '')}
    />
  );
}

interface Option {
  readonly value: string;
  readonly label: string;
}

/** The options, and what an address asks for beside them. */
function withChosen(options: readonly Option[], chosen: string, words: (value: string) => string): Option[] {
  const isKnown = chosen === '' || options.some(({ value }) => value === chosen);
  return isKnown ? [...options] : [...options, { value: chosen, label: words(chosen) }];
}
