import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { BookedObject, Campaign, LineItem } from '../api/desk-list.ts';
import { say } from '../messages/say.ts';
import { Instant } from '../ui/instant.tsx';
import { deliveryStateOf, type DeskMoment } from './delivery-sentence.ts';
import {
  flightOf,
  formatCount,
  formatFlight,
  formatGoal,
  formatMoney,
  formatPercent,
  formatPrice,
} from './desk-format.ts';
import type { DeskColumn } from './desk-table.tsx';
import { DeliveryWord, GoalBar, StatusWord } from './state-words.tsx';

/** Columns of line items besides the name, in their order. */
export const LINE_ITEM_COLUMNS = [
  'status',
  'delivery',
  'campaign',
  'advertiser',
  'dates',
  'price',
  'goal',
  'delivered',
  'pacing',
  'type',
  'today',
  'spend',
  'updated',
] as const;
/** Those that are shown unless a person chooses. */
export const LINE_ITEM_USUAL: readonly string[] = LINE_ITEM_COLUMNS.slice(0, 9);

/** Columns of campaigns besides the name. */
export const CAMPAIGN_COLUMNS = [
  'status',
  'advertiser',
  'dates',
  'impressions',
  'clicks',
  'today',
  'spend',
  'updated',
] as const;
export const CAMPAIGN_USUAL: readonly string[] = CAMPAIGN_COLUMNS.slice(0, 7);

/** The context that cells are drawn in. */
export interface CellContext extends DeskMoment {
  readonly currency: string | undefined;
}

const none = say('value.none_measure');

/** A link to the page of a line item or campaign. */
export function ObjectLink({
  to,
  id,
  name,
  isCell = false,
}: {
  readonly to: '/desk/line-items/$id' | '/desk/campaigns/$id';
  readonly id: string;
  readonly name: string;
  /** In a table with keys of its own, Enter opens the row. */
  readonly isCell?: boolean;
}) {
  return (
    <Anchor
      inherit
      underline={isCell ? 'hover' : 'always'}
      className={isCell ? 'desk-name' : undefined}
      title={name}
      renderRoot={(props) => (
        <Link to={to} params={{ id }} search={{}} {...(isCell ? { tabIndex: -1 } : {})} {...props} />
      )}
    >
      <bdi>{name}</bdi>
    </Anchor>
  );
}

/** All columns of line items, by id. */
export function lineItemColumns(context: CellContext): ReadonlyMap<string, DeskColumn<LineItem>> {
  const { nowMs, timezone, currency } = context;
  const zoneOf = (item: LineItem): string | undefined => item.timezone ?? timezone;
  return byId<LineItem>([
    {
      ...nameColumn,
      render: ({ id, name }) => <ObjectLink to="/desk/line-items/$id" id={id} name={name} isCell />,
    },
    ...bookedColumns<LineItem>(currency),
    {
      id: 'delivery',
      title: say('desk_column.delivery'),
      widthPx: 130,
      render: (item) => <DeliveryWord state={deliveryStateOf(item, nowMs)} />,
    },
    {
      id: 'campaign',
      title: say('desk_column.campaign'),
      widthPx: 170,
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
      render: (item) => formatFlight(flightOf(item), zoneOf(item), nowMs),
    },
    {
      id: 'price',
      title: say('desk_column.price'),
      widthPx: 125,
      isNumber: true,
      render: (item) => formatPrice(item, currency),
    },
    {
      id: 'goal',
      title: say('desk_column.goal'),
      widthPx: 175,
      render: ({ goal }) => <Cut text={goal === null ? none : formatGoal(goal)} />,
    },
    {
      id: 'delivered',
      title: say('desk_column.delivered'),
      widthPx: 135,
      isNumber: true,
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
      render: ({ delivery }) => {
        const percent = delivery?.progress?.pacingPercent ?? null;
        return percent === null ? none : formatPercent(percent);
      },
    },
    {
      id: 'type',
      title: say('desk_column.type'),
      widthPx: 115,
      render: ({ type }) => say(`line_item_type.${type}`),
    },
  ]);
}

/** All columns of campaigns, by id. */
export function campaignColumns(context: CellContext): ReadonlyMap<string, DeskColumn<Campaign>> {
  const { nowMs, timezone, currency } = context;
  return byId<Campaign>([
    { ...nameColumn, render: ({ id, name }) => <ObjectLink to="/desk/campaigns/$id" id={id} name={name} isCell /> },
    ...bookedColumns<Campaign>(currency),
    {
      id: 'advertiser',
      title: say('desk_column.advertiser'),
      widthPx: 170,
      render: ({ advertiser }) => <Cut text={advertiser?.name ?? none} />,
    },
    {
      id: 'dates',
      title: say('desk_column.dates'),
      widthPx: 140,
      render: (campaign) => formatFlight(campaign, timezone, nowMs),
    },
    {
      id: 'impressions',
      title: say('desk_column.impressions'),
      widthPx: 120,
      isNumber: true,
      render: ({ delivery }) => (delivery === null ? none : formatCount(delivery.lifetime.impressions)),
    },
    {
      id: 'clicks',
      title: say('desk_column.clicks'),
      widthPx: 90,
      isNumber: true,
      render: ({ delivery }) => (delivery === null ? none : formatCount(delivery.lifetime.clicks)),
    },
  ]);
}

const nameColumn = {
  id: 'name',
  title: say('desk_column.name'),
  widthPx: 220,
  sortField: 'NAME',
} as const;

/** Columns that both kinds have. */
function bookedColumns<Row extends BookedObject>(currency: string | undefined): DeskColumn<Row>[] {
  return [
    {
      id: 'status',
      title: say('desk_column.status'),
      widthPx: 115,
      render: ({ status }) => <StatusWord status={status} />,
    },
    {
      id: 'today',
      title: say('desk_column.today'),
      widthPx: 100,
      isNumber: true,
      render: ({ delivery }) => (delivery === null ? none : formatCount(delivery.today.impressions)),
    },
    {
      id: 'spend',
      title: say('desk_column.spend'),
      widthPx: 120,
      isNumber: true,
      render: ({ delivery }) => (delivery === null ? none : formatMoney(delivery.lifetime.spend, currency)),
    },
    {
      id: 'updated',
      title: say('desk_column.updated'),
      widthPx: 180,
      sortField: 'UPDATED_AT',
      render: ({ updatedAt }) => <Instant at={updatedAt} />,
    },
  ];
}

function byId<Row>(columns: readonly DeskColumn<Row>[]): ReadonlyMap<string, DeskColumn<Row>> {
  return new Map(columns.map((column) => [column.id, column]));
}

function Cut({ text }: { readonly text: string }) {
  return (
    <span className="desk-cut" title={text}>
      <bdi>{text}</bdi>
    </span>
  );
}

/** On a narrow screen, a row is one cell of three lines. */
export function compactLineItem(context: CellContext): DeskColumn<LineItem> {
  return {
    ...nameColumn,
    render: (item) => (
      <>
        <ObjectLink to="/desk/line-items/$id" id={item.id} name={item.name} isCell />
        <span className="desk-second">
          <bdi>{item.campaign?.name ?? none}</bdi>
        </span>
        <span className="desk-line">
          {item.status === 'ACTIVE' ? (
            <DeliveryWord state={deliveryStateOf(item, context.nowMs)} />
          ) : (
            <StatusWord status={item.status} />
          )}
          <span>{describeShort(item)}</span>
        </span>
      </>
    ),
  };
}

function describeShort({ delivery, goal }: LineItem): string {
  if (delivery === null) return none;
  const { progress, lifetime } = delivery;
  if (progress === null || goal === null) return formatCount(lifetime.impressions);
  return `${formatCount(progress.delivered)} / ${formatCount(progress.goal)}`;
}

/** The same for campaigns. */
export function compactCampaign({ currency }: CellContext): DeskColumn<Campaign> {
  return {
    ...nameColumn,
    render: ({ id, name, status, advertiser, delivery }) => (
      <>
        <ObjectLink to="/desk/campaigns/$id" id={id} name={name} isCell />
        <span className="desk-second">
          <bdi>{advertiser?.name ?? none}</bdi>
        </span>
        <span className="desk-line">
          <StatusWord status={status} />
          <span>{delivery === null ? none : formatMoney(delivery.lifetime.spend, currency)}</span>
        </span>
      </>
    ),
  };
}
