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
  capped: { because: 'a cap is reached', advice: 'Raise the cap, or wait for its window to end.' },
  budget: { because: 'the money that may be spent is spent', advice: 'Raise the budget, or the advertiser’s credit.' },
  consent: {
    because: 'frequency caps need a user, and personalisation is not allowed',
    advice: 'Allow serving without user where the caps may be passed over.',
  },
  pacing: { because: 'it is ahead of its plan', advice: '' },
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
  'lost.price': { because: 'others paid more', advice: 'Raise the price.' },
  'lost.draw': {
    because: 'an equal, or one further behind its goal, was drawn',
    advice: 'Raise the share or level where more is wanted.',
  },
};

/** "targeting.country" → a sentence's end and an advice; unknown reasons are shown as they are. */
export function describeReason(reason: string): ReasonText {
  const [family = '', detail = ''] = reason.split('.');
  const found = TEXTS[reason] ?? TEXTS[family];
  if (found === undefined) return { because: reason, advice: '' };
  return family === 'targeting' ? { ...found, because: `${found.because} (${detail})` } : found;
}

/** Reasons of requests that were never meant for the line item. */
export function isOutOfReach(reason: string): boolean {
  return ['targeting', 'size', 'format', 'daypart'].includes(reason.split('.')[0] ?? '');
}
