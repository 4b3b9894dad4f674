import { PL_BOOKING } from './pl-booking.ts';
import { PL_CATALOG } from './pl-catalog.ts';
import { PL_DESK } from './pl-desk.ts';
import { PL_FRAME } from './pl-frame.ts';
import { PL_INSPECTOR } from './pl-inspector.ts';
import { PL_INTEGRATE } from './pl-integrate.ts';
import { PL_LENS } from './pl-lens.ts';
import { PL_MEMBERS } from './pl-members.ts';
import { PL_SETTINGS } from './pl-settings.ts';
import { PL_STUDIO } from './pl-studio.ts';
import { PL_TEAM } from './pl-team.ts';
import { PL_DESK_TABLE } from './pl-desk-table.ts';
import { PL_INVENTORY } from './pl-inventory.ts';
import type { Texts } from './translation.ts';

/** Every text in Polish. */
export const PL: Texts = {
  ...PL_INVENTORY,
  ...PL_DESK_TABLE,
  ...PL_BOOKING,
  ...PL_CATALOG,
  ...PL_DESK,
  ...PL_FRAME,
  ...PL_INSPECTOR,
  ...PL_INTEGRATE,
  ...PL_LENS,
  ...PL_MEMBERS,
  ...PL_SETTINGS,
  ...PL_STUDIO,
  ...PL_TEAM,
};
