import type { z } from 'zod';
import type { SellerContext } from '../api/seller-context.ts';
import type { Payload } from '../protocol/envelope.ts';

/** One tool of the seller: what agents are told of it, and what it does. */
export interface SellerTool<Input = unknown> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: z.ZodType<Input>;
  /** Whether it can change something. */
  readonly changes?: true;
  /** @throws AdcpError */
  readonly run: (context: SellerContext, input: Input) => Promise<Payload>;
}

/** Forgets the type of a tool's input, so that tools fit one list. */
export function sellerTool<Input>(tool: SellerTool<Input>): SellerTool {
  return tool as unknown as SellerTool;
}
