import { requirePermission } from '../../../access/permissions/permissions.ts';
import type {
  DeliveryChange,
  DeliveryDiagnosis,
  DeliveryInsight,
  DeliveryRival,
  ExplainedDecision,
  ExplainedLineItem,
  ExplainedSlot,
  HourlyReasons,
  ReasonCount,
} from '../../../domain/booking/delivery-insight.ts';
import { causeOf, DELIVERY_CAUSES, NO_FILLS } from '../../../domain/booking/delivery-cause.ts';
import type { DeliveryCause, NoFill } from '../../../domain/booking/delivery-cause.ts';
import type { AvailabilityService } from '../../../domain/booking/availability.ts';
import type { DecisionInspector } from '../../../domain/booking/decision-inspection.ts';
import { PlacardError } from '../../../domain/errors.ts';
import { plainIdOf } from '../../../domain/ids/global-ids.ts';
import { formatMicros } from '../../../domain/money/money.ts';
import { LineItemTypeRef } from '../../fields/enumerations.ts';
import { builder } from '../../kernel/builder.ts';
import { moneyTwin } from '../../kernel/money-type.ts';
import type { ManagementContext } from '../../kernel/context.ts';
import { loaderOf } from '../../kernel/loaders.ts';
import { objectRefOf } from '../../kernel/resource-types.ts';
import { ARM_DESCRIPTION, DecidedArmRef } from '../experiment/experiment-results.ts';
import { DeliveryTextRef } from './delivery-text.ts';

/** @throws PlacardError `unavailable` where no snapshot is held */
export function insightOf(context: ManagementContext): DeliveryInsight & DecisionInspector & AvailabilityService {
  if (context.deliveryInsight === undefined)
    throw new PlacardError('unavailable', 'Decisions cannot be explained here.');
  return context.deliveryInsight;
}

const DeliveryCauseRef = builder.enumType('DeliveryCause', {
  description: 'What keeps a line item from an opportunity, or how it stands. Later versions may add causes.',
  values: Object.fromEntries(
    Object.entries(DELIVERY_CAUSES).map(([cause, description]) => [
      cause.toUpperCase(),
      { value: cause as DeliveryCause, description },
    ]),
  ),
});

const NoFillRef = builder.enumType('NoFillCause', {
  description: 'Why a whole request gets no ad.',
  values: Object.fromEntries(
    Object.entries(NO_FILLS).map(([value, description]) => [
      value.toUpperCase(),
      { value: value as NoFill, description },
    ]),
  ),
});

function distinct(causes: readonly DeliveryCause[]): DeliveryCause[] {
  return [...new Set(causes)];
}

const ReasonCountRef = builder.objectRef<ReasonCount>('DeliveryReasonCount').implement({
  description: 'How often a line item met one outcome, estimated from a sample of decisions.',
  fields: (t) => ({
    reason: t.exposeString('reason', {
      description: '`won`, or a reason for losing such as `targeting.country`, `capped.line_item`, `lost.price`.',
    }),
    opportunities: t.field({ type: 'Long', description: 'Opportunities.', resolve: (one) => one.opportunities }),
    causes: t.field({
      type: [DeliveryCauseRef],
      description: 'The causes that `reason` names: WON, or one for each test that was failed.',
      resolve: ({ reason }) => distinct(reason.split('+').map(causeOf)),
    }),
    percent: t.exposeFloat('percent', { description: 'Share of all sampled opportunities.' }),
  }),
});

const HourlyReasonsRef = builder.objectRef<HourlyReasons>('DeliveryReasonsOfHour').implement({
  description: 'The outcomes of a line item in one hour, estimated from a sample of decisions.',
  fields: (t) => ({
    hour: t.field({ type: 'DateTime', description: 'The beginning of the hour.', resolve: (one) => one.hour }),
    numbers: t.field({
      type: [ReasonCountRef],
      description: 'Outcomes, most frequent first, at most 10.',
      resolve: (one) => [...one.numbers],
    }),
  }),
});

const ChangeRef = builder.objectRef<DeliveryChange>('DeliveryChange').implement({
  description: 'A change of the bookings that removes what keeps a line item from delivering, ready to be carried out.',
  fields: (t) => ({
    code: t.exposeString('code', { description: 'The cause that it removes.' }),
    cause: t.field({
      type: DeliveryCauseRef,
      description: 'The kind of that cause.',
      resolve: ({ code }) => causeOf(code),
    }),
    sentence: t.exposeString('sentence', { description: 'What to do, as a sentence.' }),
    text: t.field({
      type: DeliveryTextRef,
      nullable: true,
      description: 'That sentence as data; null where it has no code.',
      resolve: ({ text }) => text,
    }),
    mutation: t.exposeString('mutation', {
      nullable: true,
      description: 'The mutation that does it, such as `updateLineItem`; null where no change of the bookings helps.',
    }),
    document: t.exposeString('document', {
      nullable: true,
      description: 'A GraphQL document with that mutation, to be sent with `variables`.',
    }),
    variables: t.field({
      type: 'JSON',
      nullable: true,
      description: 'Its variables: the id, the version that was read, and the input.',
      resolve: (change) => change.variables,
    }),
    missing: t.exposeStringList('missing', {
      description: 'Members that a person must add to the variables, as paths; empty = it can be sent as it is.',
    }),
    opportunities: t.field({
      type: 'Long',
      nullable: true,
      description: 'Opportunities that it alone would gain, of those that were looked at; null = not known.',
      resolve: (change) => change.opportunities,
    }),
    impressions: t.field({
      type: 'Long',
      nullable: true,
      description: 'The same in impressions, by the share of its ads that are shown.',
      resolve: (change) => change.impressions,
    }),
  }),
});

const RivalRef = builder.objectRef<DeliveryRival>('DeliveryRival').implement({
  description: 'A line item that had what another one lost.',
  fields: (t) => ({
    lineItemId: t.exposeID('lineItemId', { description: 'Its id.' }),
    name: t.exposeString('name', { description: 'Its name.' }),
    type: t.field({ type: LineItemTypeRef, description: 'Its tier.', resolve: (rival) => rival.type }),
    level: t.exposeInt('level', { description: 'Its level within the tier.' }),
    bid: t.field({
      type: 'Decimal',
      description: 'The expected earning of a thousand of its impressions.',
      resolve: (rival) => formatMicros(BigInt(Math.round(rival.bidMicros))),
    }),
    bidMoney: t.field(
      moneyTwin<DeliveryRival>('The expected earning of a thousand of its impressions.', (rival) =>
        formatMicros(BigInt(Math.round(rival.bidMicros))),
      ),
    ),
    opportunities: t.field({
      type: 'Long',
      description: 'How often it had them.',
      resolve: (rival) => rival.opportunities,
    }),
  }),
});

const DiagnosisRef = builder.objectRef<DeliveryDiagnosis>('DeliveryDiagnosis').implement({
  description: 'The delivery diagnosis of a line item.',
  fields: (t) => ({
    code: t.exposeString('code', {
      description:
        '`delivering`, `no_traffic`, `no_sample`, `behind`, `unknown`, or what stands most in the way: the test whose passing alone would gain most, or the first of those that must be passed together.',
    }),
    cause: t.field({
      type: DeliveryCauseRef,
      description: 'The kind of `code`.',
      resolve: ({ code }) => causeOf(code),
    }),
    sentence: t.exposeString('sentence', { description: 'The status as a sentence.' }),
    texts: t.field({
      type: [DeliveryTextRef],
      description: 'That sentence as data, part by part, at most 10.',
      resolve: ({ texts }) => [...texts],
    }),
    advice: t.exposeString('advice', { description: 'Advice; empty when none is needed.' }),
    adviceText: t.field({
      type: DeliveryTextRef,
      nullable: true,
      description: 'The advice as data; null when none is needed, or a change says it.',
      resolve: ({ adviceText }) => adviceText,
    }),
    hours: t.exposeInt('hours', { description: 'How many hours back the numbers go.' }),
    opportunities: t.field({
      type: 'Long',
      description: 'Sampled opportunities (estimated).',
      resolve: (diagnosis) => diagnosis.opportunities,
    }),
    inReach: t.field({
      type: 'Long',
      description: 'Those of them that match what it is booked for: targeting, day-parts, sizes and formats.',
      resolve: (diagnosis) => diagnosis.inReach,
    }),
    numbers: t.field({
      type: [ReasonCountRef],
      description: 'Outcomes, most frequent first: `won`, or all tests that were failed, joined by "+".',
      resolve: (diagnosis) => [...diagnosis.numbers],
    }),
    byHour: t.field({
      type: [HourlyReasonsRef],
      description: 'The same by hour, the earliest first; hours without a sampled decision are left out.',
      resolve: (diagnosis) => [...diagnosis.byHour],
    }),
    change: t.field({
      type: ChangeRef,
      nullable: true,
      description: 'The change that removes the cause `code`; null when none is needed.',
      resolve: (diagnosis) => diagnosis.changes[0] ?? null,
    }),
    changes: t.field({
      type: [ChangeRef],
      description: 'That change, and others that would gain something, at most 5.',
      resolve: (diagnosis) => [...diagnosis.changes],
    }),
    changesTogether: t.exposeInt('changesTogether', {
      description:
        'So many of `changes`, from the first on, help only together; 1 where each helps alone, 0 where there are none. Make one, and ask again for the next: each carries the version that was read.',
    }),
    rivals: t.field({
      type: [RivalRef],
      description: 'The line items that outbid or outranked it, most first, at most 5.',
      resolve: (diagnosis) => [...diagnosis.rivals],
    }),
  }),
});

const GOAL_BID =
  'What its goal bids for the opportunity, per thousand impressions: more the further it is behind. Null: it has no guaranteed goal, or failed a test.';
const PLANNED_PERCENT = 'Always null: goals bid, see `goalBid`.';

/** The winner of an explained slot. */
export const WinnerRef = builder.objectRef<NonNullable<ExplainedSlot['winner']>>('ExplainedWinner').implement({
  description: 'The line item that would win a slot.',
  fields: (t) => ({
    lineItemId: t.exposeID('lineItemId', { description: 'Its id.' }),
    name: t.exposeString('name', { description: 'Its name.' }),
    creativeId: t.exposeID('creativeId', { description: 'The creative that would be shown.' }),
    companionCreativeIds: t.exposeIDList('companionCreativeIds', {
      description: 'Companions that the video would bring; others fill slots of their own.',
    }),
    bid: t.field({
      type: 'Decimal',
      description: 'The bid price per thousand impressions.',
      resolve: (winner) => formatMicros(BigInt(winner.bidMicros)),
    }),
    bidMoney: t.field(
      moneyTwin<NonNullable<ExplainedSlot['winner']>>('The bid price per thousand impressions.', (winner) =>
        formatMicros(BigInt(winner.bidMicros)),
      ),
    ),
    goalBid: t.field({
      type: 'Decimal',
      nullable: true,
      description: GOAL_BID,
      resolve: ({ goalBidMicros }) => (goalBidMicros === null ? null : formatMicros(BigInt(goalBidMicros))),
    }),
    plannedPercent: t.float({
      nullable: true,
      description: PLANNED_PERCENT,
      deprecationReason: 'Goals bid: read goalBid.',
      resolve: () => null,
    }),
  }),
});

/** A loser of an explained slot. */
export const LoserRef = builder.objectRef<ExplainedLineItem>('ExplainedLoser').implement({
  description: 'A line item that would lose.',
  fields: (t) => ({
    lineItemId: t.exposeID('lineItemId', { description: 'Its id.' }),
    name: t.exposeString('name', { description: 'Its name.' }),
    reason: t.exposeString('reason', { description: 'Loss reason, as a code.' }),
    cause: t.field({
      type: DeliveryCauseRef,
      description: 'The kind of that reason.',
      resolve: ({ reason }) => causeOf(reason),
    }),
    sentence: t.exposeString('sentence', { description: 'Loss reason, as a sentence.' }),
    texts: t.field({
      type: [DeliveryTextRef],
      description: 'That sentence as data, part by part.',
      resolve: ({ texts }) => [...texts],
    }),
    goalBid: t.field({
      type: 'Decimal',
      nullable: true,
      description: GOAL_BID,
      resolve: ({ goalBidMicros }) => (goalBidMicros === null ? null : formatMicros(BigInt(goalBidMicros))),
    }),
    plannedPercent: t.float({
      nullable: true,
      description: PLANNED_PERCENT,
      deprecationReason: 'Goals bid: read goalBid.',
      resolve: () => null,
    }),
  }),
});

const SlotRef = builder.objectRef<ExplainedSlot>('ExplainedSlot').implement({
  description: 'What one impression of the request would get.',
  fields: (t) => ({
    slotId: t.exposeString('slotId', { description: 'The id of the impression in the request.' }),
    winner: t.field({
      type: WinnerRef,
      nullable: true,
      description: 'The winner; null = no fill.',
      resolve: (slot) => slot.winner,
    }),
    losers: t.field({
      type: [LoserRef],
      description: 'The losers, at most 500.',
      resolve: (slot) => [...slot.losers],
    }),
    furtherLosers: t.exposeInt('furtherLosers', { description: 'Losers beyond those listed.' }),
  }),
});

const DecisionRef = builder.objectRef<ExplainedDecision>('ExplainedDecision').implement({
  description: 'What a request would get at an instant. It is never counted, billed or shown.',
  fields: (t) => ({
    at: t.field({ type: 'DateTime', description: 'The instant of the decision.', resolve: (one) => one.at }),
    noFill: t.exposeString('noFill', {
      nullable: true,
      description: 'The no-fill reason; null when a slot is filled.',
    }),
    noFillCause: t.field({
      type: NoFillRef,
      nullable: true,
      description: 'The same as `noFill`.',
      resolve: ({ noFill }) => noFill,
    }),
    arm: t.field({ type: DecidedArmRef, nullable: true, description: ARM_DESCRIPTION, resolve: ({ arm }) => arm }),
    slots: t.field({ type: [SlotRef], description: 'By impression.', resolve: (one) => [...one.slots] }),
  }),
});

const ExplainInputRef = builder.inputType('ExplainDecisionInput', {
  description: 'A request to be explained.',
  fields: (t) => ({
    bidRequest: t.field({
      type: 'JSON',
      required: true,
      description: 'An OpenRTB bid request as the bid endpoint accepts it, with at most 10 impressions.',
    }),
    at: t.field({ type: 'DateTime', description: 'Decide as of this instant with the present bookings; default now.' }),
    lineItemId: t.id({ description: 'List only this line item among the losers.' }),
  }),
});

/** Adds `LineItem.deliveryDiagnosis` and `explainDecision`. */
export function defineDeliveryInsight(): void {
  builder.objectField(objectRefOf('LineItem'), 'deliveryDiagnosis', (t) =>
    t.field({
      type: DiagnosisRef,
      description: 'Its delivery diagnosis, from a sample of the decisions of the last 24 hours.',
      resolve: (row, _args, context) =>
        loaderOf<string, DeliveryDiagnosis>(context, 'deliveryDiagnosis', (ids) =>
          insightOf(context).diagnose(context.principal.workspaceId, ids),
        ).load(String(row.id)),
    }),
  );
  builder.queryField('explainDecision', (t) =>
    t.field({
      type: DecisionRef,
      description: 'What a bid request would get, and the loss reason of every other line item.',
      args: { input: t.arg({ type: ExplainInputRef, required: true, description: 'The request.' }) },
      resolve: (_root, { input }, context) => {
        const { workspaceId } = requirePermission(context.caller, 'query.explainDecision');
        const atMs = input.at?.getTime() ?? context.nowMs();
        const lineItemId =
          input.lineItemId === undefined || input.lineItemId === null ? null : plainIdOf('LineItem', input.lineItemId);
        return insightOf(context).explain(workspaceId, input.bidRequest, { atMs, lineItemId });
      },
    }),
  );
}
