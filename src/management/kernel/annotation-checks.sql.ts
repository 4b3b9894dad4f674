import type { Kysely } from 'kysely';
import { listNetworkUsers } from '../../access/users/users.sql.ts';
import { checkCustomValues, type CustomField, type CustomValue } from '../../domain/booking/custom-field.ts';
import type { Database } from '../../storage/sql/schema.ts';
import type { ManagementContext } from './context.ts';
import type { Draft } from './drafts.ts';
import type { Resource } from './resource.ts';
import { queryableOf } from './transactions.sql.ts';

/** Fields that name a member of the network by e-mail address, with their columns. */
export const MEMBER_FIELDS = { owner: 'owner', salesperson: 'salesperson' } as const;

/** The most definitions that values are compared with. */
const FIELDS_MAX = 500;

/**
 * Checks what drafts write on their objects against the members and the custom fields of the network. What stays is not looked at again: a
 * member may have left, a field may be archived. Problems are added to each draft.
 */
export async function checkAnnotations(
  context: ManagementContext,
  resource: Resource,
  drafts: readonly Draft[],
): Promise<void> {
  const named = drafts.flatMap(({ given, before, path, problems }) =>
    Object.entries(MEMBER_FIELDS).flatMap(([name, column]) => {
      const address = given[column];
      if (typeof address !== 'string' || address === before?.[column]) return [];
      return [{ address, path: `${path}.${name}`, problems }];
    }),
  );
  if (named.length > 0) {
    const members = await listNetworkUsers(queryableOf(context), context.principal.networkId);
    const addresses = new Set(members.map(({ email }) => email.toLowerCase()));
    for (const { address, path, problems } of named) {
      if (addresses.has(address)) continue;
      problems.push({ path, code: 'not_a_member', message: 'No member of the network has this address.' });
    }
  }
  const valued = drafts.filter(({ given }) => Object.keys(given['custom_fields'] ?? {}).length > 0);
  if (valued.length === 0) return;
  const fields = await listCustomFields(queryableOf(context), context.principal.workspaceId);
  for (const draft of valued) checkValues(resource, draft, fields);
}

function checkValues({ singular }: Resource, draft: Draft, fields: readonly CustomField[]): void {
  const given = draft.given['custom_fields'] as Readonly<Record<string, CustomValue>>;
  const stored = (draft.before?.['custom_fields'] ?? {}) as Readonly<Record<string, CustomValue>>;
  const changed = Object.fromEntries(Object.entries(given).filter(([key, value]) => stored[key] !== value));
  for (const { key, code, message } of checkCustomValues(changed, singular, fields))
    draft.problems.push({ path: `${draft.path}.customFields.${key}`, code, message });
}

async function listCustomFields(db: Kysely<Database>, workspaceId: number): Promise<CustomField[]> {
  const rows = await db
    .selectFrom('custom_fields')
    .select(['key', 'type', 'choices', 'kinds', 'status'])
    .where('workspace_id', '=', workspaceId)
    .orderBy('id')
    .limit(FIELDS_MAX)
    .execute();
  return rows.map(({ status, ...field }) => ({ ...field, isArchived: status === 'ARCHIVED' }));
}
