import { createCipheriv, createDecipheriv, createHmac, randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';

/** Shortest passphrase, in characters. */
export const PASSPHRASE_CHARACTERS_MIN = 12;

/** Iterations of scrypt with r = 8: a guess costs some 0.3 s and 128 MiB. Every backup has them. */
const ITERATIONS = 131_072;
const MAGIC = Buffer.from('placard-seal-1\n');
const SALT_BYTES = 16;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** The passphrase does not open the sealed bytes, or they were changed. */
export class SealError extends Error {
  override readonly name = 'SealError';
}

/** A passphrase, of which only derived keys leave this object. */
export class Passphrase {
  readonly #text: string;
  readonly #iterations: number;

  /** @param iterations of scrypt; tests take fewer */
  constructor(text: string, iterations = ITERATIONS) {
    this.#text = text.normalize('NFC');
    this.#iterations = iterations;
  }

  deriveKey(salt: Buffer): Promise<Buffer> {
    const cost = { N: this.#iterations, r: 8, p: 1, maxmem: 192 * 1_024 * 1_024 };
    return new Promise((resolve, reject) => {
      scrypt(this.#text, salt, 32, cost, (error, key) => (error === null ? resolve(key) : reject(error)));
    });
  }
}

/** Seals bytes under a passphrase (scrypt, AES-256-GCM): magic, salt, nonce, tag, the rest. */
export async function sealWithPassphrase(passphrase: Passphrase, bytes: Uint8Array): Promise<Buffer> {
  const [salt, nonce] = [randomBytes(SALT_BYTES), randomBytes(NONCE_BYTES)];
  const cipher = createCipheriv('aes-256-gcm', await passphrase.deriveKey(salt), nonce).setAAD(MAGIC);
  const sealed = Buffer.concat([cipher.update(bytes), cipher.final()]);
  return Buffer.concat([MAGIC, salt, nonce, cipher.getAuthTag(), sealed]);
}

/** Opens what `sealWithPassphrase` made. @throws SealError */
export async function openWithPassphrase(passphrase: Passphrase, sealed: Buffer): Promise<Buffer> {
  if (!sealed.subarray(0, MAGIC.length).equals(MAGIC)) throw new SealError('The sealed secrets are damaged.');
  const take = cutter(sealed, MAGIC.length);
  const [salt, nonce, tag] = [take(SALT_BYTES), take(NONCE_BYTES), take(TAG_BYTES)];
  try {
    const decipher = createDecipheriv('aes-256-gcm', await passphrase.deriveKey(salt), nonce);
    decipher.setAAD(MAGIC).setAuthTag(tag);
    return Buffer.concat([decipher.update(take(sealed.length)), decipher.final()]);
  } catch (cause) {
    throw new SealError('The passphrase does not open the secrets of this backup.', { cause });
  }
}

const macSchema = z.strictObject({
  format: z.literal(1),
  salt: z.string().regex(/^[0-9a-f]{32}$/),
  /** Tells a wrong passphrase from changed bytes. */
  check: z.string().regex(/^[0-9a-f]{64}$/),
  mac: z.string().regex(/^[0-9a-f]{64}$/),
});

/** JSON text that proves to holders of the passphrase that another holder wrote `bytes` (scrypt, HMAC-SHA-256). */
export async function writeMac(passphrase: Passphrase, bytes: Uint8Array): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const { check, mac } = computeMac(await passphrase.deriveKey(salt), bytes);
  const content = { format: 1, salt: salt.toString('hex'), check: check.toString('hex'), mac: mac.toString('hex') };
  return `${JSON.stringify(content)}\n`;
}

/**
 * Checks bytes against the text of `writeMac`.
 * @returns `authentic`; `changed`: the passphrase is right, and the bytes are others; `unreadable`: the text is damaged, or the passphrase is
 *   another one
 */
export async function checkMac(
  passphrase: Passphrase,
  { bytes, text }: { readonly bytes: Uint8Array; readonly text: string },
): Promise<'authentic' | 'changed' | 'unreadable'> {
  const parsed = macSchema.safeParse(parseJson(text));
  if (!parsed.success) return 'unreadable';
  const { salt, check, mac } = parsed.data;
  const expected = computeMac(await passphrase.deriveKey(Buffer.from(salt, 'hex')), bytes);
  if (!timingSafeEqual(expected.check, Buffer.from(check, 'hex'))) return 'unreadable';
  return timingSafeEqual(expected.mac, Buffer.from(mac, 'hex')) ? 'authentic' : 'changed';
}

/** Two labels: neither result says anything about the other. */
function computeMac(key: Buffer, bytes: Uint8Array): { check: Buffer; mac: Buffer } {
  const under = (label: string, content: Uint8Array): Buffer =>
    createHmac('sha256', key).update(`placard-backup-${label}\n`).update(content).digest();
  return { check: under('check', Buffer.alloc(0)), mac: under('manifest', bytes) };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function cutter(bytes: Buffer, from: number): (length: number) => Buffer {
  let at = from;
  return (length) => bytes.subarray(at, (at += length));
}
