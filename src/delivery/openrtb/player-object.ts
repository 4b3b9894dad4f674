import type { CompanionSlot, PlayerOffer } from '../../domain/requests/opportunity.ts';
import { parseBanner } from './banner-object.ts';
import { asObject } from './lenient-json.ts';
import { limitIn, LIST_MAX, listIn, type Parent, textsIn, wholeIn, wholesIn } from './restricting-members.ts';

/** What an impression's `video` or `audio` accepts. */
export interface PlayerObject extends PlayerOffer {
  readonly blockedAttributes: readonly number[];
}

/** Reads the members that `video` and `audio` share. @throws PlacardError `invalid_request` naming a member that cannot be read */
export function parsePlayer(player: Parent): PlayerObject {
  const protocols = wholesIn(player, 'protocols');
  const protocol = wholeIn(player, 'protocol');
  return {
    mimeTypes: textsIn(player, 'mimes').map((mime) => mime.toLowerCase()),
    minDurationMs: (limitIn(player, 'minduration') ?? 0) * 1_000,
    maxDurationMs: (limitIn(player, 'maxduration') ?? Number.POSITIVE_INFINITY) * 1_000,
    protocols: protocols.length === 0 && protocol !== null ? [protocol] : protocols,
    companionPlaces: parseCompanionSlots(player),
    companionTypes: wholesIn(player, 'companiontype'),
    blockedAttributes: wholesIn(player, 'battr'),
    ...parseLimits(player),
  };
}

const LIMITING = ['minbitrate', 'maxbitrate', 'delivery', 'rqddurs', 'linearity'];
/** OpenRTB "Video Linearity". */
const NON_LINEAR = 2;

function parseLimits(player: Parent): Pick<PlayerOffer, 'limits'> {
  if (!LIMITING.some((name) => player.members[name] !== undefined)) return {};
  const limits = {
    minBitrateKbps: limitIn(player, 'minbitrate') ?? 0,
    maxBitrateKbps: limitIn(player, 'maxbitrate') ?? Number.MAX_SAFE_INTEGER,
    deliveryMethods: wholesIn(player, 'delivery'),
    durationsMs: wholesIn(player, 'rqddurs').map((seconds) => seconds * 1_000),
    isNonLinear: wholeIn(player, 'linearity') === NON_LINEAR,
  };
  return { limits };
}

/** A companion slot without a size matters only when none has a size: for what it blocks. */
function parseCompanionSlots(player: Parent): readonly CompanionSlot[] {
  const companionSlots = listIn(player, 'companionad', LIST_MAX)
    .map((one, index) => parseBanner({ at: `${player.at}.companionad[${index}]`, members: asObject(one) ?? {} }))
    .filter((slot) => slot !== null);
  const sized = companionSlots.filter(({ sizes }) => sizes.length > 0);
  return sized.length > 0 ? sized : companionSlots.filter(({ blockedAttributes }) => blockedAttributes.length > 0);
}
