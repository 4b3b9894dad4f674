import { Select, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { loadChoices } from '../api/bookings/desk-list.ts';
import { deskKey, useDeskScope } from '../session/desk-scope.ts';
import { say } from '../messages/say.ts';
import type { BookingDraft } from './booking-draft.ts';
import type { FormPart } from './form-part.ts';

const TYPING_MS = 250;
const NEW = 'new';

/** The campaign: one of the network's, or a new one with its advertiser. */
export function CampaignFields({ part: { draft, change, fault, touch } }: { readonly part: FormPart }) {
  const { campaignId, campaignName, advertiserId } = draft;
  const isNew = campaignId === null && campaignName !== '';
  return (
    <Stack gap="sm">
      <ChoiceField
        kind="campaigns"
        label={say('booking.campaign')}
        description={say('booking.campaign_hint')}
        chosenId={campaignId}
        newName={isNew ? campaignName : null}
        error={fault('campaignId')}
        onBlur={() => touch('campaignId')}
        onChoose={(id) => change({ campaignId: id, campaignName: '' })}
        onNew={(name) => change({ campaignId: null, campaignName: name, ...nameOf(draft, name) })}
      />
      {isNew ? (
        <ChoiceField
          kind="advertisers"
          label={say('booking.advertiser')}
          chosenId={advertiserId}
          newName={null}
          error={fault('advertiserId')}
          onBlur={() => touch('advertiserId')}
          onChoose={(id) => change({ advertiserId: id })}
        />
      ) : null}
    </Stack>
  );
}

/** A line item without a name begins with that of its new campaign. */
function nameOf(draft: BookingDraft, name: string): Partial<BookingDraft> {
  return draft.name === '' ? { name } : {};
}

/** What the network has by the typed name, the chosen object among it. */
function useFoundChoices(kind: 'campaigns' | 'advertisers', chosenId: string | null) {
  const scope = useDeskScope();
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), TYPING_MS);
  const choices = useQuery({
    queryKey: [...deskKey(scope), 'choices', kind, search, chosenId],
    queryFn: ({ signal }) => loadChoices(scope, kind, { search, chosenId }, signal),
    placeholderData: keepPreviousData,
    enabled: scope.networkId !== '',
  });
  // What the server found before the last letters must not be chosen by a quick Enter.
  const found = (choices.data ?? [])
    .map(({ id, name }) => ({ value: id, label: name }))
    .filter(
      ({ value, label: name }) =>
        value === chosenId || `${name} ${value}`.toLowerCase().includes(typed.trim().toLowerCase()),
    );
  return { typed, setTyped, found };
}

function ChoiceField({
  kind,
  label,
  description,
  chosenId,
  newName,
  error,
  onBlur,
  onChoose,
  onNew,
}: {
  readonly kind: 'campaigns' | 'advertisers';
  readonly label: string;
  readonly description?: string;
  readonly chosenId: string | null;
  /** The name of the one that is made with it; null: none. */
  readonly newName: string | null;
  readonly error: string | null;
  onBlur: () => void;
  onChoose: (id: string | null) => void;
  /** Absent: none can be made. */
  onNew?: (name: string) => void;
}) {
  const { typed, setTyped, found } = useFoundChoices(kind, chosenId);
  const making = typed.trim() === '' ? newName : typed.trim();
  const canMake = onNew !== undefined && making !== null && found.every((one) => one.label !== making);
  const data = canMake ? [...found, { value: NEW, label: say('booking.campaign_new', { name: making }) }] : found;
  const chosen = found.find(({ value }) => value === chosenId);
  return (
    <>
      <Select
        label={label}
        {...(description === undefined ? {} : { description })}
        required
        searchable
        data={data}
        value={chosenId ?? (newName === null ? null : NEW)}
        error={error}
        nothingFoundMessage={say('palette.nothing')}
        filter={({ options }) => options}
        onSearchChange={(text) =>
          setTyped(data.some((one) => one.label === text) || text === chosen?.label ? '' : text)
        }
        onBlur={onBlur}
        onChange={(value) => {
          if (value === NEW && making !== null) onNew?.(making);
          else onChoose(value);
        }}
      />
      {newName === null ? null : (
        <Text size="sm" c="dimmed">
          {say('booking.campaign_new', { name: newName })}
        </Text>
      )}
    </>
  );
}
