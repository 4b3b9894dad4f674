import { isIP } from 'node:net';
import { isAllowedOutbound, lookUp } from '../shared/outbound-fetch.ts';

/** Which addresses webhooks may reach beside public ones. */
export interface WebhookPolicy {
  /** CIDR ranges or addresses, such as the operator's own network; normally none. */
  readonly allowedRanges: readonly string[];
}

/** Where a message goes: the address was checked, and is the one to connect to. */
export interface WebhookTarget {
  readonly url: URL;
  readonly address: string;
  readonly family: 4 | 6;
}

/** Every address of a host; rejects when it has none. The owner is the network whose look-ups count. */
export type HostResolver = (
  host: string,
  owner: string,
) => Promise<readonly { readonly address: string; readonly family: number }[]>;

const URL_LENGTH_MAX = 2_000;

/** The fault of an address for webhooks as a sentence; null for a valid address. Names are not looked up here. */
export function findUrlProblem(text: string, policy: WebhookPolicy): string | null {
  if (text.length > URL_LENGTH_MAX) return `Shorten it to at most ${URL_LENGTH_MAX} characters.`;
  const url = URL.parse(text);
  if (url === null || url.protocol !== 'https:') return 'Give an https:// address.';
  if (url.username !== '' || url.password !== '') return 'Leave out user and password; messages are signed.';
  const host = bareHost(url);
  if (host === 'localhost' || host.endsWith('.localhost')) return isLoopbackAllowed(policy) ? null : PRIVATE;
  if (isIP(host) !== 0 && !isAllowedAddress(host, policy)) return PRIVATE;
  return null;
}

const PRIVATE = 'Give a public address: this one is of a private or special network.';

/**
 * Looks a host up and picks the address to connect to. All of its addresses must be allowed: a name that also leads inside is refused.
 * @throws Error with a sentence for the owner of the schedule
 */
export async function resolveTarget(
  { url: text, networkId }: { readonly url: string; readonly networkId: string },
  policy: WebhookPolicy,
  resolveHost: HostResolver = lookUp,
): Promise<WebhookTarget> {
  const problem = findUrlProblem(text, policy);
  if (problem !== null) throw new Error(problem);
  const url = new URL(text);
  const found = await resolveHost(bareHost(url), networkId).catch(() => []);
  const [first] = found;
  if (first === undefined) throw new Error('The host name cannot be resolved.');
  if (!found.every(({ address }) => isAllowedAddress(address, policy))) throw new Error(PRIVATE);
  return { url, address: first.address, family: first.family === 6 ? 6 : 4 };
}

/** Whether an address is public, or in an allowed range: as for every request to an address that a tenant chose. */
export function isAllowedAddress(text: string, { allowedRanges }: WebhookPolicy): boolean {
  return isAllowedOutbound(text, { allowedRanges });
}

function isLoopbackAllowed(policy: WebhookPolicy): boolean {
  return isAllowedAddress('127.0.0.1', policy);
}

function bareHost(url: URL): string {
  return url.hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase();
}
