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
    if (type === 'STANDARD' && world.plan !== undefined) {
      const standard = families.filter(({ lineItem }) => lineItem.type === 'STANDARD').flatMap(alone);
      const { possible, falls } = possibleByPlan(world.plan, standard);
      winners.push(...possible);
      if (!falls) return outcomeOf(winners, world, false);
      continue;
    }
    // What PRICE leaves idle, line items of the plan may have.
    if (type === 'HOUSE' && world.plan !== undefined) {
      const known = world.plan;
      const idle = families.filter(({ lineItem }) => lineItem.type === 'STANDARD' && known.has(lineItem.id));
      const waiting = idle
        .flatMap(alone)
        .filter(({ lineItem }) => lineItem.goal !== null && lineItem.pacing !== 'ASAP');
      const near = waiting.filter(({ urgency, lineItem }) => urgency > -0.06 - (known.get(lineItem.id)?.need ?? 0));
      winners.push(...near);
      if (near.some(({ isSure }) => isSure)) return outcomeOf(winners, world, false);
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
 * Any of the plan may be drawn that has a share. What it leaves is for those without a share and those that serve as soon as possible; where
 * there are any, nothing falls through.
 */
function possibleByPlan(
  plan: NonNullable<OracleWorld['plan']>,
  standard: readonly Competitor[],
): { possible: Contender[]; falls: boolean } {
  const isPlanned = ({ lineItem }: Contender) => lineItem.goal !== null && plan.has(lineItem.id);
  const shareOf = ({ lineItem }: Contender) => plan.get(lineItem.id)?.fair ?? 0;
  const left = standard.filter((one) => !isPlanned(one) || one.lineItem.pacing === 'ASAP');
  const next: Contender[] = [];
  let falls = true;
  for (let level = 1; level <= 16 && falls; level += 1) {
    const group = possibleWinners(
      'STANDARD',
      left.filter(({ lineItem }) => lineItem.level === level),
    );
    next.push(...group.possible);
    falls = group.falls;
  }
  const drawn = standard.filter((one) => isPlanned(one) && shareOf(one) > 0);
  return { possible: [...drawn, ...next], falls };
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
