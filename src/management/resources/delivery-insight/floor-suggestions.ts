import { requirePermission } from '../../../access/permissions/permissions.ts';
import { HEADER_BID_SHADING_PERCENT_MAX } from '../../../domain/booking/delivery-insight.ts';
import type { FloorQuestion, FloorSuggestion } from '../../../domain/booking/delivery-insight.ts';
import type { FieldProblem } from '../../../domain/errors.ts';
import { plainIdOf } from '../../../domain/ids/global-ids.ts';
import { isDecimalId } from '../../../domain/ids/ids.ts';
import { formatMicros } from '../../../domain/money/money.ts';
import { builder } from '../../kernel/builder.ts';
import { moneyTwin } from '../../kernel/money-type.ts';
import type { ManagementContext } from '../../kernel/context.ts';
import { report } from '../../kernel/field.ts';
import { loadObject } from '../../kernel/loaders.ts';
import { checkNumber } from '../../kernel/scalar-fields.ts';
import { validationFailed } from '../../kernel/drafts.ts';
import { insightOf } from './delivery-insight.ts';

const AD_UNITS_MAX = 100;

type MoneyMember = keyof {
  [Key in keyof FloorSuggestion as Key extends `${string}Micros` ? Key : never]: true;
};
const MONEY = {
  floor: ['floorMicros', 'The present floor of the ad unit, CPM.'],
  suggestedFloor: ['suggestedFloorMicros', 'The floor that would have earned most, CPM.'],
  revenue: [
    'revenueMicros',
    'What the paid slots of the sampled time earn with the present floor, if no goal takes them.',
  ],
  gain: ['gainMicros', 'What they would earn more with the suggested floor.'],
  gainLow: ['gainLowMicros', 'Lower end of the 95 % interval of `gain`.'],
  gainHigh: ['gainHighMicros', 'Upper end of that interval.'],
} as const satisfies Readonly<Record<string, readonly [MoneyMember, string]>>;

const SuggestionRef = builder.objectRef<FloorSuggestion>('FloorSuggestion').implement({
  description:
    'A floor of an ad unit that would have earned more with the bids of the sampled requests. A suggestion only: set it with `updateAdUnit`.',
  fields: (t) => {
    const money = ([member, description]: (typeof MONEY)[keyof typeof MONEY]) =>
      t.field({ type: 'Decimal', description, resolve: (one) => formatMicros(BigInt(one[member])) });
    const twin = ([member, description]: (typeof MONEY)[keyof typeof MONEY]) =>
      t.field(moneyTwin<FloorSuggestion>(description, (one) => formatMicros(BigInt(one[member]))));
    return {
      adUnitId: t.exposeID('adUnitId', { description: 'Id of the ad unit.' }),
      name: t.exposeString('name', { description: 'Name of the ad unit.' }),
      floor: money(MONEY.floor),
      floorMoney: twin(MONEY.floor),
      suggestedFloor: money(MONEY.suggestedFloor),
      suggestedFloorMoney: twin(MONEY.suggestedFloor),
      revenue: money(MONEY.revenue),
      revenueMoney: twin(MONEY.revenue),
      gain: money(MONEY.gain),
      gainMoney: twin(MONEY.gain),
      gainLow: money(MONEY.gainLow),
      gainLowMoney: twin(MONEY.gainLow),
      gainHigh: money(MONEY.gainHigh),
      gainHighMoney: twin(MONEY.gainHigh),
      paidSlots: t.field({
        type: 'Long',
        description: 'Slots of the sampled time that somebody pays for with the present floor.',
        resolve: (one) => one.paidSlots,
      }),
      suggestedPaidSlots: t.field({
        type: 'Long',
        description: 'The same with the suggested floor: the difference is what is lost or won.',
        resolve: (one) => one.suggestedPaidSlots,
      }),
      sampleSize: t.exposeInt('sampleSize', { description: 'Sampled slots of the ad unit with a bid, at least 200.' }),
      sampledHours: t.exposeFloat('sampledHours', { description: 'How long the sample was gathered.' }),
    };
  },
});

/** Adds `floorSuggestions`. */
export function defineFloorSuggestions(): void {
  builder.queryField('floorSuggestions', (t) =>
    t.field({
      type: [SuggestionRef],
      description:
        'Floors of ad units that would have earned more with the bids of the last 14 days, the largest gain first, at most 100. Nothing is changed.',
      args: {
        adUnitIds: t.arg.idList({ description: 'Only for these ad units, at most 100; default all.' }),
        headerBidShadingPercent: t.arg.int({
          description:
            'How far header bidders bid below what an impression is worth to them, 0 to 90; default 0: they never pay more than they bid.',
        }),
      },
      resolve: async (_root, args, context) => {
        const { workspaceId } = requirePermission(context.caller, 'query.floorSuggestions');
        const question = await readQuestion(args, context);
        return insightOf(context).suggestFloors(workspaceId, question, context.signal);
      },
    }),
  );
}

/** @throws PlacardError `validation_failed` naming each wrong argument, also ad units of other networks */
async function readQuestion(
  args: {
    readonly adUnitIds?: readonly (string | number)[] | null | undefined;
    readonly headerBidShadingPercent?: number | null | undefined;
  },
  context: ManagementContext,
): Promise<FloorQuestion> {
  const problems: FieldProblem[] = [];
  const headerBidShadingPercent = checkNumber(
    args.headerBidShadingPercent ?? 0,
    'headerBidShadingPercent',
    { min: 0, max: HEADER_BID_SHADING_PERCENT_MAX },
    problems,
  );
  const adUnitIds = args.adUnitIds?.map((id) => plainIdOf('AdUnit', id)) ?? null;
  if (adUnitIds !== null && adUnitIds.length > AD_UNITS_MAX)
    report(problems, 'adUnitIds', 'out_of_range', `Name at most ${AD_UNITS_MAX} ad units.`);
  else
    await Promise.all(
      (adUnitIds ?? []).map(async (id, at) => {
        if (isDecimalId(id) && (await loadObject(context, 'AdUnit', BigInt(id))) !== null) return;
        const path = `adUnitIds[${at}]`;
        report(problems, path, 'unknown', `There is no AdUnit with the id ${JSON.stringify(id.slice(0, 40))}.`);
      }),
    );
  if (problems.length > 0) throw validationFailed(problems);
  return { adUnitIds, headerBidShadingPercent };
}
