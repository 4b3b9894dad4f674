import type { TargetState } from './booked-state.sql.ts';
import type { Cause } from './cause.ts';
import { ofCreative, ofLevel, ofLineItem } from './change.ts';
import type { Change, ChangedObject, ChangeInput, MakeChange } from './change.ts';
import { raiseGoal, raiseLimit } from './limit-changes.ts';
import { outbid, outrank, reachFloor, winDraw } from './price-changes.ts';
import { dropTargeting } from './targeting-changes.ts';

const MONTH_MS = 30 * 86_400_000;

const activate: MakeChange = (input, { code }) => {
  const level = code.split('.')[1] ?? '';
  if (level === 'network') {
    const { version, status } = input.booked.network;
    const sentence = 'Set the network to ACTIVE.';
    if (status !== 'PAUSED') return null;
    return { sentence, object: 'Network', id: null, version, input: { status: 'ACTIVE' }, missing: [] };
  }
  return ofLevel(input, level, (name) => ({ sentence: `Set the ${name} to ACTIVE.`, input: { status: 'ACTIVE' } }));
};

const moveFlight: MakeChange = (input, { code }) => {
  const part = code.split('.')[1] ?? '';
  const level = part.replace(/_(not_started|ended)$/, '');
  const isEnd = part.endsWith('_ended');
  const at = new Date(isEnd ? input.nowMs + MONTH_MS : input.nowMs).toISOString();
  return ofLevel(input, level, (name) =>
    isEnd
      ? { sentence: `Move the end of the ${name} to ${at}.`, input: { endsAt: at } }
      : { sentence: `Let the ${name} begin now.`, input: { startsAt: at } },
  );
};

const restoreTarget: MakeChange = ({ booked }, { code, detail }) => {
  const target = booked.targets.flat().find(({ kind, id }) => `archived.${kind}` === code && id === detail);
  return target === undefined ? null : { ...restore(target), input: { status: 'ACTIVE' }, missing: [] };
};

function restore({ kind, id, version, name }: TargetState): Pick<Change, 'sentence' | 'object' | 'id' | 'version'> {
  const object = `${kind[0]?.toUpperCase()}${kind.slice(1)}` as ChangedObject;
  return { sentence: `Set ${name} to ACTIVE.`, object, id, version };
}

const newCreative =
  (sentence: string, more: (detail: string) => Record<string, unknown>): MakeChange =>
  ({ booked: { lineItem } }, { detail }) => ({
    sentence,
    object: 'Creative',
    id: null,
    version: null,
    input: { lineItemId: String(lineItem.id), name: `${lineItem.name} ${detail}`.trim(), ...more(detail) },
    missing: ['input.content', 'input.clickUrl'],
  });

const serveSecurely = ofCreative(() => ({ sentence: 'Serve all addresses of the creative over https.', input: {} }));

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
    sentence: 'Move the flight of its creative.',
    input: { startsAt: new Date(nowMs).toISOString(), endsAt: new Date(nowMs + MONTH_MS).toISOString() },
  })),
  'creative.none': newCreative('Add a creative.', () => ({})),
  'creative.pending': ofCreative(() => ({ sentence: 'Approve the creative.', input: { reviewState: 'APPROVED' } })),
  'creative.rejected': ofCreative(() => ({
    sentence: 'Correct the creative, and approve it.',
    input: { status: 'ACTIVE', reviewState: 'APPROVED' },
  })),
  'creative.paused': ofCreative(() => ({
    sentence: 'Set the creative to ACTIVE.',
    input: { status: 'ACTIVE', reviewState: 'APPROVED' },
  })),
  'creative.archived': ofCreative(() => ({
    sentence: 'Set the creative to ACTIVE again.',
    input: { status: 'ACTIVE', reviewState: 'APPROVED' },
  })),
  'creative.not_started': ofCreative((_one, { nowMs }) => ({
    sentence: 'Let the creative begin now.',
    input: { startsAt: new Date(nowMs).toISOString() },
  })),
  'creative.ended': ofCreative((_one, { nowMs }) => ({
    sentence: 'Move the end of the creative.',
    input: { endsAt: new Date(nowMs + MONTH_MS).toISOString() },
  })),
  targeting: dropTargeting,
  'consent.segments': dropTargeting,
  daypart: (input) => ofLineItem(input, 'Drop its day-parts, or widen them.', { dayParts: [] }),
  size: newCreative('Add a creative of the requested size.', parseSize),
  format: newCreative('Add a creative of the requested format.', () => ({})),
  secure: (input, cause) => withMissing(serveSecurely(input, cause), 'input.content'),
  'blocked.private_auction': (input) =>
    ofLineItem(input, 'Sell it under a deal that the auction offers.', {}, ['input.dealId']),
  'blocked.seat': (input) =>
    ofLineItem(input, 'Sell it under a deal with a seat that the request takes.', {}, ['input.dealId']),
  'blocked.advertiser': (input) =>
    withMissing(
      ofLevel(input, 'advertiser', () => ({ sentence: 'Check the domains of the advertiser.', input: {} })),
      'input.domains',
    ),
  'blocked.category': (input) =>
    withMissing(
      ofLevel(input, 'advertiser', () => ({ sentence: 'Check the categories of the advertiser.', input: {} })),
      'input.categories',
    ),
  'blocked.attribute': ofCreative(() => ({
    sentence: 'Correct the attributes of the creative.',
    input: { attributes: [] },
  })),
  'blocked.language': ofCreative(() => ({
    sentence: 'Correct the language of the creative.',
    input: { language: null },
  })),
  dsa_missing: (input) =>
    ofLevel(input, 'advertiser', () => {
      const { name, dsa_behalf: behalf, dsa_paid: paid } = input.booked.advertiser;
      return {
        sentence: 'State for whom the ad is shown and who paid.',
        input: { dsaBehalf: behalf || name, dsaPaid: paid || name },
      };
    }),
  'exclusion.label': (input) => ofLineItem(input, 'Drop its exclusion labels.', { exclusionLabels: [] }),
  floor: reachFloor,
  capped: raiseLimit,
  budget: raiseLimit,
  goal_reached: raiseGoal,
  consent: (input) => ofLineItem(input, 'Let it serve to unknown users.', { serveWithoutUser: true }),
  'capped.no_user': (input) => ofLineItem(input, 'Let it serve to unknown users.', { serveWithoutUser: true }),
  pacing: (input) => ofLineItem(input, 'Deliver as soon as possible.', { pacing: 'ASAP' }),
  better_unit: (input) => ofLineItem(input, 'Drop its optimisation goal.', { optimisationGoal: null }),
  roadblock: (input) => ofLineItem(input, 'Show its creatives one at a time.', { roadblock: 'ONE' }),
  companion: (input) => ofLineItem(input, 'Let it serve without its companions.', { companionMode: 'OPTIONAL' }),
  'lost.tier': outrank,
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
