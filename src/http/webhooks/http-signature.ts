import {
  createHash,
  createPrivateKey,
  createPublicKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
  sign,
} from 'node:crypto';

/** A key that signs messages of HTTP (RFC 9421, Ed25519). */
export interface SigningKey {
  readonly keyId: string;
  readonly key: KeyObject;
}

/** A request whose parts are signed. */
export interface SignedRequest {
  readonly url: string;
  readonly contentType: string;
  readonly body: string;
}

/** What a signature says of itself. */
interface SignatureTerms {
  /** The profile, such as `adcp/webhook-signing/v1`. */
  readonly tag: string;
  readonly nowMs: number;
  /** Default: random. */
  readonly nonce?: string;
}

/** How long a signature is valid, in seconds. */
const VALID_SECONDS = 300;
const COMPONENTS = ['@method', '@target-uri', '@authority', 'content-type', 'content-digest'] as const;
/** The bytes of a PKCS #8 key of Ed25519 before its seed (RFC 8410). */
const PKCS8_START = Buffer.from('302e020100300506032b657004220420', 'hex');
const UNRESERVED = /[A-Za-z0-9._~-]/;

/** The signing key of an owner, from the secret of the installation: nothing is stored. */
export function deriveSigningKey(pepper: Buffer, owner: string): SigningKey {
  const seed = Buffer.from(hkdfSync('sha256', pepper, '', `placard signing key/${owner}`, 32));
  const key = createPrivateKey({ key: Buffer.concat([PKCS8_START, seed]), format: 'der', type: 'pkcs8' });
  const { x = '' } = createPublicKey(key).export({ format: 'jwk' });
  const digest = createHash('sha256').update(`{"crv":"Ed25519","kty":"OKP","x":"${x}"}`).digest('base64url');
  return { keyId: digest, key };
}

/** The public half of a key as receivers look it up. */
export function publicJwk({ keyId, key }: SigningKey): Readonly<Record<string, unknown>> {
  const { kty, crv, x } = createPublicKey(key).export({ format: 'jwk' });
  return { kid: keyId, kty, crv, x, alg: 'EdDSA', use: 'sig', key_ops: ['verify'], adcp_use: 'request-signing' };
}

/** The headers that sign a POST of JSON: its address and its body. The protocol's vectors have the digest in base64, the signature in base64url. */
export function signPost(request: SignedRequest, { keyId, key }: SigningKey, terms: SignatureTerms) {
  const { tag, nowMs, nonce = randomBytes(16).toString('base64url') } = terms;
  const created = Math.floor(nowMs / 1_000);
  const { target, authority } = canonicalTarget(request.url);
  const digest = `sha-256=:${createHash('sha256').update(request.body).digest('base64')}:`;
  const names = COMPONENTS.map((name) => `"${name}"`).join(' ');
  const times = `created=${created};expires=${created + VALID_SECONDS}`;
  const parameters = `(${names});${times};nonce="${nonce}";keyid="${keyId}";alg="ed25519";tag="${tag}"`;
  const base = [
    '"@method": POST',
    `"@target-uri": ${target}`,
    `"@authority": ${authority}`,
    `"content-type": ${request.contentType}`,
    `"content-digest": ${digest}`,
    `"@signature-params": ${parameters}`,
  ].join('\n');
  return {
    'content-type': request.contentType,
    'content-digest': digest,
    'signature-input': `sig1=${parameters}`,
    signature: `sig1=:${sign(null, Buffer.from(base), key).toString('base64url')}:`,
  };
}

/** An address in the one form that both sides sign; the query stays as it is. */
export function canonicalTarget(text: string): { readonly target: string; readonly authority: string } {
  const { protocol, host, pathname } = new URL(text);
  const [withoutFragment = ''] = text.split('#');
  const at = withoutFragment.indexOf('?');
  const path = pathname.replaceAll(/%([0-9a-f]{2})/gi, (whole, hex: string) => {
    const character = String.fromCharCode(Number.parseInt(hex, 16));
    return UNRESERVED.test(character) ? character : whole.toUpperCase();
  });
  return { target: `${protocol}//${host}${path}${at === -1 ? '' : withoutFragment.slice(at)}`, authority: host };
}
