import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import type { MailContent } from './mail-content.ts';

/** Seals what a mail says for storage (AES-256-GCM under a key of the pepper, bound to its message id): links in it are secrets. */
export function sealContent(pepper: Buffer, messageId: string, content: MailContent): Buffer {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', sealKey(pepper), nonce).setAAD(Buffer.from(messageId));
  const sealed = Buffer.concat([cipher.update(JSON.stringify(content), 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
}

/** Opens what `sealContent` made. @throws Error when it was sealed elsewhere, or for another mail. */
export function openContent(pepper: Buffer, messageId: string, sealed: Buffer): MailContent {
  const decipher = createDecipheriv('aes-256-gcm', sealKey(pepper), sealed.subarray(0, 12)).setAAD(
    Buffer.from(messageId),
  );
  decipher.setAuthTag(sealed.subarray(12, 28));
  const text = Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()]).toString('utf8');
  return JSON.parse(text) as MailContent;
}

function sealKey(pepper: Buffer): Buffer {
  return createHmac('sha256', pepper).update('mail-seal').digest();
}
