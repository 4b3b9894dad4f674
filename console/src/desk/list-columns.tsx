import type { BookedObject, Campaign } from '../api/bookings/desk-list.ts';
import { ambiguityOf, typedText } from '../format/typed-numbers.ts';
import { isMessageKey, say } from '../messages/say.ts';
import { Instant } from '../ui/instant.tsx';
import { changeOf, instantEditor, isLiving, moneyOf, nameEditor, statusEditor } from '../tables/cell-editor-kinds.ts';
import type { CellContext } from '../session/desk-scope.ts';
import type { DeskColumn } from '../tables/desk-columns.ts';
import { formatCount, formatFlight, formatFullDay, formatMoney } from '../format/desk-format.ts';
import type { Living } from '../delivery/life.ts';
import type { KnownColumns } from '../tables/desk-state.ts';
import { LifeWord } from '../delivery/state-words.tsx';
import { byId, COMPACT_PX, Cut, nameColumn, none, ObjectLink } from '../tables/column-parts.tsx';

/** Columns of campaigns besides the name. */
export const CAMPAIGN_COLUMNS: KnownColumns = {
  all: [
    'status',
    'advertiser',
    'dates',
    'starts',
    'ends',
    'budget',
    'budget_day',
    'spend',
    'impressions',
    'clicks',
    'today',
    'labels',
    'updated',
  ],
  usual: ['status', 'advertiser', 'starts', 'ends', 'budget', 'spend', 'impressions', 'clicks', 'today'],
  sets: {},
};

/** All columns of campaigns, by id. */
export function campaignColumns(context: CellContext): ReadonlyMap<string, DeskColumn<Campaign>> {
  const { nowMs, timezone, currency } = context;
  return describedById<Campaign>([
    {
      ...nameColumn(),
      editor: nameEditor(),
      render: ({ id, name }) => <ObjectLink to="/desk/campaigns/$id" id={id} name={name} isCell />,
    },
    ...bookedColumns<Campaign>(context).map((column) =>
      column.id === 'status' ? { ...column, editor: statusEditor<Campaign>() } : column,
    ),
    ...flightColumns(timezone),
    budgetColumn('budget', 'spendLifetime', currency),
    budgetColumn('budget_day', 'spendPerDay', currency),
    {
      id: 'labels',
      title: say('desk_column.labels'),
      widthPx: 140,
      render: ({ labels }) => <Cut text={labels.length === 0 ? none : labels.join(', ')} />,
    },
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

/** The start and the end of campaigns, with the time of day. */
function flightColumns(timezone: string | undefined): DeskColumn<Campaign>[] {
  const drawn = (iso: string | null): string => (iso === null ? none : formatFullDay(iso, timezone));
  return [
    {
      id: 'starts',
      title: say('desk_column.starts'),
      widthPx: 165,
      editor: instantEditor<'startsAt', Campaign>('startsAt', () => timezone),
      render: ({ startsAt }) => drawn(startsAt),
    },
    {
      id: 'ends',
      title: say('desk_column.ends'),
      widthPx: 165,
      editor: instantEditor<'endsAt', Campaign>('endsAt', () => timezone),
      render: ({ endsAt }) => drawn(endsAt),
    },
  ];
}

/** A limit of money; an empty one is none. The API replaces all limits at once, so the others are sent as they are. */
function budgetColumn(
  id: 'budget' | 'budget_day',
  cap: 'spendLifetime' | 'spendPerDay',
  currency: string | undefined,
): DeskColumn<Campaign> {
  return {
    id,
    title: say(`desk_column.${id}`),
    widthPx: 130,
    isNumber: true,
    editor: {
      kind: 'number',
      fault: (text) => ambiguityOf(text, false) ?? say('catalog_field.decimal'),
      isOpen: isLiving,
      read: ({ caps }) => typedText(caps[cap] ?? ''),
      change: ({ caps }, text) => {
        const amount = moneyOf(text);
        return amount === undefined ? null : changeOf('caps', { ...caps, [cap]: amount }, caps);
      },
    },
    render: ({ caps }) => {
      const amount = caps[cap];
      return amount === null ? none : formatMoney(amount, currency);
    },
  };
}

/** The columns by id, each with the meaning of its values. */
export function describedById<Row>(columns: readonly DeskColumn<Row>[]): ReadonlyMap<string, DeskColumn<Row>> {
  return byId(
    columns.map((column) => {
      const key = `desk_column_text.${column.id}`;
      return isMessageKey(key) ? { ...column, description: say(key) } : column;
    }),
  );
}

/** Columns that both kinds have. */
export function bookedColumns<Row extends BookedObject & Living>(
  { currency, nowMs }: CellContext,
  { hasSpendSort = false } = {},
): DeskColumn<Row>[] {
  return [
    {
      id: 'status',
      title: say('desk_column.status'),
      widthPx: 155,
      render: (booking) => <LifeWord booking={booking} nowMs={nowMs} />,
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
      ...(hasSpendSort ? { sortField: 'SPEND' as const } : {}),
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

/** On a narrow screen, a row is one cell of three lines. */
export function compactCampaign({ currency, nowMs }: CellContext): DeskColumn<Campaign> {
  return {
    ...nameColumn(),
    widthPx: COMPACT_PX,
    render: ({ advertiser, delivery, ...campaign }) => (
      <>
        <ObjectLink to="/desk/campaigns/$id" id={campaign.id} name={campaign.name} isCell />
        <span className="desk-second">
          <bdi>{advertiser?.name ?? none}</bdi>
        </span>
        <span className="desk-line">
          <LifeWord booking={campaign} nowMs={nowMs} />
          <span>{delivery === null ? none : formatMoney(delivery.lifetime.spend, currency)}</span>
        </span>
      </>
    ),
  };
}
