import fc from 'fast-check';
import type { Creative, CreativeContent } from '../../src/domain/booking/creative.ts';
import type { MediaType } from '../../src/domain/creative-format.ts';
import { NO_CAPS } from '../../src/domain/booking/line-item.ts';
import type { LineItem } from '../../src/domain/booking/line-item.ts';
import type { Opportunity, Slot } from '../../src/domain/requests/opportunity.ts';
import type { OracleWorld } from './oracle-contender.ts';
import { randomWorld } from './random-world.ts';

const SETS_COUNT = 2;
const FILM: CreativeContent = {
  format: 'VIDEO',
  title: 'V',
  durationMs: 15_000,
  mediaFiles: [],
  vastTagUrl: null,
  skipOffsetMs: null,
};
const OPEN = { status: 'ACTIVE', startsAtMs: null, endsAtMs: null, frequencyCaps: [], caps: NO_CAPS } as const;
const NOTHING = new Set<string>();

const kinds = fc.array(fc.constantFrom<MediaType[]>(['video'], ['banner'], ['banner', 'video']), {
  minLength: 4,
  maxLength: 4,
});
const modes = fc.constantFrom<LineItem['companionMode']>('OPTIONAL', 'AT_LEAST_ONE', 'AT_LEAST_ONE', 'ALL');

/**
 * Worlds in which films with companions are shown: random worlds whose first two line items can always be delivered and show a film. In
 * other worlds, companion slots of a player change one decision in a thousand.
 */
export const filmWorld: fc.Arbitrary<OracleWorld> = fc
  .record({ world: randomWorld, kinds, modes: fc.tuple(modes, modes) })
  .map(({ world, kinds: offered, modes: [first, second] }) => {
    const { snapshot, opportunity } = world;
    return {
      ...world,
      snapshot: {
        ...snapshot,
        workspace: { ...snapshot.workspace, status: 'ACTIVE' },
        advertisers: snapshot.advertisers.map((one) => ({ ...one, ...OPEN, creditMicros: null })),
        campaigns: snapshot.campaigns.map((one) => ({ ...one, ...OPEN })),
        lineItems: snapshot.lineItems.map((one, index) =>
          index < SETS_COUNT ? openLineItem(one, index === 0 ? first : second) : one,
        ),
        creatives: snapshot.creatives.map(filmOrPicture),
      },
      opportunity: withFilmSlots(opportunity, offered),
    };
  });

/** Can always be delivered, and bids more than most. */
function openLineItem(one: LineItem, companionMode: LineItem['companionMode']): LineItem {
  return {
    ...one,
    ...OPEN,
    companionMode,
    roadblock: 'ONE',
    dayParts: [],
    targeting: null,
    goal: null,
    dealId: null,
    pricingModel: 'CPM',
    priceMicros: one.priceMicros + 5_000_000,
  };
}

/** The masters are films, and their companions are banners. */
function filmOrPicture(one: Creative, index: number): Creative {
  if (index < SETS_COUNT) return { ...one, status: 'ACTIVE', reviewState: 'APPROVED', content: FILM, attributes: [] };
  const isBanner = one.content.format === 'IMAGE' || one.content.format === 'HTML';
  if (one.masterCreativeId === null || isBanner) return one;
  return { ...one, content: { format: 'HTML', html: '<p>' } };
}

function withFilmSlots(opportunity: Opportunity, kinds: readonly MediaType[][]): Opportunity {
  const slots = opportunity.slots.map(
    (slot, index): Slot => ({
      ...slot,
      mediaTypes: kinds[index] ?? slot.mediaTypes,
      deals: null,
      privateAuction: false,
    }),
  );
  return {
    ...opportunity,
    slots,
    blockedDomains: NOTHING,
    blockedCategories: NOTHING,
    allowedSeats: NOTHING,
    blockedSeats: NOTHING,
    dsaRequired: 0,
  };
}
