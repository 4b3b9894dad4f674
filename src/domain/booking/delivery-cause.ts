/**
 * The kinds of causes for which a line item does not get an opportunity, and how it stands otherwise. The codes of decisions and diagnoses are
 * paths below them: `targeting.country` is a cause of the kind `targeting`. The management API has an enumeration of these kinds.
 */
export const DELIVERY_CAUSES = {
  won: 'It won the opportunity.',
  delivering: 'It delivers.',
  behind: 'It delivers less than planned.',
  not_shown: 'Its ads are in responses and are not shown.',
  no_traffic: 'There were no opportunities.',
  no_sample: 'The outcomes of its opportunities are not known.',
  unknown: 'Delivery does not know it.',
  suspended: 'The network is suspended.',
  archived: 'It, or what it needs, is archived.',
  completed: 'It is completed.',
  draft: 'It is a draft.',
  reserved: 'It is reserved only.',
  paused: 'It, its campaign, its deal or its network is not active.',
  not_in_flight: 'Its flight, or that of its campaign or creatives, does not run.',
  goal_reached: 'Its goal is reached.',
  creative: 'None of its creatives can be shown.',
  daypart: 'The time lies outside its day-parts.',
  targeting: 'The request does not match its targeting.',
  size: 'None of its creatives has a size that fits.',
  format: 'None of its creatives has a format that the slot takes.',
  secure: 'Its creatives are not secure.',
  blocked: 'The publisher or the exchange blocks it.',
  floor: 'Its price is below a floor.',
  currency: 'The request asks for a currency without an exchange rate.',
  budget: 'The money that may be spent is spent.',
  capped: 'A cap is reached.',
  consent: 'It needs a consent that the user did not give.',
  dsa_missing: 'The facts of the Digital Services Act are missing.',
  exclusion: 'A competitor, or the same creative, is in the response already.',
  roadblock: 'Its creatives cannot all be shown together.',
  companion: 'No slot fits the companions that it requires.',
  pacing: 'It is ahead of its plan.',
  better_unit: 'It waits for an ad unit where its event is more likely.',
  late: 'The response came too late.',
  lost: 'Another line item took it: by tier, plan, price or draw.',
} as const;

/** A kind of causes. */
export type DeliveryCause = keyof typeof DELIVERY_CAUSES;

/** The kind that a code of a decision or diagnosis belongs to. @param code may have what the request wanted behind a colon */
export function causeOf(code: string): DeliveryCause {
  const [kind = ''] = code.split(/[.:]/, 1);
  return Object.hasOwn(DELIVERY_CAUSES, kind) ? (kind as DeliveryCause) : 'unknown';
}

/** The first part of a code, so that the compiler knows whether it is a kind. */
export type KindOfCode<Code extends string> = Code extends `${infer Kind}.${string}` ? Kind : Code;

/** Why a whole request got no ad of ours, as the ad request API states it. */
export const NO_FILLS = {
  no_match: 'No line item matches the request.',
  capped: 'Caps of the line items that match are reached.',
  budget: 'The money of the line items that match is spent.',
  floor: 'The line items that match pay less than a floor.',
  network_paused: 'The network is paused.',
  header_bid: 'A header bid paid more.',
} as const;

/** A key of {@link NO_FILLS}. */
export type NoFill = keyof typeof NO_FILLS;
