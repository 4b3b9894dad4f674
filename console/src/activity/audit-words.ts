import { TOLD_KINDS } from '../api/account/activity-feed.ts';
import { isMessageKey, say } from '../messages/say.ts';

/** The actions that the audit log holds, by the kind of their object. */
const ACTIONS: Readonly<Record<string, readonly string[]>> = {
  activity: ['create', 'update', 'archive'],
  adUnit: ['create', 'update', 'archive'],
  advertiser: ['create', 'update', 'archive'],
  advertisingProduct: ['create', 'update', 'archive'],
  agentRequest: ['decide'],
  apiKey: ['create', 'rotate', 'revoke'],
  area: ['create', 'update', 'archive'],
  asset: ['upload'],
  bookingApproval: ['request', 'approve'],
  bulkJob: ['create', 'cancel'],
  campaign: ['create', 'update', 'archive'],
  comment: ['create', 'delete'],
  creative: ['create', 'update', 'archive'],
  customField: ['create', 'update', 'archive'],
  deal: ['create', 'update', 'archive'],
  experiment: ['create', 'update', 'archive'],
  floor: ['create', 'update', 'archive'],
  headerCredential: ['create', 'disable'],
  history: ['import'],
  identityProvider: ['update', 'remove'],
  invitation: ['create', 'link', 'revoke'],
  keyValue: ['create', 'update', 'archive'],
  libraryCreative: ['create', 'update', 'archive'],
  limits: ['set', 'reset'],
  lineItem: ['create', 'update', 'archive', 'complete', 'progress'],
  membership: ['update', 'remove'],
  network: ['create', 'update', 'close', 'reopen', 'planDeletion', 'delete'],
  reader: ['erase'],
  reportSchedule: ['create', 'update', 'delete', 'run'],
  reportShare: ['create', 'revoke'],
  segment: ['create', 'update', 'archive', 'upload'],
  session: ['end'],
  site: ['create', 'update', 'archive'],
  targetingPreset: ['create', 'update', 'archive'],
  team: ['create', 'update', 'archive'],
  user: ['create', 'delete', 'password', 'secondFactorOn', 'secondFactorOff', 'passkeyAdd', 'passkeyRemove', 'email'],
  webhook: ['create', 'update', 'delete', 'test', 'resend'],
};

/** The kinds of objects, by their names. */
export function auditKinds(): { readonly value: string; readonly label: string }[] {
  return byLabel(Object.keys(ACTIONS).map((value) => ({ value, label: kindWord(value) })));
}

/** The kinds of the feed of changes, by their names. */
export function toldKinds(): { readonly value: string; readonly label: string }[] {
  return byLabel(TOLD_KINDS.map((value) => ({ value, label: kindWord(value) })));
}

/** The changes of a kind of the feed, such as `lineItem.update`. */
export function toldActions(kind: string): readonly string[] {
  return (ACTIONS[kind] ?? []).map((verb) => `${kind}.${verb}`);
}

/** The actions on objects of a kind, by their names; of every kind where none is chosen. */
export function auditActions(kind: string): { readonly value: string; readonly label: string }[] {
  const kinds = Object.entries(ACTIONS).filter(([name]) => kind === '' || name === kind);
  return byLabel(
    kinds
      .flatMap(([name, verbs]) => verbs.map((verb) => `${name}.${verb}`))
      .map((value) => ({ value, label: actionWords(value) })),
  );
}

/** An action in words: `Report credentials: created`. What has no words is shown as it is. */
export function actionWords(action: string): string {
  const [kind = '', verb = ''] = action.split('.');
  const key = `audit_verb.${verb}`;
  return isMessageKey(key) ? say('audit.said', { kind: kindWord(kind), verb: say(key) }) : action;
}

/** The name of a kind of object. */
export function kindWord(kind: string): string {
  const key = `audit_kind.${kind}`;
  return isMessageKey(key) ? say(key) : kind;
}

function byLabel<Option extends { readonly label: string }>(options: readonly Option[]): Option[] {
  return options.toSorted((one, other) => one.label.localeCompare(other.label));
}
