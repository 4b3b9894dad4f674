import type { BookedState, CreativeState } from './booked-state.sql.ts';
import type { Cause } from './cause.ts';

/** The statuses that serve are `ACTIVE`; the codes of all others. */
const STATUS_CODES: Readonly<Record<string, string>> = {
  PAUSED: 'paused',
  DRAFT: 'draft',
  RESERVED: 'reserved',
  COMPLETED: 'completed',
  ARCHIVED: 'archived',
};

/** Every state of its bookings that keeps a line item from serving at all, the topmost object first. */
export function listBookedCauses(booked: BookedState, nowMs: number): Cause[] {
  const { network, advertiser, campaign, lineItem, deal } = booked;
  const causes: Cause[] = [];
  if (network.status !== 'ACTIVE')
    causes.push({
      code: `${network.status.toLowerCase()}.network`,
      detail: '',
      because: `the network is ${network.status}`,
    });
  causes.push(
    ...inactive('advertiser', advertiser),
    ...inactive('campaign', campaign),
    ...inactive('line_item', lineItem),
    ...(deal === null ? [] : inactive('deal', deal)),
    ...outOfFlight('campaign', campaign, nowMs),
    ...outOfFlight('line_item', lineItem, nowMs),
  );
  const creatives = findCreativeCause(booked.creatives, nowMs);
  if (creatives !== null) causes.push(creatives);
  return [...causes, ...listArchivedTargets(booked)];
}

const NAMES: Readonly<Record<string, string>> = {
  advertiser: 'its advertiser',
  campaign: 'its campaign',
  line_item: 'it',
  deal: 'its deal',
};

function inactive(level: string, { status }: { readonly status: string }): Cause[] {
  if (status === 'ACTIVE') return [];
  const because = `${NAMES[level]} is ${status}`;
  return [{ code: `${STATUS_CODES[status] ?? 'paused'}.${level}`, detail: '', because }];
}

function outOfFlight(
  level: string,
  { starts_at: startsAt, ends_at: endsAt }: { readonly starts_at: Date | null; readonly ends_at: Date | null },
  nowMs: number,
): Cause[] {
  const flight = level === 'line_item' ? 'its flight' : `the flight of ${NAMES[level]}`;
  if (startsAt !== null && startsAt.getTime() > nowMs) {
    const because = `${flight} begins only at ${startsAt.toISOString()}`;
    return [{ code: `not_in_flight.${level}_not_started`, detail: '', because }];
  }
  if (endsAt === null || endsAt.getTime() > nowMs) return [];
  return [{ code: `not_in_flight.${level}_ended`, detail: '', because: `${flight} ended at ${endsAt.toISOString()}` }];
}

/** The states of a creative that keep it from serving, from the one that takes least to change. */
const CREATIVE_STATES: readonly {
  readonly code: string;
  readonly because: string;
  readonly holds: (creative: CreativeState, nowMs: number) => boolean;
}[] = [
  {
    code: 'creative.pending',
    because: 'its creatives wait for their review',
    holds: ({ status, review_state: review }) => status === 'ACTIVE' && review === 'PENDING',
  },
  {
    code: 'creative.paused',
    because: 'its creatives are paused',
    holds: ({ status, review_state: review }) => status === 'PAUSED' && review !== 'REJECTED',
  },
  {
    code: 'creative.not_started',
    because: 'the flight of its creatives has not begun',
    holds: (one, nowMs) => isShowable(one) && (one.starts_at?.getTime() ?? 0) > nowMs,
  },
  {
    code: 'creative.ended',
    because: 'the flight of its creatives has ended',
    holds: (one, nowMs) => isShowable(one) && (one.ends_at?.getTime() ?? Number.POSITIVE_INFINITY) <= nowMs,
  },
  {
    code: 'creative.rejected',
    because: 'its creatives were rejected',
    holds: ({ status, review_state: review }) => status !== 'ARCHIVED' && review === 'REJECTED',
  },
  {
    code: 'creative.archived',
    because: 'its creatives are archived',
    holds: ({ status }) => status === 'ARCHIVED',
  },
];

function isShowable({ status, review_state: review }: CreativeState): boolean {
  return status === 'ACTIVE' && review === 'APPROVED';
}

/** Why no creative can be shown by itself; null when one can. The detail is the id of a creative in that state. */
function findCreativeCause(all: readonly CreativeState[], nowMs: number): Cause | null {
  const creatives = all.filter(({ master_creative_id: master }) => master === null);
  if (creatives.length === 0) {
    const because = all.length === 0 ? 'it has no creative' : 'all of its creatives are companions of another one';
    return { code: 'creative.none', detail: '', because };
  }
  const states = creatives.map((creative) => CREATIVE_STATES.findIndex(({ holds }) => holds(creative, nowMs)));
  if (states.includes(-1)) return null;
  const least = Math.min(...states);
  const state = CREATIVE_STATES[least];
  const creative = creatives[states.indexOf(least)];
  return state === undefined || creative === undefined
    ? null
    : { code: state.code, detail: String(creative.id), because: state.because };
}

/** Conditions all of whose sites, areas, ad units or segments are archived: no request can match them. */
function listArchivedTargets({ targets }: BookedState): Cause[] {
  return targets.flatMap((required) => {
    const [first] = required;
    if (first === undefined || required.some(({ status }) => status === 'ACTIVE')) return [];
    const kind = first.kind.replace(/[A-Z]/, (letter) => ` ${letter.toLowerCase()}`);
    const because = `the ${kind} ${first.name}, which it targets, is ${first.status.toLowerCase()}`;
    return [{ code: `archived.${first.kind}`, detail: first.id, because }];
  });
}
