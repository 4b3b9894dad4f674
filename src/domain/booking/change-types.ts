/** The kinds of objects whose changes are told, as the audit log and the root fields of the management API name them. */
export const CHANGE_KINDS = [
  'advertiser',
  'advertisingProduct',
  'deal',
  'site',
  'area',
  'adUnit',
  'floor',
  'activity',
  'keyValue',
  'segment',
  'campaign',
  'lineItem',
  'creative',
  'libraryCreative',
  'experiment',
  'team',
  'customField',
  'targetingPreset',
] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** What can happen to an object, as the audit log calls it. */
export const CHANGE_VERBS = ['create', 'update', 'archive', 'complete', 'progress', 'upload'] as const;
export type ChangeVerb = (typeof CHANGE_VERBS)[number];

/** Verbs of one kind alone: Placard tells how line items come along, and completes those that reach their goal; segments get members. */
const KINDS_OF_VERBS: Partial<Record<ChangeVerb, ChangeKind>> = {
  complete: 'lineItem',
  progress: 'lineItem',
  upload: 'segment',
};

/** The type of the message that `testWebhook` sends. */
export const TEST_TYPE = 'webhook.test';

/** What the team does, as the audit log calls it: webhooks report it, and the feed of changes on request. Id of `bookingApproval`: the line item's. */
const TEAM_VERBS = { comment: ['create', 'delete'], bookingApproval: ['request', 'approve'] } as const;
export type TeamKind = keyof typeof TEAM_VERBS;

/** The kinds that webhooks are told of, and that the feed of changes can have. */
export const TOLD_KINDS: readonly (ChangeKind | TeamKind)[] = [
  ...CHANGE_KINDS,
  ...(Object.keys(TEAM_VERBS) as TeamKind[]),
];

/** Every type of change, such as `lineItem.update`. */
export const CHANGE_TYPES: readonly string[] = [
  ...CHANGE_KINDS.flatMap((kind) =>
    CHANGE_VERBS.filter((verb) => (KINDS_OF_VERBS[verb] ?? kind) === kind).map((verb) => `${kind}.${verb}`),
  ),
  ...Object.entries(TEAM_VERBS).flatMap(([kind, verbs]) => verbs.map((verb) => `${kind}.${verb}`)),
];

/** Whether one of the chosen types includes a change: `*` includes all, `lineItem.*` those of line items. */
export function includesType(chosen: readonly string[], type: string): boolean {
  const kind = type.split('.')[0];
  return chosen.some((one) => one === '*' || one === type || one === `${kind}.*`);
}

/** The entries of a choice that name no type. */
export function unknownTypes(chosen: readonly string[]): readonly string[] {
  return chosen.filter((one) => !CHANGE_TYPES.some((type) => includesType([one], type)));
}
