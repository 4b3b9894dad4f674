import { PlacardError } from '../../domain/errors.ts';
import type { Activity } from '../../domain/booking/inventory.ts';
import { countsActivity } from '../../domain/booking/line-item.ts';
import type { Catalog } from '../../domain/booking/snapshot.ts';
import { hashUser } from '../../domain/ids/user-hash.ts';
import type { Workspace } from '../../domain/tenancy/workspace.ts';
import type { HotStore } from '../../storage/hot/hot-store.ts';
import { advertiserTouchKey, clickIdKey, decodeTouch, userTouchKey } from '../tracking/touch.ts';
import type { Touch } from '../tracking/touch.ts';
import type { ActivityInput } from './activity-input.ts';
import { attribute } from './attribution.ts';
import type { Attribution, AttributionRule, Touches } from './attribution.ts';
import { findPath } from './touch-path.ts';

/** What an event says beside its network and its user. */
export type EventContent = Pick<
  ActivityInput,
  'actgid' | 'event' | 'costMicros' | 'ord' | 'clickId' | 'itemCount' | 'taxMicros' | 'products' | 'npa'
>;

/** What crediting needs of an activity. */
export type CreditRule = Pick<
  Activity,
  'id' | 'clickWindowSeconds' | 'viewWindowSeconds' | 'repeatIntervalSeconds' | 'advertiserId'
>;

/** An event of an activity, and its user. */
export interface KnownEvent {
  readonly workspaceId: number;
  readonly activity: CreditRule;
  readonly input: EventContent;
  /** '' = unknown. */
  readonly userHash: string;
  readonly timeMs: number;
}

/**
 * The activity that an event names.
 * @throws PlacardError `unknown_activity`, `validation_failed` (currency), `network_suspended`
 */
export function checkActivity(catalog: Catalog, workspace: Workspace, input: ActivityInput): Activity {
  if (workspace.status === 'SUSPENDED') throw new PlacardError('network_suspended');
  const activity = catalog.findActivity(workspace.workspaceId, input.actgid);
  if (activity === undefined || activity.status !== 'ACTIVE') {
    throw new PlacardError(
      'unknown_activity',
      `The network has no activity with the actgid ${JSON.stringify(input.actgid)}.`,
    );
  }
  if (input.currency !== null && input.currency !== workspace.currency) {
    const message = `must be the network's currency, ${workspace.currency}.`;
    throw new PlacardError('validation_failed', `currency: ${message}`, {
      fields: [{ path: 'currency', code: 'other_currency', message }],
    });
  }
  return activity;
}

/** The hash of the event's user; '' = unknown, as under npa. */
export function hashInputUser(secret: Buffer, workspaceId: number, { lu, aid, npa }: ActivityInput): string {
  if (npa) return '';
  if (lu !== null) return hashUser(secret, workspaceId, 'lu', lu);
  return aid === null ? '' : hashUser(secret, workspaceId, 'aid', aid);
}

/** Where contacts are kept, and what is booked. */
interface ContactDeps {
  readonly hot: Pick<HotStore, 'readList'>;
  readonly catalog: Catalog;
}

/** What an event may be credited to, and by which rule. @throws PlacardError `unavailable` */
export async function findContacts(
  { hot, catalog }: ContactDeps,
  { workspaceId, activity, input, userHash }: KnownEvent,
): Promise<{ readonly touches: Touches; readonly rule: AttributionRule }> {
  const read = async (key: string | null): Promise<Touch[]> => {
    if (key === null) return [];
    const texts = await asUnavailable(hot.readList(key));
    return texts.flatMap((text) => decodeTouch(text) ?? []);
  };
  const { advertiserId } = activity;
  /** Touches from before the activity belonged to the advertiser are only in the list of all advertisers. */
  const readOfUser = async (kind: 'click' | 'view'): Promise<Touch[]> => {
    if (userHash === '') return [];
    const all = read(userTouchKey(kind, workspaceId, userHash));
    if (advertiserId === null) return all;
    const own = read(advertiserTouchKey(kind, workspaceId, { userHash, advertiserId }));
    // Both are awaited together: a read that fails beside an awaited one would end the process.
    const [ofAdvertiser, ofAll] = await Promise.all([own, all]);
    return [...ofAdvertiser, ...ofAll];
  };
  const [named, clicks, impressions] = await Promise.all([
    read(input.clickId === null ? null : clickIdKey(workspaceId, input.clickId)),
    readOfUser('click'),
    readOfUser('view'),
  ]);
  const isCounted = (lineItemId: string): boolean =>
    countsActivity(catalog.findLineItem(workspaceId, lineItemId) ?? {}, activity.id, input.event);
  return {
    touches: { namedClick: named[0] ?? null, clicks, impressions },
    rule: { ...activity, isCounted },
  };
}

/** The ad that an event is credited to, and the contacts on its path. */
export interface Attributed {
  readonly attribution: Attribution | null;
  readonly path: readonly Touch[];
}

/** @throws PlacardError `unavailable` */
export async function findAttribution(deps: ContactDeps, event: KnownEvent): Promise<Attributed> {
  const { touches, rule } = await findContacts(deps, event);
  return { attribution: attribute(touches, rule, event.timeMs), path: findPath(touches, rule, event.timeMs) };
}

/** Without the hot store an event would be attributed and de-duplicated wrongly for good: it is credited later instead. */
export async function asUnavailable<T>(operation: Promise<T>): Promise<T> {
  try {
    return await operation;
  } catch (cause) {
    if (cause instanceof PlacardError) throw cause;
    throw new PlacardError('unavailable', 'The store of user contacts is unavailable; retry shortly.', { cause });
  }
}
