import type { SearchedKind } from '../api/bookings/search.ts';
import { canAct } from '../changes/bulk-plan.ts';
import type { DeliveryStatus } from '../api/bookings/desk-list.ts';
import type { RecentObject } from '../session/recent-objects.ts';

/** The actions that the palette offers for an object, beside opening the object. */
export const VERBS = ['pause', 'resume', 'report'] as const;
export type Verb = (typeof VERBS)[number];

/** The kinds whose status people change here. */
const WITH_STATUS: readonly SearchedKind[] = ['LINE_ITEM', 'CAMPAIGN'];
/** The kinds that reports have, with their member. */
const REPORTED: Partial<Readonly<Record<SearchedKind, string>>> = {
  LINE_ITEM: 'line_item_id',
  CAMPAIGN: 'campaign_id',
  ADVERTISER: 'advertiser_id',
  CREATIVE: 'creative_id',
  SITE: 'site_id',
  AD_UNIT: 'ad_unit_id',
};

/** A typed text: a verb in front, if any, and the text that names an object. */
export interface TypedSearch {
  readonly verb: Verb | null;
  readonly text: string;
}

/** Reads a verb in front of the typed text. @param words the words of each verb in the person's language */
export function readTyped(typed: string, words: Readonly<Record<Verb, string>>): TypedSearch {
  const text = typed.trim();
  const lower = text.toLocaleLowerCase();
  for (const verb of VERBS) {
    const word = words[verb].toLocaleLowerCase();
    if (lower.startsWith(`${word} `)) return { verb, text: text.slice(word.length).trim() };
  }
  return { verb: null, text };
}

/** The kinds that a verb is for; null: all. */
export function kindsOf(verb: Verb | null): readonly SearchedKind[] | null {
  if (verb === null) return null;
  return verb === 'report' ? (Object.keys(REPORTED) as SearchedKind[]) : WITH_STATUS;
}

/** Whether a verb does something to an object. */
export function isPossible(
  verb: Verb,
  { kind, status }: { readonly kind: SearchedKind; readonly status: DeliveryStatus },
): boolean {
  if (verb === 'report') return REPORTED[kind] !== undefined;
  return WITH_STATUS.includes(kind) && canAct(verb, [{ status }]);
}

/** The filter of the Lens for an object; null: reports do not have its kind. */
export function reportFilter({ kind, id }: Pick<RecentObject, 'kind' | 'id'>): string | null {
  const member = REPORTED[kind];
  return member === undefined ? null : `${member}~equals~${id}`;
}

/** The finds with those first that were opened last; the others stay in their order. */
export function recentFirst<Hit extends Pick<RecentObject, 'kind' | 'id'>>(
  hits: readonly Hit[],
  recent: readonly RecentObject[],
): readonly Hit[] {
  const positionOf = ({ kind, id }: Hit): number => {
    const found = recent.findIndex((one) => one.kind === kind && one.id === id);
    return found === -1 ? recent.length : found;
  };
  return hits.toSorted((one, other) => positionOf(one) - positionOf(other));
}

/** The address of an object: of its page, or of its list with the object open. */
export function addressOf({ kind, id }: Pick<RecentObject, 'kind' | 'id'>): {
  readonly to: string;
  readonly search: Readonly<Record<string, string>>;
} {
  const page = PAGES[kind];
  return page.isList ? { to: page.path, search: { open: id } } : { to: `${page.path}/${id}`, search: {} };
}

const list = (path: string) => ({ path, isList: true });
const PAGES: Readonly<Record<SearchedKind, { readonly path: string; readonly isList: boolean }>> = {
  LINE_ITEM: { path: '/desk/line-items', isList: false },
  CAMPAIGN: { path: '/desk/campaigns', isList: false },
  CREATIVE: { path: '/desk/creatives', isList: false },
  LIBRARY_CREATIVE: { path: '/desk/library', isList: false },
  AREA: list('/desk/areas'),
  TARGETING_PRESET: list('/desk/targeting-presets'),
  TEAM: list('/desk/teams'),
  ADVERTISER: list('/desk/advertisers'),
  DEAL: list('/desk/deals'),
  SITE: list('/desk/sites'),
  AD_UNIT: list('/desk/ad-units'),
  SEGMENT: list('/desk/segments'),
  ACTIVITY: list('/desk/activities'),
  KEY_VALUE: list('/desk/key-values'),
  PRODUCT: list('/desk/products'),
  FLOOR: list('/desk/floors'),
};
