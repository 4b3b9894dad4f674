import { createHash } from 'node:crypto';
import { z } from 'zod';
import { type CallApi, runGraphql, ToolError } from './call-api.ts';
import type { Confirmations } from './confirmations.ts';

/** Longer than any decimal or global id, in characters. */
export const ID_LENGTH_MAX = 100;

/** What agents can change, by name in the API: its plural, and the fields that sum it up. */
export const KINDS = {
  advertiser: { many: 'advertisers', summary: 'id name status version externalId updatedAt' },
  campaign: {
    many: 'campaigns',
    summary: 'id name status version advertiserId startsAt endsAt externalId updatedAt',
  },
  lineItem: {
    many: 'lineItems',
    summary:
      'id name status version campaignId type level pricingModel price startsAt endsAt goal { kind amount period } ' +
      'delivery { lifetime { impressions clicks conversions spend } progress { delivered expected goal percent status } } externalId updatedAt',
  },
  creative: {
    many: 'creatives',
    summary: 'id name status version lineItemId format width height reviewState weight externalId updatedAt',
  },
  libraryCreative: {
    many: 'libraryCreatives',
    summary: 'id name status version advertiserId format width height reviewState externalId updatedAt',
  },
  experiment: { many: 'experiments', summary: 'id name status version rule sharePercent startsAt endsAt updatedAt' },
  team: { many: 'teams', summary: 'id name status version description members updatedAt' },
  customField: { many: 'customFields', summary: 'id name status version key type choices kinds updatedAt' },
  targetingPreset: { many: 'targetingPresets', summary: 'id name status version description updatedAt' },
  deal: { many: 'deals', summary: 'id name status version code kind floor fixedPrice seats updatedAt' },
  advertisingProduct: { many: 'advertisingProducts', summary: 'id name status version description updatedAt' },
  site: { many: 'sites', summary: 'id name status version code domain updatedAt' },
  area: { many: 'areas', summary: 'id name status version code siteId updatedAt' },
  adUnit: {
    many: 'adUnits',
    summary: 'id name status version siteId areaId floor mediaTypes sizes { width height } updatedAt',
  },
  keyValue: { many: 'keyValues', summary: 'id name status version key values updatedAt' },
  floor: { many: 'floors', summary: 'id name status version floor priority siteId adUnitId updatedAt' },
  activity: { many: 'activities', summary: 'id name status version actgid advertiserId updatedAt' },
  segment: { many: 'segments', summary: 'id name status version description sizeEstimate updatedAt' },
} as const;

export type Kind = keyof typeof KINDS;
export const KIND_NAMES = Object.keys(KINDS) as [Kind, ...Kind[]];
export const ACTIONS = ['create', 'update', 'archive'] as const;
type Action = (typeof ACTIONS)[number];

/** One change of one object. */
export const Change = z.strictObject({
  kind: z.enum(KIND_NAMES).describe('What is changed.'),
  action: z.enum(ACTIONS).describe('create, update, or archive (it stops and is kept for reports).'),
  id: z.string().max(ID_LENGTH_MAX).optional().describe('The object; for update and archive.'),
  version: z
    .int()
    .optional()
    .describe('The version that is changed; propose_change fills it in, so that a change in between is noticed.'),
  input: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('Its fields, as describe_type shows them: CreateLineItemInput for a new line item, and so on.'),
});
export type Change = z.infer<typeof Change>;

/** Dependencies of the tools that change something. */
export interface ChangeContext {
  readonly call: CallApi;
  readonly confirmations: Confirmations;
  /** Distinguishes callers: a token of one is of no use to another. */
  readonly caller: string;
}

const upperFirst = (text: string): string => `${text[0]?.toUpperCase() ?? ''}${text.slice(1)}`;

/** The mutation that an action on a kind runs. */
export function mutationOf(kind: Kind, action: Action): string {
  const { summary } = KINDS[kind];
  const name = upperFirst(kind);
  const result = `{ ${kind} { ${summary} } validatedOnly warnings { path code message } }`;
  const input = `${upperFirst(action)}${name}Input!`;
  switch (action) {
    case 'create':
      return `mutation Create($input: ${input}, $validateOnly: Boolean) { result: create${name}(input: $input, validateOnly: $validateOnly) ${result} }`;
    case 'update':
      return `mutation Update($id: ID!, $version: Int, $input: ${input}, $validateOnly: Boolean) { result: update${name}(id: $id, version: $version, input: $input, validateOnly: $validateOnly) ${result} }`;
    case 'archive':
      return `mutation Archive($id: ID!, $version: Int) { result: archive${name}(id: $id, version: $version) ${result} }`;
  }
}

/** The query of one object. */
export function objectQueryOf(kind: Kind): string {
  return `query One($id: ID!) { object: ${kind}(id: $id) { ${KINDS[kind].summary} } }`;
}

/** The query of a page of objects. */
export function listQueryOf(kind: Kind): string {
  const { many, summary } = KINDS[kind];
  return (
    `query Many($filter: ${upperFirst(kind)}Filter, $first: Int, $after: String, $sort: SortInput) { page: ${many}(filter: $filter, first: $first, ` +
    `after: $after, sort: $sort) { totalCount pageInfo { hasNextPage endCursor } nodes { ${summary} } } }`
  );
}

/**
 * Validates a change without making it.
 *
 * @throws ToolError with every problem of its fields
 */
export async function proposeChange(context: ChangeContext, asked: Change): Promise<object> {
  requireParts(asked);
  const { kind, action } = asked;
  const current = action === 'create' ? null : await readCurrent(context.call, asked);
  const change = current === null ? asked : { ...asked, version: asked.version ?? current.version };
  const warnings = action === 'archive' ? [] : await validate(context.call, change);
  const { token, expiresAt } = context.confirmations.issue(change, context.caller);
  return {
    change,
    ...(current === null ? {} : { current }),
    warnings,
    confirmationToken: token,
    expiresAt,
    next: `Nothing has changed yet. Show the change to the person you work for; when they agree, call confirm_change with this change and token to ${action} the ${kind}.`,
  };
}

/**
 * Makes a change that was proposed. The same confirmation twice makes it once.
 *
 * @throws ToolError for a token of something else, and with the API's problems
 */
export async function confirmChange(context: ChangeContext, change: Change, token: string): Promise<object> {
  context.confirmations.check(token, change, context.caller);
  const { kind, action, id, version, input } = change;
  const data = await runGraphql(context.call, {
    query: mutationOf(kind, action),
    variables: { id, version, input: input ?? {} },
    headers: { 'idempotency-key': `mcp-${createHash('sha256').update(token).digest('hex')}` },
  });
  const { warnings, [kind]: object } = data['result'] as Record<string, unknown>;
  return { object, warnings };
}

interface Current {
  readonly version: number;
  readonly status: string;
}

async function readCurrent(call: CallApi, { kind, action, id }: Change): Promise<Current> {
  const { object } = await runGraphql(call, { query: objectQueryOf(kind), variables: { id } });
  const current = object as Current | null;
  if (current === null) throw new ToolError(`There is no ${kind} with the id ${id} in this environment.`);
  if (action === 'archive' && current.status === 'ARCHIVED')
    throw new ToolError(`The ${kind} ${id} is archived already.`);
  return current;
}

async function validate(call: CallApi, { kind, action, id, version, input }: Change): Promise<unknown> {
  const data = await runGraphql(call, {
    query: mutationOf(kind, action),
    variables: { id, version, input, validateOnly: true },
  });
  return (data['result'] as { readonly warnings: unknown }).warnings;
}

function requireParts({ action, id, input, version }: Change): void {
  if (action === 'create' && (id !== undefined || version !== undefined))
    throw new ToolError('A new object has no id and no version yet; leave them out.');
  if (action !== 'create' && id === undefined) throw new ToolError(`Give the id of the object to ${action}.`);
  if (action === 'archive' ? input !== undefined : input === undefined)
    throw new ToolError(action === 'archive' ? 'Archiving has no input; leave it out.' : 'Give the fields as input.');
}
