import { randomBytes } from 'node:crypto';
import { type Client, createClient } from '../support/http-client.ts';
import type { Step } from './storyboard.ts';

/** A response to a call of a tool. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  /** The structured content; null where there is none. */
  readonly data: unknown;
  readonly isError: boolean;
}

/** Where a seller is, and the key of a buyer. */
export interface SellerAddress {
  readonly url: string;
  readonly ca: string;
  readonly key: string;
}

/** A buyer's agent that sends plain messages of MCP. */
export class AgentClient {
  readonly #address: SellerAddress;
  readonly #client: Client;
  #id = 0;

  constructor(address: SellerAddress) {
    this.#address = address;
    this.#client = createClient(address.ca);
  }

  close(): void {
    this.#client.close();
  }

  /** Names of the seller's tools. */
  async listTools(): Promise<string[]> {
    const { result } = await this.#message('tools/list', {}, this.#address.key);
    return (result as { readonly tools: readonly { readonly name: string }[] }).tools.map(({ name }) => name);
  }

  /** Calls a tool, with the key of the buyer unless the step says otherwise. */
  async call(name: string, input: object, auth?: Step['auth']): Promise<Reply> {
    const sent = await this.#message('tools/call', { name, arguments: input }, this.#keyFor(auth));
    const { structuredContent = null, isError = false } = (sent.result ?? {}) as {
      structuredContent?: unknown;
      isError?: boolean;
    };
    return { status: sent.status, headers: sent.headers, data: structuredContent, isError };
  }

  #keyFor(auth: Step['auth']): string | null {
    if (auth === undefined) return this.#address.key;
    if (auth === 'none') return null;
    return auth.value_strategy === 'random_invalid_jwt'
      ? [1, 2, 3].map(() => randomBytes(16).toString('base64url')).join('.')
      : `invalid-${randomBytes(32).toString('hex')}`;
  }

  async #message(method: string, params: object, key: string | null) {
    this.#id += 1;
    const reply = await this.#client.send(this.#address.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: this.#id, method, params }),
    });
    const text = /^data: (.*)$/m.exec(reply.text)?.[1] ?? reply.text;
    const message = (text.startsWith('{') ? JSON.parse(text) : {}) as { readonly result?: unknown };
    return { status: reply.status, headers: reply.headers, result: message.result };
  }
}
