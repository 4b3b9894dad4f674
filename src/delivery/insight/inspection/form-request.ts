import type { FormDevice, RequestForm } from '../../../domain/booking/decision-inspection.ts';
import type { MediaType } from '../../../domain/creative-format.ts';
import type { AdUnit, Site, Size } from '../../../domain/booking/inventory.ts';
import { fieldError } from '../../../domain/errors.ts';
import type { SnapshotLists } from '../../decision/index/snapshot-lists.ts';
import type { JsonObject } from '../../openrtb/lenient-json.ts';

/** The user of a form that names none: nobody has counters under this id. */
const NEW_USER = 'placard-inspector';
/** What requests of inventory call it that is not booked here. */
const UNKNOWN_SITE = { code: 'unknown', domain: 'unknown.invalid' };

/** OpenRTB (AdCOM) device types. */
const DEVICE_NUMBERS: Readonly<Record<FormDevice, number>> = { desktop: 2, mobile: 4, tablet: 5, tv: 3 };

/** The members that offer a media type. A player without stated limits takes anything. */
const OFFERS: Readonly<Record<MediaType, (sizes: readonly Size[]) => JsonObject>> = {
  banner: (sizes) => ({ banner: { format: sizes.map(({ width, height }) => ({ w: width, h: height })) } }),
  video: ([size]) => ({ video: size === undefined ? {} : { w: size.width, h: size.height } }),
  native: () => ({ native: {} }),
  audio: () => ({ audio: {} }),
};

/**
 * The bid request that a form describes, as the bid endpoint takes it. Pure.
 * @throws PlacardError `validation_failed` naming the id that the network does not have
 */
export function buildFormRequest(form: RequestForm, snapshot: SnapshotLists): JsonObject {
  const adUnit = form.adUnitId === null ? null : findAdUnit(snapshot, form.adUnitId);
  const site = findSite(snapshot, adUnit?.siteId ?? form.siteId);
  const areaId = form.areaId ?? adUnit?.areaId ?? null;
  const area = areaId === null ? undefined : snapshot.areas.find((one) => one.id === areaId);
  if (form.areaId !== null && area === undefined) throw unknown('areaId', 'area');
  return {
    id: 'inspector',
    imp: [buildImp(form, adUnit)],
    site: {
      id: site.code,
      domain: site.domain,
      ...(area === undefined ? {} : { ext: { area: area.code } }),
    },
    device: buildDevice(form),
    ...buildUser(form),
    ...(Object.keys(form.keyValues).length === 0 ? {} : { ext: { keyvalues: form.keyValues } }),
  };
}

function buildImp(form: RequestForm, adUnit: AdUnit | null): JsonObject {
  const sizes = form.sizes.length > 0 ? form.sizes : (adUnit?.sizes ?? []);
  const own = form.mediaTypes.length > 0 ? form.mediaTypes : (adUnit?.mediaTypes ?? []);
  const mediaTypes: readonly MediaType[] = own.length > 0 ? own : ['banner'];
  const offers = mediaTypes.map((mediaType) => OFFERS[mediaType](sizes));
  return {
    id: '1',
    secure: 1,
    ...(adUnit === null ? {} : { tagid: adUnit.name }),
    ...Object.assign({}, ...offers),
    ...(form.dealCode === null ? {} : { pmp: { deals: [{ id: form.dealCode }] } }),
  };
}

function buildDevice({ country, region, city, device }: RequestForm): JsonObject {
  const geo = {
    ...(country === null ? {} : { country }),
    ...(region === null ? {} : { region }),
    ...(city === null ? {} : { city }),
  };
  return {
    ...(device === null ? {} : { devicetype: DEVICE_NUMBERS[device] }),
    ...(Object.keys(geo).length === 0 ? {} : { geo }),
  };
}

function buildUser({ isKnownUser, userId, npa }: RequestForm): JsonObject {
  const ids = isKnownUser ? { ids: { lu: userId ?? NEW_USER } } : {};
  const ext = { ...ids, ...(npa ? { npa: 1 } : {}) };
  return Object.keys(ext).length === 0 ? {} : { user: { ext } };
}

function findAdUnit({ adUnits }: SnapshotLists, id: string): AdUnit {
  const found = adUnits.find((unit) => unit.id === id);
  if (found === undefined) throw unknown('adUnitId', 'ad unit');
  return found;
}

function findSite({ sites }: SnapshotLists, id: string | null): Pick<Site, 'code' | 'domain'> {
  if (id === null) return UNKNOWN_SITE;
  const found = sites.find((site) => site.id === id);
  if (found === undefined) throw unknown('siteId', 'site');
  return found;
}

function unknown(path: string, kind: string): Error {
  return fieldError(`input.form.${path}`, 'unknown', `There is no ${kind} with this id in use. Choose another one.`);
}
