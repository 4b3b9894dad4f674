import { Button, Checkbox, Group, Select, SimpleGrid, Text, TextInput } from '@mantine/core';
import { PACINGS } from '../../api/bookings/line-item-settings.ts';
import { HowMuchFields } from '../../booking/how-much-fields.tsx';
import { CardField, FlightFields, NameField } from '../../booking/term-fields.tsx';
import { say } from '../../messages/say.ts';
import { ObjectPicker } from '../../pickers/object-picker.tsx';
import { TargetingFields } from '../../targeting/targeting-fields.tsx';
import { describeDayParts } from '../../targeting/day-part-words.ts';
import { describeTree } from '../../targeting/targeting-words.ts';
import { WeekGrid } from '../../targeting/week-grid.tsx';
import type { ControlProps } from './control-props.ts';
import { FaultText } from './fault-text.tsx';

export function CardControl({ part }: ControlProps) {
  return (
    <>
      <CardField part={part} />
      <FaultText text={part.fault('type')} />
    </>
  );
}

export function NameControl({ part }: ControlProps) {
  return <NameField part={part} />;
}

/** The product that it is sold as, and the deal that it serves. */
export function ProductControl({ part: { draft, change, fault } }: ControlProps) {
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <ObjectPicker
          kind="advertisingProducts"
          label={say('booking.product')}
          placeholder={say('booking.product_none')}
          value={draft.productId ?? ''}
          onChange={(id) => change({ productId: id === '' ? null : id })}
        />
        <ObjectPicker
          kind="deals"
          label={say('field.dealId')}
          placeholder={say('item_form.no_deal')}
          value={draft.dealId ?? ''}
          onChange={(id) => change({ dealId: id === '' ? null : id })}
        />
      </SimpleGrid>
      <FaultText text={fault('advertisingProductId') ?? fault('dealId')} />
    </>
  );
}

export function FlightControl({ part, zone }: ControlProps) {
  const { draft, change, fault } = part;
  return (
    <>
      <FlightFields part={part} timezone={zone} />
      <TextInput
        label={say('field.timezone')}
        description={say('item_form.zone_hint')}
        placeholder={zone}
        value={draft.timezone}
        error={fault('timezone')}
        onChange={(event) => change({ timezone: event.currentTarget.value })}
      />
    </>
  );
}

/** The hours of the week; spans that a grid of hours cannot show are told in words, until they are replaced. */
export function HoursControl({ part: { draft, change, fault } }: ControlProps) {
  return (
    <>
      {draft.oddParts === null ? (
        <WeekGrid hours={draft.hours} change={(hours) => change({ hours })} />
      ) : (
        <Group justify="space-between">
          <Text size="sm">{describeDayParts(draft.oddParts)}</Text>
          <Button size="xs" variant="default" onClick={() => change({ oddParts: null })}>
            {say('item_form.by_hours')}
          </Button>
        </Group>
      )}
      <FaultText text={draft.hours.includes(true) ? fault('dayParts') : say('booking.week_none')} />
    </>
  );
}

export function TermsControl({ part, zone, currency, item }: ControlProps) {
  const also = { goal: item.goal !== null, price: Number(item.price) !== 0 };
  return (
    <>
      <HowMuchFields part={part} timezone={zone} currency={currency} also={also} />
      <FaultText text={part.fault('goalPeriod')} />
    </>
  );
}

export function PacingControl({ part: { draft, change, fault } }: ControlProps) {
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} style={{ alignItems: 'end' }}>
      <Select
        label={say('field.pacing')}
        data={PACINGS.map((value) => ({ value, label: say(`item_form.pacing_${value}`) }))}
        value={draft.pacing}
        error={fault('pacing')}
        allowDeselect={false}
        onChange={(value) => change({ pacing: PACINGS.find((one) => one === value) ?? draft.pacing })}
      />
      <Checkbox
        label={say('field.pauseAfterGoal')}
        checked={draft.pauseAfterGoal}
        error={fault('pauseAfterGoal')}
        onChange={(event) => change({ pauseAfterGoal: event.currentTarget.checked })}
      />
    </SimpleGrid>
  );
}

/** The rows of the targeting; a tree that rows cannot say is told in words, until it is replaced. */
export function TargetingControl({ part: { draft, change, fault }, words }: ControlProps) {
  return (
    <>
      {draft.nested === null ? (
        <TargetingFields rows={draft.targeting} change={(targeting) => change({ targeting })} />
      ) : (
        <>
          <Text size="sm">{describeTree(draft.nested, words.nameOf)}</Text>
          <Group justify="space-between">
            <Text size="sm" c="dimmed">
              {say('item_form.nested')}
            </Text>
            <Button size="xs" variant="default" onClick={() => change({ nested: null })}>
              {say('item_form.by_rows')}
            </Button>
          </Group>
        </>
      )}
      <FaultText text={fault('targeting')} />
    </>
  );
}
