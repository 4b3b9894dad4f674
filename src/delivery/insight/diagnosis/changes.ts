import {
  instantValue,
  nameValue,
  termValue,
  textOf,
  type DeliveryTextCode,
} from '../../../domain/booking/delivery-text.ts';
import type { TargetState } from './booked-state.sql.ts';
import type { Cause } from './cause.ts';
import { ofCreative, ofLevel, ofLineItem } from './change.ts';
import type { Change, ChangedObject, ChangeInput, MakeChange } from './change.ts';
import { raiseGoal, raiseLimit } from './limit-changes.ts';
import { outbid, outrank, reachFloor, winDraw, winPlan } from './price-changes.ts';
import { dropTargeting } from './targeting-changes.ts';

const MONTH_MS = 30 * 86_400_000;

const activate: MakeChange = (input, { code }) => {
  const level = code.split('.')[1] ?? '';
  if (level === 'network') {
    const { version, status } = input.booked.network;
    const text = textOf('activate', { object: termValue('network') });
    if (status !== 'PAUSED') return null;
    return { text, object: 'Network', id: null, version, input: { status: 'ACTIVE' }, missing: [] };
  }
  return ofLevel(input, level, (object) => ({ text: textOf('activate', { object }), input: { status: 'ACTIVE' } }));
};

const moveFlight: MakeChange = (input, { code }) => {
  const part = code.split('.')[1] ?? '';
  const level = part.replace(/_(not_started|ended)$/, '');
  const isEnd = part.endsWith('_ended');
  const at = new Date(isEnd ? input.nowMs + MONTH_MS : input.nowMs);
  return ofLevel(input, level, (object) =>
    isEnd
      ? { text: textOf('move_end', { object, at: instantValue(at) }), input: { endsAt: at.toISOString() } }
      : { text: textOf('begin_now', { object }), input: { startsAt: at.toISOString() } },
  );
};

const restoreTarget: MakeChange = ({ booked }, { code, detail }) => {
  const target = booked.targets.flat().find(({ kind, id }) => `archived.${kind}` === code && id === detail);
  return target === undefined ? null : { ...restore(target), input: { status: 'ACTIVE' }, missing: [] };
};

function restore({ kind, id, version, name }: TargetState): Pick<Change, 'text' | 'object' | 'id' | 'version'> {
  const object = `${kind[0]?.toUpperCase()}${kind.slice(1)}` as ChangedObject;
  return { text: textOf('activate_target', { name: nameValue(name) }), object, id, version };
}

const newCreative =
  (code: DeliveryTextCode, more: (detail: string) => Record<string, unknown>): MakeChange =>
  ({ booked: { lineItem } }, { detail }) => ({
    text: textOf(code),
    object: 'Creative',
    id: null,
    version: null,
    input: { lineItemId: String(lineItem.id), name: `${lineItem.name} ${detail}`.trim(), ...more(detail) },
    missing: ['input.content', 'input.clickUrl'],
  });

const serveSecurely = ofCreative(() => ({ text: 'serve_securely', input: {} }));

function parseSize(detail: string): { width: number; height: number } | Record<string, never> {
  const [width, height] = detail.split('x').map(Number);
  return width !== undefined && height !== undefined && width > 0 ? { width, height } : {};
}

/** The change that removes each cause, by the longest family of its code. */
const CHANGES: Readonly<Record<string, MakeChange>> = {
  paused: activate,
  draft: activate,
  reserved: activate,
  completed: activate,
  archived: activate,
  'archived.site': restoreTarget,
  'archived.area': restoreTarget,
  'archived.adUnit': restoreTarget,
  'archived.segment': restoreTarget,
  not_in_flight: moveFlight,
  'not_in_flight.creative': ofCreative((_one, { nowMs }) => ({
    text: 'move_creative_flight',
    input: { startsAt: new Date(nowMs).toISOString(), endsAt: new Date(nowMs + MONTH_MS).toISOString() },
  })),
  'creative.none': newCreative('add_creative', () => ({})),
  'creative.pending': ofCreative(() => ({ text: 'approve_creative', input: { reviewState: 'APPROVED' } })),
  'creative.rejected': ofCreative(() => ({
    text: 'approve_rejected',
    input: { status: 'ACTIVE', reviewState: 'APPROVED' },
  })),
  'creative.paused': ofCreative(() => ({
    text: 'activate_creative',
    input: { status: 'ACTIVE', reviewState: 'APPROVED' },
  })),
  'creative.archived': ofCreative(() => ({
    text: 'restore_creative',
    input: { status: 'ACTIVE', reviewState: 'APPROVED' },
  })),
  'creative.not_started': ofCreative((_one, { nowMs }) => ({
    text: 'begin_creative_now',
    input: { startsAt: new Date(nowMs).toISOString() },
  })),
  'creative.ended': ofCreative((_one, { nowMs }) => ({
    text: 'move_creative_end',
    input: { endsAt: new Date(nowMs + MONTH_MS).toISOString() },
  })),
  targeting: dropTargeting,
  no_traffic: dropTargeting,
  'consent.segments': dropTargeting,
  daypart: (input) => ofLineItem(input, 'drop_day_parts', { dayParts: [] }),
  size: newCreative('add_creative_of_size', parseSize),
  format: newCreative('add_creative_of_format', () => ({})),
  secure: (input, cause) => withMissing(serveSecurely(input, cause), 'input.content'),
  'blocked.private_auction': (input) => ofLineItem(input, 'sell_in_auction', {}, ['input.dealId']),
  'blocked.seat': (input) => ofLineItem(input, 'sell_to_seat', {}, ['input.dealId']),
  'blocked.advertiser': (input) =>
    withMissing(
      ofLevel(input, 'advertiser', () => ({ text: 'check_domains', input: {} })),
      'input.domains',
    ),
  'blocked.category': (input) =>
    withMissing(
      ofLevel(input, 'advertiser', () => ({ text: 'check_categories', input: {} })),
      'input.categories',
    ),
  'blocked.attribute': ofCreative(() => ({
    text: 'correct_attributes',
    input: { attributes: [] },
  })),
  'blocked.language': ofCreative(() => ({
    text: 'correct_language',
    input: { language: null },
  })),
  dsa_missing: (input) =>
    ofLevel(input, 'advertiser', () => {
      const { name, dsa_behalf: behalf, dsa_paid: paid } = input.booked.advertiser;
      return {
        text: 'state_payer',
        input: { dsaBehalf: behalf || name, dsaPaid: paid || name },
      };
    }),
  'exclusion.label': (input) => ofLineItem(input, 'drop_exclusions', { exclusionLabels: [] }),
  floor: reachFloor,
  capped: raiseLimit,
  budget: raiseLimit,
  goal_reached: raiseGoal,
  consent: (input) => ofLineItem(input, 'serve_unknown_users', { serveWithoutUser: true }),
  'capped.no_user': (input) => ofLineItem(input, 'serve_unknown_users', { serveWithoutUser: true }),
  pacing: (input) => ofLineItem(input, 'deliver_soon', { pacing: 'ASAP' }),
  better_unit: (input) => ofLineItem(input, 'drop_optimisation', { optimisationGoal: null }),
  roadblock: (input) => ofLineItem(input, 'show_one_at_a_time', { roadblock: 'ONE' }),
  companion: (input) => ofLineItem(input, 'serve_without_companions', { companionMode: 'OPTIONAL' }),
  'lost.tier': outrank,
  'lost.plan': winPlan,
  'lost.price': outbid,
  'lost.draw': winDraw,
};

function withMissing(change: Change | null, path: string): Change | null {
  return change === null ? null : { ...change, missing: [path] };
}

/** The change of the bookings that removes a cause; null where none does, because the cause lies outside of them. */
export function makeChange(input: ChangeInput, cause: Cause): Change | null {
  const parts = cause.code.split('.');
  for (let count = parts.length; count > 0; count -= 1) {
    const make = CHANGES[parts.slice(0, count).join('.')];
    if (make !== undefined) return make(input, cause);
  }
  return null;
}
