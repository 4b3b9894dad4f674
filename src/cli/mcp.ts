import { randomBytes } from 'node:crypto';
import { readAgentSettings } from '../config/agent-settings.ts';
import { readVersion } from '../config/version.ts';
import { type CliCommand, UsageError } from './context/cli-context.ts';

const TIMEOUT_MS = 60_000;

interface McpOptions {
  readonly url?: string;
  readonly staging?: boolean;
}

/** `placard mcp`: tools for an agent on this machine, over standard input and output. */
export const mcpCommand: CliCommand = {
  name: 'mcp',
  register: (program) => {
    program
      .command('mcp')
      .description('Serve tools for an agent (Model Context Protocol) over standard input and output.')
      .option('--url <address>', 'address of the core, such as https://ads.example.com:8443 (default: PLACARD_URL)')
      .option('--staging', 'work in the staging environment; the key must be one of staging')
      .addHelpText(
        'after',
        '\nPLACARD_API_KEY holds the API key; its permission and modules bound what the agent can do. docs/mcp.md lists the tools.',
      )
      .action(async (options: McpOptions) => {
        const { url: known, key } = readAgentSettings();
        const url = options.url ?? known;
        if (url === null || !URL.canParse(url))
          throw new UsageError('Give the address of the core with --url or PLACARD_URL.');
        if (key === null) throw new UsageError('Give an API key in PLACARD_API_KEY.');
        await serve(new URL(options.staging === true ? '/staging' : '/', url), key);
      });
  },
};

async function serve(base: URL, key: string): Promise<void> {
  const { serveStdio } = await import('@modelcontextprotocol/server/stdio');
  const { createMcpServer } = await import('../mcp/mcp-server.ts');
  const { Confirmations } = await import('../mcp/confirmations.ts');
  const { fetchApi, readNetworkId } = await import('../mcp/fetch-api.ts');
  const confirmations = new Confirmations(randomBytes(32), Date.now);
  const ended = Promise.withResolvers<void>();
  const handle = serveStdio(() =>
    createMcpServer((agent) => {
      const call = fetchApi({ base, key, agent, timeoutMs: TIMEOUT_MS });
      return { call, confirmations, caller: 'stdio', networkId: () => readNetworkId(call) };
    }, readVersion()),
  );
  process.stdin.once('end', () => ended.resolve());
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ended.resolve());
  await ended.promise;
  await handle.close();
}
