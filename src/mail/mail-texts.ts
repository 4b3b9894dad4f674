import type { NotificationEvent } from '../domain/team/notification-events.ts';
import type { MailContent, MailKind } from './mail-content.ts';
import { oneLine, tameName } from './tame-text.ts';

/** The texts of a mail: the button follows the first paragraph. */
export interface MailText {
  readonly subject: string;
  readonly paragraphs: readonly string[];
  readonly button: { readonly title: string; readonly link: string } | null;
}

type Texts = { readonly [Kind in MailKind]: (content: Extract<MailContent, { kind: Kind }>) => MailText };

const ROLE_NAMES: Readonly<Record<string, string>> = { viewer: 'viewer', editor: 'editor', admin: 'admin' };

/** The texts of all mails, in English. */
export const MAIL_TEXTS: Texts = {
  invitation: ({ link, network, role, expiresAt }) => {
    const name = network === null ? 'Placard' : tameName(network.name, `network ${network.id}`);
    const as = role === null ? '' : ` as ${ROLE_NAMES[role] ?? 'member'}`;
    return {
      subject: network === null ? 'Invitation to Placard' : `Invitation to ${name} on Placard`,
      paragraphs: [
        network === null ? 'You are invited to Placard.' : `You are invited to "${name}" on Placard${as}.`,
        `The link works once, until ${instant(expiresAt)}. A newer invitation replaces it.`,
        'If you did not expect this invitation, ignore this mail. Nothing changes unless you act.',
      ],
      button: { title: 'Open the invitation', link },
    };
  },
  passwordReset: ({ link, remoteAddress }) => ({
    subject: 'Choose a new password for Placard',
    paragraphs: [
      `Somebody at the address ${plain(remoteAddress)} asked for a new password for your account.`,
      'The link works once, for an hour. A newer one replaces it.',
      'If this was not you, ignore this mail: your password stays as it is.',
    ],
    button: link === null ? null : { title: 'Choose a new password', link },
  }),
  addressProof: ({ link }) => ({
    subject: 'Confirm your new e-mail address for Placard',
    paragraphs: [
      'Somebody asked to use this e-mail address for an account on Placard.',
      'Open the link in the browser in which you are signed in. It works once, for a day.',
      'If you did not ask for this, ignore this mail. Nothing changes unless you act.',
    ],
    button: { title: 'Confirm the address', link },
  }),
  addressChanged: ({ newAddress, at }) => ({
    subject: 'The e-mail address of your Placard account was changed',
    paragraphs: [
      `On ${instant(at)} the address of your account was changed to ${masked(newAddress)}. You now sign in with the new address.`,
      'If this was not you, tell your operator at once: somebody else has access to your account.',
    ],
    button: null,
  }),
  passwordChanged: ({ at, remoteAddress }) => ({
    subject: 'The password of your Placard account was changed',
    paragraphs: [
      `On ${instant(at)} the password of your account was changed from the address ${plain(remoteAddress)}. Every other session has ended.`,
      'If this was not you, ask for a new password on the sign-in page, and tell your operator.',
    ],
    button: null,
  }),
  adminAdded: ({ network, name, address, actor, at, link }) => {
    const title = tameName(network.name, `network ${network.id}`);
    return {
      subject: `New admin of ${title} on Placard`,
      paragraphs: [
        `Since ${instant(at)} ${tameName(name, 'a member')} (${oneLine(address)}) is an admin of "${title}": an admin may do everything there, and change who is a member.`,
        `Made an admin by ${describeActor(actor)}.`,
        'If you do not expect this, take the role back under "Users" in the console, and look at the audit log.',
      ],
      button: { title: 'Open the users of the network', link },
    };
  },
  signIn: ({ at, browser, remoteAddress }) => ({
    subject: 'New sign-in to your Placard account',
    paragraphs: [
      `On ${instant(at)} somebody signed in to your account from a new browser or address.`,
      `Address: ${plain(remoteAddress)}. Browser: ${tameName(browser, 'unknown')}.`,
      'If this was you, you need not do anything. If not, change your password, and end the other sessions under "Account and sessions" in the console.',
    ],
    button: null,
  }),
  notification: ({ event, name, actor, count = 1, reason = '', link }) => {
    const text = NOTIFICATION_TEXTS[event](tameName(name, 'an object'), tameName(actor, 'Somebody'));
    const subject = count > 1 ? `${text} and ${count - 1} more` : text;
    return {
      subject,
      paragraphs: [
        `${subject}.`,
        ...(reason === '' ? [] : [`Reason: ${tameName(reason, 'it is in the console', REASON_LENGTH_MAX)}`]),
        'You choose what you get mail about under "Notifications" in the console.',
      ],
      button: { title: 'Open it in Placard', link },
    };
  },
  report: ({ name, network, scheduledFor, rowCount, link, errorMessage, file }) => {
    const title = tameName(name, 'Report');
    const failed = errorMessage === null ? 'Its file no longer exists.' : oneLine(errorMessage).slice(0, 300);
    const rows = rowCount === null ? '' : ` It has ${rowCount} rows.`;
    const where = file === null ? 'The file is too large for a mail.' : 'The file is attached.';
    return {
      subject: link === null ? `Report failed: ${title}` : `Report: ${title}`,
      paragraphs: [
        `The scheduled report "${title}" of "${tameName(network.name, `network ${network.id}`)}" for ${instant(scheduledFor)} ${link === null ? `failed. ${failed}` : `is ready.${rows}`}`,
        ...(link === null
          ? []
          : [`${where} The link needs your sign-in or a key of the network, and works for 7 days.`]),
        'You get this mail because the report names you; an editor of the network can change that.',
      ],
      button: link === null ? null : { title: 'Download the report', link },
    };
  },
};

const REASON_LENGTH_MAX = 500;

const NOTIFICATION_TEXTS: Readonly<Record<NotificationEvent, (name: string, actor: string) => string>> = {
  MENTIONED: (name, actor) => `${actor} mentions you on "${name}"`,
  COMMENTED: (name, actor) => `${actor} comments on "${name}"`,
  APPROVAL_REQUESTED: (name, actor) => `${actor} asks for approval of "${name}"`,
  APPROVED: (name, actor) => `${actor} approved "${name}"`,
  REVIEW_REQUESTED: (name, actor) => `${actor} asks for a review of the creative "${name}"`,
  CREATIVE_REJECTED: (name, actor) => `${actor} rejected the creative "${name}"`,
  BEHIND_GOAL: (name) => `"${name}" needs attention: it may miss its goal`,
  HANDED_OVER: (name, actor) => `${actor} hands you "${name}", which needs attention`,
};

function instant(at: string): string {
  return `${at.slice(0, 10)} ${at.slice(11, 16)} UTC`;
}

/** An IP address and nothing else. */
function plain(address: string): string {
  return /^[0-9a-fA-F:.]{2,45}$/.test(address) ? address : 'unknown';
}

/** An actor of the audit log, for people. Names of keys are texts of tenants. */
function describeActor(actor: string): string {
  const [, kind = '', name = ''] = /^(user|key|invited):(?:\d+ )?(.*)$/su.exec(actor) ?? [];
  if (kind === 'user' || kind === 'invited') return oneLine(name);
  return kind === 'key' ? `the API key "${tameName(name.replace(/^"|"$/g, ''), 'of this network')}"` : 'the operator';
}

/** `a…@example.com`: tells its owner which address it is, and others little. */
function masked(address: string): string {
  const at = address.lastIndexOf('@');
  return `${address.slice(0, 1)}…${address.slice(at)}`;
}
