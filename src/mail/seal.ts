import { openBytes, sealBytes } from '../storage/sealed-bytes.ts';
import type { MailContent } from './mail-content.ts';

/** Seals a mail's content for storage, bound to its message id: links in it are secrets. */
export function sealContent(pepper: Buffer, messageId: string, content: MailContent): Buffer {
  return sealBytes(pepper, { purpose: 'mail-seal', owner: messageId }, Buffer.from(JSON.stringify(content)));
}

/** Opens what `sealContent` made. @throws Error when it was sealed elsewhere, or for another mail. */
export function openContent(pepper: Buffer, messageId: string, sealed: Buffer): MailContent {
  const opened = openBytes(pepper, { purpose: 'mail-seal', owner: messageId }, sealed);
  return JSON.parse(opened.toString('utf8')) as MailContent;
}
