import type { CallApi } from './call-api.ts';

/** The surroundings of a tool: whom it works for, and how it reaches the APIs. */
export interface SellerContext {
  /** Calls the public APIs with the key of the agent. */
  readonly call: CallApi;
  readonly networkId: string;
  readonly environment: 'production' | 'staging';
  /** The address of this seller, as formats name it. */
  readonly agentUrl: string;
  readonly nowMs: () => number;
}
