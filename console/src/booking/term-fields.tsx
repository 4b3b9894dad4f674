import { Radio, SimpleGrid, Text, TextInput } from '@mantine/core';
import { say } from '../messages/say.ts';
import { type Card, CARDS } from './booking-draft.ts';
import type { TermsPart } from './form-part.ts';

/** The type of a line item, in the words of people. */
export function CardField({ part: { draft, change } }: { readonly part: TermsPart }) {
  return (
    <Radio.Group
      value={draft.card}
      onChange={(card) => change({ card: card as Card })}
      aria-label={say('booking.what')}
    >
      <div className="booking-cards">
        {CARDS.map((card) => (
          <Radio
            key={card}
            value={card}
            label={say(`booking.card_${card}`)}
            description={say(`booking.card_${card}_hint`)}
          />
        ))}
      </div>
    </Radio.Group>
  );
}

export function NameField({ part: { draft, change, fault, touch } }: { readonly part: TermsPart }) {
  return (
    <TextInput
      label={say('booking.name')}
      required
      maxLength={200}
      value={draft.name}
      error={fault('name')}
      onBlur={() => touch('name')}
      onChange={(event) => change({ name: event.currentTarget.value })}
    />
  );
}

/** Start and end, as clocks of a time zone show them. */
export function FlightFields({ part, timezone }: { readonly part: TermsPart; readonly timezone: string }) {
  const { draft, change, fault } = part;
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput
          type="datetime-local"
          label={say('booking.starts')}
          value={draft.startsAt}
          error={fault('startsAt')}
          onChange={(event) => change({ startsAt: event.currentTarget.value })}
        />
        <TextInput
          type="datetime-local"
          label={say('booking.ends')}
          value={draft.endsAt}
          error={fault('endsAt')}
          onChange={(event) => change({ endsAt: event.currentTarget.value })}
        />
      </SimpleGrid>
      <Text size="sm" c="dimmed">
        {say('booking.zone', { timezone })}
      </Text>
    </>
  );
}
