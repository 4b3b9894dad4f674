import type { ReportFileFormat } from '../domain/reporting/report-file-formats.ts';
import type { NotificationEvent } from '../domain/team/notification-events.ts';

/** The content of a mail, by its kind. Texts that tenants write (names) are made harmless when it is rendered. */
export type MailContent =
  | {
      readonly kind: 'invitation';
      readonly link: string;
      /** Null: an invitation to the installation, into no network. */
      readonly network: { readonly id: string; readonly name: string } | null;
      readonly role: string | null;
      readonly expiresAt: string;
    }
  /** `link` null: it is made when the mail is sent, and the mail is dropped when the address has no account. */
  | { readonly kind: 'passwordReset'; readonly link: string | null; readonly remoteAddress: string }
  | { readonly kind: 'addressProof'; readonly link: string }
  | { readonly kind: 'addressChanged'; readonly newAddress: string; readonly at: string }
  | { readonly kind: 'passwordChanged'; readonly at: string; readonly remoteAddress: string }
  /** A network has a new admin. */
  | {
      readonly kind: 'adminAdded';
      readonly network: { readonly id: string; readonly name: string };
      /** The new admin. */
      readonly name: string;
      readonly address: string;
      /** Who made them one, as the audit log names it. */
      readonly actor: string;
      readonly at: string;
      readonly link: string;
    }
  | { readonly kind: 'signIn'; readonly at: string; readonly browser: string; readonly remoteAddress: string }
  | {
      readonly kind: 'report';
      readonly name: string;
      readonly network: { readonly id: string; readonly name: string };
      readonly scheduledFor: string;
      readonly rowCount: number | null;
      /** Null: the report failed, or its file has expired. */
      readonly link: string | null;
      readonly errorMessage: string | null;
      /** The file to attach, when it is small enough; the reports module opens it. */
      readonly file: ReportFileRef | null;
    }
  /** What a member chose to be told of. */
  | {
      readonly kind: 'notification';
      readonly event: NotificationEvent;
      /** Of the object. */
      readonly name: string;
      /** Who did it, by name. */
      readonly actor: string;
      /** Objects of the same event; absent: this one. */
      readonly count?: number;
      /** Of a rejection; absent or '': none. */
      readonly reason?: string;
      readonly networkId: string;
      readonly link: string;
    };

/** A finished report's file. */
export interface ReportFileRef {
  readonly token: string;
  readonly attempt: number;
  /** Without its extension, which follows from the form. */
  readonly fileName: string;
  /** Absent in mails that an earlier version queued: they name a CSV file with its extension. */
  readonly format?: ReportFileFormat;
}

export type MailKind = MailContent['kind'];

/** How many mails of a kind are taken, and for how long one is tried. Counts are of sliding windows. */
export interface MailRule {
  /** To one address on behalf of one network (or of the installation), in an hour. */
  readonly perHour: number;
  /** To one address on behalf of everybody, in a day. */
  readonly perDay: number;
  /** On behalf of one network to all addresses, in a day. */
  readonly perNetworkDay: number;
  /** After this it is given up. */
  readonly giveUpMs: number;
}

const HOUR_MS = 3_600_000;

/** One row for each kind: nobody can use this service to flood an address, and a late mail is not sent at all. */
export const MAIL_RULES: Readonly<Record<MailKind, MailRule>> = {
  invitation: { perHour: 3, perDay: 10, perNetworkDay: 200, giveUpMs: 24 * HOUR_MS },
  passwordReset: { perHour: 3, perDay: 10, perNetworkDay: Infinity, giveUpMs: HOUR_MS },
  addressProof: { perHour: 3, perDay: 10, perNetworkDay: Infinity, giveUpMs: 12 * HOUR_MS },
  addressChanged: { perHour: 5, perDay: 20, perNetworkDay: Infinity, giveUpMs: 72 * HOUR_MS },
  passwordChanged: { perHour: 5, perDay: 20, perNetworkDay: Infinity, giveUpMs: 72 * HOUR_MS },
  adminAdded: { perHour: 20, perDay: 60, perNetworkDay: 5_000, giveUpMs: 72 * HOUR_MS },
  signIn: { perHour: 10, perDay: 30, perNetworkDay: Infinity, giveUpMs: 24 * HOUR_MS },
  notification: { perHour: 20, perDay: 100, perNetworkDay: 2_000, giveUpMs: 6 * HOUR_MS },
  report: { perHour: 20, perDay: 100, perNetworkDay: 1_000, giveUpMs: 24 * HOUR_MS },
};
