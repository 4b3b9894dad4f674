import type { Verification } from '../../domain/tenancy/principal.ts';

/** An action for which a session asks its member again for the password or a passkey. */
interface Sensitive {
  /** Proof that is enough: a sign-in of the last ten minutes (`signIn`), or only a proof after signing in (`again`). */
  readonly proof: Exclude<Verification, 'none'>;
  /** GraphQL mutations that ask where their input does this. Absent: the name of the action says which call asks, always. */
  readonly mutations?: readonly string[];
}

/**
 * The table of sensitive actions. Keys are never asked: actions on a member's own account are closed to them, and their permission limits
 * what they create. A GraphQL mutation is here or in {@link NOT_SENSITIVE}; a test holds the schema to that.
 */
export const SENSITIVE_ACTIONS = {
  // One's own account: a stolen session must not lock its owner out.
  'account.changePassword': { proof: 'again' },
  'account.changeAddress': { proof: 'again' },
  'account.setUpSecondFactor': { proof: 'again' },
  'account.removeSecondFactor': { proof: 'again' },
  'account.addPasskey': { proof: 'again' },
  'account.removePasskey': { proof: 'again' },
  'account.connectIdentity': { proof: 'again' },
  'account.disconnectIdentity': { proof: 'again' },
  // Secrets that keep working after the session has ended.
  'mutation.createApiKey': { proof: 'signIn' },
  'mutation.rotateApiKey': { proof: 'signIn' },
  'mutation.createHeaderCredential': { proof: 'signIn' },
  'webhookSecret.create': {
    proof: 'signIn',
    mutations: ['createWebhook', 'updateWebhook', 'createReportSchedule', 'updateReportSchedule'],
  },
  'reportShare.showSpend': { proof: 'signIn', mutations: ['shareCampaignReport', 'claimReportShare'] },
  // Who can sign in to the network, and who rules it.
  'identityProvider.write': { proof: 'again' },
  'mutation.inviteUser': { proof: 'signIn' },
  'mutation.updateMembership': { proof: 'signIn' },
  'mutation.revokeMembership': { proof: 'signIn' },
  'mutation.removeMembership': { proof: 'signIn' },
  // Rules by which another member looks at a booking or creative before it goes live.
  'network.switchOffApproval': { proof: 'signIn', mutations: ['updateNetwork'] },
} as const satisfies Readonly<Record<string, Sensitive>>;

/** A row of {@link SENSITIVE_ACTIONS}. */
export type SensitiveAction = keyof typeof SENSITIVE_ACTIONS;

/** The mutations beside {@link SENSITIVE_ACTIONS} and those of booked objects (create, update, archive, upsert), each with the reason. */
export const NOT_SENSITIVE: Readonly<Record<string, string>> = {
  endSession: 'ends an access',
  revokeSession: 'ends an access',
  revokeInvitation: 'ends an access',
  revokeApiKey: 'ends an access',
  revokeHeaderCredential: 'ends an access',
  disableHeaderCredential: 'ends an access',
  revokeReportShare: 'ends an access',
  deleteWebhook: 'ends an access',
  deleteReportSchedule: 'ends an access',
  testWebhook: 'sends what is set up already',
  redeliverWebhook: 'sends what is set up already',
  runReportSchedule: 'sends what is set up already',
  generate_report: 'reads what the member may read',
  report: 'reads what the member may read',
  approveBooking: 'another member asks for it, and the approved terms bind',
  requestBookingApproval: 'asks another member',
  beginAgentRequest: 'a note about an agent',
  endAgentRequest: 'a note about an agent',
  discardAgentRequest: 'a note about an agent',
  decideAgentRequest: 'a decision about a booking',
  addComment: 'a text for members',
  deleteComment: 'a text for members',
  markNotificationsRead: 'of the member alone',
  chooseNotifications: 'of the member alone',
  snoozeAttention: 'of the member alone',
  handOverAttention: 'tells another member',
  associateCreatives: 'a booking',
  dissociateCreatives: 'a booking',
  copyCampaign: 'a booking',
  bookProduct: 'a booking',
  changeBooking: 'a booking',
  copyLineItems: 'a booking',
  splitLineItem: 'a booking',
  saveCampaign: 'a booking',
  importHistory: 'figures of bookings, each once',
};
