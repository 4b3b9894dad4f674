import { writeSentences } from '../../../domain/booking/delivery-text.ts';
import { DeliveryTextRef } from './delivery-text.ts';
import { requirePermission } from '../../../access/permissions/permissions.ts';
import type {
  DecisionInspection,
  InspectedAd,
  InspectedChange,
  InspectedDecision,
  InspectedKeyValue,
  InspectedRequest,
  LoggedReplay,
  WinChance,
} from '../../../domain/booking/decision-inspection.ts';
import { CHANCE_DRAWS, INSPECTED_CHANGES_MAX } from '../../../domain/booking/decision-inspection.ts';
import type { ExplainedSlot } from '../../../domain/booking/delivery-insight.ts';
import { formatSize } from '../../../domain/booking/inventory.ts';
import { formatMicros } from '../../../domain/money/money.ts';
import { builder } from '../../kernel/builder.ts';
import { moneyTwin } from '../../kernel/money-type.ts';
import { MediaTypeRef } from '../../fields/enumerations.ts';
import { ARM_DESCRIPTION, DecidedArmRef } from '../experiment/experiment-results.ts';
import { insightOf, LoserRef, WinnerRef } from './delivery-insight.ts';
import { InspectDecisionInput, readInspection } from './inspection-input.ts';

const ChanceRef = builder.objectRef<WinChance>('WinChance').implement({
  description: `How often a line item wins a slot when the same request is decided ${CHANCE_DRAWS} times with other draws.`,
  fields: (t) => ({
    slotId: t.exposeString('slotId', { description: 'The slot.' }),
    lineItemId: t.exposeID('lineItemId', { description: 'The line item.' }),
    name: t.exposeString('name', { description: 'Its name.' }),
    percent: t.exposeFloat('percent', { description: 'Percentage of the decisions.' }),
  }),
});

const SlotRef = builder.objectRef<ExplainedSlot>('InspectedSlot').implement({
  description: 'What one slot of the request gets.',
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

const DecisionRef = builder.objectRef<InspectedDecision & Partial<LoggedReplay>>('InspectedDecision').implement({
  description: 'A decision with its reasons. It is never counted, billed or shown.',
  fields: (t) => ({
    at: t.field({ type: 'DateTime', description: 'The instant of the decision.', resolve: (one) => one.at }),
    noFill: t.exposeString('noFill', {
      nullable: true,
      description: 'The no-fill reason; null when a slot is filled.',
    }),
    arm: t.field({ type: DecidedArmRef, nullable: true, description: ARM_DESCRIPTION, resolve: ({ arm }) => arm }),
    slots: t.field({ type: [SlotRef], description: 'By impression.', resolve: (one) => [...one.slots] }),
    chances: t.field({
      type: [ChanceRef],
      description:
        'How often each line item wins, most often first; empty for a logged decision, whose draws are known.',
      resolve: (one) => [...one.chances],
    }),
    isSame: t.boolean({
      nullable: true,
      description: 'Of a logged decision: whether the replay gives the same ads at the same prices, bit by bit.',
      resolve: (one) => one.isSame ?? null,
    }),
    differences: t.stringList({
      description: 'Of a logged decision: what the replay gives that the log does not have.',
      resolve: (one) => [...(one.differences ?? [])],
    }),
    assumedValues: t.int({
      description: 'Counters that reasons use and that the log does not hold, because the decision did not need them.',
      resolve: (one) => one.assumedValues ?? 0,
    }),
  }),
});

const AdRef = builder.objectRef<InspectedAd>('InspectedAd').implement({
  description: 'What the signed link of a served ad says of it.',
  fields: (t) => ({
    lineItemId: t.exposeID('lineItemId', { description: 'Its line item.' }),
    lineItemName: t.exposeString('lineItemName', { description: 'Name of the line item; empty when it is gone.' }),
    creativeId: t.exposeID('creativeId', { description: 'Its creative.' }),
    adUnitId: t.id({ nullable: true, description: 'Its ad unit.', resolve: (one) => one.adUnitId || null }),
    siteId: t.id({ nullable: true, description: 'Its site.', resolve: (one) => one.siteId || null }),
    size: t.string({ description: 'Its size, such as 300x250.', resolve: (one) => formatSize(one) }),
    country: t.exposeString('country', { description: 'Country of the request.' }),
    deviceType: t.exposeString('deviceType', { description: 'Device of the request.' }),
    price: t.field({
      type: 'Decimal',
      description: 'Price of the line item at that time.',
      resolve: (one) => formatMicros(BigInt(one.priceMicros)),
    }),
    priceMoney: t.field(
      moneyTwin<InspectedAd>('Price of the line item at that time.', (one) => formatMicros(BigInt(one.priceMicros))),
    ),
    decidedAt: t.field({ type: 'DateTime', description: 'When it was decided.', resolve: (one) => one.decidedAt }),
    npa: t.exposeBoolean('npa', { description: 'Whether ads could not be personalised.' }),
    test: t.exposeBoolean('test', { description: 'Whether it was a test, which counts nothing.' }),
  }),
});

function statedFloor({ floorMicros }: InspectedRequest['slots'][number]): string | null {
  return Number.isFinite(floorMicros) ? formatMicros(BigInt(floorMicros)) : null;
}

const KeyValueRef = builder.objectRef<InspectedKeyValue>('InspectedKeyValue').implement({
  description: 'A key of the page or of a slot, with its values.',
  fields: (t) => ({
    key: t.exposeString('key', { description: 'The key.' }),
    values: t.stringList({ description: 'Its values.', resolve: (one) => [...one.values] }),
  }),
});

const RequestSlotRef = builder.objectRef<InspectedRequest['slots'][number]>('InspectedRequestSlot').implement({
  description: 'A slot of the request.',
  fields: (t) => ({
    slotId: t.exposeString('slotId', { description: 'The id of the impression in the request.' }),
    adUnitId: t.id({ nullable: true, description: 'Its ad unit.', resolve: (one) => one.adUnitId || null }),
    siteId: t.id({ nullable: true, description: 'Its site.', resolve: (one) => one.siteId || null }),
    sizes: t.stringList({ description: 'Its sizes.', resolve: (one) => one.sizes.map(formatSize) }),
    mediaTypes: t.field({
      type: [MediaTypeRef],
      description: 'What it takes.',
      resolve: (one) => [...one.mediaTypes],
    }),
    floor: t.field({
      type: 'Decimal',
      nullable: true,
      description: 'The floor that the request states, CPM; null: in another currency, so above every price.',
      resolve: statedFloor,
    }),
    floorMoney: t.field(
      moneyTwin(
        'The floor that the request states, CPM; null: in another currency, so above every price.',
        statedFloor,
      ),
    ),
    keyValues: t.field({
      type: [KeyValueRef],
      description: 'All key-values that count for it: its own, and those of the page for other keys.',
      resolve: (one) => [...one.keyValues],
    }),
  }),
});

const RequestRef = builder.objectRef<InspectedRequest>('InspectedRequest').implement({
  description: 'What the request says, in the terms of decisions. It names no user.',
  fields: (t) => ({
    pageUrl: t.exposeString('pageUrl', { description: 'Address of the page.' }),
    country: t.exposeString('country', { description: 'Country; empty = unknown.' }),
    region: t.exposeString('region', { description: 'Region; empty = unknown.' }),
    deviceType: t.exposeString('deviceType', { description: 'Device; empty = unknown.' }),
    os: t.exposeString('os', { description: 'Operating system; empty = unknown.' }),
    browser: t.exposeString('browser', { description: 'Browser; empty = unknown.' }),
    npa: t.exposeBoolean('npa', { description: 'Whether ads may not be personalised.' }),
    hasUser: t.exposeBoolean('hasUser', { description: 'Whether the user is known.' }),
    segmentIds: t.stringList({ description: 'Segments of the user.', resolve: (one) => [...one.segmentIds] }),
    keyValues: t.field({
      type: [KeyValueRef],
      description: 'Key-values of the page.',
      resolve: (one) => [...one.keyValues],
    }),
    slots: t.field({ type: [RequestSlotRef], description: 'Its slots.', resolve: (one) => [...one.slots] }),
  }),
});

const ChangeRef = builder.objectRef<InspectedChange>('InspectedChange').implement({
  description: 'What imagined changes do to one line item in one slot.',
  fields: (t) => ({
    slotId: t.exposeString('slotId', { description: 'The slot.' }),
    lineItemId: t.exposeID('lineItemId', { description: 'The line item.' }),
    name: t.exposeString('name', { description: 'Its name.' }),
    before: t.exposeString('before', { description: '`won`, or the loss reason.' }),
    after: t.exposeString('after', { description: '`won`, or the loss reason.' }),
  }),
});

const InspectionRef = builder.objectRef<DecisionInspection>('DecisionInspection').implement({
  description: 'A decision, with what led to it and what would change it. Nothing of it is counted, billed or shown.',
  fields: (t) => ({
    request: t.field({ type: RequestRef, description: 'What the request says.', resolve: (one) => one.request }),
    bidRequest: t.field({
      type: 'JSON',
      nullable: true,
      description: 'The request as the bid endpoint takes it; null for a logged decision.',
      resolve: (one) => one.bidRequest,
    }),
    ad: t.field({
      type: AdRef,
      nullable: true,
      description: 'The ad behind `whyLink`.',
      resolve: (one) => one.ad,
    }),
    logged: t.field({
      type: DecisionRef,
      nullable: true,
      description: 'The decision as the log has it, made again on the bookings of that time; null where it does not.',
      resolve: (one) => one.logged,
    }),
    present: t.field({
      type: DecisionRef,
      description: 'The same request with the present bookings.',
      resolve: (one) => one.present,
    }),
    imagined: t.field({
      type: DecisionRef,
      nullable: true,
      description: 'The logged decision, or else the present one, with the imagined changes.',
      resolve: (one) => one.imagined,
    }),
    changes: t.field({
      type: [ChangeRef],
      description: `The line items for which \`imagined\` differs, winners first, at most ${INSPECTED_CHANGES_MAX}.`,
      resolve: (one) => [...one.changes],
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

/** Adds `inspectDecision`. */
export function defineDecisionInspection(): void {
  builder.queryField('inspectDecision', (t) =>
    t.field({
      type: InspectionRef,
      description:
        'One decision in full: the winner, why each other line item lost, the same decision from the decision log, and what would change with other prices, limits or priorities.',
      args: { input: t.arg({ type: InspectDecisionInput, required: true, description: 'Which decision.' }) },
      resolve: (_root, { input }, context) => {
        const { workspaceId } = requirePermission(context.caller, 'query.inspectDecision');
        return insightOf(context).inspect(workspaceId, readInspection(input, context.nowMs()));
      },
    }),
  );
}
