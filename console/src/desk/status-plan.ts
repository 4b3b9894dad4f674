import type { BookedObject, DeliveryStatus } from '../api/desk-list.ts';
import type { StatusResult, StatusUpdate } from '../api/desk-object.ts';
import { type MessageKey, say } from '../messages/say.ts';

/** What a person asks for. */
export type StatusAction = 'pause' | 'resume';

/** From which status to which. */
const STEPS: Readonly<Record<StatusAction, { readonly from: DeliveryStatus; readonly to: DeliveryStatus }>> = {
  pause: { from: 'ACTIVE', to: 'PAUSED' },
  resume: { from: 'PAUSED', to: 'ACTIVE' },
};

/** An object as far as its status is changed. */
export type StatusTarget = Pick<BookedObject, 'id' | 'name' | 'status' | 'version'>;

/** What an action does to each of the chosen objects. */
export interface StatusPlan {
  readonly action: StatusAction;
  readonly from: DeliveryStatus;
  readonly to: DeliveryStatus;
  readonly changing: readonly StatusTarget[];
  /** Those that the action does nothing to: they have another status. */
  readonly staying: readonly StatusTarget[];
}

/** Finds what an action does. */
export function planStatus(action: StatusAction, targets: readonly StatusTarget[]): StatusPlan {
  const { from, to } = STEPS[action];
  return {
    action,
    from,
    to,
    changing: targets.filter(({ status }) => status === from),
    staying: targets.filter(({ status }) => status !== from),
  };
}

/** Whether an action would do something. */
export function canAct(action: StatusAction, targets: readonly Pick<StatusTarget, 'status'>[]): boolean {
  return targets.some(({ status }) => status === STEPS[action].from);
}

/** The updates of a plan. */
export function updatesOf({ changing, to }: StatusPlan): StatusUpdate[] {
  return changing.map(({ id, version }) => ({ id, version, status: to }));
}

/** The updates that undo what was done: only of objects that were changed, at the version that the change made. */
export function undoOf({ from }: Pick<StatusPlan, 'from'>, results: readonly StatusResult[]): StatusUpdate[] {
  return results.flatMap(({ id, version }) => (version === null ? [] : [{ id, version, status: from }]));
}

/** What the server says of one object: its error, or what it warns of; null when it is simply valid. */
export function remarkOf(result: StatusResult | undefined): string | null {
  if (result === undefined) return null;
  if (result.code === 'conflict') return say('status.conflict');
  if (result.code !== null)
    return [result.message, ...result.problems.map(({ message }) => message)].filter((one) => one !== null).join(' ');
  return result.warnings.length === 0 ? null : result.warnings.map(({ message }) => message).join(' ');
}

/** The names of an action's texts. */
export const ACTION_TEXTS: Readonly<
  Record<StatusAction, { readonly verb: MessageKey; readonly title: MessageKey; readonly done: MessageKey }>
> = {
  pause: { verb: 'status.pause', title: 'status.pause_title', done: 'status.paused' },
  resume: { verb: 'status.resume', title: 'status.resume_title', done: 'status.resumed' },
};
