import type { z } from 'zod';
import type { CallApi } from '../api/call-api.ts';
import type { Payload } from '../protocol/envelope.ts';

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

/** One tool of the seller: what agents are told of it, and what it does. */
export interface SellerTool<Input = unknown> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: z.ZodType<Input>;
  /** Whether it can change something. */
  readonly changes?: true;
  /** Only there in staging. */
  readonly stagingOnly?: true;
  /** @throws AdcpError */
  readonly run: (context: SellerContext, input: Input) => Promise<Payload>;
}

/** Forgets the type of a tool's input, so that tools fit one list. */
export function sellerTool<Input>(tool: SellerTool<Input>): SellerTool {
  return tool as unknown as SellerTool;
}
