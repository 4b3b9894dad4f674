import { requirePermission } from '../../../access/permissions/permissions.ts';
import {
  ACTIVITY_OUTCOMES,
  type ActivityCredit,
  type ActivityInspection,
  type ActivityOutcome,
  NO_CREDIT_REASONS,
  type NoCreditReason,
} from '../../../domain/events/activity-inspection.ts';
import { ERROR_CODES, ERRORS } from '../../../domain/error-codes.ts';
import { PlacardError } from '../../../domain/errors.ts';
import { formatNanos } from '../../../domain/money/money.ts';
import { builder } from '../../kernel/builder.ts';
import { enumOf } from '../../kernel/described-enum.ts';
import { FieldProblemRef } from '../../kernel/field-problem.ts';
import { loadObject } from '../../kernel/loaders.ts';
import { moneyTwin } from '../../kernel/money-type.ts';
import { objectRefOf } from '../../kernel/resource-types.ts';

const OutcomeRef = enumOf<ActivityOutcome>(
  'ActivityEventOutcome',
  'The outcome of an event of an activity.',
  ACTIVITY_OUTCOMES,
);

const NoCreditRef = enumOf<NoCreditReason>(
  'ActivityNoCredit',
  'Why an event is credited to no ad. Later versions may add reasons.',
  NO_CREDIT_REASONS,
);

const CreditKindRef = builder.enumType('ActivityCreditKind', {
  description: 'The contact that an event is credited to.',
  values: { CLICK: { description: 'A click.' }, VIEW: { description: 'An impression.' } } as const,
});

const ErrorCodeRef = builder.enumType('ErrorCode', {
  description: 'The code of an error. Later versions may add codes.',
  values: Object.fromEntries(
    ERROR_CODES.map((code) => [code.toUpperCase(), { value: code, description: ERRORS[code].meaning }]),
  ),
});

const RefusalRef = builder.objectRef<NonNullable<ActivityInspection['refusal']>>('ActivityEventRefusal').implement({
  description: 'Why an event is refused.',
  fields: (t) => ({
    code: t.field({ type: ErrorCodeRef, description: 'The code of the error.', resolve: ({ code }) => code }),
    message: t.exposeString('message', { description: 'What to do about it.' }),
    fields: t.field({
      type: [FieldProblemRef],
      description: 'What is wrong with which field.',
      resolve: ({ fields }) => [...fields],
    }),
  }),
});

const CreditRef = builder.objectRef<ActivityCredit>('ActivityCredit').implement({
  description: 'The ad that an event is credited to.',
  fields: (t) => ({
    kind: t.field({ type: CreditKindRef, description: 'The contact.', resolve: ({ kind }) => kind }),
    lineItem: t.field({
      type: objectRefOf('LineItem'),
      nullable: true,
      description: 'Its line item.',
      resolve: ({ lineItemId }, _args, context) => loadObject(context, 'LineItem', BigInt(lineItemId)),
    }),
    creative: t.field({
      type: objectRefOf('Creative'),
      nullable: true,
      description: 'Its creative.',
      resolve: ({ creativeId }, _args, context) => loadObject(context, 'Creative', BigInt(creativeId)),
    }),
    touchedAt: t.field({
      type: 'DateTime',
      description: 'When it was seen or clicked.',
      resolve: (one) => one.touchedAt,
    }),
    earned: t.field({
      type: 'Decimal',
      description: 'What the event earns, if the budgets allow it.',
      resolve: (one) => formatNanos(one.earnedNanos),
    }),
    earnedMoney: t.field(
      moneyTwin<ActivityCredit>('What the event earns, if the budgets allow it.', (one) =>
        formatNanos(one.earnedNanos),
      ),
    ),
  }),
});

const InspectionRef = builder.objectRef<ActivityInspection>('ActivityEventInspection').implement({
  description: 'What the activity pixel API would make of an event. Nothing is recorded.',
  fields: (t) => ({
    outcome: t.field({
      type: OutcomeRef,
      description: 'Whether it would be counted.',
      resolve: ({ outcome }) => outcome,
    }),
    refusal: t.field({
      type: RefusalRef,
      nullable: true,
      description: 'Why it is refused.',
      resolve: ({ refusal }) => refusal,
    }),
    activity: t.field({
      type: objectRefOf('Activity'),
      nullable: true,
      description: 'Its activity; null when it is refused.',
      resolve: ({ activityId }, _args, context) =>
        activityId === null ? null : loadObject(context, 'Activity', BigInt(activityId)),
    }),
    credit: t.field({
      type: CreditRef,
      nullable: true,
      description: 'The ad that it is credited to; null: none.',
      resolve: ({ credit }) => credit,
    }),
    noCredit: t.field({
      type: NoCreditRef,
      nullable: true,
      description: 'Why an accepted event is credited to no ad.',
      resolve: ({ noCredit }) => noCredit,
    }),
    segmentIds: t.idList({
      description: 'Segments that it makes its user a member of.',
      resolve: ({ segmentIds }) => [...segmentIds],
    }),
  }),
});

/** Adds `inspectActivityEvent`. */
export function defineActivityInspection(): void {
  builder.queryField('inspectActivityEvent', (t) =>
    t.field({
      type: InspectionRef,
      description:
        'What the activity pixel API would make of an event now: accepted, a duplicate or refused, and the ad that it is credited to. Nothing is recorded.',
      args: {
        event: t.arg({ type: 'JSON', required: true, description: 'The event, as the body of the API has it.' }),
      },
      resolve: (_root, { event }, context) => {
        const { workspaceId, networkId } = requirePermission(context.caller, 'query.inspectActivityEvent');
        if (context.activityInspector === undefined)
          throw new PlacardError('unavailable', 'Events cannot be inspected here.');
        return context.activityInspector.inspectActivityEvent(workspaceId, networkId, event);
      },
    }),
  );
}
