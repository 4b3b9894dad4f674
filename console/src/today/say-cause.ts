import type { DiagnosedCause } from '../api/bookings/diagnosis.ts';
import { type DeliveryMoment, sayDelivery } from '../delivery/say-delivery.ts';
import { say } from '../messages/say.ts';

/** Parts around the cause: the figures in front of it, which the list shows by itself, and the counts behind it. */
const BESIDE: ReadonlySet<string> = new Set(['GOAL', 'GOAL_EXPECTED', 'SEEN', 'ALONE', 'TOGETHER', 'DELIVERING']);

/** The cause alone, in the person's language: the diagnosis without its figures. Null: it has figures only. */
export function sayCause({ texts }: DiagnosedCause, moment: DeliveryMoment): string | null {
  const parts = texts.filter((text) => !BESIDE.has(text.code));
  if (parts.length === 0) return null;
  return parts
    .map((text) =>
      text.code === 'MOST_LOST' ? say('attention.most_lost') : sayDelivery({ sentence: '', texts: [text] }, moment),
    )
    .join(' ');
}
