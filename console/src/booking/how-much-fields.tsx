import { Select, SimpleGrid, Text } from '@mantine/core';
import { formatCount, formatMoney } from '../format/desk-format.ts';
import { NumberField } from '../format/number-field.tsx';
import { say } from '../messages/say.ts';
import { hasGoal, hasPrice, hasShare, neededPerDay, totalOf, type TermsDraft } from './booking-draft.ts';
import { describeTerms } from './booking-words.ts';
import type { TermsPart } from './form-part.ts';

const GOAL_KINDS = ['IMPRESSIONS', 'VIEWABLE_IMPRESSIONS', 'CLICKS', 'CONVERSIONS'] as const;

const PRICING_MODELS = ['CPM', 'VCPM', 'CPC', 'CPA', 'CPCV', 'FLAT'] as const;

/** Goal, price and priority, with what they come to. */
export function HowMuchFields({
  part,
  timezone,
  currency,
  also = { goal: false, price: false },
}: {
  readonly part: TermsPart;
  readonly timezone: string;
  readonly currency: string;
  /** Fields that are shown although the card of a new booking has none of them. */
  readonly also?: { readonly goal: boolean; readonly price: boolean };
}) {
  const { draft, change, fault } = part;
  const total = totalOf(draft);
  const perDay = neededPerDay(draft, timezone);
  return (
    <>
      {hasGoal(draft.card) || also.goal ? <GoalFields part={part} /> : null}
      <SimpleGrid cols={{ base: 1, xs: 3 }}>
        {hasPrice(draft.card) || also.price ? <PriceFields part={part} currency={currency} /> : null}
        {hasShare(draft.card) ? (
          <NumberField
            label={say('booking.share')}
            value={draft.sharePercent}
            error={fault('sharePercent')}
            onChange={(sharePercent) => change({ sharePercent })}
          />
        ) : null}
        <NumberField
          label={say('booking.level')}
          isWhole
          value={draft.level}
          error={fault('level')}
          onChange={(level) => change({ level })}
        />
      </SimpleGrid>
      <Text size="sm" c="dimmed">
        {describeTerms(draft, currency)}
      </Text>
      <Text size="sm" component="output">
        {[
          total === null ? null : say('booking.total', { total: formatMoney(total, currency) }),
          perDay === null ? null : say('booking.per_day', { count: formatCount(Math.ceil(perDay)) }),
        ]
          .filter((one) => one !== null)
          .join(' ')}
      </Text>
    </>
  );
}

function GoalFields({ part: { draft, change, fault, touch } }: { readonly part: TermsPart }) {
  return (
    <SimpleGrid cols={{ base: 1, xs: 3 }}>
      <NumberField
        label={say('booking.goal')}
        isWhole
        value={draft.goalAmount}
        error={fault('goalAmount')}
        onBlur={() => touch('goalAmount')}
        onChange={(goalAmount) => change({ goalAmount })}
      />
      <Select
        label={say('booking.goal_kind')}
        data={GOAL_KINDS.map((value) => ({ value, label: say(`booking.of_${value}`) }))}
        value={draft.goalKind}
        allowDeselect={false}
        onChange={(value) => change({ goalKind: value as TermsDraft['goalKind'] })}
      />
      <Select
        label={say('booking.goal_period')}
        data={(['LIFETIME', 'DAY'] as const).map((value) => ({ value, label: say(`booking.goal_${value}`) }))}
        value={draft.goalPeriod}
        allowDeselect={false}
        onChange={(value) => change({ goalPeriod: value as TermsDraft['goalPeriod'] })}
      />
    </SimpleGrid>
  );
}

function PriceFields({
  part: { draft, change, fault, touch },
  currency,
}: {
  readonly part: TermsPart;
  readonly currency: string;
}) {
  return (
    <>
      <NumberField
        label={`${say('booking.price')} (${currency})`}
        value={draft.price}
        error={fault('price')}
        onBlur={() => touch('price')}
        onChange={(price) => change({ price })}
      />
      <Select
        label={say('booking.pricing')}
        data={PRICING_MODELS.map((value) => ({ value, label: say(`booking.for_${value}`) }))}
        value={draft.pricingModel}
        error={fault('pricingModel')}
        allowDeselect={false}
        onChange={(value) => change({ pricingModel: value as TermsDraft['pricingModel'] })}
      />
    </>
  );
}
