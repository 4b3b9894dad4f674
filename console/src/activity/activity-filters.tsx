import { Paper, Select, SimpleGrid } from '@mantine/core';
import type { ActivityFilter, ActivitySource } from '../api/account/activity-feed.ts';
import { say } from '../messages/say.ts';
import { auditKinds, kindWord, toldKinds } from './audit-words.ts';

/** Somebody who acted: `user:7` with their name. */
export interface ActorOption {
  readonly value: string;
  readonly label: string;
}

interface ActivityFiltersProps {
  readonly source: ActivitySource;
  readonly filter: ActivityFilter;
  readonly actors: readonly ActorOption[];
  onChange: (next: ActivityFilter) => void;
}

/** What narrows the activity; each choice takes effect at once. */
export function ActivityFilters({ source, filter, actors, onChange }: ActivityFiltersProps) {
  const kinds = source === 'audit' ? auditKinds() : toldKinds();
  const { kind } = filter;
  const isKnown = kind === null || kinds.some(({ value }) => value === kind);
  const usual = {
    size: 'xs',
    placeholder: say('value.any'),
    searchable: true,
    clearable: true,
    clearButtonProps: { 'aria-label': say('action.clear') },
  } as const;
  return (
    <Paper withBorder p="sm">
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <Select
          {...usual}
          label={say('feed.person')}
          data={[...actors]}
          value={filter.actorId}
          onChange={(actorId) => onChange({ ...filter, actorId })}
        />
        <Select
          {...usual}
          label={say('audit.objectKind')}
          data={isKnown ? kinds : [...kinds, { value: kind, label: kindWord(kind) }]}
          value={kind}
          onChange={(next) => onChange({ ...filter, kind: next })}
        />
      </SimpleGrid>
    </Paper>
  );
}
