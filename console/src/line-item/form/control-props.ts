import type { LineItemDetail } from '../../api/bookings/desk-object.ts';
import type { WordContext } from './setting-words.ts';
import type { ItemPart } from './use-settings.ts';

/** The properties of each part of the form. */
export interface ControlProps {
  readonly part: ItemPart;
  /** As the form began. */
  readonly item: LineItemDetail;
  /** Of the times of the draft. */
  readonly zone: string;
  readonly currency: string;
  readonly words: WordContext;
}
