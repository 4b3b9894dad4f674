import type { CountedActivity } from '../../../domain/booking/line-item.ts';
import type { FieldProblem } from '../../../domain/errors.ts';
import { plainIdOf } from '../../../domain/ids/global-ids.ts';
import { isDecimalId } from '../../../domain/ids/ids.ts';
import { builder } from '../../kernel/builder.ts';
import { columnField, type Field, report, type StoredRow } from '../../kernel/field.ts';
import type { Findings } from '../../kernel/resource.ts';

const ACTIVITIES_MAX = 50;
const EVENTS_MAX = 20;
/** The longest name of an activity's event that the pixel accepts. */
const EVENT_LENGTH_MAX = 64;

const CountedActivityRef = builder.objectRef<CountedActivity>('CountedActivity').implement({
  description: 'An activity whose conversions a line item counts and pays for.',
  fields: (t) => ({
    activityId: t.exposeID('activityId', { description: 'The activity, by id.' }),
    events: t.stringList({
      description: 'Only these events of it; empty = every one.',
      resolve: ({ events }) => [...events],
    }),
  }),
});

const CountedActivityInput = builder.inputType('CountedActivityInput', {
  description: 'An activity whose conversions a line item counts and pays for.',
  fields: (t) => ({
    activityId: t.id({ required: true, description: 'The activity, by id.' }),
    events: t.stringList({
      description: `Only these events of it, as pixels name them, at most ${EVENTS_MAX}; absent or empty = every one.`,
    }),
  }),
});

interface GivenActivity {
  readonly activityId: string | number;
  readonly events?: readonly string[] | null;
}

/** What counts as conversions of a line item. */
export function countedActivitiesField(): Field {
  return columnField(
    {
      name: 'countedActivities',
      description: `The activities whose conversions are credited to it: they count toward its goal, and CPA pays for them. Empty = every activity. At most ${ACTIVITIES_MAX}.`,
    },
    {
      input: [CountedActivityInput],
      output: [CountedActivityRef],
      initial: [],
      check: checkCountedActivities,
      isJson: true,
    },
  );
}

function checkCountedActivities(value: unknown, path: string, problems: FieldProblem[]): CountedActivity[] {
  const given = value as readonly GivenActivity[];
  if (given.length > ACTIVITIES_MAX) report(problems, path, 'too_many', `Give at most ${ACTIVITIES_MAX} activities.`);
  const ids = new Set<string>();
  return given.slice(0, ACTIVITIES_MAX).map((one, index) => {
    const activityId = plainIdOf('Activity', one.activityId);
    const at = `${path}.${index}`;
    if (!isDecimalId(activityId)) report(problems, `${at}.activityId`, 'unknown', 'There is no activity with this id.');
    else if (ids.has(activityId))
      report(problems, `${at}.activityId`, 'repeated', 'Name an activity once, with all of its events.');
    ids.add(activityId);
    return { activityId, events: checkEvents(one.events ?? [], `${at}.events`, problems) };
  });
}

function checkEvents(events: readonly string[], path: string, problems: FieldProblem[]): string[] {
  if (events.length > EVENTS_MAX) report(problems, path, 'too_many', `Give at most ${EVENTS_MAX} events.`);
  for (const [index, event] of events.slice(0, EVENTS_MAX).entries()) {
    if (event.trim() === '' || event.length > EVENT_LENGTH_MAX)
      report(problems, `${path}.${index}`, 'out_of_range', `Give 1 to ${EVENT_LENGTH_MAX} characters.`);
  }
  return [...new Set(events.slice(0, EVENTS_MAX))];
}

/** The activities that a row names; empty where it has none. */
export function countedActivitiesOf(row: StoredRow): readonly CountedActivity[] {
  return (row['counted_activities'] ?? []) as readonly CountedActivity[];
}

/** What is stored of the activities that a line item names, and whose line item it is. */
export interface CountedFacts {
  readonly activities: readonly StoredRow[];
  readonly campaign: StoredRow | null;
}

/**
 * A line item may name activities of its network that are in use and may credit its advertiser's ads. What it named before stays valid, so that
 * other fields can change; a warning says so.
 */
export function validateCountedActivities(row: StoredRow, before: StoredRow | null, facts: CountedFacts): Findings {
  const findings = { problems: [] as FieldProblem[], warnings: [] as FieldProblem[] };
  const known = new Map(facts.activities.map((activity) => [String(activity.id), activity]));
  const named = new Set(before === null ? [] : countedActivitiesOf(before).map(({ activityId }) => activityId));
  for (const [index, { activityId }] of countedActivitiesOf(row).entries()) {
    const fault = faultOf(known.get(activityId), facts.campaign);
    if (fault === null) continue;
    const found = { path: `countedActivities.${index}.activityId`, ...fault };
    (named.has(activityId) ? findings.warnings : findings.problems).push(found);
  }
  return findings;
}

function faultOf(activity: StoredRow | undefined, campaign: StoredRow | null): Omit<FieldProblem, 'path'> | null {
  if (activity === undefined) return { code: 'unknown', message: 'There is no activity with this id.' };
  if (activity['status'] === 'ARCHIVED')
    return { code: 'archived', message: 'The activity is archived: no conversion of it is recorded.' };
  const owner = activity['advertiser_id'] as bigint | null;
  if (owner === null || campaign === null || owner === campaign['advertiser_id']) return null;
  return { code: 'other_advertiser', message: 'The activity credits only the ads of another advertiser.' };
}
