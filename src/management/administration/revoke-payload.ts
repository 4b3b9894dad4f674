import type { GraphQLResolveInfo } from 'graphql';
import { builder } from '../kernel/builder.ts';
import type { ManagementContext } from '../kernel/context.ts';
import { PayloadRef, type Refusable } from '../kernel/interfaces.ts';
import { withUserErrors } from '../kernel/user-errors.ts';

interface Revoked extends Refusable {
  readonly revokedId: string | null;
}

/** The result of a mutation that revokes an access. */
export const RevokePayloadRef = builder.objectRef<Revoked>('RevokePayload').implement({
  description: 'The result of revoking an access.',
  interfaces: [PayloadRef as never],
  fields: (t) => ({
    revokedId: t.exposeID('revokedId', {
      nullable: true,
      description: 'Id of the revoked object; null when nothing was revoked.',
    }),
  }),
});

/** Revokes an access. */
export function revoking(
  context: ManagementContext,
  info: GraphQLResolveInfo,
  revoke: () => Promise<string>,
): Promise<Revoked> {
  return withUserErrors<Revoked>(
    context,
    info,
    async () => ({ revokedId: await revoke() }),
    (userErrors) => ({ revokedId: null, userErrors }),
  );
}
