import { askGraphql } from '../transport/graphql.ts';
import { type BookedKind, LINE_ITEM_FIELDS, type LineItem } from './desk-list.ts';
import type { Scope } from '../transport/scope.ts';

/** A comment on an object. */
export interface Comment {
  readonly id: string;
  readonly authorId: string;
  readonly authorName: string;
  readonly body: string;
  readonly createdAt: string;
}

/** A member whom a comment can mention. */
export interface Colleague {
  readonly id: string;
  readonly name: string;
  readonly email: string;
}

const COMMENTS_SHOWN = 100;
const KINDS = { campaign: 'CAMPAIGN', lineItem: 'LINE_ITEM' } as const;

/** The comments on an object, newest first, and whom they can mention. */
export function loadComments(scope: Scope, kind: BookedKind, id: string, signal: AbortSignal) {
  const query = `query TeamComments($kind: DiscussedKind!, $id: ID!) {
    comments(objectKind: $kind, objectId: $id, first: ${COMMENTS_SHOWN}) { id authorId authorName body createdAt }
    colleagues { id name email } }`;
  const variables = { kind: KINDS[kind], id };
  return askGraphql<{ comments: readonly Comment[]; colleagues: readonly Colleague[] }>(
    scope,
    query,
    variables,
    signal,
  );
}

/** The members of the network by name. */
export async function loadColleagues(scope: Scope, signal: AbortSignal): Promise<readonly Colleague[]> {
  const query = 'query TeamColleagues { colleagues { id name email } }';
  return (await askGraphql<{ colleagues: readonly Colleague[] }>(scope, query, {}, signal)).colleagues;
}

/** Adds a comment. */
export async function addComment(
  scope: Scope,
  comment: { kind: BookedKind; id: string; body: string; mentionedIds: readonly string[] },
): Promise<void> {
  const { kind, ...rest } = comment;
  const query = `mutation TeamComment($kind: DiscussedKind!, $id: ID!, $body: String!, $mentionedIds: [ID!]) {
    addComment(objectKind: $kind, objectId: $id, body: $body, mentionedIds: $mentionedIds) { comment { id } } }`;
  await askGraphql(scope, query, { kind: KINDS[kind], ...rest });
}

/** Deletes a comment. */
export async function deleteComment(scope: Scope, id: string): Promise<void> {
  await askGraphql(scope, `mutation TeamUncomment($id: ID!) { deleteComment(id: $id) { comment { id } } }`, { id });
}

export type ApprovalState = 'NOT_NEEDED' | 'MISSING' | 'REQUESTED' | 'APPROVED';

/** The approval of a booking. */
export interface BookingApproval {
  readonly state: ApprovalState;
  readonly requestedBy: string | null;
  readonly requestedAt: string | null;
  readonly approvedBy: string | null;
  readonly approvedAt: string | null;
  /** Whether the signed-in member may approve it now. */
  readonly mayApprove: boolean;
}

const APPROVAL = 'approval { state requestedBy requestedAt approvedBy approvedAt mayApprove }';

/** A line item that waits for approval. */
export type WaitingBooking = LineItem & { readonly approval: BookingApproval };

/** More than a member deals with at a time. */
export const WAITING_SHOWN = 20;

/** The newest bookings that wait for approval; none where the network asks for none. */
export async function loadWaitingBookings(scope: Scope, signal: AbortSignal): Promise<readonly WaitingBooking[]> {
  const query = `query TeamWaiting { bookingsToApprove(first: ${WAITING_SHOWN}) { ${LINE_ITEM_FIELDS} ${APPROVAL} } }`;
  type Body = { bookingsToApprove: readonly WaitingBooking[] };
  return (await askGraphql<Body>(scope, query, {}, signal)).bookingsToApprove;
}

/** Reads the approval of a line item. */
export async function loadApproval(scope: Scope, id: string, signal: AbortSignal) {
  const query = `query TeamApproval($id: ID!) { lineItem(id: $id) { ${APPROVAL} } }`;
  const { lineItem } = await askGraphql<{ lineItem: { approval: BookingApproval } | null }>(
    scope,
    query,
    { id },
    signal,
  );
  return lineItem;
}

/** Asks for the approval of a line item. */
export async function requestApproval(scope: Scope, id: string): Promise<void> {
  await askGraphql(scope, `mutation TeamAsk($id: ID!) { requestBookingApproval(id: $id) { lineItem { id } } }`, { id });
}

/** A line item as a member sees it before approving it. */
export interface SeenBooking {
  readonly id: string;
  readonly version: number;
  readonly campaign: { readonly version: number } | null;
}

/** Approves a line item as it was shown; refused as a conflict where it or its campaign changed meanwhile. */
export async function approveBooking(scope: Scope, { id, version, campaign }: SeenBooking): Promise<void> {
  const query = `mutation TeamApprove($id: ID!, $version: Int!, $campaignVersion: Int) {
    approveBooking(id: $id, version: $version, campaignVersion: $campaignVersion) { lineItem { id } } }`;
  await askGraphql(scope, query, { id, version, campaignVersion: campaign?.version ?? null });
}

export type NotificationEvent =
  | 'MENTIONED'
  | 'COMMENTED'
  | 'APPROVAL_REQUESTED'
  | 'APPROVED'
  | 'REVIEW_REQUESTED'
  | 'CREATIVE_REJECTED'
  | 'BEHIND_GOAL'
  | 'HANDED_OVER';

/** What a member is told. */
export interface Notification {
  readonly id: string;
  readonly event: NotificationEvent;
  readonly objectKind: BookedKind | 'creative' | 'libraryCreative';
  readonly objectId: string;
  readonly objectName: string;
  readonly actor: string;
  /** Of reviews: how many creatives, and why the first was rejected. */
  readonly details: { readonly count?: number; readonly reason?: string };
  readonly createdAt: string;
  readonly isRead: boolean;
}

/** Where a member is told of an event. */
export interface NotificationChoice {
  readonly event: NotificationEvent;
  readonly inApp: boolean;
  readonly mail: boolean;
}

/** How many notifications are not read. */
export async function loadUnread(scope: Scope, signal: AbortSignal): Promise<number> {
  const query = 'query TeamUnread { unreadNotifications }';
  return (await askGraphql<{ unreadNotifications: number | null }>(scope, query, {}, signal)).unreadNotifications ?? 0;
}

/** The latest notifications, and the choices of events. */
export function loadNotifications(scope: Scope, signal: AbortSignal) {
  const query = `query TeamNotifications {
    notifications(first: 30) { id event objectKind objectId objectName actor details createdAt isRead }
    notificationChoices { event inApp mail } }`;
  return askGraphql<{
    notifications: readonly Notification[];
    notificationChoices: readonly NotificationChoice[];
  }>(scope, query, {}, signal);
}

/** Marks notifications up to one as read. */
export async function markRead(scope: Scope, upTo: string): Promise<void> {
  await askGraphql(scope, 'mutation TeamRead($upTo: ID!) { markNotificationsRead(upTo: $upTo) { readCount } }', {
    upTo,
  });
}

/** Changes where one is told of events. */
export async function chooseNotifications(scope: Scope, choices: readonly NotificationChoice[]): Promise<void> {
  const query = `mutation TeamChoose($choices: [NotificationChoiceInput!]!) {
    chooseNotifications(choices: $choices) { choices { event } } }`;
  await askGraphql(scope, query, { choices });
}
