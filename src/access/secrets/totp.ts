import { createHmac, randomBytes } from 'node:crypto';

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const STEP_SECONDS = 30;
const SECRET_BYTES = 20;
/** Steps of clock difference that are forgiven, either way. */
const DRIFT_STEPS = 1;

/** A new secret of an authenticator app, 160 bits. */
export function newTotpSecret(): Buffer {
  return randomBytes(SECRET_BYTES);
}

/** Bytes in base32 without padding, as authenticator apps take them. */
export function toBase32(bytes: Uint8Array): string {
  let bits = 0;
  let value = 0;
  let text = '';
  for (const byte of bytes) {
    value = (value << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      text += BASE32[(value >>> (bits - 5)) & 31];
      bits -= 5;
    }
    value &= (1 << bits) - 1;
  }
  return bits > 0 ? text + BASE32[(value << (5 - bits)) & 31] : text;
}

/** The six digits of a step (RFC 6238 with SHA-1, 30 s, as every app has it). */
export function totpCode(secret: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const offset = (mac[19] ?? 0) & 0xf;
  return String((mac.readUInt32BE(offset) & 0x7fff_ffff) % 1_000_000).padStart(6, '0');
}

/**
 * The step that a code belongs to, within a step of now and after `lastStep` (a code works once); null when it is wrong.
 */
export function matchTotp(secret: Uint8Array, code: string, nowMs: number, lastStep: number): number | null {
  const current = Math.floor(nowMs / 1000 / STEP_SECONDS);
  for (let step = current - DRIFT_STEPS; step <= current + DRIFT_STEPS; step += 1) {
    if (step > lastStep && totpCode(secret, step) === code) return step;
  }
  return null;
}

/** The address that an authenticator app reads from a QR code. */
export function totpUri(secret: Uint8Array, email: string): string {
  const label = encodeURIComponent(`Placard:${email}`);
  return `otpauth://totp/${label}?secret=${toBase32(secret)}&issuer=Placard&algorithm=SHA1&digits=6&period=30`;
}
