/** A key of requests whose values reports list separately. */
export interface ReportKey {
  readonly id: string;
  /** Lower case, as requests are compared. */
  readonly key: string;
}

/** Keys of one workspace that can be reported. */
export const REPORT_KEYS_MAX = 10;

/** Longest value that is reported, in bytes of UTF-8; longer ones are cut to whole characters. */
export const REPORT_VALUE_BYTES_MAX = 40;

/** What a request said of the keys that are reported: values by the key's id. Keys that it did not carry are left out. */
export type ReportedKeyValues = Readonly<Record<string, string>>;

/** What most requests have: all that carry nothing share it. */
export const NO_KEY_VALUES: ReportedKeyValues = Object.freeze({});
