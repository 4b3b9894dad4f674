import { Select, SimpleGrid, Text } from '@mantine/core';
import { NumberField } from '../format/number-field.tsx';
import { say } from '../messages/say.ts';
import type { BookingDraft } from './booking-draft.ts';
import { describeCap } from './booking-words.ts';
import type { FormPart } from './form-part.ts';

const CAP_WINDOWS = ['HOUR', 'DAY', 'WEEK', 'MONTH', 'LIFETIME'] as const;

/** How often a user sees it, said back in words. */
export function LimitFields({ part: { draft, change, fault } }: { readonly part: FormPart }) {
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <NumberField
          label={say('booking.cap')}
          description={say('booking.cap_window')}
          isWhole
          value={draft.capCount}
          error={fault('capCount')}
          onChange={(capCount) => change({ capCount })}
        />
        <Select
          label={say('booking.cap_per')}
          description={say('booking.cap_per_hint')}
          data={CAP_WINDOWS.map((value) => ({ value, label: say(`booking.cap_${value}`) }))}
          value={draft.capWindow}
          allowDeselect={false}
          onChange={(value) => change({ capWindow: value as BookingDraft['capWindow'] })}
        />
      </SimpleGrid>
      <Text size="sm" c="dimmed" component="output">
        {describeCap(draft)}
      </Text>
    </>
  );
}
