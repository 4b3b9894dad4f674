import { PlacardError } from '../../../domain/errors.ts';
import { decimalIdOf, plainIdOf } from '../../../domain/ids/global-ids.ts';
import { builder } from '../../kernel/builder.ts';
import type { ManagementContext } from '../../kernel/context.ts';
import { validationFailed } from '../../kernel/drafts.ts';
import type { StoredRow } from '../../kernel/field.ts';
import { PayloadRef } from '../../kernel/interfaces.ts';
import { loaderOf, loadObject } from '../../kernel/loaders.ts';
import { type Outcome, outcomeOf } from '../../kernel/outcome.ts';
import { objectRefOf } from '../../kernel/resource-types.ts';
import { changeAll, queryableOf } from '../../kernel/transactions.sql.ts';
import type { InTransaction } from '../../kernel/write.ts';
import { readStandings } from '../line-item-table/line-item-table.sql.ts';
import { notify } from '../notification/notify.ts';
import { memberOf, TeamMemberRef } from '../notification/notifications.ts';
import { findName, listTeam } from '../notification/notifications.sql.ts';
import { type Attended, type AttentionRow, readAttention, storeHandover, storeSnooze } from './attention.sql.ts';

const SNOOZE_DAYS_MAX = 90;
const DAY_MS = 86_400_000;

const AttentionRef = builder.objectRef<AttentionRow>('LineItemAttention').implement({
  description:
    'The snooze and the hand-over of a line item that needs attention. They hold while the line item needs attention for the same reason.',
  fields: (t) => ({
    snoozedUntil: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'Until when the signed-in member has snoozed it.',
      resolve: ({ snooze }) => snooze?.until ?? null,
    }),
    handedTo: t.field({
      type: TeamMemberRef,
      nullable: true,
      description: 'The member who looks after it.',
      resolve: ({ handover }) => (handover?.to ?? null) as never,
    }),
    handedBy: t.field({
      type: TeamMemberRef,
      nullable: true,
      description: 'The member who handed it over.',
      resolve: ({ handover }) => (handover?.by ?? null) as never,
    }),
    handedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When it was handed over.',
      resolve: ({ handover }) => handover?.at ?? null,
    }),
  }),
});

const AttentionPayloadRef = builder.objectRef<Outcome<StoredRow>>('LineItemAttentionPayload').implement({
  description: 'The result of snoozing or handing over a line item that needs attention.',
  interfaces: [PayloadRef as never],
  fields: (t) => ({
    lineItem: t.field({
      type: objectRefOf('LineItem'),
      nullable: true,
      description: 'The line item.',
      resolve: ({ object }) => object,
    }),
  }),
});

/** Adds `LineItem.attention`, `snoozeAttention` and `handOverAttention`. */
export function defineAttention(): void {
  builder.objectField(objectRefOf('LineItem'), 'attention', (t) =>
    t.field({
      type: AttentionRef,
      description: 'Its snooze and its hand-over, while it needs attention.',
      resolve: (row, _args, context) => loadAttention(context, row.id),
    }),
  );
  builder.mutationFields((t) => ({
    snoozeAttention: t.field({
      type: AttentionPayloadRef,
      nullable: true,
      description:
        'Snoozes a line item for the signed-in member: the line item comes back at this instant, or earlier when it needs attention for another reason.',
      args: {
        lineItemId: t.arg.id({ required: true, description: 'Id of the line item.' }),
        until: t.arg({
          type: 'DateTime',
          description: `Until when, at most ${SNOOZE_DAYS_MAX} days from now; null: it comes back now.`,
        }),
      },
      resolve: (_root, { lineItemId, until }, context, info) =>
        outcomeOf(context, info, () =>
          changeAll(context, false, (inner) => snooze(inner, String(lineItemId), until ?? null)),
        ),
    }),
    handOverAttention: t.field({
      type: AttentionPayloadRef,
      nullable: true,
      description: 'Hands a line item that needs attention to a member of the network, who is told.',
      args: {
        lineItemId: t.arg.id({ required: true, description: 'Id of the line item.' }),
        toId: t.arg.id({ description: 'Account of the member; `colleagues` lists them. null: nobody looks after it.' }),
      },
      resolve: (_root, { lineItemId, toId }, context, info) =>
        outcomeOf(context, info, () =>
          changeAll(context, false, (inner) =>
            handOver(inner, String(lineItemId), toId === null || toId === undefined ? null : String(toId)),
          ),
        ),
    }),
  }));
}

/** What was done for another reason than the present one is over. */
function loadAttention(context: ManagementContext, id: bigint): Promise<AttentionRow> {
  const { principal } = context;
  return loaderOf<bigint, AttentionRow>(context, 'lineItemAttention', async (ids) => {
    const now = new Date(context.nowMs());
    const db = queryableOf(context);
    const userId = principal.kind === 'session' ? principal.id : null;
    const found = await readAttention(db, principal.workspaceId, { ids, userId, now });
    const standings = await readStandings(db, principal.workspaceId, ids, now);
    return ids.map((one) => {
      const { snooze = null, handover = null } = found.get(one) ?? {};
      const reason = standings.get(one)?.reason;
      return {
        snooze: snooze?.reason === reason ? snooze : null,
        handover: handover?.reason === reason ? handover : null,
      };
    });
  }).load(id);
}

async function snooze(inner: InTransaction, given: string, until: Date | null): Promise<StoredRow | null> {
  const nowMs = inner.nowMs();
  const { userId } = memberOf(inner);
  if (until !== null && (until.getTime() <= nowMs || until.getTime() > nowMs + SNOOZE_DAYS_MAX * DAY_MS))
    throw validationFailed([
      { path: 'until', code: 'out_of_range', message: `Give an instant in the next ${SNOOZE_DAYS_MAX} days.` },
    ]);
  const { of, reason } = await requireStanding(inner, given);
  await storeSnooze(inner.transaction, of, { userId, reason, until });
  return loadObject(inner, 'LineItem', of.lineItemId);
}

async function handOver(inner: InTransaction, given: string, toId: string | null): Promise<StoredRow | null> {
  const { transaction, principal } = inner;
  const { userId } = memberOf(inner);
  const { of, reason } = await requireStanding(inner, given);
  const team = await listTeam(transaction, principal.networkId);
  const receiver = team.find(({ id }) => toId !== null && String(id) === plainIdOf('User', toId));
  if (toId !== null && receiver === undefined)
    throw validationFailed([
      { path: 'toId', code: 'unknown', message: 'Name a member of the network; `colleagues` lists them.' },
    ]);
  const at = new Date(inner.nowMs());
  const handover = receiver === undefined ? null : { toUserId: receiver.id, byUserId: userId, reason, at };
  await storeHandover(transaction, of, handover);
  if (receiver !== undefined && String(receiver.id) !== userId) {
    const { workspaceId, lineItemId: id } = of;
    const name = (await findName(transaction, { workspaceId, kind: 'lineItem', id })) ?? '';
    const { networkId, environment } = principal;
    const actor = team.find((one) => String(one.id) === userId)?.name ?? 'A member';
    await notify(
      { db: transaction, mail: inner.mail ?? null, nowMs: inner.nowMs() },
      {
        event: 'HANDED_OVER',
        workspaceId,
        networkId,
        environment,
        object: { kind: 'lineItem', id: String(id), name },
        actor,
        members: [receiver],
      },
    );
  }
  return loadObject(inner, 'LineItem', of.lineItemId);
}

/** @throws PlacardError `not_found` */
async function requireStanding(
  inner: InTransaction,
  given: string,
): Promise<{ readonly of: Attended; readonly reason: string }> {
  const { workspaceId } = inner.principal;
  const lineItemId = BigInt(decimalIdOf('LineItem', given) ?? '0');
  const standings = await readStandings(inner.transaction, workspaceId, [lineItemId], new Date(inner.nowMs()));
  const standing = standings.get(lineItemId);
  if (standing === undefined) throw new PlacardError('not_found', 'There is no lineItem with this id.');
  return { of: { workspaceId, lineItemId }, reason: standing.reason };
}
