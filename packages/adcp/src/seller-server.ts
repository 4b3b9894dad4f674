import { type CallToolResult, Server } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { ApiRefusal } from './api/call-api.ts';
import { AdcpError } from './protocol/adcp-error.ts';
import { type Payload, wrapError, wrapPayload } from './protocol/envelope.ts';
import { readRequest } from './protocol/read-request.ts';
import { negotiateVersion } from './protocol/versions.ts';
import { SELLER_TOOLS } from './seller-tools.ts';
import type { SellerContext } from './api/seller-context.ts';
import type { SellerTool } from './tools/seller-tool.ts';

const INSTRUCTIONS =
  'This seller offers the advertising inventory of one publisher network (Ad Context Protocol). Begin with get_adcp_capabilities, then list_accounts and get_products.';

/** The surroundings of one request. */
export interface SellerServerOptions {
  readonly version: string;
  /** The surroundings of the tools, for the agent that the client says it is. */
  readonly context: (agent: string | null) => SellerContext;
}

/** Makes the server of one connection or request. */
export function createSellerServer({ version, context }: SellerServerOptions): Server {
  const server = new Server(
    { name: 'placard-seller', title: 'Placard seller', version },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  );
  server.setRequestHandler('tools/list', () => ({ tools: SELLER_TOOLS.map(describeOnce) }));
  server.setRequestHandler('tools/call', async ({ params }) => {
    const tool = SELLER_TOOLS.find(({ name }) => name === params.name);
    if (tool === undefined) {
      const message = `This seller has no tool ${params.name.slice(0, 100)}.`;
      return resultOf(wrapError(new AdcpError('UNSUPPORTED_FEATURE', message), params.arguments), true);
    }
    const client = server.getClientVersion();
    const agent = client === undefined ? null : `${client.name}/${client.version}`;
    return runTool(tool, context(agent), params.arguments ?? {});
  });
  return server;
}

/** Descriptions are the same for all callers, and take time to make. */
const descriptions = new Map<string, ReturnType<typeof describeTool>>();

function describeOnce(tool: SellerTool): ReturnType<typeof describeTool> {
  const known = descriptions.get(tool.name) ?? describeTool(tool);
  descriptions.set(tool.name, known);
  return known;
}

function describeTool({ name, title, description, input, changes }: SellerTool) {
  const schema = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' });
  return {
    name,
    title,
    description,
    inputSchema: { ...(schema as object), type: 'object' as const },
    annotations: {
      title,
      readOnlyHint: changes !== true,
      destructiveHint: changes === true,
      idempotentHint: true,
      openWorldHint: false,
    },
  };
}

async function runTool(tool: SellerTool, context: SellerContext, given: unknown): Promise<CallToolResult> {
  try {
    negotiateVersion(given as Readonly<Record<string, unknown>>);
    const payload = await tool.run(context, readRequest(tool.input, given));
    return resultOf(wrapPayload(payload, given), false);
  } catch (error) {
    return resultOf(wrapError(toAdcpError(error), given), true);
  }
}

/** @throws the error itself where it is a defect of this program */
function toAdcpError(error: unknown): AdcpError {
  if (error instanceof AdcpError) return error;
  if (!(error instanceof ApiRefusal)) throw error;
  if (error.code === 'conflict')
    return new AdcpError('CONFLICT', 'It changed in between. Read it again, then repeat the change.');
  return new AdcpError('VALIDATION_ERROR', error.problems[0]?.message ?? error.message);
}

/** The response as data, and as text for clients that read no data. */
function resultOf(structuredContent: Payload, isError: boolean): CallToolResult {
  return {
    ...(isError ? { isError } : {}),
    content: [{ type: 'text', text: JSON.stringify(structuredContent) }],
    structuredContent: structuredContent as Record<string, unknown>,
  };
}
