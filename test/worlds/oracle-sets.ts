import type { Creative } from '../../src/domain/booking/creative.ts';
import type { Slot } from '../../src/domain/requests/opportunity.ts';
import { contend, fits, isUnderFrequency, modeOf } from './oracle-contender.ts';
import type { Contender, CountedAd, Family, OracleWorld, Headroom, PlacedAd } from './oracle-contender.ts';

/** Ads of one line item that belong together: all of a roadblock, or one master with its companions. */
export interface AdSet {
  readonly family: Family;
  readonly key: string;
  readonly members: readonly Creative[];
  /** The slot of the master, if it has one. */
  readonly masterSlot: Slot | null;
  readonly isUnfinished: boolean;
}

function setKeyOf({ lineItem }: Family, creative: Creative): string {
  if (lineItem.roadblock !== 'ONE') return `roadblock ${lineItem.id}`;
  return modeOf(lineItem) === 'NONE' ? '' : `master ${creative.masterCreativeId ?? creative.id}`;
}

function membersOf(family: Family, key: string): Creative[] {
  return family.creatives.filter((one) => setKeyOf(family, one) === key);
}

/** The set of each placed ad; '' = it is shown alone. */
function keysOf(families: readonly Family[], placed: readonly (PlacedAd | null)[]): string[] {
  return placed.map((one) => {
    const family = families.find(({ lineItem }) => lineItem.id === one?.lineItemId);
    const creative = family?.creatives.find(({ id }) => id === one?.creativeId);
    return family === undefined || creative === undefined ? '' : setKeyOf(family, creative);
  });
}

export function countOnce(families: readonly Family[], placed: readonly (PlacedAd | null)[]): CountedAd[] {
  const keys = keysOf(families, placed);
  return placed.flatMap((one, at) => {
    const key = keys[at] as string;
    return one === null ? [] : [{ ...one, joins: key.startsWith('master') && keys.indexOf(key) < at }];
  });
}

export function begunSets(
  world: OracleWorld,
  families: readonly Family[],
  placed: readonly (PlacedAd | null)[],
): AdSet[] {
  const used = new Set(placed.map((one) => one?.creativeId ?? ''));
  return [...new Set(keysOf(families, placed))].flatMap((key) => {
    const family = families.find((one) => key !== '' && membersOf(one, key).length > 0);
    if (family === undefined) return [];
    const members = membersOf(family, key);
    const masterAt = placed.findIndex((one) => key === `master ${one?.creativeId}`);
    const masterSlot = (masterAt < 0 ? null : world.opportunity.slots[masterAt]) ?? null;
    const missing = missingOf(world, { family, key, members }, used, masterSlot === null ? [] : [masterSlot]);
    return [{ family, key, members, masterSlot, isUnfinished: missing.length > 0 }];
  });
}

/** The slots that the set still needs: for each, the creatives of which one is enough. */
function missingOf(
  world: OracleWorld,
  { family, key, members }: Pick<AdSet, 'family' | 'key' | 'members'>,
  used: ReadonlySet<string>,
  masterSlots: readonly Slot[],
): string[][] {
  const unused = members.filter(({ id }) => !used.has(id));
  if (key.startsWith('roadblock')) return family.lineItem.roadblock === 'ALL' ? unused.map(({ id }) => [id]) : [];
  const mode = modeOf(family.lineItem);
  const masters = unused.filter((one) => one.masterCreativeId === null).map(({ id }) => [id]);
  const companions = members.filter((one) => one.masterCreativeId !== null);
  const left = unused
    .filter((one) => companions.includes(one))
    .filter((one) => masterSlots.length === 0 || !masterSlots.every((slot) => isCarried(world, family, one, slot)))
    .map(({ id }) => id);
  if (mode === 'ALL') return [...masters, ...(companions.length === 0 ? [[]] : left.map((id) => [id]))];
  if (mode === 'AT_LEAST_ONE' && left.length === companions.length) return [...masters, left];
  return masters;
}

/** Whether a video in this slot can carry the companion in its own response. */
export function isCarried(world: OracleWorld, family: Family, companion: Creative, slot: Slot): boolean {
  const master = family.creatives.find(({ id }) => id === companion.masterCreativeId);
  if (master?.content.format !== 'VIDEO') return false;
  const types = slot.video?.companionTypes ?? [];
  const type = { IMAGE: 1, HTML: 2, NATIVE: 0, VIDEO: 0, AUDIO: 0 }[companion.content.format];
  if (types.length > 0 && !types.includes(type)) return false;
  // Each companion slot of the player as a slot of its own, with the attributes that the video's slot blocks.
  const named = slot.video?.companionPlaces ?? [];
  const companionSlots = (named.length > 0 ? named : [{ sizes: [], blockedAttributes: [] }]).map(
    ({ sizes, blockedAttributes }): Slot => ({
      ...slot,
      mediaTypes: ['banner'],
      sizes,
      blockedAttributes: [...slot.blockedAttributes, ...blockedAttributes],
    }),
  );
  const own = { scope: 'cr', id: companion.id, caps: companion.frequencyCaps } as const;
  const isUnder = isUnderFrequency(world, family, own, { earlier: [], ads: 1 });
  return isUnder && companionSlots.some((companionSlot) => fits(companion, companionSlot, world));
}

/** A set that has begun, in the next slot: those of its ads with which the set can still be completed. */
export function continueOne(
  world: OracleWorld,
  set: AdSet,
  at: number,
  earlier: readonly CountedAd[],
): Contender | null {
  const isRoadblock = set.key.startsWith('roadblock');
  const headroom = { earlier, ads: isRoadblock ? 1 : 0 };
  const one = contend(world, set.family, world.opportunity.slots[at] as Slot, headroom);
  if (one === null) return null;
  const completing = largestSetsOf(
    world,
    { set, at, headroom },
    completingOf(world, { set, at, headroom }, one.fitting),
  );
  if (completing.length > 0) return { ...one, fitting: completing };
  return isRoadblock ? one : null;
}

interface Beside {
  readonly earlier: readonly CountedAd[];
  /** Another set must still be completed: no set may begin that needs later slots. */
  readonly isReserved: boolean;
}

/** A line item beside others: a set begins only when it can be completed. Companions begin where no master can. */
export function contendAlone(
  world: OracleWorld,
  family: Family,
  at: number,
  { earlier, isReserved }: Beside,
): Contender[] {
  const slot = world.opportunity.slots[at] as Slot;
  const { lineItem, creatives } = family;
  const one = contend(world, family, slot, { earlier, ads: 1 });
  if (one === null) return [];
  if (lineItem.roadblock === 'ONE' && modeOf(lineItem) === 'NONE') return [one];
  const ads = lineItem.roadblock === 'ALL' ? creatives.length : 1;
  if (contend(world, family, slot, { earlier, ads }) === null) return [];
  const beginning = one.fitting.filter((creative) => {
    if (earlier.some(({ creativeId }) => creativeId === creative.masterCreativeId)) return false;
    const key = setKeyOf(family, creative);
    const set = { family, key, members: membersOf(family, key), masterSlot: null, isUnfinished: false };
    return completingOf(world, { set, at, headroom: { earlier, ads: 1 }, isReserved }, [creative]).length > 0;
  });
  const masters = beginning.filter((creative) => creative.masterCreativeId === null);
  const key = `roadblock ${lineItem.id}`;
  const set = { family, key, members: creatives, masterSlot: null, isUnfinished: false };
  const largestSets = () => largestSetsOf(world, { set, at, headroom: { earlier, ads: 1 } }, beginning);
  const fitting = lineItem.roadblock === 'ONE' ? (masters.length > 0 ? masters : beginning) : largestSets();
  return fitting.length === 0 ? [] : [{ ...one, fitting }];
}

interface Attempt {
  readonly set: AdSet;
  readonly at: number;
  readonly headroom: Headroom;
  readonly isReserved?: boolean;
}

/** Those creatives for this slot with which the rest of the set finds later slots: every order is tried. */
function completingOf(world: OracleWorld, attempt: Attempt, fitting: readonly Creative[]): Creative[] {
  const { set, at, headroom } = attempt;
  const slots = world.opportunity.slots;
  const fitsLater = fitsAfter(world, attempt);
  const canSeat = (needs: readonly string[][], later: readonly (readonly string[])[]): boolean => {
    const [first, ...rest] = needs;
    if (first === undefined) return true;
    return later.some(
      (ids, index) =>
        first.some((id) => ids.includes(id)) &&
        canSeat(
          rest,
          later.filter((_one, other) => other !== index),
        ),
    );
  };
  return fitting.filter((creative) => {
    if (!set.members.includes(creative)) return false;
    const used = new Set([...headroom.earlier.map(({ creativeId }) => creativeId), creative.id]);
    const masterId = set.key.replace('master ', '');
    const possibleSlots = fitsLater.filter(({ ids }) => ids.includes(masterId)).map(({ slot }) => slot);
    const masterSlots =
      creative.id === masterId ? [slots[at] as Slot] : set.masterSlot ? [set.masterSlot] : possibleSlots;
    const missing = missingOf(world, set, used, masterSlots);
    const later = fitsLater.map(({ ids }) => ids);
    return missing.length === 0 || (attempt.isReserved !== true && canSeat(missing, later));
  });
}

/** For each later slot, the creatives that fit there. */
function fitsAfter(world: OracleWorld, { set, at, headroom }: Attempt): { slot: Slot; ids: string[] }[] {
  return world.opportunity.slots.slice(at + 1).map((slot) => {
    const there = contend(world, set.family, slot, { ...headroom, ads: Math.min(1, headroom.ads) });
    return { slot, ids: (there?.fitting ?? []).map(({ id }) => id) };
  });
}

/** Those creatives for this slot that leave later slots for most others of the set. */
function largestSetsOf(world: OracleWorld, attempt: Attempt, fitting: readonly Creative[]): Creative[] {
  const later = fitsAfter(world, attempt).map(({ ids }) => ids);
  const used = new Set(attempt.headroom.earlier.map(({ creativeId }) => creativeId));
  const mostSeats = (ids: readonly string[], slots: readonly (readonly string[])[]): number => {
    const [first, ...rest] = ids;
    if (first === undefined) return 0;
    const seated = slots.flatMap((slot, index) =>
      slot.includes(first) ? [1 + mostSeats(rest, slots.toSpliced(index, 1))] : [],
    );
    return Math.max(mostSeats(rest, slots), ...seated);
  };
  const seats = fitting.map((one) => {
    const others = attempt.set.members.filter(({ id }) => id !== one.id && !used.has(id));
    return mostSeats(
      others.map(({ id }) => id),
      later,
    );
  });
  const most = Math.max(...seats);
  return fitting.filter((_one, index) => seats[index] === most);
}
