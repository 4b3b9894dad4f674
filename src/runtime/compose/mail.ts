import type { Kysely } from 'kysely';
import type { Registry } from 'prom-client';
import type { Log } from '../../domain/log/log.ts';
import { parseMailFrom } from '../../config/mail-settings.ts';
import type { Settings } from '../../config/settings.ts';
import type { ReportFileRef } from '../../mail/mail-content.ts';
import { createMailMetrics } from '../../mail/mail-metrics.ts';
import { MailQueue } from '../../mail/mail-queue.ts';
import { MailOutbox, SENDING } from '../../mail/mail-sender.ts';
import { SmtpTransport } from '../../mail/smtp-transport.ts';
import type { Database } from '../../storage/sql/schema.ts';

/** Dependencies of the core's mail. */
export interface MailDeps {
  readonly settings: Pick<Settings, 'smtpUrl' | 'mailFrom'>;
  readonly sql: Kysely<Database>;
  readonly pepper: Buffer;
  readonly log: Log;
  readonly registry: Registry;
  readonly makePasswordLink: (db: Kysely<Database>, email: string, now: Date) => Promise<string | null>;
  readonly readReport: (file: ReportFileRef) => Promise<Buffer | null>;
}

/** The queue that the rest of the program puts mails into; null where no SMTP server is configured. */
export function openMailQueue({
  settings,
  pepper,
  publicUrl,
}: Pick<MailDeps, 'settings' | 'pepper'> & { readonly publicUrl: string }): MailQueue | null {
  return settings.smtpUrl === null ? null : new MailQueue({ pepper, publicUrl });
}

/** Sends what is in the outbox once it is started; null where no SMTP server is configured. */
export function openMailOutbox(deps: MailDeps): MailOutbox | null {
  const { smtpUrl, mailFrom } = deps.settings;
  const from = mailFrom === null ? null : parseMailFrom(mailFrom);
  if (smtpUrl === null || from === null) return null;
  return new MailOutbox({
    sql: deps.sql,
    pepper: deps.pepper,
    transport: new SmtpTransport({ url: smtpUrl, from }),
    log: deps.log,
    metrics: createMailMetrics(deps.registry),
    nowMs: Date.now,
    makePasswordLink: deps.makePasswordLink,
    readReport: deps.readReport,
    ...SENDING,
  });
}
