/** What a member can be told of, and where they are told when they chose nothing. */
export const NOTIFICATION_EVENTS = {
  MENTIONED: { description: 'Somebody mentions you in a comment.', inApp: true, mail: true },
  COMMENTED: { description: 'Somebody comments where you commented before.', inApp: true, mail: false },
  APPROVAL_REQUESTED: { description: 'A booking waits for approval, and you may approve it.', inApp: true, mail: true },
  APPROVED: { description: 'A booking that you asked approval for is approved.', inApp: true, mail: false },
  REVIEW_REQUESTED: { description: 'A creative waits for its review.', inApp: true, mail: false },
  CREATIVE_REJECTED: { description: 'A creative is rejected, and serves no longer.', inApp: true, mail: true },
  BEHIND_GOAL: {
    description: 'A line item falls behind its goal, is at risk of missing it, or missed it.',
    inApp: true,
    mail: false,
  },
  HANDED_OVER: { description: 'A colleague hands you a line item that needs attention.', inApp: true, mail: true },
} as const satisfies Readonly<Record<string, { description: string; inApp: boolean; mail: boolean }>>;

/** One of {@link NOTIFICATION_EVENTS}. */
export type NotificationEvent = keyof typeof NOTIFICATION_EVENTS;

/** The names of all events. */
export const NOTIFICATION_EVENT_NAMES = Object.keys(NOTIFICATION_EVENTS) as readonly NotificationEvent[];
