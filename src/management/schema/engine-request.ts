import type { ManagementContext } from '../kernel/context.ts';

/** The input of the engine from the HTTP layer for each request; the resolvers get `management` as their context. */
export interface EngineRequest {
  readonly management: ManagementContext;
  /** The body, or the parameters of a GET, already parsed and bounded. */
  readonly body: unknown;
  readonly idempotencyKey: string | null;
  /** Whether the request may only read: a GET. */
  readonly isReadOnly?: boolean;
  /** The media types that the caller takes; null: any. */
  readonly accept?: string | null;
}

/** The engine's response for the HTTP layer. Header names are lower case. */
export interface EngineResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}
