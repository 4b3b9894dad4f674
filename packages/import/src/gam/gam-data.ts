import type { Fields } from './fields.ts';

/** A size in CSS pixels. */
export interface GamSize {
  readonly width: number;
  readonly height: number;
}

export interface GamAdUnit {
  readonly id: string;
  /** Null: the root of the network. */
  readonly parentId: string | null;
  readonly code: string;
  readonly name: string;
  readonly description: string;
  readonly sizes: readonly GamSize[];
  /** Such as `BANNER`; empty: the files do not say. */
  readonly mediaTypes: readonly string[];
  readonly isActive: boolean;
}

export interface GamPlacement {
  readonly id: string;
  readonly adUnitIds: readonly string[];
}

export interface GamCompany {
  readonly id: string;
  readonly name: string;
  /** Such as `ADVERTISER`, `HOUSE_ADVERTISER`, `AGENCY`. */
  readonly type: string;
}

export interface GamOrder {
  readonly id: string;
  readonly name: string;
  readonly advertiserId: string;
  readonly status: string;
  readonly isArchived: boolean;
  readonly notes: string;
  readonly poNumber: string;
}

/** An amount with its currency; `amount` is a decimal number. */
export interface GamMoney {
  readonly amount: string;
  readonly currency: string;
}

export interface GamGoal {
  /** `LIFETIME`, `DAILY` or `NONE`. */
  readonly type: string;
  /** Such as `IMPRESSIONS` or `CLICKS`. */
  readonly unit: string;
  /** A count; a percentage for some types of line items. */
  readonly units: number;
}

export interface GamFrequencyCap {
  readonly count: number;
  readonly every: number;
  /** Such as `DAY`. */
  readonly unit: string;
}

export interface GamLineItem {
  readonly id: string;
  readonly orderId: string;
  readonly name: string;
  readonly type: string;
  /** Null: the files do not say. */
  readonly status: string | null;
  readonly isArchived: boolean;
  /** 1 to 16; null: that of its type. */
  readonly priority: number | null;
  /** Instants; null: at once, or never. */
  readonly startsAt: string | null;
  readonly endsAt: string | null;
  readonly timezone: string | null;
  readonly costType: string | null;
  readonly price: GamMoney | null;
  readonly goal: GamGoal | null;
  readonly delivery: string | null;
  readonly rotation: string | null;
  readonly roadblock: string | null;
  readonly frequencyCaps: readonly GamFrequencyCap[];
  readonly notes: string;
  /** Null: the files do not say, as those of the REST API and of reports. */
  readonly targeting: Fields | null;
  /** Members that are there and cannot be read. */
  readonly problems: readonly string[];
}

export interface GamCreative {
  readonly id: string;
  readonly name: string;
  readonly size: GamSize;
  /** The members of its kind. */
  readonly details: Fields;
  /** Such as `ImageCreative`; null: the files do not say. */
  readonly kind: string | null;
}

/** That a line item shows a creative. */
export interface GamAssociation {
  readonly lineItemId: string;
  readonly creativeId: string;
  readonly isActive: boolean;
  readonly weight: number | null;
}

export interface GamKey {
  readonly id: string;
  /** As in requests. */
  readonly key: string;
  readonly name: string;
}

export interface GamKeyValue {
  readonly id: string;
  readonly keyId: string;
  /** As in requests. */
  readonly value: string;
  /** `EXACT`, `BROAD`, `PREFIX`, `BROAD_PREFIX`, `SUFFIX` or `CONTAINS`. */
  readonly match: string;
}

/** A row of a report, by field: `time`, `lineItem`, `creative`, `adUnit`, `impressions`, `clicks`, `revenue` … */
export interface GamReportRow {
  readonly line: number;
  readonly cells: ReadonlyMap<string, string>;
}

/** What the files of a folder hold. */
export interface GamData {
  readonly adUnits: GamAdUnit[];
  readonly placements: GamPlacement[];
  readonly companies: GamCompany[];
  readonly orders: GamOrder[];
  readonly lineItems: GamLineItem[];
  readonly creatives: GamCreative[];
  readonly associations: GamAssociation[];
  readonly keys: GamKey[];
  readonly keyValues: GamKeyValue[];
  readonly report: GamReportRow[];
}
