import type { MessageKey } from '../../messages/say.ts';

/** The sections of the form, in the order of a booking, each with its parts. */
export const SECTIONS = [
  { title: 'booking.what', controls: ['card', 'name', 'product'] },
  { title: 'booking.when', controls: ['flight', 'hours'] },
  { title: 'booking.how_much', controls: ['terms', 'pacing'] },
  { title: 'booking.where', controls: ['targeting'] },
  { title: 'booking.limits', controls: ['frequency', 'limits'] },
  { title: 'item_form.creatives', controls: ['creatives', 'activities'] },
  { title: 'item_form.people', controls: ['people', 'custom'] },
] as const satisfies readonly { readonly title: MessageKey; readonly controls: readonly string[] }[];

/** A part of the form, which edits some settings. */
export type ControlName = (typeof SECTIONS)[number]['controls'][number];
