import type { Creative } from '../../src/domain/booking/creative.ts';
import { sequenceCounterKey } from '../../src/domain/frequency/frequency-key.ts';
import type { LineItem } from '../../src/domain/booking/line-item.ts';
import type { Slot } from '../../src/domain/requests/opportunity.ts';
import { counterOf, findFamily } from './oracle-contender.ts';
import type { Contender, Family, OracleWorld, PlacedAd } from './oracle-contender.ts';
import { unitWishOf } from './oracle-units.ts';
import { begunSets, contendAlone, continueOne, countOnce, isCarried } from './oracle-sets.ts';

/** The permitted outcomes of a slot. Draws are not predicted: every outcome of any draw is listed. */
export interface Outcomes {
  /** By line item: its bid, and the creatives that may be shown. */
  readonly winners: ReadonlyMap<string, { readonly bidMicros: number; readonly creativeIds: ReadonlySet<string> }>;
  readonly mayBeEmpty: boolean;
}
/** A contender; not sure: its draw decides whether it wants the unit. */
type Competitor = Contender & { readonly isSure: boolean };

const TIERS = ['SPONSORSHIP', 'STANDARD', 'PRICE', 'HOUSE'] as const;

/** The permitted outcomes of the slot at position `at`, after the earlier slots got `placed` (null = no ad). */
export function foresee(world: OracleWorld, at: number, placed: readonly (PlacedAd | null)[]): Outcomes {
  const { snapshot } = world;
  if (snapshot.workspace.status !== 'ACTIVE') return { winners: new Map(), mayBeEmpty: true };
  const families = snapshot.lineItems.flatMap((lineItem) => findFamily(snapshot, lineItem));
  const earlier = countOnce(families, placed);
  const sets = begunSets(world, families, placed);
  const isReserved = sets.some(({ isUnfinished }) => isUnfinished);
  for (const set of [...sets.filter((one) => one.isUnfinished), ...sets.filter((one) => !one.isUnfinished)]) {
    const going = continueOne(world, set, at, earlier);
    if (going !== null) return outcomeOf([going], world, false);
  }
  const winners: Contender[] = [];
  const slot = world.opportunity.slots[at] as Slot;
  const alone = (family: Family): Competitor[] =>
    contendAlone(world, family, at, { earlier, isReserved }).flatMap((one) => {
      const wanting = unitWishOf(world, one, slot);
      return wanting === 'never' ? [] : [{ ...one, isSure: wanting === 'surely' }];
    });
  for (const type of TIERS) {
    if (type === 'STANDARD' && world.worths !== undefined) {
      const of = (wanted: LineItem['type']) =>
        families.filter(({ lineItem }) => lineItem.type === wanted).flatMap(alone);
      const { possible, falls } = possibleByWorth(world.worths, of('STANDARD'), of('PRICE'));
      winners.push(...possible);
      if (!falls) return outcomeOf(winners, world, false);
      continue;
    }
    const levels =
      type === 'SPONSORSHIP' || type === 'STANDARD' ? Array.from({ length: 16 }, (_one, index) => index + 1) : [null];
    for (const level of levels) {
      const group = families
        .filter(({ lineItem }) => lineItem.type === type && (level === null || lineItem.level === level))
        .flatMap(alone);
      const { possible, falls } = possibleWinners(type, group);
      winners.push(...possible);
      if (!falls) return outcomeOf(winners, world, false);
    }
  }
  return outcomeOf(winners, world, true);
}

function outcomeOf(contenders: readonly Contender[], world: OracleWorld, mayBeEmpty: boolean): Outcomes {
  const winners = contenders.map(
    (one) =>
      [
        one.lineItem.id,
        { bidMicros: one.bidMicros, creativeIds: new Set(showable(one, world).map(({ id }) => id)) },
      ] as const,
  );
  return { winners: new Map(winners), mayBeEmpty };
}

/** The possible winners of a group, and whether the draw may fall through to the next group. */
function possibleWinners(
  type: LineItem['type'],
  group: readonly Competitor[],
): { possible: Contender[]; falls: boolean } {
  if (group.length === 0) return { possible: [], falls: true };
  if (type === 'SPONSORSHIP' || type === 'HOUSE') {
    const shares = group.map(({ lineItem }) => lineItem.sharePercent ?? 100);
    const total = shares.reduce((sum, share) => sum + share, 0);
    const falls = type === 'SPONSORSHIP' ? total < 100 : total === 0;
    return { possible: group.filter((_one, index) => (shares[index] as number) > 0), falls };
  }
  const scoreOf = (one: Contender) => (type === 'STANDARD' ? one.urgency : one.valueMicros);
  const sure = group.filter(({ isSure }) => isSure);
  const best = Math.max(...sure.map(scoreOf));
  const mayWin = (one: Competitor) => (one.isSure ? scoreOf(one) === best : scoreOf(one) >= best);
  return { possible: group.filter(mayWin), falls: sure.length === 0 };
}

/**
 * The goal that bids most, if it bids as much as the dearest of PRICE pays. What it leaves is for those that take all they can get. A draw decides about those that
 * are not sure, so that more than one may bid most, and more than one may be the dearest.
 */
function possibleByWorth(
  { byId, usualCpmMicros }: NonNullable<OracleWorld['worths']>,
  standard: readonly Competitor[],
  price: readonly Competitor[],
): { possible: Contender[]; falls: boolean } {
  const isGreedy = ({ lineItem }: Contender) => lineItem.goal === null || lineItem.pacing === 'ASAP';
  const bid = (one: Competitor): Competitor => ({
    ...one,
    urgency: one.lineItem.goal === null ? 0 : (byId.get(one.lineItem.id) ?? 1),
  });
  const bidding = standard.map(bid);
  const first = possibleWinners('STANDARD', bidding);
  const least = Math.max(0, ...price.filter(({ isSure }) => isSure).map(({ valueMicros }) => valueMicros));
  const most = Math.max(0, ...price.map(({ valueMicros }) => valueMicros));
  const mayTake = (one: Contender) => isGreedy(one) || one.urgency * usualCpmMicros >= least;
  const wins = (one: Contender) => isGreedy(one) || one.urgency * usualCpmMicros >= most;
  const taking = first.possible.filter(mayTake);
  if (!first.falls && first.possible.every(wins)) return { possible: taking, falls: false };
  const next = possibleWinners('STANDARD', bidding.filter(isGreedy));
  return { possible: [...taking, ...next.possible], falls: next.falls };
}

function showable({ lineItem, creatives, fitting }: Contender, world: OracleWorld): readonly Creative[] {
  if (lineItem.creativeRotation === 'EVEN' || lineItem.creativeRotation === 'OPTIMISED') return fitting;
  if (lineItem.creativeRotation === 'WEIGHTED') return fitting.filter(({ weight }) => weight > 0);
  const { userHash } = world.opportunity;
  const shown =
    userHash === ''
      ? counterOf(world, { scope: 'li', id: lineItem.id, kind: 'imp', zone: null })
      : world.state.counter(sequenceCounterKey({ workspaceId: 1, userHash, lineItemId: lineItem.id }));
  const masters = creatives.filter((one) => one.masterCreativeId === null);
  const inTurn = [...masters.slice(shown % masters.length), ...masters, ...fitting];
  return inTurn.filter((one) => fitting.includes(one)).slice(0, 1);
}
/** The companions that the video at position `at` carries, when all slots are decided. */
export function foreseeCompanions(world: OracleWorld, at: number, placed: readonly (PlacedAd | null)[]): string[] {
  const { snapshot, opportunity } = world;
  const families = snapshot.lineItems.flatMap((lineItem) => findFamily(snapshot, lineItem));
  const master = placed[at];
  const family = families.find(({ lineItem }) => lineItem.id === master?.lineItemId);
  return (family?.creatives ?? [])
    .filter((one) => one.masterCreativeId !== null && one.masterCreativeId === master?.creativeId)
    .filter(({ id }) => !placed.some((one) => one?.creativeId === id))
    .filter((one) => isCarried(world, family as Family, one, opportunity.slots[at] as Slot))
    .map(({ id }) => id);
}
