import { type Fields, idOf } from './fields.ts';
import type { GamData, GamGoal, GamLineItem, GamMoney, GamSize } from './gam-data.ts';

type Kind = Exclude<keyof GamData, 'report'>;
/** An object of one kind; null: it is of no use. */
type Read = { readonly [Of in Kind]: (row: Fields) => GamData[Of][number] | null };

/** The REST API calls an object by its resource name, and the name for people `displayName`. */
const nameOf = (row: Fields): string => row.text('displayName') ?? row.textOr('name');

/** How an object of each kind is read. */
export const READ_OBJECT: Read = {
  adUnits: (row) => ({
    id: idOf(row.text('id', 'adUnitId', 'name')),
    parentId: row.text('parentId', 'parentAdUnit') === null ? null : idOf(row.text('parentId', 'parentAdUnit')),
    code: row.text('adUnitCode') ?? nameOf(row),
    name: nameOf(row),
    description: row.textOr('description'),
    sizes: row.children('adUnitSizes').flatMap((size) => sizeOf(size.child('size')) ?? []),
    mediaTypes: [
      ...new Set(
        row
          .children('adUnitSizes')
          .map((size) => (size.text('environmentType') === 'VIDEO_PLAYER' ? 'VIDEO' : 'BANNER')),
      ),
    ],
    isActive: (row.text('status') ?? 'ACTIVE') === 'ACTIVE',
  }),
  placements: (row) => ({
    id: idOf(row.text('id', 'placementId', 'name')),
    adUnitIds: [...row.texts('targetedAdUnitIds'), ...row.texts('targetedAdUnits')].map(idOf),
  }),
  companies: (row) => ({
    id: idOf(row.text('id', 'companyId', 'name')),
    name: nameOf(row),
    type: row.text('type') ?? 'ADVERTISER',
  }),
  orders: (row) => ({
    id: idOf(row.text('id', 'orderId', 'name')),
    name: nameOf(row),
    advertiserId: idOf(row.text('advertiserId', 'advertiser')),
    status: row.text('status') ?? 'DRAFT',
    isArchived: row.flag('isArchived', 'archived'),
    notes: row.textOr('notes'),
    poNumber: row.textOr('poNumber'),
  }),
  lineItems: readLineItem,
  creatives: (row) => {
    // The REST API has the members of a kind in an object of their own.
    const member = row.names.find((name) => name.endsWith('Creative') && row.child(name) !== null);
    const stated = row.text('Creative.Type', 'creativeType', 'xsiType', '@type', 'xsi:type');
    const kind = member === undefined ? stated : member.charAt(0).toUpperCase() + member.slice(1);
    const details = (member === undefined ? null : row.child(member)) ?? row;
    return {
      id: idOf(row.text('id', 'creativeId', 'name')),
      name: nameOf(row),
      size: sizeOf(row.child('size')) ?? { width: 0, height: 0 },
      details,
      kind,
    };
  },
  associations: (row) => {
    const creative = row.text('creativeId', 'creative');
    // An association of a set of creatives names no creative.
    if (creative === null) return null;
    return {
      lineItemId: idOf(row.text('lineItemId', 'lineItem')),
      creativeId: idOf(creative),
      isActive: (row.text('status') ?? 'ACTIVE') === 'ACTIVE',
      weight: row.number('manualCreativeRotationWeight', 'manualRotationWeight'),
    };
  },
  keys: (row) => ({
    id: idOf(row.text('id', 'customTargetingKeyId')) || idOf(row.text('name')),
    key: row.text('adTagName') ?? row.textOr('name'),
    name: nameOf(row),
  }),
  keyValues: (row) => ({
    id: idOf(row.text('id', 'customTargetingValueId')) || idOf(row.text('name')),
    keyId: idOf(row.text('customTargetingKeyId', 'customTargetingKey')),
    value: row.text('adTagName') ?? row.textOr('name'),
    match: row.text('matchType') ?? 'EXACT',
  }),
};

function sizeOf(size: Fields | null): GamSize | null {
  const [width, height] = [size?.number('width') ?? 0, size?.number('height') ?? 0];
  // 1x1 means "any size" there, and an aspect ratio has no pixels.
  if (size === null || size.flag('isAspectRatio') || width < 2 || height < 2) return null;
  return { width, height };
}

function readLineItem(row: Fields): GamLineItem {
  const problems: string[] = [];
  const readable = <T>(member: string, read: () => T | null): T | null => {
    const value = read();
    if (value === null && row.has(member)) problems.push(`its ${member} cannot be read`);
    return value;
  };
  const time = (soap: string, rest: string): string | null => {
    const member = row.text(rest) === null ? soap : rest;
    return readable(member, () => instantOf(row, soap, rest));
  };
  const isEndless = row.flag('unlimitedEndDateTime', 'unlimitedEndTime');
  return {
    id: idOf(row.text('id', 'lineItemId', 'name')),
    orderId: idOf(row.text('orderId', 'order')),
    name: nameOf(row),
    type: row.text('lineItemType', 'type') ?? '',
    status: row.text('status', 'computedStatus'),
    isArchived: row.flag('isArchived', 'archived'),
    priority: row.number('priority'),
    startsAt: time('startDateTime', 'startTime'),
    endsAt: isEndless ? null : time('endDateTime', 'endTime'),
    timezone: row.child('startDateTime')?.text('timeZoneId', 'timeZoneID') ?? null,
    costType: row.text('costType', 'rateType'),
    price: readable(row.has('costPerUnit') ? 'costPerUnit' : 'rate', () => moneyOf(row.child('costPerUnit', 'rate'))),
    goal: goalOf(row.child('primaryGoal', 'goal')),
    delivery: row.text('deliveryRateType'),
    rotation: row.text('creativeRotationType'),
    roadblock: row.text('roadblockingType'),
    frequencyCaps: row.children('frequencyCaps').map((cap) => ({
      count: cap.number('maxImpressions') ?? 0,
      every: cap.number('numTimeUnits', 'timeAmount') ?? 1,
      unit: cap.text('timeUnit') ?? '',
    })),
    notes: row.textOr('notes'),
    targeting: row.child('targeting'),
    problems,
  };
}

function goalOf(goal: Fields | null): GamGoal | null {
  if (goal === null) return null;
  const type = goal.text('goalType') ?? 'NONE';
  return { type, unit: goal.text('unitType') ?? 'IMPRESSIONS', units: goal.number('units') ?? 0 };
}

const MICRO_DIGITS = 6;
const NANO_DIGITS = 9;

/** `microAmount` of SOAP, or `units` and `nanos` of REST. */
function moneyOf(money: Fields | null): GamMoney | null {
  const currency = money?.text('currencyCode') ?? null;
  if (money === null || currency === null) return null;
  const micros = money.text('microAmount');
  if (micros !== null) return /^\d{1,18}$/.test(micros) ? { amount: pointed(micros, MICRO_DIGITS), currency } : null;
  const [units, nanos] = [money.text('units') ?? '0', money.text('nanos') ?? '0'];
  if (!/^\d{1,12}$/.test(units) || !/^\d{1,9}$/.test(nanos)) return null;
  return { amount: pointed(`${units}${nanos.padStart(NANO_DIGITS, '0')}`, NANO_DIGITS), currency };
}

/** Whole millionths as a decimal number, without a float in between. */
export function pointed(digits: string, decimals: number): string {
  const padded = digits.padStart(decimals + 1, '0');
  const fraction = padded.slice(-decimals).replace(/0+$/, '');
  const whole = padded.slice(0, -decimals).replace(/^0+(?=\d)/, '');
  return fraction === '' ? whole : `${whole}.${fraction}`;
}

function instantOf(row: Fields, soap: string, rest: string): string | null {
  const text = row.text(rest);
  if (text !== null) return validInstant(() => Temporal.Instant.from(text));
  const time = row.child(soap);
  const date = time?.child('date') ?? null;
  if (time === null || date === null) return null;
  return validInstant(() => {
    const of = (from: Fields, member: string): number => from.number(member) ?? 0;
    const day = { year: of(date, 'year'), month: of(date, 'month'), day: of(date, 'day') };
    const clock = { hour: of(time, 'hour'), minute: of(time, 'minute'), second: of(time, 'second') };
    const zone = time.text('timeZoneId', 'timeZoneID') ?? 'UTC';
    return Temporal.PlainDateTime.from({ ...day, ...clock }, { overflow: 'reject' })
      .toZonedDateTime(zone)
      .toInstant();
  });
}

function validInstant(read: () => Temporal.Instant): string | null {
  try {
    return read().toString();
  } catch {
    return null;
  }
}
