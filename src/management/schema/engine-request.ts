import type { ManagementContext } from '../kernel/context.ts';

/** The input of the engine from the HTTP layer for each request; the resolvers get all of it as their context. */
export interface EngineRequest {
  readonly management: ManagementContext;
  /** The body, or the parameters of a GET, already parsed and bounded. */
  readonly body: unknown;
  readonly idempotencyKey: string | null;
}
