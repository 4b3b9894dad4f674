import type { ActivityInspection, ActivityInspector, NoCreditReason } from '../../domain/events/activity-inspection.ts';
import type { Catalog } from '../../domain/booking/snapshot.ts';
import { PlacardError } from '../../domain/errors.ts';
import { earnedNanos } from '../../domain/money/earning.ts';
import type { Nanos } from '../../domain/money/money.ts';
import type { HotStore } from '../../storage/hot/hot-store.ts';
import { eventKey } from '../recording/recorder.ts';
import type { Touch } from '../tracking/touch.ts';
import { asUnavailable, checkActivity, findContacts, hashInputUser } from './activity-facts.ts';
import type { KnownEvent } from './activity-facts.ts';
import { parseActivityInput } from './activity-input.ts';
import { checkContactsKnown, mayHaveContacts, orderOf } from './credit-event.ts';
import { orderEventId, repeatKey } from './repeat-interval.ts';
import { attribute } from './attribution.ts';
import type { Attribution, Touches } from './attribution.ts';
import { isOrderBilled } from './order-bills.ts';

/** Dependencies of the inspector. */
export interface ActivityInspectorDeps {
  readonly hot: Pick<HotStore, 'readList' | 'readCounters' | 'isCounted' | 'get'>;
  /** Whether acknowledged events wait to be counted on any machine. */
  readonly hasUncounted: () => Promise<boolean>;
  readonly catalog: Catalog;
  readonly userHashSecret: Buffer;
  readonly nowMs: () => number;
}

/** Checks, de-duplicates and credits events by the rules of the activity pixel API, and writes nothing. */
export function createActivityInspector(deps: ActivityInspectorDeps): ActivityInspector {
  return {
    inspectActivityEvent: async (workspaceId, networkId, body) => {
      let event: KnownEvent;
      try {
        event = readEvent(deps, { workspaceId, networkId, body });
      } catch (error) {
        if (!(error instanceof PlacardError) || error.code === 'unavailable') throw error;
        const { code, message, fields } = error;
        return { ...NOTHING, outcome: 'REFUSED', refusal: { code, message, fields } };
      }
      const activityId = event.activity.id;
      if (await isDuplicate(deps.hot, event)) return { ...NOTHING, outcome: 'DUPLICATE', activityId };
      if (mayHaveContacts(event)) await checkContactsKnown(deps);
      const { touches, rule } = await findContacts(deps, event);
      const attribution = attribute(touches, rule, event.timeMs);
      return {
        outcome: 'ACCEPTED',
        refusal: null,
        activityId,
        credit: attribution === null ? null : await creditOf(deps.hot, event, attribution),
        noCredit: attribution === null ? whyNone(event, touches) : null,
        segmentIds: segmentsOf(deps.catalog, event),
      };
    },
  };
}

const NOTHING = { refusal: null, activityId: null, credit: null, noCredit: null, segmentIds: [] } as const;

/** @throws PlacardError as the API does */
function readEvent(
  { catalog, userHashSecret, nowMs }: ActivityInspectorDeps,
  {
    workspaceId,
    networkId,
    body,
  }: { readonly workspaceId: number; readonly networkId: string; readonly body: unknown },
): KnownEvent {
  const input = parseActivityInput(body, nowMs());
  if (input.network !== networkId)
    throw new PlacardError('insufficient_permissions', `network: must be ${networkId}, the network of the key.`);
  const workspace = catalog.findWorkspaceById(workspaceId);
  if (workspace === undefined) throw new PlacardError('unavailable', 'The network is not loaded here yet; try again.');
  const activity = checkActivity(catalog, workspace, input);
  const userHash = hashInputUser(userHashSecret, workspaceId, input);
  return { workspaceId, activity, input, userHash, timeMs: input.timeMs ?? nowMs() };
}

async function isDuplicate(
  hot: ActivityInspectorDeps['hot'],
  { workspaceId, activity, input, userHash }: KnownEvent,
): Promise<boolean> {
  if (input.ord !== null) return asUnavailable(hot.isCounted(eventKey(orderEventId(workspaceId, input, input.ord))));
  if (userHash === '' || activity.repeatIntervalSeconds <= 0) return false;
  const earlier = await asUnavailable(hot.get(repeatKey(workspaceId, activity.id, input.event, userHash)));
  return earlier !== null && (await asUnavailable(hot.isCounted(eventKey(earlier))));
}

async function creditOf(
  hot: ActivityInspectorDeps['hot'],
  event: KnownEvent,
  { kind, touch }: Attribution,
): Promise<ActivityInspection['credit']> {
  const { ad, timeMs } = touch;
  return {
    kind: kind === 'click' ? 'CLICK' : 'VIEW',
    lineItemId: ad.lineItemId,
    creativeId: ad.creativeId,
    touchedAt: new Date(timeMs),
    earnedNanos: await earnedOf(hot, event, touch),
  };
}

/** An order earns once, whatever activities it passes. */
async function earnedOf(hot: ActivityInspectorDeps['hot'], event: KnownEvent, touch: Touch): Promise<Nanos> {
  const nanos = earnedNanos('activity', touch.ad);
  const order = orderOf(event, touch);
  if (nanos === 0n || order === null) return nanos;
  return (await asUnavailable(isOrderBilled(hot, order))) ? 0n : nanos;
}

function whyNone({ userHash, input }: KnownEvent, { namedClick, clicks, impressions }: Touches): NoCreditReason {
  if (userHash === '' && input.clickId === null) return 'NO_USER';
  return namedClick === null && clicks.length + impressions.length === 0 ? 'NO_CONTACT' : 'NONE_COUNTS';
}

function segmentsOf(catalog: Catalog, { workspaceId, activity, input, userHash }: KnownEvent): readonly string[] {
  if (userHash === '') return [];
  return catalog.findSegmentsOfActivity(workspaceId, activity.id, input.event).map(({ id }) => id);
}
