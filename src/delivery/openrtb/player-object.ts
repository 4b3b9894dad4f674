import type { CompanionSlot, PlayerOffer } from '../../domain/requests/opportunity.ts';
import { parseBanner } from './banner-object.ts';
import { asObject, textOf } from './lenient-json.ts';
import { floorIn, limitIn, LIST_MAX, listIn, type Parent, textsIn, wholeIn, wholesIn } from './restricting-members.ts';

/** What an impression's `video` or `audio` accepts. */
export interface PlayerObject extends PlayerOffer {
  readonly blockedAttributes: readonly number[];
  /** Absent: the impression is in no pod. */
  readonly pod?: PodObject;
  /** Floors by duration, in currency units as sent. Absent: none. */
  readonly timedFloors?: SentTimedFloors;
}

/** The pod of an impression, as sent. */
export interface PodObject {
  readonly id: string;
  /** 1 the first pod of the content, -1 the last, 0 any. */
  readonly sequence: number;
  /** 1 the first slot, -1 the last, 2 both are guaranteed, 0 any. */
  readonly slot: number;
  /** Of a dynamic pod: the time that its ads share; null: the impression is one ad. */
  readonly sharedMs: number | null;
  /** Of a dynamic pod: most ads; null: no limit. */
  readonly adsMax: number | null;
}

/** Floors by duration; money in currency units as sent. */
export interface SentTimedFloors {
  readonly perSecond: number;
  readonly ranges: readonly { readonly minMs: number; readonly maxMs: number; readonly floor: number }[];
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
    ...parsePod(player),
    ...parseTimedFloors(player),
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

function parsePod(player: Parent): Pick<PlayerObject, 'pod'> {
  const id = textOf(player.members['podid']);
  const seconds = limitIn(player, 'poddur');
  const adsMax = limitIn(player, 'maxseq');
  if (id === '' && seconds === null) return {};
  return {
    pod: {
      id,
      sequence: numberAmong(player.members['podseq'], [1, -1]),
      slot: numberAmong(player.members['slotinpod'], [1, -1, 2]),
      sharedMs: seconds === null ? null : seconds * 1_000,
      adsMax,
    },
  };
}

/** The number, also as text; 0 where it is none of these. */
function numberAmong(value: unknown, known: readonly number[]): number {
  return known.find((number) => String(number) === String(value)) ?? 0;
}

/** Ranges of durations in one impression. */
const RANGES_MAX = 50;

function parseTimedFloors(player: Parent): Pick<PlayerObject, 'timedFloors'> {
  const perSecond = floorIn(player, 'mincpmpersec') ?? 0;
  const ranges = listIn(player, 'durfloors', RANGES_MAX).map((one, index) => {
    const range: Parent = { at: `${player.at}.durfloors[${index}]`, members: asObject(one) ?? {} };
    return {
      minMs: (limitIn(range, 'mindur') ?? 0) * 1_000,
      maxMs: (limitIn(range, 'maxdur') ?? Number.POSITIVE_INFINITY) * 1_000,
      floor: floorIn(range, 'bidfloor') ?? 0,
    };
  });
  return perSecond === 0 && ranges.length === 0 ? {} : { timedFloors: { perSecond, ranges } };
}

/** A companion slot without a size matters only when none has a size: for what it blocks. */
function parseCompanionSlots(player: Parent): readonly CompanionSlot[] {
  const companionSlots = listIn(player, 'companionad', LIST_MAX)
    .map((one, index) => parseBanner({ at: `${player.at}.companionad[${index}]`, members: asObject(one) ?? {} }))
    .filter((slot) => slot !== null);
  const sized = companionSlots.filter(({ sizes }) => sizes.length > 0);
  return sized.length > 0 ? sized : companionSlots.filter(({ blockedAttributes }) => blockedAttributes.length > 0);
}
