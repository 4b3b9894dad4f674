import { DE_BOOKING } from './de-booking.ts';
import { DE_CATALOG } from './de-catalog.ts';
import { DE_DESK } from './de-desk.ts';
import { DE_FRAME } from './de-frame.ts';
import { DE_INSPECTOR } from './de-inspector.ts';
import { DE_INTEGRATE } from './de-integrate.ts';
import { DE_LENS } from './de-lens.ts';
import { DE_MEMBERS } from './de-members.ts';
import { DE_SETTINGS } from './de-settings.ts';
import { DE_STUDIO } from './de-studio.ts';
import { DE_TEAM } from './de-team.ts';
import { DE_DESK_TABLE } from './de-desk-table.ts';
import { DE_INVENTORY } from './de-inventory.ts';
import type { Texts } from './translation.ts';

/** Every text in German. */
export const DE: Texts = {
  ...DE_INVENTORY,
  ...DE_DESK_TABLE,
  ...DE_BOOKING,
  ...DE_CATALOG,
  ...DE_DESK,
  ...DE_FRAME,
  ...DE_INSPECTOR,
  ...DE_INTEGRATE,
  ...DE_LENS,
  ...DE_MEMBERS,
  ...DE_SETTINGS,
  ...DE_STUDIO,
  ...DE_TEAM,
};
