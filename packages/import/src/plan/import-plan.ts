/** A picture or bundle that a creative shows, before it is uploaded. */
export interface PlannedFile {
  readonly name: string;
  /** Null: the file is read from the folder of images. */
  readonly bytes: Buffer | null;
}

/** An object that is created unless one with its key exists. `input` is that of the API, with external ids instead of ids. */
export interface PlannedObject {
  /** External id, code, name or actgid: what finds it again. */
  readonly key: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** A line item with keys where the API takes ids. */
export interface PlannedLineItem extends PlannedObject {
  readonly adUnits: readonly string[];
  readonly activities: readonly string[];
  /** Targeting without ad units, as the API takes it. */
  readonly targeting: readonly Readonly<Record<string, unknown>>[];
}

/** A creative; its file, if any, is uploaded first. */
export interface PlannedCreative extends PlannedObject {
  readonly file: PlannedFile | null;
}

/** An hour of `importHistory`. */
export interface PlannedHour {
  readonly hour: string;
  readonly lineItemExternalId: string | null;
  readonly creativeExternalId: string | null;
  readonly adUnitName: string | null;
  readonly requests: number;
  readonly impressions: number;
  readonly clicks: number;
  readonly conversions: number;
  readonly revenue: string;
}

/** What a person should know of one object. */
export interface Remark {
  readonly kind: 'approximated' | 'left out';
  /** Such as `banner 12 "Spring 300x250"`. */
  readonly object: string;
  readonly text: string;
}

/** Everything that comes over from another ad server. */
export interface ImportPlan {
  readonly source: string;
  /** The currency of all amounts; null: the files have none, or no amounts. */
  readonly currency: string | null;
  readonly sites: readonly PlannedObject[];
  /** `input.site` is the code of the site. */
  readonly adUnits: readonly PlannedObject[];
  readonly keyValues: readonly PlannedObject[];
  readonly advertisers: readonly PlannedObject[];
  /** `input.advertiser` is the external id of the advertiser; null: any. */
  readonly activities: readonly PlannedObject[];
  readonly campaigns: readonly PlannedObject[];
  readonly lineItems: readonly PlannedLineItem[];
  readonly creatives: readonly PlannedCreative[];
  readonly hours: readonly PlannedHour[];
  readonly remarks: readonly Remark[];
}
