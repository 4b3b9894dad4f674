import { createTransport, type Transporter } from 'nodemailer';
import type SMTPTransport from 'nodemailer/lib/smtp-transport/index.js';
import { isThisMachine, type MailSender } from '../config/mail-settings.ts';
import type { RenderedMail } from './render-mail.ts';

/** How mail is handed over. */
export interface SmtpOptions {
  /** `smtp://` or `smtps://`, with user and password where the server wants them. */
  readonly url: string;
  readonly from: MailSender;
  /** Certificate authority to trust instead of the system's. */
  readonly ca?: string;
}

/** A mail and whom it goes to. */
export interface OutgoingMail extends RenderedMail {
  readonly messageId: string;
  readonly to: string;
  readonly attachment: { readonly fileName: string; readonly contentType: string; readonly bytes: Buffer } | null;
}

const CONNECT_MS = 10_000;
const SOCKET_MS = 30_000;

/** Hands mails to one SMTP server, each over a connection of its own. Every wait has a limit; a remote server must offer TLS unless the URL says `?tls=off`. */
export class SmtpTransport {
  readonly #transporter: Transporter;
  readonly #from: MailSender;

  constructor(options: SmtpOptions) {
    this.#from = options.from;
    this.#transporter = createTransport(connectionOptions(options));
  }

  /** @throws Error of nodemailer when the server did not take it; see {@link isPermanent} */
  async send(mail: OutgoingMail): Promise<void> {
    const { address, name } = this.#from;
    const domain = address.slice(address.lastIndexOf('@') + 1);
    await this.#transporter.sendMail({
      envelope: { from: address, to: [mail.to] },
      from: { name, address },
      to: { name: '', address: mail.to },
      subject: mail.subject,
      text: mail.text,
      html: mail.html,
      messageId: `<${mail.messageId}@${domain}>`,
      headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
      ...(mail.attachment === null
        ? {}
        : {
            attachments: [
              {
                filename: mail.attachment.fileName,
                content: mail.attachment.bytes,
                contentType: mail.attachment.contentType,
              },
            ],
          }),
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  }

  /** Connects and signs in, for `placard doctor`. @throws Error that says what failed */
  async verify(): Promise<void> {
    await this.#transporter.verify();
  }

  close(): void {
    this.#transporter.close();
  }
}

function connectionOptions({ url, ca }: SmtpOptions): SMTPTransport.Options {
  const { protocol, hostname, port, username, password, searchParams } = new URL(url);
  const secure = protocol === 'smtps:';
  const host = hostname.replace(/^\[|\]$/g, '');
  const isOff = searchParams.get('tls') === 'off';
  return {
    host,
    port: port === '' ? (secure ? 465 : 587) : Number(port),
    secure,
    ignoreTLS: isOff,
    requireTLS: !secure && !isOff && !isThisMachine(hostname),
    ...(username === '' ? {} : { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: SOCKET_MS,
    tls: { minVersion: 'TLSv1.2', ...(ca === undefined ? {} : { ca }) },
  };
}

/** Whether trying the same mail again is of no use: the server refused the recipient or the message for good. */
export function isPermanent(error: unknown): boolean {
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown };
  return (code === 'EENVELOPE' || code === 'EMESSAGE') && typeof responseCode === 'number' && responseCode >= 500;
}

/** The message of a failure, without possible secrets: a server may quote the password line. */
export function describeFailure(error: unknown): string {
  const { code, responseCode, message } = error as { code?: unknown; responseCode?: unknown; message?: unknown };
  if (code === 'EAUTH') return 'The mail server refused the user or password of PLACARD_SMTP_URL.';
  const text = typeof message === 'string' ? message : String(error);
  const shown = text
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .replace(/[0-9A-Za-z]{32,}/g, '…')
    .slice(0, 300);
  return `${typeof responseCode === 'number' ? `${responseCode}: ` : ''}${shown}`;
}

/** Why a mail was not sent, for a network's admin: a stable code and a sentence, nothing of the mail server's own words or addresses. */
export function describeForAdmin(error: unknown): string {
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown };
  const status = typeof responseCode === 'number' ? ` (${responseCode})` : '';
  if (code === 'EAUTH')
    return 'sign_in_refused: The mail server refused the sign-in of this installation; tell its operator.';
  if (isPermanent(error)) {
    const what = code === 'EENVELOPE' ? 'recipient' : 'message';
    return `${what}_refused: The mail server refused the ${what}${status}.`;
  }
  if (status !== '') return `not_accepted: The mail server did not accept the mail${status}.`;
  return 'server_unavailable: The mail server of this installation is unavailable; tell its operator if that lasts.';
}
