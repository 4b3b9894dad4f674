import { EN_FRAME } from './en/frame.ts';
import type { EN_FAULTS } from './en/faults.ts';
import type { EN_MEMBERS } from './en/members.ts';
import type { EN_QUOTAS } from './en/quotas.ts';
import type { Language, Translation } from './languages.ts';
import type { TextsOf } from './en/translation.ts';

/**
 * The areas of the catalogue, and how the texts of each are loaded in each language. A page names the areas whose texts it says; their files are loaded together
 * with its code. The frame's English is built in.
 */
export const AREAS = {
  frame: {
    en: async () => EN_FRAME,
    pl: async () => (await import('./pl/frame.ts')).PL_FRAME,
    de: async () => (await import('./de/frame.ts')).DE_FRAME,
  },
  agents: {
    en: async () => (await import('./en/selling/agents.ts')).EN_AGENTS,
    pl: async () => (await import('./pl/selling/agents.ts')).PL_AGENTS,
    de: async () => (await import('./de/selling/agents.ts')).DE_AGENTS,
  },
  audience: {
    en: async () => (await import('./en/audience.ts')).EN_AUDIENCE,
    pl: async () => (await import('./pl/audience.ts')).PL_AUDIENCE,
    de: async () => (await import('./de/audience.ts')).DE_AUDIENCE,
  },
  audit: {
    en: async () => (await import('./en/audit.ts')).EN_AUDIT,
    pl: async () => (await import('./pl/audit.ts')).PL_AUDIT,
    de: async () => (await import('./de/audit.ts')).DE_AUDIT,
  },
  booking: {
    en: async () => (await import('./en/booking.ts')).EN_BOOKING,
    pl: async () => (await import('./pl/booking.ts')).PL_BOOKING,
    de: async () => (await import('./de/booking.ts')).DE_BOOKING,
  },
  catalog: {
    en: async () => (await import('./en/catalog.ts')).EN_CATALOG,
    pl: async () => (await import('./pl/catalog.ts')).PL_CATALOG,
    de: async () => (await import('./de/catalog.ts')).DE_CATALOG,
  },
  creative: {
    en: async () => (await import('./en/creative.ts')).EN_CREATIVE,
    pl: async () => (await import('./pl/creative.ts')).PL_CREATIVE,
    de: async () => (await import('./de/creative.ts')).DE_CREATIVE,
  },
  csv: {
    en: async () => (await import('./en/csv.ts')).EN_CSV,
    pl: async () => (await import('./pl/csv.ts')).PL_CSV,
    de: async () => (await import('./de/csv.ts')).DE_CSV,
  },
  dashboards: {
    en: async () => (await import('./en/dashboards.ts')).EN_DASHBOARDS,
    pl: async () => (await import('./pl/dashboards.ts')).PL_DASHBOARDS,
    de: async () => (await import('./de/dashboards.ts')).DE_DASHBOARDS,
  },
  delivery: {
    en: async () => (await import('./en/delivery.ts')).EN_DELIVERY,
    pl: async () => (await import('./pl/delivery.ts')).PL_DELIVERY,
    de: async () => (await import('./de/delivery.ts')).DE_DELIVERY,
  },
  desk: {
    en: async () => (await import('./en/desk.ts')).EN_DESK,
    pl: async () => (await import('./pl/desk.ts')).PL_DESK,
    de: async () => (await import('./de/desk.ts')).DE_DESK,
  },
  'desk-table': {
    en: async () => (await import('./en/desk-table.ts')).EN_DESK_TABLE,
    pl: async () => (await import('./pl/desk-table.ts')).PL_DESK_TABLE,
    de: async () => (await import('./de/desk-table.ts')).DE_DESK_TABLE,
  },
  faults: {
    // In English, the messages of the server are shown.
    en: async (): Promise<TextsOf<typeof EN_FAULTS>> => ({}),
    pl: async () => (await import('./pl/faults.ts')).PL_FAULTS,
    de: async () => (await import('./de/faults.ts')).DE_FAULTS,
  },
  inspector: {
    en: async () => (await import('./en/inspector.ts')).EN_INSPECTOR,
    pl: async () => (await import('./pl/inspector.ts')).PL_INSPECTOR,
    de: async () => (await import('./de/inspector.ts')).DE_INSPECTOR,
  },
  integrate: {
    en: async () => (await import('./en/integrate.ts')).EN_INTEGRATE,
    pl: async () => (await import('./pl/integrate.ts')).PL_INTEGRATE,
    de: async () => (await import('./de/integrate.ts')).DE_INTEGRATE,
  },
  inventory: {
    en: async () => (await import('./en/inventory.ts')).EN_INVENTORY,
    pl: async () => (await import('./pl/inventory.ts')).PL_INVENTORY,
    de: async () => (await import('./de/inventory.ts')).DE_INVENTORY,
  },
  'item-form': {
    en: async () => (await import('./en/item-form.ts')).EN_ITEM_FORM,
    pl: async () => (await import('./pl/item-form.ts')).PL_ITEM_FORM,
    de: async () => (await import('./de/item-form.ts')).DE_ITEM_FORM,
  },
  lens: {
    en: async () => (await import('./en/lens.ts')).EN_LENS,
    pl: async () => (await import('./pl/lens.ts')).PL_LENS,
    de: async () => (await import('./de/lens.ts')).DE_LENS,
  },
  'line-item': {
    en: async () => (await import('./en/line-item.ts')).EN_LINE_ITEM,
    pl: async () => (await import('./pl/line-item.ts')).PL_LINE_ITEM,
    de: async () => (await import('./de/line-item.ts')).DE_LINE_ITEM,
  },
  members: {
    // In English, the server's own titles are shown.
    en: async (): Promise<TextsOf<typeof EN_MEMBERS>> => ({}),
    pl: async () => (await import('./pl/members.ts')).PL_MEMBERS,
    de: async () => (await import('./de/members.ts')).DE_MEMBERS,
  },
  quotas: {
    // In English, the server's own titles are shown.
    en: async (): Promise<TextsOf<typeof EN_QUOTAS>> => ({}),
    pl: async () => (await import('./pl/quotas.ts')).PL_QUOTAS,
    de: async () => (await import('./de/quotas.ts')).DE_QUOTAS,
  },
  settings: {
    en: async () => (await import('./en/settings.ts')).EN_SETTINGS,
    pl: async () => (await import('./pl/settings.ts')).PL_SETTINGS,
    de: async () => (await import('./de/settings.ts')).DE_SETTINGS,
  },
  'sign-in': {
    en: async () => (await import('./en/sign-in.ts')).EN_SIGN_IN,
    pl: async () => (await import('./pl/sign-in.ts')).PL_SIGN_IN,
    de: async () => (await import('./de/sign-in.ts')).DE_SIGN_IN,
  },
  studio: {
    en: async () => (await import('./en/studio.ts')).EN_STUDIO,
    pl: async () => (await import('./pl/studio.ts')).PL_STUDIO,
    de: async () => (await import('./de/studio.ts')).DE_STUDIO,
  },
  team: {
    en: async () => (await import('./en/team.ts')).EN_TEAM,
    pl: async () => (await import('./pl/team.ts')).PL_TEAM,
    de: async () => (await import('./de/team.ts')).DE_TEAM,
  },
} satisfies Record<string, Readonly<Record<Language, () => Promise<Translation>>>>;

/** The name of an area. */
export type Area = keyof typeof AREAS;

/** An area that a page loads: the frame and the faults of fields are there before any page. */
export type PageArea = Exclude<Area, 'frame' | 'faults'>;

/** The name of a message of the catalogue. */
export type MessageKey = { [Name in Area]: keyof Awaited<ReturnType<(typeof AREAS)[Name]['en']>> }[Area];

/** All areas, the frame first. */
export const AREA_NAMES = Object.keys(AREAS) as readonly Area[];
