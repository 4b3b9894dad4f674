import { createPrivateKey, createPublicKey, verify } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { canonicalTarget, deriveSigningKey, publicJwk, type SigningKey, signPost } from './http-signature.ts';

const TAG = 'adcp/webhook-signing/v1';
const PEPPER = Buffer.alloc(32, 7);
const NOW_MS = Date.parse('2026-11-20T10:00:00Z');
const POST = { url: 'https://buyer.example:443/a%2fb?q=1', contentType: 'application/json', body: '{"a":1}' };

test('a signature verifies with the public half of its key, over address and body', () => {
  const own = deriveSigningKey(PEPPER, '1000/production');
  const headers = signPost(POST, own, { tag: TAG, nowMs: NOW_MS });
  const base = [
    '"@method": POST',
    '"@target-uri": https://buyer.example/a%2Fb?q=1',
    '"@authority": buyer.example',
    '"content-type": application/json',
    `"content-digest": ${headers['content-digest']}`,
    `"@signature-params": ${headers['signature-input'].slice('sig1='.length)}`,
  ].join('\n');
  const key = createPublicKey({ key: publicJwk(own) as never, format: 'jwk' });
  const bytes = Buffer.from(headers.signature.slice('sig1=:'.length, -1), 'base64url');
  expect(verify(null, Buffer.from(base), key, bytes)).toBe(true);
  expect(verify(null, Buffer.from(base.replace('buyer.', 'other.')), key, bytes)).toBe(false);
  expect(headers['signature-input']).toContain(`created=${NOW_MS / 1_000};expires=${NOW_MS / 1_000 + 300};`);
});

test('each owner has a key of its own, the same each time, and its private half is not published', () => {
  const [first, again, other] = ['a', 'a', 'b'].map((owner) => publicJwk(deriveSigningKey(PEPPER, owner)));
  expect(first).toEqual(again);
  expect(first?.['x']).not.toBe(other?.['x']);
  expect(Object.keys(first ?? {})).not.toContain('d');
});

const folder = process.env['ADCP_CASES'] ?? '';
const found = existsSync(folder) ? readdirSync(folder).find((name) => name.startsWith('compliance-')) : undefined;
const vectors = join(folder, found ?? '', 'test-vectors');
const read = <T>(path: string) => JSON.parse(readFileSync(join(vectors, path), 'utf8')) as T;

interface Vector {
  readonly request: { readonly url: string; readonly headers: Record<string, string>; readonly body: string };
  readonly jwks_ref: readonly string[];
}
interface TestKey {
  readonly kid: string;
  readonly crv: string;
  readonly x: string;
  readonly _private_d_for_test_only: string;
}

describe.skipIf(found === undefined)('vectors of the protocol (ADCP_CASES names their folder)', () => {
  test('addresses are signed in their canonical form', () => {
    const { cases } = read<{ cases: Record<string, string>[] }>('request-signing/canonicalization.json');
    const wellFormed = cases.filter(({ expected_target_uri: target }) => target !== undefined);
    expect(wellFormed.length).toBeGreaterThan(10);
    for (const one of wellFormed)
      expect(canonicalTarget(one['input_url'] ?? ''), one['name']).toEqual({
        target: one['expected_target_uri'],
        authority: one['expected_authority'],
      });
  });

  test('the signer makes the signatures of the vectors of Ed25519', () => {
    const keys = read<{ keys: TestKey[] }>('webhook-signing/keys.json').keys;
    let signed = 0;
    for (const name of readdirSync(join(vectors, 'webhook-signing/positive'))) {
      const { request, jwks_ref: ids } = read<Vector>(`webhook-signing/positive/${name}`);
      const own = keys.find(({ kid }) => kid === ids[0]);
      const input = request.headers['Signature-Input'] ?? '';
      if (own?.crv !== 'Ed25519' || input.includes('relay')) continue;
      const jwk = { kty: 'OKP', crv: own.crv, x: own.x, d: own._private_d_for_test_only };
      const key: SigningKey = { keyId: own.kid, key: createPrivateKey({ key: jwk as never, format: 'jwk' }) };
      const [nonce, created] = [/nonce="([^"]+)"/.exec(input)?.[1] ?? '', Number(/created=(\d+)/.exec(input)?.[1])];
      const headers = signPost(
        { url: request.url, contentType: request.headers['Content-Type'] ?? '', body: request.body },
        key,
        { tag: TAG, nowMs: created * 1_000, nonce },
      );
      expect(headers.signature, name).toBe(request.headers['Signature']);
      signed += 1;
    }
    expect(signed).toBeGreaterThanOrEqual(5);
  });
});
