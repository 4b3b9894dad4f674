import { agentText, type CallApi, parseJson, ToolError } from './call-api.ts';

/** Where the API is, and who calls. */
export interface ApiAddress {
  /** The core's address, with `/staging` for that environment. */
  readonly base: URL;
  readonly key: string;
  readonly agent: string | null;
  readonly timeoutMs: number;
}

/** Calls the API over the network. */
export function fetchApi({ base, key, agent, timeoutMs }: ApiAddress): CallApi {
  return async ({ method, path, headers, body }) => {
    const address = new URL(`${base.pathname.replace(/\/$/, '')}${path}`, base);
    try {
      const response = await fetch(address, {
        method,
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
        headers: {
          accept: 'application/json',
          authorization: `Bearer ${key}`,
          'placard-agent': agentText(agent),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return { status: response.status, body: parseJson(await response.text()) };
    } catch (error) {
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
      throw new ToolError(
        `${address.origin} cannot be reached: ${cause instanceof Error ? cause.message : String(cause)}`,
      );
    }
  };
}

/** The network that the key belongs to. */
export async function readNetworkId(call: CallApi): Promise<string> {
  const { data } = ((await call({ method: 'POST', path: '/graphql', body: { query: '{ me { networkId } }' } })).body ??
    {}) as { readonly data?: { readonly me: { readonly networkId: string } } | null };
  if (data === undefined || data === null) throw new ToolError('The API key was refused.');
  return data.me.networkId;
}
