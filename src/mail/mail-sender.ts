import type { Kysely } from 'kysely';
import { DEFAULT_FILE_FORMAT, REPORT_FILE_FORMS } from '../domain/reporting/report-file-formats.ts';
import { RecurringJob } from '../domain/time/recurring-job.ts';
import type { Log } from '../domain/log/log.ts';
import type { Database } from '../storage/sql/schema.ts';
import type { MailContent, ReportFileRef } from './mail-content.ts';
import type { MailMetrics } from './mail-metrics.ts';
import {
  type ClaimedMail,
  claimMails,
  countOutbox,
  deleteEndedMails,
  isPresentMember,
  type MailOutcome,
  recordMail,
  rewriteMail,
} from './mails.sql.ts';
import { renderMail } from './render-mail.ts';
import { openContent, sealContent } from './seal.ts';
import { describeFailure, describeForAdmin, isPermanent, type OutgoingMail } from './smtp-transport.ts';

/** Dependencies of the sender. Durations are in milliseconds. */
export interface MailSenderDeps {
  readonly sql: Kysely<Database>;
  readonly pepper: Buffer;
  readonly transport: { send(mail: OutgoingMail): Promise<void>; close(): void };
  readonly log: Log;
  readonly metrics: MailMetrics;
  readonly nowMs: () => number;
  /**
   * Makes the link of a mail that was queued without one, in the given transaction; null when there is nobody to send it to.
   */
  readonly makePasswordLink: (db: Kysely<Database>, email: string, now: Date) => Promise<string | null>;
  /** The file of a finished report; null when it is not there (any more), and when it is too large for a mail. */
  readonly readReport: (file: ReportFileRef) => Promise<Buffer | null>;
  readonly pollMs: number;
  /** Waits before the second, third … try; after the last one the mail is a dead letter. */
  readonly retryWaitsMs: readonly number[];
}

/** How the sender works unless a test says otherwise: eight tries within a day. */
export const SENDING = {
  pollMs: 2_000,
  retryWaitsMs: [30_000, 120_000, 600_000, 1_800_000, 7_200_000, 14_400_000, 28_800_000],
};

const AT_ONCE = 4;
const LEASE_MS = 180_000;
const A_LOOK_MAX = 200;
/** How long the result of a mail is kept, for the console and the limits. */
const KEPT_MS = 30 * 86_400_000;
/** As long as the limits count them. */
const DROPPED_KEPT_MS = 86_400_000;

/** Sends what is in the outbox. Any number of processes may do it at once; a mail that was promised is sent after a restart. */
export class MailOutbox extends RecurringJob {
  readonly #deps: MailSenderDeps;

  constructor(deps: MailSenderDeps) {
    super({ firstMs: 0, everyMs: deps.pollMs });
    this.#deps = deps;
  }

  /** After the last `stop`, which waits for the mails that are being sent. */
  close(): void {
    this.#deps.transport.close();
  }

  protected logFailure(error: unknown): void {
    this.#deps.log.event('mail.outbox_unavailable', { err: error });
  }

  /** Sends what is due. @throws what the store throws */
  async run(): Promise<void> {
    const { sql, metrics } = this.#deps;
    for (let count = 0; count < A_LOOK_MAX && !this.isStopped; count += AT_ONCE) {
      const due = await claimMails(sql, { max: AT_ONCE, leaseMs: LEASE_MS }, this.#now());
      await Promise.all(due.map((mail) => this.#send(mail)));
      if (due.length < AT_ONCE) break;
    }
    if (this.isStopped) return;
    const now = this.#now();
    const keptSince = new Date(now.getTime() - KEPT_MS);
    await deleteEndedMails(sql, { ended: keptSince, dropped: new Date(now.getTime() - DROPPED_KEPT_MS) });
    const { waiting, dead } = await countOutbox(sql, keptSince);
    metrics.setOutbox(waiting, dead);
  }

  async #send(mail: ClaimedMail): Promise<void> {
    const { sql, log, metrics } = this.#deps;
    const about = { mailId: String(mail.id), kind: mail.kind, attempts: mail.attempts };
    try {
      const outcome = await this.#try(mail);
      await recordMail(sql, mail.id, outcome, this.#now());
      metrics.count(mail.kind, outcome.status);
      if (outcome.status === 'FAILED') {
        log.event('mail.dead_letter', { ...about, reason: outcome.detail });
      } else if (outcome.status === 'QUEUED') {
        log.event('mail.retry', { ...about, reason: outcome.detail });
      }
    } catch (error) {
      // It is taken again when its lease ends.
      log.event('mail.state_unknown', { ...about, err: error });
    }
  }

  async #try(mail: ClaimedMail): Promise<MailOutcome> {
    const nowMs = this.#deps.nowMs();
    if (mail.expires_at.getTime() <= nowMs) return ended('FAILED', 'too_late: The mail could not be sent in time.');
    const content = await this.#prepare(mail);
    if (content === null) return ended('DROPPED', null);
    try {
      const attachment = await this.#readAttachment(content);
      const rendered = renderMail(
        content.kind === 'report' && attachment === null ? { ...content, file: null } : content,
      );
      await this.#deps.transport.send({ ...rendered, to: mail.recipient, messageId: mail.message_id, attachment });
      return ended('SENT', null);
    } catch (error) {
      const reason = describeForAdmin(error);
      const detail = describeFailure(error);
      const waitMs = this.#deps.retryWaitsMs[mail.attempts - 1];
      if (isPermanent(error) || waitMs === undefined) return ended('FAILED', reason, detail);
      return { status: 'QUEUED', error: reason, detail, retryAt: new Date(nowMs + waitMs) };
    }
  }

  /** The content of the mail; a link that is still missing is made and stored with it in one transaction. Null: there is no recipient. */
  async #prepare(mail: ClaimedMail): Promise<MailContent | null> {
    const { sql, pepper, makePasswordLink } = this.#deps;
    const content = openContent(pepper, mail.message_id, mail.sealed);
    // A member who was removed after it was queued may not read it any more.
    const membersOf = membersOnly(content);
    if (membersOf !== null && !(await isPresentMember(sql, membersOf, mail.recipient))) return null;
    if (content.kind !== 'passwordReset' || content.link !== null) return content;
    return sql.transaction().execute(async (trx) => {
      const link = await makePasswordLink(trx, mail.recipient, this.#now());
      if (link === null) return null;
      const whole = { ...content, link };
      await rewriteMail(trx, mail.id, sealContent(pepper, mail.message_id, whole));
      return whole;
    });
  }

  async #readAttachment(content: MailContent): Promise<OutgoingMail['attachment']> {
    if (content.kind !== 'report' || content.file === null) return null;
    const bytes = await this.#deps.readReport(content.file);
    if (bytes === null) return null;
    const { fileName, format } = content.file;
    const { extension, contentType } = REPORT_FILE_FORMS[format ?? DEFAULT_FILE_FORMAT];
    return { fileName: format === undefined ? fileName : `${fileName}.${extension}`, contentType, bytes };
  }

  #now(): Date {
    return new Date(this.#deps.nowMs());
  }
}

function ended(status: 'SENT' | 'FAILED' | 'DROPPED', error: string | null, detail = error): MailOutcome {
  return { status, error, detail, retryAt: null };
}

/** The network whose members alone may read a mail; null: everybody with the address. */
function membersOnly(content: MailContent): string | null {
  if (content.kind === 'report') return content.network.id;
  return content.kind === 'notification' ? content.networkId : null;
}
