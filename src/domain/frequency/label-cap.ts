import type { FrequencyCap } from './frequency-cap.ts';

/** How often one user sees ads that bear a label of any advertiser. */
export interface LabelCap {
  readonly label: string;
  readonly frequencyCaps: readonly FrequencyCap[];
}

interface Labelled {
  readonly labels?: readonly string[];
}

/** Who may bear labels. The labels of an ad are those of all of them. */
export interface LabelOwners {
  readonly lineItem: Labelled | undefined;
  readonly campaign: Labelled | undefined;
  readonly advertiser: Labelled | undefined;
}

const NONE: readonly LabelCap[] = [];

/** Most labels of one object, and characters of one. Each label with caps is a check of every decision on the line item. */
export const LABELS_MAX = 10;
export const LABEL_LENGTH_MAX = 50;
/** Most labels of a network that have caps. */
export const LABEL_CAPS_MAX = 60;

/** The caps in the settings of a network; absent = none. */
export function readLabelCaps(settings: Readonly<Record<string, unknown>>): {
  readonly labelCaps?: readonly LabelCap[];
} {
  const { labelCaps } = settings;
  return Array.isArray(labelCaps) && labelCaps.length > 0 ? { labelCaps: labelCaps as LabelCap[] } : {};
}

/** The caps of a network that bind an ad. */
export function labelCapsOf(caps: readonly LabelCap[] | undefined, owners: LabelOwners): readonly LabelCap[] {
  if (caps === undefined || caps.length === 0) return NONE;
  const { lineItem, campaign, advertiser } = owners;
  const bears = (label: string): boolean =>
    lineItem?.labels?.includes(label) === true ||
    campaign?.labels?.includes(label) === true ||
    advertiser?.labels?.includes(label) === true;
  return caps.filter(({ label }) => bears(label));
}

/** The id of a label's counters: a label may hold any character. */
export function labelCounterId(label: string): string {
  return encodeURIComponent(label);
}
