import {
  constantValue,
  instantValue,
  nameValue,
  termValue,
  textOf,
  type DeliveryTextCode,
} from '../../../domain/booking/delivery-text.ts';
import type { BookedState, CreativeState } from './booked-state.sql.ts';
import type { Cause } from './cause.ts';
import { describeReason } from './reason-texts.ts';

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
      text: textOf('because_network_status', { status: constantValue(network.status) }),
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

function inactive(level: string, { status }: { readonly status: string }): Cause[] {
  if (status === 'ACTIVE') return [];
  const state = { status: constantValue(status) };
  const text =
    level === 'line_item'
      ? textOf('because_line_item_status', state)
      : textOf('because_parent_status', { object: termValue(level), ...state });
  return [{ code: `${STATUS_CODES[status] ?? 'paused'}.${level}`, detail: '', text }];
}

function outOfFlight(
  level: string,
  { starts_at: startsAt, ends_at: endsAt }: { readonly starts_at: Date | null; readonly ends_at: Date | null },
  nowMs: number,
): Cause[] {
  const describe = (own: DeliveryTextCode, ofParent: DeliveryTextCode, at: Date) =>
    level === 'line_item'
      ? textOf(own, { at: instantValue(at) })
      : textOf(ofParent, { object: termValue(level), at: instantValue(at) });
  if (startsAt !== null && startsAt.getTime() > nowMs) {
    const text = describe('because_flight_not_begun', 'because_parent_flight_not_begun', startsAt);
    return [{ code: `not_in_flight.${level}_not_started`, detail: '', text }];
  }
  if (endsAt === null || endsAt.getTime() > nowMs) return [];
  const text = describe('because_flight_over', 'because_parent_flight_over', endsAt);
  return [{ code: `not_in_flight.${level}_ended`, detail: '', text }];
}

/** The states of a creative that keep it from serving, from the one that takes least to change. */
const CREATIVE_STATES: readonly {
  readonly code: string;
  readonly holds: (creative: CreativeState, nowMs: number) => boolean;
}[] = [
  {
    code: 'creative.pending',
    holds: ({ status, review_state: review }) => status === 'ACTIVE' && review === 'PENDING',
  },
  {
    code: 'creative.paused',
    holds: ({ status, review_state: review }) => status === 'PAUSED' && review !== 'REJECTED',
  },
  {
    code: 'creative.not_started',
    holds: (one, nowMs) => isShowable(one) && (one.starts_at?.getTime() ?? 0) > nowMs,
  },
  {
    code: 'creative.ended',
    holds: (one, nowMs) => isShowable(one) && (one.ends_at?.getTime() ?? Number.POSITIVE_INFINITY) <= nowMs,
  },
  {
    code: 'creative.rejected',
    holds: ({ status, review_state: review }) => status !== 'ARCHIVED' && review === 'REJECTED',
  },
  {
    code: 'creative.archived',
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
    const text = textOf(all.length === 0 ? 'because_creative_none' : 'because_creative_companions');
    return { code: 'creative.none', detail: '', text };
  }
  const states = creatives.map((creative) => CREATIVE_STATES.findIndex(({ holds }) => holds(creative, nowMs)));
  if (states.includes(-1)) return null;
  const least = Math.min(...states);
  const state = CREATIVE_STATES[least];
  const creative = creatives[states.indexOf(least)];
  return state === undefined || creative === undefined
    ? null
    : { code: state.code, detail: String(creative.id), text: describeReason(state.code) };
}

/** Conditions all of whose sites, areas, ad units or segments are archived: no request can match them. */
function listArchivedTargets({ targets }: BookedState): Cause[] {
  return targets.flatMap((required) => {
    const [first] = required;
    if (first === undefined || required.some(({ status }) => status === 'ACTIVE')) return [];
    const text = textOf('because_target_status', {
      object: termValue(first.kind),
      name: nameValue(first.name),
      state: termValue(first.status),
    });
    return [{ code: `archived.${first.kind}`, detail: first.id, text }];
  });
}
