import type { BookedObject, DeliveryStatus, LineItem } from '../api/bookings/desk-list.ts';
import { flightOf } from '../format/desk-format.ts';

/** The findings of the server about an active line item in its flight. */
const FOUND = ['NO_CREATIVE', 'REVIEW_PENDING', 'REVIEW_REJECTED', 'QUIET'] as const;

/** The status of a booking; where it is active and does not serve, the reason. */
export type Life = DeliveryStatus | 'FLIGHT_OVER' | 'CAMPAIGN_STOPPED' | 'NOT_BEGUN' | (typeof FOUND)[number];

/** A line item, or a campaign, which has neither campaign nor standing. */
export type Living = Pick<BookedObject, 'status' | 'startsAt' | 'endsAt'> &
  Partial<Pick<LineItem, 'campaign' | 'standing'>>;

/** Whether a booking serves, and what stops it. The order of the reasons is that of the server's `standing`. */
export function lifeOf({ campaign = null, standing = null, ...booking }: Living, nowMs: number): Life {
  const { status } = booking;
  if (status !== 'ACTIVE' && status !== 'PAUSED') return status;
  const { startsAt, endsAt } = flightOf({ ...booking, campaign });
  if (endsAt !== null && Date.parse(endsAt) <= nowMs) return 'FLIGHT_OVER';
  if (status === 'PAUSED') return status;
  if (campaign !== null && campaign.status !== 'ACTIVE') return 'CAMPAIGN_STOPPED';
  if (startsAt !== null && Date.parse(startsAt) > nowMs) return 'NOT_BEGUN';
  return FOUND.find((reason) => reason === standing?.reason) ?? 'ACTIVE';
}
