import type { AuditEntry } from '../../../access/audit/audit.sql.ts';
import { beforeCommit } from '../../kernel/before-commit.ts';
import { userOfActor } from '../booking-approval/approvals.sql.ts';
import { notify } from '../notification/notify.ts';
import { findName, listTeam, type NotifiedKind } from '../notification/notifications.sql.ts';
import { wereTold } from './review-notices.sql.ts';

/** A person who uploads many creatives, one call after another, asks for one review. */
const ASKED_AGAIN_MS = 600_000;

/** What members are told of, by the state that a creative came into. */
const EVENTS = { PENDING: 'REVIEW_REQUESTED', REJECTED: 'CREATIVE_REJECTED' } as const;

type ToldState = keyof typeof EVENTS;

/** Tells editors and admins of creatives that wait for their review, and of rejected ones: once for all of one change. */
export function defineReviewNotices(): void {
  beforeCommit(async (context, transaction, changes) => {
    const reviewed = Map.groupBy(changes, newStateOf);
    for (const state of Object.keys(EVENTS) as ToldState[]) {
      const told = reviewed.get(state) ?? [];
      const [first] = told;
      if (first === undefined) continue;
      const { workspaceId, networkId, environment, actor } = context.principal;
      const { objectKind, objectId } = first as AuditEntry & { objectKind: NotifiedKind };
      const own = userOfActor(actor);
      const team = await listTeam(transaction, networkId, 'read-write');
      const members = team.filter(({ id }) => id !== own);
      if (members.length === 0) continue;
      const by = team.find(({ id }) => id === own)?.name ?? actor;
      const event = EVENTS[state];
      const nowMs = context.nowMs();
      const since = new Date(nowMs - ASKED_AGAIN_MS);
      const userIds = members.map(({ id }) => id);
      if (state === 'PENDING' && (await wereTold(transaction, { workspaceId, userIds, event, actor: by, since })))
        continue;
      const name = await findName(transaction, { workspaceId, kind: objectKind, id: BigInt(objectId ?? 0) });
      await notify(
        { db: transaction, mail: context.mail ?? null, nowMs },
        {
          event,
          workspaceId,
          networkId,
          environment,
          object: { kind: objectKind, id: String(objectId), name: name ?? '' },
          actor: by,
          members,
          details: { count: told.length, ...(state === 'REJECTED' ? { reason: reasonOf(first) } : {}) },
        },
      );
    }
  });
}

/** The state that a change brought a creative into; null where it stayed, as entries hold only what changes. */
function newStateOf({ objectKind, after }: AuditEntry): ToldState | null {
  if (objectKind !== 'creative' && objectKind !== 'libraryCreative') return null;
  const { reviewState: state } = after as { reviewState?: unknown };
  return state === 'PENDING' || state === 'REJECTED' ? state : null;
}

function reasonOf({ after }: AuditEntry): string {
  const { reviewReason } = after as { reviewReason?: unknown };
  return typeof reviewReason === 'string' ? reviewReason.slice(0, 500) : '';
}
