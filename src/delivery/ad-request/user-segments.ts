import type { SegmentObserver } from '../../domain/targeting/segment.ts';
import { readSegments, segmentListKey } from '../../domain/targeting/segment-membership.ts';
import { hashUser } from '../../domain/ids/user-hash.ts';
import type { HotWait } from '../../storage/hot/hot-circuit.ts';
import type { HotStore } from '../../storage/hot/hot-store.ts';
import type { Opportunity } from '../../domain/requests/opportunity.ts';
import type { SegmentIndex } from '../decision/index/segment-index.ts';
import type { UserIds } from '../openrtb/bid-request.ts';

/** Dependencies of reading a user's segments. */
export interface SegmentDeps {
  readonly hot: Pick<HotStore, 'readListNow' | 'readList'>;
  readonly userHashSecret: Buffer;
  readonly nowMs: () => number;
}

/**
 * The opportunity with the user's own segments. Claims of the caller about them are dropped: only the server knows the members of its
 * segments. Under npa nothing is read. Members may be uploaded by either id, so both are looked up. While the store is unavailable, no user
 * is a member.
 */
export function withSegments(
  deps: SegmentDeps,
  index: SegmentIndex,
  {
    opportunity,
    userIds,
    wait,
  }: { readonly opportunity: Opportunity; readonly userIds: UserIds; readonly wait?: HotWait | null },
): Opportunity | Promise<Opportunity> {
  const { generations } = index;
  if (opportunity.npa || generations.size === 0) return opportunity;
  const claimed = opportunity.segments.filter((id) => !generations.has(id));
  const merge = (lists: readonly (readonly string[])[]): Opportunity => {
    const own = lists.flatMap((entries) => readSegments(entries, generations, deps.nowMs()));
    return { ...opportunity, segments: [...new Set([...claimed, ...own])] };
  };
  if (!index.isTargeted || opportunity.userHash === '')
    return claimed.length === opportunity.segments.length ? opportunity : merge([]);
  const keys = [segmentListKey(opportunity.workspaceId, opportunity.userHash)];
  if (userIds.lu !== '' && userIds.aid !== '') {
    const account = hashUser(deps.userHashSecret, opportunity.workspaceId, 'aid', userIds.aid);
    keys.push(segmentListKey(opportunity.workspaceId, account));
  }
  const lists = keys.map((key) => deps.hot.readListNow(key)).filter((list) => list !== null);
  if (lists.length === keys.length) return merge(lists);
  const read = (): Promise<(readonly string[])[]> => Promise.all(keys.map((key) => deps.hot.readList(key)));
  return (wait === undefined || wait === null ? read() : wait.run(read)).then(merge, () => merge([]));
}

/** Tells the observer which segments the key-values of the request and its slots make the user a member of. Does nothing under npa or without a user. */
export function recordKeyValues(
  observer: SegmentObserver | undefined,
  index: SegmentIndex,
  opportunity: Opportunity,
  nowMs: number,
): void {
  const { userHash, workspaceId, slots } = opportunity;
  if (observer === undefined || index.byKey.size === 0 || userHash === '' || opportunity.npa || opportunity.test)
    return;
  const carriers = [opportunity.keyValues, ...slots.flatMap((slot) => slot.keyValues ?? [])];
  for (const [key, rules] of index.byKey) {
    const lists = carriers.map((keyValues) => keyValues.get(key)).filter((list) => list !== undefined);
    if (lists.length === 0) continue;
    const values = lists.flat();
    for (const rule of rules) {
      if (rule.values.size > 0 && !values.some((value) => rule.values.has(value))) continue;
      observer.record({ workspaceId, userHash, segment: rule.segment, seenAtMs: nowMs });
    }
  }
}
