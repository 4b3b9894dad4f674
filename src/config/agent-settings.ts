/** What `placard mcp` reads from its environment: it runs beside an agent, not beside the service, and needs no other setting. */
export interface AgentSettings {
  /** PLACARD_URL: the core's address. */
  readonly url: string | null;
  /** PLACARD_API_KEY. */
  readonly key: string | null;
}

/** Variables of the environment that `placard serve` leaves alone: an agent's shell may start it, too. */
export const AGENT_VARIABLES: readonly string[] = ['PLACARD_URL', 'PLACARD_API_KEY'];

export function readAgentSettings(env: NodeJS.ProcessEnv = process.env): AgentSettings {
  return { url: env['PLACARD_URL'] || null, key: env['PLACARD_API_KEY'] || null };
}
