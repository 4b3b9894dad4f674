import type { LineItem } from '../api/bookings/desk-list.ts';
import { ambiguityOf, decimalOf, typedText, wholeOf } from '../format/typed-numbers.ts';
import { say } from '../messages/say.ts';
import { describeCaps } from '../changes/bulk-plan.ts';
import type { CellEditor } from '../tables/cell-editor.tsx';
import { changeOf, instantEditor, isLiving, nameEditor, statusEditor } from '../tables/cell-editor-kinds.ts';
import type { DeskColumn } from '../tables/desk-columns.ts';
import type { KnownColumns } from '../tables/desk-state.ts';
import { deliveryStateOf } from '../delivery/delivery-sentence.ts';
import {
  flightOf,
  formatCount,
  formatFlight,
  formatGoal,
  formatMoney,
  formatPercent,
  formatPrice,
  formatRate,
} from '../format/desk-format.ts';
import { goalValue } from '../delivery/delivery-days.ts';
import { bookedColumns, describedById } from './list-columns.tsx';
import type { CellContext } from '../session/desk-scope.ts';
import { COMPACT_PX, Cut, nameColumn, none, ObjectLink } from '../tables/column-parts.tsx';
import type { RowExtras } from './row-extras.ts';
import { lifeOf } from '../delivery/life.ts';
import { DeliveryWord, GoalBar, LifeWord } from '../delivery/state-words.tsx';
import { describeWhy } from '../delivery/why.ts';

const DELIVERY = ['delivery', 'campaign', 'why', 'dates', 'delivered', 'pacing', 'last_hour', 'today', 'ctr'] as const;
const SETUP = [
  'status',
  'campaign',
  'type',
  'level',
  'targeting',
  'advertiser',
  'dates',
  'price',
  'goal',
  'caps',
  'labels',
] as const;
const MONEY = [
  'status',
  'campaign',
  'advertiser',
  'price',
  'goal',
  'delivered',
  'spend_today',
  'spend',
  'value',
  'ctr',
] as const;

/** Columns of line items besides the name: all, the usual ones, and the named sets. */
export const LINE_ITEM_COLUMNS: KnownColumns = {
  all: [
    'status',
    'delivery',
    'why',
    'campaign',
    'advertiser',
    'dates',
    'price',
    'goal',
    'delivered',
    'pacing',
    'last_hour',
    'today',
    'spend_today',
    'spend',
    'value',
    'ctr',
    'viewability',
    'type',
    'level',
    'targeting',
    'caps',
    'labels',
    'updated',
  ],
  usual: [
    'status',
    'campaign',
    'why',
    'delivered',
    'pacing',
    'last_hour',
    'today',
    'spend',
    'ctr',
    'price',
    'goal',
    'dates',
  ],
  sets: { delivery: DELIVERY, setup: SETUP, money: MONEY },
};

/** All columns of line items, by id. */
export function lineItemColumns(context: CellContext, extras: RowExtras): ReadonlyMap<string, DeskColumn<LineItem>> {
  const { nowMs, timezone } = context;
  const zoneOf = (item: LineItem): string | undefined => item.timezone ?? timezone;
  const booked = bookedColumns<LineItem>(context, { hasSpendSort: true });
  return describedById<LineItem>([
    {
      ...nameColumn(),
      editor: nameEditor(),
      render: ({ id, name }) => <ObjectLink to="/desk/line-items/$id" id={id} name={name} isCell />,
    },
    ...booked.map((column) => (column.id === 'status' ? { ...column, editor: statusEditor<LineItem>() } : column)),
    {
      id: 'delivery',
      title: say('desk_column.delivery'),
      widthPx: 130,
      render: (item) => <DeliveryWord state={deliveryStateOf(item, nowMs)} />,
    },
    {
      id: 'why',
      title: say('desk_column.why'),
      widthPx: 190,
      render: (item) => <Cut text={describeWhy(item, extras.diagnoses.get(item.id), nowMs)} />,
    },
    {
      id: 'campaign',
      title: say('desk_column.campaign'),
      widthPx: 200,
      render: ({ campaign }) =>
        campaign === null ? none : <ObjectLink to="/desk/campaigns/$id" id={campaign.id} name={campaign.name} isCell />,
    },
    {
      id: 'advertiser',
      title: say('desk_column.advertiser'),
      widthPx: 150,
      render: ({ campaign }) => <Cut text={campaign?.advertiser?.name ?? none} />,
    },
    {
      id: 'dates',
      title: say('desk_column.dates'),
      widthPx: 140,
      sortField: 'ENDS_AT',
      editor: instantEditor('endsAt', zoneOf),
      render: (item) => formatFlight(flightOf(item), zoneOf(item), nowMs),
    },
    ...figureColumns(context, extras),
    ...competeColumns(extras),
    {
      id: 'caps',
      title: say('desk_column.caps'),
      widthPx: 170,
      render: ({ frequencyCaps }) => <Cut text={frequencyCaps.length === 0 ? none : describeCaps(frequencyCaps)} />,
    },
    {
      id: 'labels',
      title: say('desk_column.labels'),
      widthPx: 140,
      render: ({ labels }) => <Cut text={labels.length === 0 ? none : labels.join(', ')} />,
    },
  ]);
}

/** How it competes, and where. */
function competeColumns(extras: RowExtras): DeskColumn<LineItem>[] {
  return [
    {
      id: 'type',
      title: say('desk_column.type'),
      widthPx: 115,
      render: ({ type }) => say(`line_item_type.${type}`),
    },
    { id: 'level', title: say('desk_column.level'), widthPx: 70, isNumber: true, render: ({ level }) => level },
    {
      id: 'targeting',
      title: say('desk_column.targeting'),
      widthPx: 260,
      render: ({ id }) => <Cut text={extras.targetings.get(id) ?? none} />,
    },
  ];
}

const priceEditor = (): CellEditor<LineItem> => ({
  kind: 'number',
  fault: (text) => ambiguityOf(text, false) ?? say('booking.fault_price'),
  isOpen: isLiving,
  read: ({ price }) => typedText(price),
  change: (item, text) => {
    const price = decimalOf(text);
    return price === null ? null : changeOf('price', price, item.price);
  },
});
const goalEditor = (): CellEditor<LineItem> => ({
  kind: 'number',
  fault: (text) => ambiguityOf(text, true) ?? say('booking.fault_whole'),
  isOpen: (item) => isLiving(item) && item.goal !== null,
  read: ({ goal }) => String(goal?.amount ?? ''),
  change: ({ goal }, text) => {
    const amount = wholeOf(text);
    if (goal === null || amount === null || amount < 1) return null;
    return changeOf('goal', { ...goal, amount }, goal);
  },
});

/** Columns of numbers. */
function figureColumns({ currency }: CellContext, extras: RowExtras): DeskColumn<LineItem>[] {
  return [...termColumns(currency), ...paceColumns(extras), ...resultColumns(currency)];
}

/** What is booked: the price and the goal. */
function termColumns(currency: string | undefined): DeskColumn<LineItem>[] {
  return [
    {
      id: 'price',
      title: say('desk_column.price'),
      widthPx: 125,
      isNumber: true,
      editor: priceEditor(),
      render: (item) => formatPrice(item, currency),
    },
    {
      id: 'goal',
      title: say('desk_column.goal'),
      widthPx: 175,
      editor: goalEditor(),
      render: ({ goal }) => <Cut text={goal === null ? none : formatGoal(goal)} />,
    },
  ];
}

/** How far and how fast line items deliver. */
function paceColumns(extras: RowExtras): DeskColumn<LineItem>[] {
  return [
    {
      id: 'delivered',
      title: say('desk_column.delivered'),
      widthPx: 135,
      isNumber: true,
      sortField: 'IMPRESSIONS',
      render: ({ delivery }) =>
        delivery === null ? (
          none
        ) : delivery.progress === null ? (
          formatCount(delivery.lifetime.impressions)
        ) : (
          <GoalBar progress={delivery.progress} />
        ),
    },
    {
      id: 'pacing',
      title: say('desk_column.pacing'),
      widthPx: 90,
      isNumber: true,
      sortField: 'PACE',
      render: ({ delivery }) => {
        const percent = delivery?.progress?.pacingPercent ?? null;
        return percent === null ? none : formatPercent(percent);
      },
    },
    {
      id: 'last_hour',
      title: say('desk_column.last_hour'),
      widthPx: 100,
      isNumber: true,
      render: ({ id }) => (extras.lastHour === null ? none : formatCount(extras.lastHour.get(id) ?? 0)),
    },
  ];
}

/** Earnings, and rates of counted events. */
function resultColumns(currency: string | undefined): DeskColumn<LineItem>[] {
  const money = (amount: string): string => formatMoney(amount, currency);
  return [
    {
      id: 'spend_today',
      title: say('desk_column.spend_today'),
      widthPx: 120,
      isNumber: true,
      render: ({ delivery }) => (delivery === null ? none : money(delivery.today.spend)),
    },
    {
      id: 'value',
      title: say('desk_column.value'),
      widthPx: 120,
      isNumber: true,
      render: ({ goal, price, pricingModel }) => {
        const value = goalValue(goal, price, pricingModel);
        return value === null ? none : money(value);
      },
    },
    {
      id: 'ctr',
      title: say('desk_column.ctr'),
      widthPx: 80,
      isNumber: true,
      render: ({ delivery }) => rateOf(delivery?.lifetime.clicks, delivery?.lifetime.impressions),
    },
    {
      id: 'viewability',
      title: say('desk_column.viewability'),
      widthPx: 105,
      isNumber: true,
      render: ({ delivery }) => rateOf(delivery?.lifetime.viewableImpressions, delivery?.lifetime.impressions),
    },
  ];
}

function rateOf(part: number | undefined, whole: number | undefined): string {
  return part === undefined || whole === undefined || whole === 0 ? none : formatRate(part / whole);
}

/** On a narrow screen, a row is one cell of three lines. With `extras`, its pace and reason are in place of its campaign. */
export function compactLineItem(context: CellContext, extras: RowExtras | null = null): DeskColumn<LineItem> {
  return {
    ...nameColumn(),
    widthPx: COMPACT_PX,
    render: (item) => (
      <>
        <ObjectLink to="/desk/line-items/$id" id={item.id} name={item.name} isCell />
        <span className="desk-second">
          <bdi>{extras === null ? (item.campaign?.name ?? none) : describePace(item, extras, context.nowMs)}</bdi>
        </span>
        <span className="desk-line">
          {lifeOf(item, context.nowMs) === 'ACTIVE' ? (
            <DeliveryWord state={deliveryStateOf(item, context.nowMs)} />
          ) : (
            <LifeWord booking={item} nowMs={context.nowMs} />
          )}
          <span>{describeShort(item)}</span>
        </span>
      </>
    ),
  };
}

function describePace(item: LineItem, extras: RowExtras, nowMs: number): string {
  const percent = item.delivery?.progress?.pacingPercent ?? null;
  const why = describeWhy(item, extras.diagnoses.get(item.id), nowMs);
  return percent === null ? why : `${formatPercent(percent)} · ${why}`;
}

function describeShort({ delivery, goal }: LineItem): string {
  if (delivery === null) return none;
  const { progress, lifetime } = delivery;
  if (progress === null || goal === null) return formatCount(lifetime.impressions);
  return `${formatCount(progress.delivered)} / ${formatCount(progress.goal)}`;
}
