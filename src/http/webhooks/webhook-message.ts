import { createHmac } from 'node:crypto';
import { Agent, request } from 'node:https';
import { type HostResolver, resolveTarget, type WebhookPolicy, type WebhookTarget } from './webhook-target.ts';

/** One message. */
export interface WebhookMessage {
  readonly url: string;
  /** Whose message it is. */
  readonly networkId: string;
  readonly secret: string;
  /** The same for every try of one message: receivers recognize repeats by it. */
  readonly id: string;
  /** JSON. */
  readonly body: string;
  readonly nowMs: number;
}

/** A body with headers of its own, to an address that a tenant chose. */
export interface OutboundPost {
  readonly url: string;
  /** Whose look-ups of names count. */
  readonly networkId: string;
  /** JSON. */
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** How messages are sent. */
export interface WebhookSending extends WebhookPolicy {
  /** Certificate authority to trust instead of the system's. */
  readonly ca?: string;
  /** Time for one message, in milliseconds. */
  readonly timeoutMs: number;
  /** Looks names up; default: by DNS. */
  readonly resolveHost?: HostResolver;
}

const RESPONSE_BYTES_MAX = 65_536;

/** The secret of a schedule's messages, from the installation's own and the schedule's salt: nothing readable is stored. */
export function deriveWebhookSecret(pepper: Buffer, workspaceId: number, salt: string): string {
  const digest = createHmac('sha256', pepper).update(`report-webhook/${workspaceId}/${salt}`).digest('base64url');
  return `whsec_${digest}`;
}

/** `t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<body>">`: proves sender and body; the time bounds replays. */
export function signMessage(secret: string, body: string, nowMs: number): string {
  const at = Math.floor(nowMs / 1_000);
  return `t=${at},v1=${createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')}`;
}

/** A receiver responded with another status than a 2xx. */
export class WebhookRefusal extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`The receiver responded with ${status}.`);
    this.status = status;
  }
}

/**
 * Sends a message; resolves with the status when the receiver responds with a 2xx.
 * @throws Error with a sentence for the owner of the webhook: the address is not allowed, the receiver is down; `WebhookRefusal` for another status
 */
export function sendMessage(message: WebhookMessage, sending: WebhookSending): Promise<number> {
  const { id, secret, body, nowMs } = message;
  const headers = { 'x-placard-delivery': id, 'x-placard-signature': signMessage(secret, body, nowMs) };
  return sendPost({ ...message, headers }, sending);
}

/** As {@link sendMessage}, with the given headers. */
export async function sendPost(outbound: OutboundPost, sending: WebhookSending): Promise<number> {
  const target = await resolveTarget(outbound, sending, sending.resolveHost);
  const status = await post(target, outbound, sending);
  if (status < 200 || status > 299) throw new WebhookRefusal(status);
  return status;
}

function post(target: WebhookTarget, outbound: OutboundPost, sending: WebhookSending): Promise<number> {
  const { url, address, family } = target;
  const body = Buffer.from(outbound.body, 'utf8');
  const agent = new Agent({ keepAlive: false, ...(sending.ca === undefined ? {} : { ca: sending.ca }) });
  return new Promise<number>((resolve, reject) => {
    const call = request(url, {
      method: 'POST',
      agent,
      signal: AbortSignal.timeout(sending.timeoutMs),
      // Connects to the address that was checked, even if the name resolves to another one later.
      lookup: (_host, options, done) => {
        if (options.all === true) done(null, [{ address, family }]);
        else done(null, address, family);
      },
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'user-agent': 'placard-webhook/1',
        ...outbound.headers,
        'content-length': body.length,
      },
    });
    // Not `once`: a connection may fail again after its response.
    call.on('error', (error) => reject(new Error(`The receiver cannot be reached: ${error.message}`)));
    // A connection that switches to another protocol ends without an error and without a response. After a response this changes nothing.
    let hasResponse = false;
    call.once('close', () => {
      if (!hasResponse) reject(new Error('The receiver cannot be reached: the connection ended without a response.'));
    });
    call.once('response', (response) => {
      hasResponse = true;
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > RESPONSE_BYTES_MAX) response.destroy();
      });
      response.on('error', () => undefined);
      response.once('close', () => resolve(response.statusCode ?? 0));
    });
    call.end(body);
  }).finally(() => agent.destroy());
}
