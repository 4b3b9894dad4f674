import { type CallToolResult, McpServer } from '@modelcontextprotocol/server';
import { ToolError } from './call-api.ts';
import { type Tool, type ToolContext, TOOLS } from './tools.ts';

/** The longest result of a tool, in characters: a model reads all of it. */
const RESULT_MAX = 200_000;

const INSTRUCTIONS =
  'Placard is an ad server: advertisers have campaigns, campaigns have line items, line items have creatives. Money is in the currency of the network. ' +
  'Begin with who_am_i. To change something, call propose_change, show the change to the person you work for, then call confirm_change.';

/** Makes the server of one connection or request. */
export function createMcpServer(context: (agent: string | null) => ToolContext, version: string): McpServer {
  const server = new McpServer({ name: 'placard', title: 'Placard', version }, { instructions: INSTRUCTIONS });
  for (const tool of TOOLS) register(server, tool, context);
  return server;
}

function register(server: McpServer, tool: Tool, context: (agent: string | null) => ToolContext): void {
  const { name, title, description, input, changes = false } = tool;
  const annotations = {
    title,
    readOnlyHint: !changes,
    destructiveHint: changes,
    idempotentHint: true,
    openWorldHint: false,
  };
  server.registerTool(name, { title, description, inputSchema: input, annotations }, async (given: unknown) => {
    const client = server.server.getClientVersion();
    const agent = client === undefined ? null : `${client.name}/${client.version}`;
    return runTool(tool, context(agent), given);
  });
}

async function runTool(tool: Tool, context: ToolContext, given: unknown): Promise<CallToolResult> {
  try {
    const result = await tool.run(context, given);
    const text = JSON.stringify(result);
    if (text.length > RESULT_MAX)
      throw new ToolError(
        `The result has ${text.length} characters, more than ${RESULT_MAX}. Ask for fewer rows or fields.`,
      );
    return { content: [{ type: 'text', text }], structuredContent: result as Record<string, unknown> };
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    const { message, details } = error;
    const more = details === undefined ? '' : `\n${JSON.stringify(details).slice(0, RESULT_MAX)}`;
    return { isError: true, content: [{ type: 'text', text: `${message}${more}` }] };
  }
}
