import type { FieldProblem } from '../../../domain/errors.ts';
import { plainIdOf } from '../../../domain/ids/global-ids.ts';
import { isDecimalId } from '../../../domain/ids/ids.ts';
import { SEGMENT_CONDITIONS_MAX, type SegmentCondition, type SegmentRule } from '../../../domain/targeting/segment.ts';
import { builder } from '../../kernel/builder.ts';
import type { ManagementContext } from '../../kernel/context.ts';
import { columnField, type Field, report, type StoredRow } from '../../kernel/field.ts';
import type { Findings, RuleFacts } from '../../kernel/resource.ts';
import { findRows } from '../../kernel/resource.sql.ts';
import { queryableOf } from '../../kernel/transactions.sql.ts';

const VALUES_MAX = 500;
const KEY_LENGTH_MAX = 100;
const VALUE_LENGTH_MAX = 500;
/** The longest name of an activity's event that the pixel accepts. */
const EVENT_LENGTH_MAX = 64;

type Of<Kind extends SegmentCondition['kind']> = Extract<SegmentCondition, { kind: Kind }>;

const KeyValueRef = builder.objectRef<Of<'keyValue'>>('SegmentKeyValue').implement({
  description: 'A request that carried a key with one of these values.',
  fields: (t) => ({
    key: t.exposeString('key', { description: 'The key, in lower case.' }),
    values: t.stringList({
      description: 'The values, in lower case; empty = any value.',
      resolve: ({ values }) => [...values],
    }),
  }),
});

const ActivityRef = builder.objectRef<Of<'activity'>>('SegmentActivity').implement({
  description: 'An event of an activity that was recorded.',
  fields: (t) => ({
    activityId: t.exposeID('activityId', { description: 'The activity, by id.' }),
    event: t.exposeString('event', { nullable: true, description: 'Only this event of it; null = every one.' }),
  }),
});

const ConditionRef = builder.objectRef<SegmentCondition>('SegmentCondition').implement({
  description: 'What makes a user a member; exactly one of its fields is set.',
  fields: (t) => ({
    keyValue: t.field({
      type: KeyValueRef,
      nullable: true,
      description: 'A request with a key-value.',
      resolve: (condition) => (condition.kind === 'keyValue' ? condition : null),
    }),
    activity: t.field({
      type: ActivityRef,
      nullable: true,
      description: 'A recorded activity.',
      resolve: (condition) => (condition.kind === 'activity' ? condition : null),
    }),
  }),
});

const RuleRef = builder.objectRef<SegmentRule>('SegmentRule').implement({
  description: 'Users who match it become members.',
  fields: (t) => ({
    any: t.field({
      type: [ConditionRef],
      description: 'Any of these is enough.',
      resolve: (rule) => [...rule.any],
    }),
  }),
});

interface GivenCondition {
  readonly keyValue?: { readonly key: string; readonly values?: readonly string[] | null } | null;
  readonly activity?: { readonly activityId: string | number; readonly event?: string | null } | null;
}

const KeyValueInput = builder.inputType('SegmentKeyValueInput', {
  description: 'A request that carried a key with one of these values.',
  fields: (t) => ({
    key: t.string({ required: true, description: 'The key; letter case does not matter.' }),
    values: t.stringList({ description: `Up to ${VALUES_MAX} values; letter case does not matter; none = any value.` }),
  }),
});

const ActivityInput = builder.inputType('SegmentActivityInput', {
  description: 'An event of an activity that was recorded.',
  fields: (t) => ({
    activityId: t.id({ required: true, description: 'The activity, by id.' }),
    event: t.string({ description: 'Only this event of it; absent = every one.' }),
  }),
});

const ConditionInput = builder.inputType('SegmentConditionInput', {
  isOneOf: true,
  description: 'What makes a user a member: set exactly one field.',
  fields: (t) => ({
    keyValue: t.field({ type: KeyValueInput, description: 'A request with a key-value.' }),
    activity: t.field({ type: ActivityInput, description: 'A recorded activity.' }),
  }),
});

const RuleInput = builder.inputType('SegmentRuleInput', {
  description: 'Users who match it become members.',
  fields: (t) => ({
    any: t.field({
      type: [ConditionInput],
      required: true,
      description: `1…${SEGMENT_CONDITIONS_MAX} conditions; any of them is enough.`,
    }),
  }),
});

/** The rule of a segment; null when members come from uploads alone. */
export function segmentRuleField(): Field {
  return columnField(
    {
      name: 'rule',
      description:
        'The rule that makes users members for `membershipDays` days after their last match; null = uploads only. Users who may not be profiled are left out. A changed rule starts with an empty segment.',
    },
    {
      input: RuleInput,
      output: RuleRef,
      initial: null,
      check: (value, path, problems) => checkRule(value as { any: readonly GivenCondition[] }, path, problems),
      isJson: true,
      asInput: (stored) => ({ any: (stored as SegmentRule).any.map(conditionAsInput) }),
    },
  );
}

function conditionAsInput(condition: SegmentCondition): GivenCondition {
  if (condition.kind === 'keyValue') return { keyValue: { key: condition.key, values: condition.values } };
  const { activityId, event } = condition;
  return { activity: { activityId, event } };
}

function checkRule(given: { any: readonly GivenCondition[] }, path: string, problems: FieldProblem[]): SegmentRule {
  if (given.any.length === 0 || given.any.length > SEGMENT_CONDITIONS_MAX) {
    report(problems, `${path}.any`, 'out_of_range', `Give 1 to ${SEGMENT_CONDITIONS_MAX} conditions.`);
  }
  const conditions = given.any
    .slice(0, SEGMENT_CONDITIONS_MAX)
    .map((condition, index) => checkCondition(condition, `${path}.any.${index}`, problems));
  return { any: conditions };
}

function checkCondition(given: GivenCondition, path: string, problems: FieldProblem[]): SegmentCondition {
  if (given.activity) {
    const activityId = plainIdOf('Activity', given.activity.activityId);
    if (!isDecimalId(activityId))
      report(problems, `${path}.activity.activityId`, 'unknown', 'There is no activity with this id.');
    const event = given.activity.event ?? null;
    if (event !== null && (event.trim() === '' || event.length > EVENT_LENGTH_MAX))
      report(problems, `${path}.activity.event`, 'out_of_range', `Give 1 to ${EVENT_LENGTH_MAX} characters.`);
    return { kind: 'activity', activityId, event };
  }
  const key = given.keyValue?.key.trim().toLowerCase() ?? '';
  if (key === '' || key.length > KEY_LENGTH_MAX)
    report(problems, `${path}.keyValue.key`, 'out_of_range', `Give 1 to ${KEY_LENGTH_MAX} characters.`);
  const values = given.keyValue?.values ?? [];
  if (values.length > VALUES_MAX)
    report(problems, `${path}.keyValue.values`, 'too_many', `Give at most ${VALUES_MAX} values.`);
  for (const [index, value] of values.slice(0, VALUES_MAX).entries()) {
    if (value !== '' && value.length <= VALUE_LENGTH_MAX) continue;
    report(problems, `${path}.keyValue.values.${index}`, 'out_of_range', `Give 1 to ${VALUE_LENGTH_MAX} characters.`);
  }
  const unique = new Set(values.slice(0, VALUES_MAX).map((value) => value.toLowerCase()));
  return { kind: 'keyValue', key, values: [...unique] };
}

/** Finds the activities of a rule that the workspace does not have. */
export async function loadSegmentFacts(context: ManagementContext, row: StoredRow): Promise<Record<string, unknown>> {
  const ids = new Set<string>();
  for (const condition of (row['rule'] as SegmentRule | null)?.any ?? []) {
    if (condition.kind === 'activity' && isDecimalId(condition.activityId)) ids.add(condition.activityId);
  }
  if (ids.size === 0) return { unknownActivities: [] };
  const found = await findRows(
    queryableOf(context),
    context.principal.workspaceId,
    'activities',
    [...ids].map((id) => BigInt(id)),
  );
  for (const activity of found) ids.delete(String(activity.id));
  return { unknownActivities: [...ids] };
}

/** A rule may name only activities of its own workspace. */
export function validateSegment(row: StoredRow, facts: RuleFacts): Findings {
  const unknown = (facts.loaded['unknownActivities'] ?? []) as readonly string[];
  const conditions = (row['rule'] as SegmentRule | null)?.any ?? [];
  const problems = conditions.flatMap((condition, index): FieldProblem[] =>
    condition.kind === 'activity' && unknown.includes(condition.activityId)
      ? [
          {
            path: `rule.any.${index}.activity.activityId`,
            code: 'unknown',
            message: 'There is no activity with this id.',
          },
        ]
      : [],
  );
  return { problems, warnings: [] };
}
