import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import { PlacardError } from '../domain/errors.ts';
import type { Database } from '../storage/sql/schema.ts';
import { MAIL_RULES, type MailContent } from './mail-content.ts';
import { countMails, insertMail } from './mails.sql.ts';
import { sealContent } from './seal.ts';

/** A mail that somebody wants to send. */
export interface NewMail {
  /** One address, normalised. */
  readonly to: string;
  /** On whose behalf, for the limits; null: the installation's. */
  readonly networkId: string | null;
  /** Its subject, such as `invitation:12`, to look its state up by; default: nothing. */
  readonly about?: string;
  readonly content: MailContent;
}

/** Puts mails into the durable outbox. It exists only where an SMTP server is configured. */
export class MailQueue {
  readonly #pepper: Buffer;
  /** Base address of links in mails, without a slash at its end: the configured one, never the one of a request. */
  readonly publicUrl: string;
  readonly #onQueued: () => void;

  constructor(deps: { readonly pepper: Buffer; readonly publicUrl: string; readonly onQueued?: () => void }) {
    this.#pepper = deps.pepper;
    this.publicUrl = deps.publicUrl;
    this.#onQueued = deps.onQueued ?? (() => undefined);
  }

  /**
   * Queues a mail in the transaction of the change that it tells of: it is sent if and only if that commits.
   *
   * @throws PlacardError `rate_limit_exceeded` when the address or the network had its share
   */
  async queue(db: Kysely<Database>, mail: NewMail, now: Date): Promise<void> {
    if (await this.queueWithinLimits(db, mail, now)) return;
    throw new PlacardError('rate_limit_exceeded', 'This address has received too much mail for now; try again later.', {
      details: { reset: Math.ceil(now.getTime() / 1_000) + 3_600 },
    });
  }

  /** The same for mails that nobody is told about when the limit is reached; says whether the mail was queued. */
  async queueWithinLimits(db: Kysely<Database>, mail: NewMail, now: Date): Promise<boolean> {
    const { kind } = mail.content;
    const rule = MAIL_RULES[kind];
    const { hour, day, networkDay } = await countMails(db, { ...mail, kind, recipient: mail.to }, now);
    if (hour >= rule.perHour || day >= rule.perDay || networkDay >= rule.perNetworkDay) return false;
    const messageId = randomUUID();
    await insertMail(db, {
      messageId,
      kind,
      networkId: mail.networkId,
      recipient: mail.to,
      about: mail.about ?? '',
      sealed: sealContent(this.#pepper, messageId, mail.content),
      createdAt: now,
      expiresAt: new Date(now.getTime() + rule.giveUpMs),
    });
    this.#onQueued();
    return true;
  }
}
