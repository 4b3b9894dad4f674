import { LifecycleRef } from '../../fields/enumerations.ts';
import { registerBooked } from '../annotations/booked-resource.ts';
import { anyOf, type Resource } from '../../kernel/resource.ts';
import { booleanField, enumField, integerField, referenceField, textField } from '../../kernel/scalar-fields.ts';

const DAY_SECONDS = 86_400;

/** An action of a user that an advertiser counts as a conversion. */
export const ACTIVITY: Resource = registerBooked({
  type: 'Activity',
  singular: 'activity',
  plural: 'activities',
  description: 'What an advertiser counts as success; the activity pixel names it by its actgid.',
  table: 'activities',
  fields: [
    textField({
      name: 'actgid',
      description: 'Its id in pixels; unique in the network; cannot change.',
      lengthMax: 100,
      pattern: /^[\w.:-]+$/,
      wants: 'letters, digits and . _ : -',
      required: true,
      createOnly: true,
    }),
    textField({ name: 'name', description: 'Name.', lengthMax: 200, required: true }),
    enumField({ name: 'status', description: 'Whether it is in use.', type: LifecycleRef, initial: 'ACTIVE' }),
    referenceField({
      name: 'advertiserId',
      description:
        'The advertiser: only clicks and impressions of its ads are credited. null = the last click or impression of any advertiser.',
      link: 'The advertiser.',
      to: { table: 'advertisers', label: 'advertiser', isOwner: true },
    }),
    integerField({
      name: 'clickWindowSeconds',
      description: 'How long after a click it is credited; up to 90 days.',
      min: 0,
      max: 90 * DAY_SECONDS,
      initial: 30 * DAY_SECONDS,
    }),
    integerField({
      name: 'viewWindowSeconds',
      description: 'How long after an impression it is credited when there was no click; up to 30 days.',
      min: 0,
      max: 30 * DAY_SECONDS,
      initial: DAY_SECONDS,
    }),
    integerField({
      name: 'repeatIntervalSeconds',
      description:
        'Without an order reference, a second event of a user within this time does not count; up to 30 days.',
      min: 0,
      max: 30 * DAY_SECONDS,
      initial: 0,
    }),
    booleanField({
      name: 'acceptsPixel',
      description:
        'Whether pages may send its events without a key, to `GET /<network>/activity`. Anybody can then send them: do not bill by such events alone.',
      initial: false,
    }),
  ],
  filters: [
    anyOf('statuses', 'status', LifecycleRef, 'Only with one of these statuses.'),
    anyOf('actgids', 'actgid', 'String', 'Only with one of these actgids.'),
    anyOf('advertiserIds', 'advertiser_id', 'ID', 'Only of these advertisers.'),
  ],
  searchColumns: ['name', 'actgid'],
  uniqueFields: { activities_workspace_id_actgid_key: 'actgid' },
});
