import { writeSentences } from '../../../domain/booking/delivery-text.ts';
import { DeliveryTextRef } from './delivery-text.ts';
import { requirePermission } from '../../../access/permissions/permissions.ts';
import {
  AVAILABILITY_DAYS_MAX,
  AVAILABILITY_ELSEWHERE_MAX,
  AVAILABILITY_LINE_ITEMS_MAX,
} from '../../../domain/booking/availability.ts';
import type { Availability, AvailabilityQuestion } from '../../../domain/booking/availability.ts';
import { FORM_DEVICES } from '../../../domain/booking/decision-inspection.ts';
import type { FieldProblem } from '../../../domain/errors.ts';
import { plainIdOf } from '../../../domain/ids/global-ids.ts';
import { isDecimalId } from '../../../domain/ids/ids.ts';
import { builder } from '../../kernel/builder.ts';
import { validationFailed } from '../../kernel/drafts.ts';
import { report } from '../../kernel/field.ts';
import { checkNumber } from '../../kernel/scalar-fields.ts';
import { insightOf } from './delivery-insight.ts';

const IDS_MAX = 200;
const DAYS_DEFAULT = 28;
const COUNTRY = /^[A-Z]{2}$/;

const DayRef = builder.objectRef<Availability['days'][number]>('AvailableDay').implement({
  description: 'Impressions of one day of the network’s time zone.',
  fields: (t) => ({
    day: t.exposeString('day', { description: 'The day, `YYYY-MM-DD`.' }),
    expected: t.field({
      type: 'Long',
      nullable: true,
      description: 'Expected impressions: the mean of the same weekday of the last 28 days; null without history.',
      resolve: (one) => one.expected,
    }),
    low: t.field({
      type: 'Long',
      nullable: true,
      description:
        'Lower end of a 95 % interval of `expected` by how such weekdays differed; null with fewer than two.',
      resolve: (one) => one.low,
    }),
    high: t.field({ type: 'Long', nullable: true, description: 'Its upper end.', resolve: (one) => one.high }),
    sold: t.field({
      type: 'Long',
      description: 'What active line items with a goal or a share of voice will take.',
      resolve: (one) => one.sold,
    }),
    reserved: t.field({ type: 'Long', description: 'What reserved ones would take.', resolve: (one) => one.reserved }),
    free: t.field({
      type: 'Long',
      nullable: true,
      description: '`expected` less both, at least 0: so much is free at least.',
      resolve: (one) => one.free,
    }),
    freeUpTo: t.field({
      type: 'Long',
      nullable: true,
      description:
        'So much is free at most: only line items that are certain to take of the asked requests count. It equals `free` where all are certain.',
      resolve: (one) => one.freeUpTo,
    }),
  }),
});

const LineItemRef = builder.objectRef<Availability['lineItems'][number]>('AvailabilityLineItem').implement({
  description: 'What a line item takes of the inventory in these days.',
  fields: (t) => ({
    lineItemId: t.exposeID('lineItemId', { description: 'Its id.' }),
    name: t.exposeString('name', { description: 'Its name.' }),
    isReserved: t.exposeBoolean('isReserved', { description: 'Whether it is reserved, not active.' }),
    impressions: t.field({ type: 'Long', description: 'Impressions.', resolve: (one) => one.impressions }),
  }),
});

const ElsewhereRef = builder.objectRef<Availability['elsewhere'][number]>('AvailableElsewhere').implement({
  description: 'Another ad unit with free impressions.',
  fields: (t) => ({
    adUnitId: t.exposeID('adUnitId', { description: 'Its id.' }),
    name: t.exposeString('name', { description: 'Its name.' }),
    free: t.field({
      type: 'Long',
      description: 'Free impressions over all days, at least.',
      resolve: (one) => one.free,
    }),
  }),
});

const AvailabilityRef = builder.objectRef<Availability>('Availability').implement({
  description:
    'Sold, reserved and free impressions by day. What is left of a goal spreads evenly over the time that is left, and over the ad units that its targeting leaves, by their traffic. What its other targeting keeps from it is not known in advance: `free` and `freeUpTo` are the bounds.',
  fields: (t) => ({
    days: t.field({ type: [DayRef], description: 'The days, from today on.', resolve: (one) => [...one.days] }),
    lineItems: t.field({
      type: [LineItemRef],
      description: `Who takes most, at most ${AVAILABILITY_LINE_ITEMS_MAX}.`,
      resolve: (one) => [...one.lineItems],
    }),
    elsewhere: t.field({
      type: [ElsewhereRef],
      description: `Where nothing of the inventory is free: other ad units of its sizes with free impressions, of the ${AVAILABILITY_ELSEWHERE_MAX} with the most requests.`,
      resolve: (one) => [...one.elsewhere],
    }),
    historyDays: t.exposeInt('historyDays', { description: 'Days of the last 28 with requests.' }),
    shownPercent: t.float({
      description: 'Share of served ads that were shown: by it, opportunities become impressions.',
      resolve: (one) => 100 * one.shownShare,
    }),
    notes: t.stringList({
      description: 'Remarks, as sentences.',
      resolve: ({ remarks }) => writeSentences(remarks),
    }),
    remarks: t.field({
      type: [DeliveryTextRef],
      description: 'The same as data, a text for each.',
      resolve: ({ remarks }) => [...remarks],
    }),
  }),
});

const AvailabilityInputRef = builder.inputType('AvailabilityInput', {
  description: 'Which inventory, and how many days.',
  fields: (t) => ({
    adUnitIds: t.idList({ description: `These ad units, at most ${IDS_MAX}.` }),
    siteIds: t.idList({ description: 'All ad units of these sites. Neither: the whole network.' }),
    countries: t.stringList({
      description: `Requests of these countries alone, as ISO 3166-1 alpha-2 codes, at most ${IDS_MAX}. Empty: of any.`,
    }),
    deviceTypes: t.stringList({
      description: `Requests of these devices alone: ${FORM_DEVICES.join(', ')}. Empty: of any.`,
    }),
    days: t.int({ description: `How many days from today on, 1…${AVAILABILITY_DAYS_MAX}; default ${DAYS_DEFAULT}.` }),
  }),
});

/** @throws PlacardError `validation_failed` naming every wrong field */
function readQuestion(input: typeof AvailabilityInputRef.$inferInput): AvailabilityQuestion {
  const problems: FieldProblem[] = [];
  const read = (name: 'adUnitIds' | 'siteIds', type: string): string[] => {
    const ids = (input[name] ?? []).map((id) => plainIdOf(type, id));
    if (ids.length > IDS_MAX) report(problems, `input.${name}`, 'too_many', `Give at most ${IDS_MAX} ids.`);
    for (const [at, id] of ids.slice(0, IDS_MAX).entries())
      if (!isDecimalId(id)) report(problems, `input.${name}.${at}`, 'unknown', 'Give the id of an object.');
    return ids;
  };
  const bounds = { min: 1, max: AVAILABILITY_DAYS_MAX };
  const days = Math.floor(checkNumber(input.days ?? DAYS_DEFAULT, 'input.days', bounds, problems));
  const countries = (input.countries ?? []).map((one) => one.toUpperCase());
  if (countries.length > IDS_MAX) report(problems, 'input.countries', 'too_many', `Give at most ${IDS_MAX} countries.`);
  for (const [at, one] of countries.slice(0, IDS_MAX).entries())
    if (!COUNTRY.test(one))
      report(problems, `input.countries.${at}`, 'unknown', 'Give a code of two letters, such as PL.');
  const deviceTypes = input.deviceTypes ?? [];
  if (deviceTypes.some((one) => !FORM_DEVICES.some((known) => known === one)))
    report(problems, 'input.deviceTypes', 'unknown', `Give some of: ${FORM_DEVICES.join(', ')}.`);
  const question = {
    countries,
    deviceTypes: [...new Set(deviceTypes)],
    adUnitIds: read('adUnitIds', 'AdUnit'),
    siteIds: read('siteIds', 'Site'),
    days,
  };
  if (problems.length > 0) throw validationFailed(problems);
  return question;
}

/** Adds `availability`. */
export function defineAvailability(): void {
  builder.queryField('availability', (t) =>
    t.field({
      type: AvailabilityRef,
      description: 'What is sold, reserved and free of some inventory in the next weeks, day by day.',
      args: { input: t.arg({ type: AvailabilityInputRef, required: true, description: 'Which inventory.' }) },
      resolve: (_root, { input }, context) => {
        const { workspaceId } = requirePermission(context.caller, 'query.availability');
        return insightOf(context).availability(workspaceId, readQuestion(input), context.signal);
      },
    }),
  );
}
