import type {
  ImportPlan,
  PlannedCreative,
  PlannedHour,
  PlannedLineItem,
  PlannedObject,
  Remark,
} from '../plan/import-plan.ts';
import { mergeHours } from '../plan/merge-hours.ts';
import { nameOf } from '../plan/name-of.ts';
import { planBanner } from './plan-banners.ts';
import { type BannerGroup, capsOf, lineItemKey, planCampaign, planLineItems } from './plan-campaigns.ts';
import type { ReviveData } from './revive-data.ts';
import type { ReviveRow, ReviveTable } from './revive-tables.ts';
import { numberOf, textOf } from './text.ts';

/** The name under which history is imported. */
const SOURCE = 'revive';
const ZONE_TYPES: Readonly<Record<string, { readonly mediaType: string; readonly text: string | null }>> = {
  0: { mediaType: 'BANNER', text: null },
  1: { mediaType: 'BANNER', text: 'an interstitial is a banner that the page shows by itself' },
  2: { mediaType: 'BANNER', text: 'a pop-up is a banner that the page shows by itself' },
  3: { mediaType: 'BANNER', text: null },
  4: { mediaType: 'BANNER', text: 'a zone of e-mails is a banner of a page' },
  6: { mediaType: 'VIDEO', text: null },
  7: { mediaType: 'VIDEO', text: 'a video overlay is a video' },
};

/** Works out what comes over from an installation, and how. Changes nothing. */
export function planRevive(data: ReviveData): ImportPlan {
  const all = (table: ReviveTable): readonly ReviveRow[] => data.rows.get(table) ?? [];
  const remarks: Remark[] = [];
  const remarkOf = (object: string) => (kind: Remark['kind'], text: string) =>
    void remarks.push({ kind, object, text });
  const websites = new Map(all('affiliates').map((row) => [row['affiliateid'] ?? '', domainOf(row)]));
  const zones = all('zones').filter((row) => websites.has(row['affiliateid'] ?? ''));
  for (const row of all('zones'))
    if (!zones.includes(row)) remarkOf(titleOf('zone', row, 'zoneid', 'zonename'))('left out', 'it has no website');
  const booked = planBookings(all, { zones, websites, remarkOf });
  const users = all('users').length;
  if (users > 0) remarkOf(`${users} users`)('left out', 'people are invited by e-mail; passwords do not come over');
  return {
    source: SOURCE,
    currency: null,
    keyValues: [],
    sites: all('affiliates').map((row) => planSite(row, remarkOf(titleOf('website', row, 'affiliateid', 'name')))),
    adUnits: zones.map((row) => planZone(row, remarkOf(titleOf('zone', row, 'zoneid', 'zonename')))),
    advertisers: all('clients').map(planClient),
    activities: all('trackers').map((row) =>
      planTracker(row, remarkOf(titleOf('tracker', row, 'trackerid', 'trackername'))),
    ),
    ...booked,
    hours: planHours(data, {
      zones,
      lineItemOf: booked.lineItemOf,
      creatives: booked.creatives,
      remark: remarkOf('statistics'),
    }),
    remarks: [...new Map(remarks.map((one) => [JSON.stringify(one), one])).values()],
  };
}

type RemarkOf = (object: string) => (kind: Remark['kind'], text: string) => void;

const titleOf = (kind: string, row: ReviveRow, id: string, name: string): string =>
  `${kind} ${row[id] ?? ''} "${textOf(row, name)}"`;

function domainOf(row: ReviveRow): string | null {
  const website = textOf(row, 'website').trim();
  const url = /^https?:\/\//i.test(website) ? website : `https://${website}`;
  const host = URL.canParse(url) ? new URL(url).hostname : '';
  return host.includes('.') ? host : null;
}

function planSite(row: ReviveRow, remark: ReturnType<RemarkOf>): PlannedObject {
  const id = row['affiliateid'] ?? '';
  const domain = domainOf(row);
  if (domain === null)
    remark('approximated', `its address "${textOf(row, 'website')}" is none; its domain is website-${id}.invalid`);
  const input = {
    code: `revive-${id}`,
    name: nameOf(textOf(row, 'name'), `Website ${id}`),
    domain: domain ?? `website-${id}.invalid`,
  };
  return { key: input.code, input };
}

function planZone(row: ReviveRow, remark: ReturnType<RemarkOf>): PlannedObject {
  const id = row['zoneid'] ?? '';
  const kind = ZONE_TYPES[row['zonetype'] ?? '0'];
  if (kind?.text !== null) remark('approximated', kind?.text ?? `its kind ${row['zonetype']} is a banner`);
  const [width, height] = [numberOf(row, 'width'), numberOf(row, 'height')];
  if (textOf(row, 'prepend') !== '' || textOf(row, 'append') !== '')
    remark('left out', 'its code to prepend or append');
  if (textOf(row, 'chain') !== '') remark('left out', 'its chain to another zone');
  if (capsOf(row, () => undefined).length > 0)
    remark('left out', 'its limits of a user: limits are of campaigns and banners');
  const notes = [textOf(row, 'zonename'), textOf(row, 'description')].filter((text) => text !== '').join('\n');
  return {
    key: `revive-${id}`,
    input: {
      site: `revive-${row['affiliateid'] ?? ''}`,
      name: `revive-${id}`,
      notes: notes.slice(0, 2_000),
      sizes: width > 0 && height > 0 ? [{ width, height }] : [],
      mediaTypes: [kind?.mediaType ?? 'BANNER'],
    },
  };
}

function planClient(row: ReviveRow): PlannedObject {
  const key = `revive-client-${row['clientid'] ?? ''}`;
  const notes = [textOf(row, 'contact'), textOf(row, 'email'), textOf(row, 'comments')].filter((text) => text !== '');
  return {
    key,
    input: {
      name: nameOf(textOf(row, 'clientname'), `Advertiser ${row['clientid'] ?? ''}`),
      externalId: key,
      ...(notes.length === 0 ? {} : { notes: notes.join('\n').slice(0, 2_000) }),
      // Revive shows one banner of such an advertiser a page.
      ...(numberOf(row, 'advertiser_limitation') === 1 ? { exclusionLabels: [key] } : {}),
    },
  };
}

const [CLICK_SECONDS_MAX, VIEW_SECONDS_MAX] = [90 * 86_400, 30 * 86_400];

function planTracker(row: ReviveRow, remark: ReturnType<RemarkOf>): PlannedObject {
  const id = row['trackerid'] ?? '';
  const [click, view] = [numberOf(row, 'clickwindow'), numberOf(row, 'viewwindow')];
  if (click > CLICK_SECONDS_MAX || view > VIEW_SECONDS_MAX)
    remark('approximated', 'its windows are at most 90 days after a click and 30 days after an impression');
  if (textOf(row, 'appendcode') !== '') remark('left out', 'its code to append');
  return {
    key: `revive-${id}`,
    input: {
      actgid: `revive-${id}`,
      name: nameOf(textOf(row, 'trackername'), `Tracker ${id}`),
      advertiser: `revive-client-${row['clientid'] ?? ''}`,
      clickWindowSeconds: Math.min(CLICK_SECONDS_MAX, click),
      viewWindowSeconds: Math.min(VIEW_SECONDS_MAX, view),
    },
  };
}

interface Inventory {
  readonly zones: readonly ReviveRow[];
  readonly websites: ReadonlyMap<string, string | null>;
  readonly remarkOf: RemarkOf;
}

interface Bookings {
  readonly campaigns: readonly PlannedObject[];
  readonly lineItems: readonly PlannedLineItem[];
  readonly creatives: readonly PlannedCreative[];
  /** Of each banner, whether it comes over or not. */
  readonly lineItemOf: ReadonlyMap<number, string>;
}

function planBookings(
  all: (table: ReviveTable) => readonly ReviveRow[],
  { zones, websites, remarkOf }: Inventory,
): Bookings {
  const zoneById = new Map(zones.map((row) => [row['zoneid'] ?? '', row]));
  const links = Map.groupBy(
    all('ad_zone_assoc').filter((row) => zoneById.has(row['zone_id'] ?? '') && row['link_type'] !== '0'),
    (row) => row['ad_id'] ?? '',
  );
  const zonesOf = (banner: ReviveRow): string[] =>
    [...new Set((links.get(banner['bannerid'] ?? '') ?? []).map((row) => row['zone_id'] ?? ''))].toSorted(
      (one, other) => Number(one) - Number(other),
    );
  const acls = Map.groupBy(all('acls'), (row) => row['bannerid'] ?? '');
  const channels = Map.groupBy(all('acls_channel'), (row) => row['channelid'] ?? '');
  const banners = Map.groupBy(all('banners'), (row) => row['campaignid'] ?? '');
  const trackers = Map.groupBy(all('campaigns_trackers'), (row) => row['campaignid'] ?? '');
  const pictures = new Map(
    all('images').map((row) => [textOf(row, 'filename'), Buffer.from(row['contents'] ?? '', 'latin1')]),
  );
  const result = {
    campaigns: [] as PlannedObject[],
    lineItems: [] as PlannedLineItem[],
    creatives: [] as PlannedCreative[],
  };
  const lineItemOf = new Map<number, string>();
  const weights = overrideWeights(all('campaigns'), banners, zonesOf);
  for (const row of all('campaigns')) {
    const id = row['campaignid'] ?? '';
    const remark = remarkOf(titleOf('campaign', row, 'campaignid', 'campaignname'));
    result.campaigns.push(planCampaign(row, remark));
    const groups = groupBanners(banners.get(id) ?? [], zonesOf, acls);
    const given = (trackers.get(id) ?? []).map((one) => one['trackerid'] ?? '');
    result.lineItems.push(
      ...planLineItems(row, groups, { channels, trackers: given, overrideWeights: weights(groups), remark }),
    );
    for (const [index, group] of groups.entries())
      for (const banner of group.banners) {
        const remarkBanner = remarkOf(titleOf('banner', banner, 'bannerid', 'description'));
        lineItemOf.set(Number(banner['bannerid']), lineItemKey(id, index));
        const linked = group.zones.map((zone) => zoneById.get(zone)).filter((zone) => zone !== undefined);
        const creative = planBanner(banner, {
          lineItemKey: lineItemKey(id, index),
          zoneSizes: linked
            .map((zone) => ({ width: numberOf(zone, 'width'), height: numberOf(zone, 'height') }))
            .filter(({ width, height }) => width > 0 && height > 0),
          website: `https://${linked.map((zone) => websites.get(zone['affiliateid'] ?? '')).find((domain) => typeof domain === 'string') ?? 'landing-page.invalid'}/`,
          pictures,
          frequencyCaps: capsOf(banner, remarkBanner),
          remark: remarkBanner,
        });
        if (creative !== null) result.creatives.push(creative);
      }
  }
  return { ...result, lineItemOf };
}

/** Banners with the same limitations in the same zones belong to one line item. */
function groupBanners(
  banners: readonly ReviveRow[],
  zonesOf: (banner: ReviveRow) => string[],
  acls: ReadonlyMap<string, readonly ReviveRow[]>,
): BannerGroup[] {
  const limitsOf = (banner: ReviveRow): readonly ReviveRow[] => acls.get(banner['bannerid'] ?? '') ?? [];
  const keyOf = (banner: ReviveRow): string =>
    JSON.stringify([zonesOf(banner), limitsOf(banner).map(({ bannerid: _of, ...limit }) => limit)]);
  const groups = [...Map.groupBy(banners, keyOf).values()].map((group): BannerGroup => {
    const [first] = group;
    return {
      banners: group,
      zones: first === undefined ? [] : zonesOf(first),
      limitations: first === undefined ? [] : limitsOf(first),
    };
  });
  return groups.length === 0 ? [{ banners: [], zones: [], limitations: [] }] : groups;
}

const OVERRIDE = '3';

/** The sum of the weights of running overrides in the zones of some groups. */
function overrideWeights(
  campaigns: readonly ReviveRow[],
  banners: ReadonlyMap<string, readonly ReviveRow[]>,
  zonesOf: (banner: ReviveRow) => string[],
): (groups: readonly BannerGroup[]) => number {
  const overrides = campaigns
    .filter((row) => row['type'] === OVERRIDE && row['status'] === '0')
    .map((row) => ({
      weight: Math.max(1, numberOf(row, 'weight')),
      zones: new Set((banners.get(row['campaignid'] ?? '') ?? []).flatMap(zonesOf)),
    }));
  return (groups) => {
    const own = groups.flatMap(({ zones }) => zones);
    return overrides
      .filter(({ zones }) => own.some((zone) => zones.has(zone)))
      .reduce((sum, { weight }) => sum + weight, 0);
  };
}

interface HourSurroundings {
  readonly zones: readonly ReviveRow[];
  readonly lineItemOf: ReadonlyMap<number, string>;
  readonly creatives: readonly PlannedCreative[];
  readonly remark: ReturnType<RemarkOf>;
}

function planHours({ hours }: ReviveData, { zones, lineItemOf, creatives, remark }: HourSurroundings): PlannedHour[] {
  const known = new Set(zones.map((row) => Number(row['zoneid'])));
  const made = new Set(creatives.map(({ key }) => key));
  const lost = { rows: 0, impressions: 0, clicks: 0 };
  const planned = hours.flatMap((hour): PlannedHour[] => {
    const lineItem = lineItemOf.get(hour.ad) ?? null;
    const adUnitName = known.has(hour.zone) ? `revive-${hour.zone}` : null;
    const counted = hour.impressions + hour.clicks + hour.conversions + hour.revenue;
    if (lineItem === null && (counted > 0 || adUnitName === null)) {
      lost.rows += 1;
      lost.impressions += hour.impressions;
      lost.clicks += hour.clicks;
      return [];
    }
    if (counted + hour.requests === 0) return [];
    const { requests, impressions, clicks, conversions } = hour;
    const creative = `revive-banner-${hour.ad}`;
    return [
      {
        hour: `${hour.time.replace(' ', 'T')}Z`,
        lineItemExternalId: lineItem,
        creativeExternalId: lineItem !== null && made.has(creative) ? creative : null,
        adUnitName,
        requests,
        impressions,
        clicks,
        conversions,
        revenue: (hour.revenue / 10_000).toFixed(4),
      },
    ];
  });
  if (lost.rows > 0)
    remark(
      'left out',
      `${lost.rows} rows of banners that were deleted, with ${lost.impressions} impressions and ${lost.clicks} clicks`,
    );
  // Banners that did not come over share a row of their line item.
  return mergeHours(planned);
}
