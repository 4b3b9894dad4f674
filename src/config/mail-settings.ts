import { isIP } from 'node:net';
import { z } from 'zod';
import type { SettingSpec } from './setting-spec.ts';

const SMTP_EXAMPLE = 'smtps://placard:secret@smtp.example.com:465';
const SMTP_MESSAGE = `write an address that begins with smtp:// or smtps://, with only ?tls=off after it, such as ${SMTP_EXAMPLE}`;
const FROM_MESSAGE = 'write one sender, such as Placard <placard@example.com>';

/** A display name (optional) and an address; nothing in it can begin a second header or a second address. */
const FROM =
  /^(?:([^\p{Cc}<>@",;:\\]{0,100}?)\s*<([^\s\p{Cc}<>@",;:()\\]{1,64}@[^\s\p{Cc}<>@",;:()\\]{1,190})>|([^\s\p{Cc}<>@",;:()\\]{1,64}@[^\s\p{Cc}<>@",;:()\\]{1,190}))$/u;

/** Who mails come from. */
export interface MailSender {
  readonly name: string;
  readonly address: string;
}

/** Reads `Name <address>` or an address alone; null for anything else. */
export function parseMailFrom(text: string): MailSender | null {
  const match = FROM.exec(text.trim());
  if (match === null) return null;
  return { name: (match[1] ?? '').trim(), address: match[2] ?? match[3] ?? '' };
}

function isSmtpUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, pathname, hash, searchParams } = new URL(text);
  if (protocol !== 'smtp:' && protocol !== 'smtps:') return false;
  if (hostname === '' || (pathname !== '' && pathname !== '/') || hash !== '') return false;
  return [...searchParams].every(([name, value]) => name === 'tls' && value === 'off' && protocol === 'smtp:');
}

/** The settings of outgoing mail: rows of the settings table. */
export const mailSettings = {
  smtpUrl: {
    name: 'PLACARD_SMTP_URL',
    kind: 'address',
    default: null,
    defaultTitle: 'none (no mail is sent)',
    secret: true,
    description:
      'The mail server for invitations, new passwords, notices and reports. smtps: TLS from the start; smtp: STARTTLS, required for a server on another machine unless the address ends in ?tls=off.',
    example: SMTP_EXAMPLE,
    schema: z.string().refine(isSmtpUrl, SMTP_MESSAGE).nullable(),
  },
  mailFrom: {
    name: 'PLACARD_MAIL_FROM',
    kind: 'sender',
    default: null,
    defaultTitle: 'none',
    secret: false,
    description: 'The sender of all mail; required with PLACARD_SMTP_URL.',
    example: 'Placard <placard@example.com>',
    schema: z
      .string()
      .refine((text) => parseMailFrom(text) !== null, FROM_MESSAGE)
      .nullable(),
  },
} as const satisfies Record<string, SettingSpec<string | null>>;

/** Whether a host name means this machine, where mail needs no TLS on its way. */
export function isThisMachine(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').toLowerCase();
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}
