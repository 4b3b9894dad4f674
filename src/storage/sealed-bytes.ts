import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';

/** The purpose and the owner of sealed bytes: they open only under the same two. */
export interface SealLabel {
  readonly purpose:
    | 'second-factor-seal'
    | 'sign-in-attempt'
    | 'identity-provider'
    | 'mail-seal'
    | 'agent-notice'
    | 'cluster-secret'
    | 'cluster-key'
    | 'join-token';
  readonly owner: string;
}

/** Seals bytes for storage (AES-256-GCM under a key of the pepper): 12 bytes nonce, 16 bytes tag, the rest. */
export function sealBytes(pepper: Buffer, label: SealLabel, bytes: Uint8Array): Buffer {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', keyOf(pepper, label), nonce).setAAD(Buffer.from(label.owner));
  const sealed = Buffer.concat([cipher.update(bytes), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
}

/** Opens what `sealBytes` made. @throws Error when it was sealed elsewhere, or under another label. */
export function openBytes(pepper: Buffer, label: SealLabel, sealed: Buffer): Buffer {
  const key = keyOf(pepper, label);
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, 12)).setAAD(Buffer.from(label.owner));
  decipher.setAuthTag(sealed.subarray(12, 28));
  return Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()]);
}

function keyOf(pepper: Buffer, { purpose }: SealLabel): Buffer {
  return createHmac('sha256', pepper).update(purpose).digest();
}
