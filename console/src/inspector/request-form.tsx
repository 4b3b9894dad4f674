import {
  Button,
  Checkbox,
  Fieldset,
  Group,
  SegmentedControl,
  Select,
  SimpleGrid,
  Stack,
  Textarea,
  TextInput,
} from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { instantOf, wallTimeOf } from '../format/wall-time.ts';
import { countries } from '../targeting/countries.ts';
import { ObjectPicker } from '../pickers/object-picker.tsx';
import { useCellContext } from '../session/desk-scope.ts';
import { say } from '../messages/say.ts';
import { Icon } from '../ui/icons.tsx';
import { DEVICES, type InspectorState, SOURCES, type Source, toInspectionInput, USERS } from './inspector-state.ts';
import { SegmentsPicker } from '../pickers/segments-picker.tsx';

interface PartProps {
  readonly draft: InspectorState;
  set: (next: Partial<InspectorState>) => void;
}

/** Describes a request in one of three ways. Nothing is asked before the form is sent. */
export function RequestForm({
  state,
  isBusy,
  inspect,
}: {
  readonly state: InspectorState;
  readonly isBusy: boolean;
  inspect: (state: InspectorState) => void;
}) {
  const [draft, setDraft] = useState(state);
  const set = (next: Partial<InspectorState>): void => setDraft((before) => ({ ...before, ...next }));
  const asked = toInspectionInput(draft);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (asked !== null && asked !== 'faulty') inspect(draft);
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <SegmentedControl
          className="wrapping-choice"
          aria-label={say('inspector.source')}
          data={SOURCES.map((value) => ({ value, label: say(`inspector.source_${value}`) }))}
          value={draft.source}
          onChange={(source) => set({ source: source as Source })}
        />
        {draft.source === 'form' ? <FormFields draft={draft} set={set} /> : null}
        {draft.source === 'request' ? (
          <Textarea
            label={say('inspector.request')}
            description={say('inspector.request_hint')}
            error={asked === 'faulty' ? say('inspector.request_faulty') : undefined}
            value={draft.request}
            rows={10}
            spellCheck={false}
            styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
            onChange={(event) => set({ request: event.currentTarget.value })}
          />
        ) : null}
        {draft.source === 'link' ? (
          <TextInput
            label={say('inspector.link')}
            description={say('inspector.link_hint')}
            value={draft.link}
            onChange={(event) => set({ link: event.currentTarget.value })}
          />
        ) : null}
        <Group>
          <Button
            type="submit"
            loading={isBusy}
            disabled={asked === null}
            leftSection={<Icon name="search" size={16} />}
          >
            {say('inspector.inspect')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function FormFields({ draft, set }: PartProps) {
  return (
    <Stack gap="sm">
      <SimpleGrid style={{ alignItems: 'end' }} cols={{ base: 1, xs: 2, md: 4 }} spacing="sm">
        <ObjectPicker
          kind="sites"
          label={say('inspector.site')}
          value={draft.site}
          onChange={(site) => set({ site, unit: '' })}
        />
        <ObjectPicker
          kind="adUnits"
          label={say('inspector.unit')}
          value={draft.unit}
          siteId={draft.site}
          onChange={(unit) => set({ unit })}
        />
        <TextInput
          label={say('inspector.size')}
          placeholder="300x250"
          value={draft.size}
          onChange={(event) => set({ size: event.currentTarget.value })}
        />
        <AtField draft={draft} set={set} />
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} spacing="sm">
        <Select
          label={say('inspector.country')}
          placeholder={say('inspector.not_said')}
          data={[...countries()]}
          value={draft.country === '' ? null : draft.country}
          searchable
          clearable
          clearButtonProps={{ 'aria-label': say('action.clear') }}
          limit={50}
          onChange={(country) => set({ country: country ?? '' })}
        />
        <Select
          label={say('inspector.device')}
          placeholder={say('inspector.not_said')}
          data={DEVICES.map((value) => ({ value, label: say(`device.${value}`) }))}
          value={draft.device === '' ? null : draft.device}
          clearable
          clearButtonProps={{ 'aria-label': say('action.clear') }}
          onChange={(device) => set({ device: device ?? '' })}
        />
        <TextInput
          label={say('inspector.key_values')}
          placeholder={say('inspector.key_values_example')}
          value={draft.keyValues}
          onChange={(event) => set({ keyValues: event.currentTarget.value })}
        />
        <TextInput
          label={say('inspector.deal')}
          value={draft.deal}
          onChange={(event) => set({ deal: event.currentTarget.value })}
        />
      </SimpleGrid>
      <UserFields draft={draft} set={set} />
    </Stack>
  );
}

function AtField({ draft, set }: PartProps) {
  const { timezone = 'UTC' } = useCellContext();
  const atMs = Date.parse(draft.at);
  return (
    <TextInput
      type="datetime-local"
      label={say('inspector.at')}
      title={timezone}
      value={Number.isNaN(atMs) ? '' : wallTimeOf(atMs, timezone)}
      onChange={(event) => {
        const instant = instantOf(event.currentTarget.value, timezone);
        set({ at: instant === null ? '' : new Date(instant).toISOString() });
      }}
    />
  );
}

function UserFields({ draft, set }: PartProps) {
  const isAnonymous = draft.user === 'none' || draft.npa;
  return (
    <Fieldset legend={say('inspector.user')} variant="filled" p="sm">
      <Group align="flex-end" gap="sm" wrap="wrap">
        <Select
          label={say('inspector.user_who')}
          data={USERS.map((value) => ({ value, label: say(`inspector.user_${value}`) }))}
          w="16rem"
          value={draft.user}
          allowDeselect={false}
          disabled={draft.npa}
          onChange={(user) => set({ user: USERS.find((one) => one === user) ?? 'new' })}
        />
        {draft.user === 'known' && !draft.npa ? (
          <TextInput
            label={say('inspector.user_id')}
            value={draft.userId}
            onChange={(event) => set({ userId: event.currentTarget.value })}
          />
        ) : null}
        <div style={{ flex: '1 1 14rem' }}>
          <SegmentsPicker value={draft.segments} disabled={isAnonymous} onChange={(segments) => set({ segments })} />
        </div>
        <Checkbox
          label={say('inspector.npa')}
          checked={draft.npa}
          mb={8}
          onChange={(event) => set({ npa: event.currentTarget.checked })}
        />
      </Group>
    </Fieldset>
  );
}
