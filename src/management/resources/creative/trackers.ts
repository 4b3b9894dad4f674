import type { ThirdPartyTrackers } from '../../../domain/booking/creative.ts';
import { builder } from '../../kernel/builder.ts';
import { columnField, type Field, report } from '../../kernel/field.ts';
import { checkUrl } from '../../kernel/scalar-fields.ts';

const TRACKERS_MAX = 10;
const kinds = {
  impressionUrls: 'Called at an impression.',
  clickUrls: 'Called at a click.',
  viewableUrls: 'Called when the ad was viewable.',
} as const;
const names = Object.keys(kinds) as (keyof typeof kinds)[];

const TrackersRef = builder.objectRef<Partial<ThirdPartyTrackers>>('ThirdPartyTrackers').implement({
  description: 'Third-party tracking addresses.',
  fields: (t) =>
    Object.fromEntries(
      names.map((name) => [
        name,
        t.stringList({
          description: kinds[name],
          resolve: (trackers: Partial<ThirdPartyTrackers>) => [...(trackers[name] ?? [])],
        }),
      ]),
    ),
});

const TrackersInput = builder.inputType('ThirdPartyTrackersInput', {
  description: 'Third-party tracking addresses; https only. The whole set is replaced.',
  fields: (t) =>
    Object.fromEntries(
      names.map((name) => [name, t.stringList({ description: `${kinds[name]} At most ${TRACKERS_MAX}.` })]),
    ),
});

/** The third-party tracking addresses of a creative, as one field. */
export function trackersField(): Field {
  return columnField(
    { name: 'trackers', description: 'Third-party tracking addresses.' },
    {
      input: TrackersInput,
      output: TrackersRef,
      initial: {},
      check: (value, path, problems) => {
        const given = value as Partial<Record<keyof ThirdPartyTrackers, readonly string[] | null>>;
        const checked = names.map((name) => {
          const urls = given[name] ?? [];
          if (urls.length > TRACKERS_MAX)
            report(problems, `${path}.${name}`, 'too_many', `Give at most ${TRACKERS_MAX} addresses.`);
          return [
            name,
            urls.slice(0, TRACKERS_MAX).map((url, index) => checkUrl(url, `${path}.${name}.${index}`, problems, true)),
          ];
        });
        return Object.fromEntries(checked.filter(([, urls]) => urls?.length !== 0)) as Partial<ThirdPartyTrackers>;
      },
      isJson: true,
    },
  );
}
