import { type AdcpError, renderError } from './adcp-error.ts';
import { SERVED_VERSION } from './versions.ts';

/** Largest context that comes back, in characters. */
const CONTEXT_MAX = 20_000;

/** What a tool responds with: a payload of the protocol, with its task status when that is not `completed`. */
export type Payload = Readonly<Record<string, unknown>>;

/** The response to a request: the payload with the version, the task status and the context of the caller. */
export function wrapPayload(payload: Payload, request: unknown): Payload {
  return { adcp_version: SERVED_VERSION, status: 'completed', ...payload, ...echoOf(request) };
}

/** The response to a request that failed, with the error in the envelope and in the list of the payload. */
export function wrapError(error: AdcpError, request: unknown): Payload {
  const rendered = renderError(error);
  return {
    adcp_version: SERVED_VERSION,
    status: 'failed',
    adcp_error: rendered,
    errors: [rendered],
    ...echoOf(request),
  };
}

/** The context of the caller, unchanged. Nothing in it is read. */
function echoOf(request: unknown): { readonly context?: unknown } {
  const context = (request as { readonly context?: unknown } | null)?.context;
  if (typeof context !== 'object' || context === null || Array.isArray(context)) return {};
  return JSON.stringify(context).length <= CONTEXT_MAX ? { context } : {};
}
