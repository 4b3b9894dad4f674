import type { GraphQLResolveInfo } from 'graphql';
import { builder } from './builder.ts';
import type { ManagementContext } from './context.ts';
import { PayloadRef, type Refusable } from './interfaces.ts';
import { withUserErrors } from './user-errors.ts';

/** What a mutation made or changed, as its payload shows it; null when its input was refused. */
export interface Outcome<Of> extends Refusable {
  readonly object: Of | null;
}

/** Runs a mutation whose payload has one member besides its mistakes. */
export function outcomeOf<Of>(
  context: ManagementContext,
  info: GraphQLResolveInfo,
  run: () => Promise<Of | null>,
): Promise<Outcome<Of>> {
  return withUserErrors<Outcome<Of>>(
    context,
    info,
    async () => ({ object: await run() }),
    (userErrors) => ({ object: null, userErrors }),
  );
}

/** The payload of a mutation with one member besides its mistakes. @param member its name, type and description */
export function outcomeRef<Of>(
  name: string,
  description: string,
  member: { readonly name: string; readonly type: unknown; readonly description: string },
) {
  return builder.objectRef<Outcome<Of>>(name).implement({
    description,
    interfaces: [PayloadRef as never],
    fields: (t) => ({
      [member.name]: t.field({
        type: member.type as never,
        nullable: true,
        description: member.description,
        resolve: ({ object }: Outcome<Of>) => object as never,
      }),
    }),
  });
}
