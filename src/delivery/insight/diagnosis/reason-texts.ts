import { formatMicros } from '../../../domain/money/money.ts';

/** The explanation of a reason, with advice. */
interface ReasonText {
  /** Completes "… because ". */
  readonly because: string;
  readonly advice: string;
}

const TEXTS: Readonly<Record<string, ReasonText>> = {
  not_in_flight: {
    because: 'its flight, or that of its campaign or creatives, is not running',
    advice: 'Check the start and end of line item, campaign and creatives.',
  },
  paused: {
    because: 'it, its campaign, its deal or its advertiser is not active',
    advice: 'Set line item and campaign to ACTIVE; archived advertisers and deals never serve.',
  },
  daypart: {
    because: 'the time lies outside its day-parts',
    advice: 'Widen the day-parts, and check the time zone of the line item.',
  },
  targeting: {
    because: 'the request does not match its targeting',
    advice: 'Widen this part of the targeting, or check its values.',
  },
  size: {
    because: 'it has no live creative of a size that fits',
    advice: 'Add approved creatives in the sizes of the ad units.',
  },
  format: {
    because: 'none of its creatives has a format that the slot takes',
    advice: 'Add a creative in the format of the slot (banner, native, video).',
  },
  secure: {
    because: 'the page needs https, and its creatives are not secure',
    advice: 'Serve all addresses of the creative over https and mark it secure.',
  },
  blocked: {
    because: 'the publisher or the exchange blocks it',
    advice: 'Check categories, domains, attributes and seats against what the requests block.',
  },
  floor: {
    because: 'its price is below the floor',
    advice: 'Raise the price, or lower the floor of network, ad unit or deal.',
  },
  'floor.request': {
    because: 'its price is below the floor that the request states',
    advice: 'Raise the price, or ask the caller for a lower floor.',
  },
  'floor.network': {
    because: 'its price is below the floor of the network',
    advice: 'Raise the price, or lower the floor of the network.',
  },
  'floor.ad_unit': {
    because: 'its price is below the floor of the ad unit',
    advice: 'Raise the price, or lower the floor of the ad unit.',
  },
  'floor.rule': {
    because: 'its price is below a floor rule',
    advice: 'Raise the price, or lower the floor rule.',
  },
  'floor.deal': {
    because: 'its price is below that of its deal',
    advice: 'Raise the price, or lower the floor of the deal.',
  },
  currency: {
    because: 'the requests ask for another currency than the network’s',
    advice: 'Ask the caller to take bids, and to state floors, in the currency of the network.',
  },
  late: {
    because: 'responses came later than the requests allow (tmax)',
    advice: 'Add delivery workers, or ask the caller for more time.',
  },
  not_shown: {
    because: 'its ads are in responses and are not shown',
    advice: 'Check that pages show the ads and call their impression links.',
  },
  'capped.no_user': {
    because: 'frequency caps need a user, and the requests have none',
    advice: 'Allow serving without user where the caps may be passed over.',
  },
  'consent.segments': {
    because: 'its segments need consent to personalisation, which users have not given',
    advice: 'Target by context where users do not consent.',
  },
  'capped.line_item.frequency': {
    because: 'users have reached its frequency caps',
    advice: 'Raise the frequency cap.',
  },
  'capped.campaign.frequency': {
    because: 'users have reached the frequency caps of its campaign',
    advice: 'Raise the frequency cap.',
  },
  'capped.advertiser.frequency': {
    because: 'users have reached the frequency caps of its advertiser',
    advice: 'Raise the frequency cap.',
  },
  'capped.label.frequency': {
    because: 'users have reached the frequency caps of its labels',
    advice: 'Raise the frequency cap of the label in the settings of the network.',
  },
  'capped.creative': {
    because: 'users have reached the frequency caps of its creatives',
    advice: 'Raise the frequency cap of the creative, or add creatives.',
  },
  goal_reached: { because: 'its goal is reached', advice: 'Raise the goal.' },
  creative: { because: 'none of its creatives can be shown', advice: 'Add a creative, or make one live.' },
  draft: { because: 'it is a draft', advice: 'Set it to ACTIVE.' },
  reserved: { because: 'it is only reserved', advice: 'Set it to ACTIVE.' },
  completed: { because: 'it is completed', advice: 'Set it to ACTIVE, with a higher goal or a later end.' },
  archived: { because: 'it, or what it needs, is archived', advice: 'Restore it by the status ACTIVE.' },
  suspended: { because: 'the network is suspended', advice: 'Ask the operator of the installation.' },
  'blocked.private_auction': {
    because: 'the request is a private auction for deals',
    advice: 'Sell it under a deal that the auction offers.',
  },
  'blocked.seat': {
    because: 'the request does not take bids of its seat',
    advice: 'Sell it under a deal with another seat.',
  },
  'blocked.advertiser': {
    because: 'the request blocks the domain of its advertiser',
    advice: 'Check the domains of the advertiser.',
  },
  'blocked.category': {
    because: 'the request blocks a category of its advertiser',
    advice: 'Check the categories of the advertiser.',
  },
  'blocked.attribute': {
    because: 'the request blocks an attribute of its creatives',
    advice: 'Check the attributes of the creatives.',
  },
  'blocked.language': {
    because: 'the request wants creatives in another language',
    advice: 'Check the language of the creatives.',
  },
  'exclusion.label': {
    because: 'an ad that shares an exclusion label is already in the response',
    advice: 'Check the exclusion labels.',
  },
  'not_in_flight.creative': {
    because: 'the flight of its creatives is not running',
    advice: 'Check the flights of the creatives.',
  },
  capped: { because: 'a cap is reached', advice: 'Raise the cap, or wait for its window to end.' },
  budget: { because: 'the money that may be spent is spent', advice: 'Raise the budget, or the advertiser’s credit.' },
  consent: {
    because: 'frequency caps need a user, and personalisation is not allowed',
    advice: 'Allow serving without user where the caps may be passed over.',
  },
  pacing: { because: 'it is ahead of its plan', advice: '' },
  better_unit: {
    because: 'it waits for ad units where the event of its optimisation goal is more likely',
    advice: 'Nothing, while the line item reaches its goal; otherwise remove the optimisation goal.',
  },
  exclusion: {
    because: 'a competitor, or the same creative, is already in the response',
    advice: 'Check the exclusion labels.',
  },
  dsa_missing: {
    because: 'the request needs the facts of the Digital Services Act, and the advertiser has none',
    advice: 'Fill in on whose behalf the ad is shown and who paid for it.',
  },
  roadblock: {
    because: 'its creatives cannot all be shown together',
    advice: 'Offer slots for all of them, or choose another roadblock.',
  },
  companion: {
    because: 'its creatives require companions, and no slot fits those',
    advice: 'Offer slots for them, add companions in the sizes of the slots, or choose the companion mode OPTIONAL.',
  },
  'lost.tier': {
    because: 'a line item of a higher tier took it',
    advice: 'Raise the tier or level, or accept the remaining opportunities.',
  },
  'lost.plan': {
    because: 'the allocation plan gives this opportunity to others, which have fewer that suit them, or to PRICE',
    advice: 'Nothing, while the line item reaches its goal; otherwise widen its targeting or raise its level.',
  },
  'lost.price': { because: 'others paid more', advice: 'Raise the price.' },
  'lost.draw': {
    because: 'an equal, or one further behind its goal, was drawn',
    advice: 'Raise the share or level where more is wanted.',
  },
};

/**
 * "targeting.country" → a sentence's end and an advice, by the longest family that has a text; unknown reasons are shown as they are.
 * @param detail what the request wanted, as behind the colon of a failed test
 */
export function describeReason(reason: string, detail = ''): ReasonText {
  const parts = reason.split('.');
  const lengths = parts.map((_part, at) => parts.length - at);
  const found = lengths.map((length) => TEXTS[parts.slice(0, length).join('.')]).find((text) => text !== undefined);
  if (found === undefined) return { because: reason, advice: '' };
  const dimension = parts[0] === 'targeting' ? (parts[1] ?? '') : '';
  const asked = reason.startsWith('floor') && detail !== '' ? formatMicros(BigInt(detail)) : detail;
  const named = [dimension, asked].filter((text) => text !== '').join(' ');
  return named === '' ? found : { ...found, because: `${found.because} (${named})` };
}

/** Reasons of requests that were never meant for the line item. */
export function isOutOfReach(reason: string): boolean {
  return ['targeting', 'size', 'format', 'daypart'].includes(reason.split('.')[0] ?? '');
}
