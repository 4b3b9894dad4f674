import type { DeliveryText, DeliveryTextCode } from '../../../domain/booking/delivery-text.ts';
import { dimensionValue, moneyValue, nameValue, textOf, writeEnglish } from '../../../domain/booking/delivery-text.ts';
import { formatMicros } from '../../../domain/money/money.ts';
import { DELIVERY_TEXTS } from '../../../domain/booking/delivery-texts.ts';

/** Advice as English, and as data where a program may have no change to show in its stead. */
export interface Advice {
  /** '' when none is needed. */
  readonly sentence: string;
  readonly text: DeliveryText | null;
}

/** Advice by the longest family of a reason. Reasons with a change of the bookings need no text: that of the change says more. */
const ADVICE: Readonly<Record<string, string | DeliveryText>> = {
  not_in_flight: 'Check the start and end of line item, campaign and creatives.',
  paused: 'Set line item and campaign to ACTIVE; archived advertisers and deals never serve.',
  daypart: 'Widen the day-parts, and check the time zone of the line item.',
  targeting: 'Widen this part of the targeting, or check its values.',
  size: 'Add approved creatives in the sizes of the ad units.',
  no_traffic: textOf('advise_not_asked'),
  format: 'Add a creative in the format of the slot (banner, native, video).',
  secure: 'Serve all addresses of the creative over https and mark it secure.',
  blocked: 'Check categories, domains, attributes and seats against what the requests block.',
  floor: 'Raise the price, or lower the floor of network, ad unit or deal.',
  'floor.request': 'Raise the price, or ask the caller for a lower floor.',
  'floor.network': 'Raise the price, or lower the floor of the network.',
  'floor.ad_unit': 'Raise the price, or lower the floor of the ad unit.',
  'floor.rule': 'Raise the price, or lower the floor rule.',
  'floor.deal': 'Raise the price, or lower the floor of the deal.',
  currency: textOf('advise_currency'),
  late: textOf('advise_late'),
  not_shown: textOf('advise_not_shown'),
  'capped.no_user': 'Allow serving without user where the caps may be passed over.',
  'consent.segments': 'Target by context where users do not consent.',
  'capped.line_item.frequency': 'Raise the frequency cap.',
  'capped.campaign.frequency': 'Raise the frequency cap.',
  'capped.advertiser.frequency': 'Raise the frequency cap.',
  'capped.label.frequency': textOf('advise_label_frequency'),
  'capped.creative': 'Raise the frequency cap of the creative, or add creatives.',
  goal_reached: 'Raise the goal.',
  creative: 'Add a creative, or make one live.',
  draft: 'Set it to ACTIVE.',
  reserved: 'Set it to ACTIVE.',
  completed: 'Set it to ACTIVE, with a higher goal or a later end.',
  archived: 'Restore it by the status ACTIVE.',
  suspended: textOf('advise_suspended'),
  'blocked.private_auction': 'Sell it under a deal that the auction offers.',
  'blocked.seat': 'Sell it under a deal with another seat.',
  'blocked.advertiser': 'Check the domains of the advertiser.',
  'blocked.category': 'Check the categories of the advertiser.',
  'blocked.attribute': 'Check the attributes of the creatives.',
  'blocked.language': 'Check the language of the creatives.',
  'exclusion.label': 'Check the exclusion labels.',
  'not_in_flight.creative': 'Check the flights of the creatives.',
  capped: 'Raise the cap, or wait for its window to end.',
  budget: 'Raise the budget, or the advertiser’s credit.',
  consent: 'Allow serving without user where the caps may be passed over.',
  better_unit: 'Nothing, while the line item reaches its goal; otherwise remove the optimisation goal.',
  exclusion: textOf('advise_exclusion'),
  dsa_missing: 'Fill in on whose behalf the ad is shown and who paid for it.',
  roadblock: 'Offer slots for all of them, or choose another roadblock.',
  companion: 'Offer slots for them, add companions in the sizes of the slots, or choose the companion mode OPTIONAL.',
  'lost.tier': textOf('advise_lost_tier'),
  'lost.plan': textOf('advise_lost_plan'),
  'lost.price': 'Raise the price.',
  'lost.draw': textOf('advise_lost_draw'),
};

/** An advice that has a text. */
export function adviceOf(code: DeliveryTextCode): Advice {
  return toAdvice(textOf(code));
}

function toAdvice(advice: string | DeliveryText): Advice {
  return typeof advice === 'string'
    ? { sentence: advice, text: null }
    : { sentence: writeEnglish([advice]), text: advice };
}

/** The families of a reason, the longest first: `floor.ad_unit`, `floor`. */
function familiesOf(reason: string): string[] {
  const parts = reason.split('.');
  return parts.map((_part, at) => parts.slice(0, parts.length - at).join('.'));
}

/** The advice for a reason, by its longest family that has one. */
export function adviseOn(reason: string): Advice {
  const found = familiesOf(reason).find((family) => Object.hasOwn(ADVICE, family));
  return toAdvice(found === undefined ? '' : (ADVICE[found] ?? ''));
}

/**
 * The text of a reason, by its longest family that has one; unknown reasons are shown as they are.
 * @param detail of the request, as behind the colon of a failed test
 */
export function describeReason(reason: string, detail = ''): DeliveryText {
  const [family = '', dimension = ''] = reason.split('.');
  if (family === 'targeting')
    return dimension === 'keyValue' && detail !== ''
      ? textOf('because_targeting_key', { key: nameValue(detail) })
      : textOf('because_targeting', { dimension: dimensionValue(dimension) });
  const code = familiesOf(reason)
    .map((one) => `because_${one.replaceAll('.', '_')}`)
    .find(isTextCode);
  if (code === undefined) return textOf('because_other', { reason: nameValue(reason) });
  if (detail === '' || !DELIVERY_TEXTS[code].includes('{asked}')) return textOf(code);
  return textOf(code, { asked: family === 'floor' ? moneyValue(formatMicros(BigInt(detail))) : nameValue(detail) });
}

function isTextCode(code: string): code is DeliveryTextCode {
  return Object.hasOwn(DELIVERY_TEXTS, code);
}

/** Reasons of requests that were never meant for the line item. */
export function isOutOfReach(reason: string): boolean {
  return ['targeting', 'size', 'format', 'daypart'].includes(reason.split('.')[0] ?? '');
}
