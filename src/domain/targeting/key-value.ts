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

/** The values of reported keys in a request, by the key's id. Keys that the request does not have are left out. */
export type ReportedKeyValues = Readonly<Record<string, string>>;

/** The reported key-values of a slot. */
export type KeyValuesOf = (slot: { readonly keyValues?: ReadonlyMap<string, readonly string[]> }) => ReportedKeyValues;

/** The value of most requests: all requests without reported keys share it. */
export const NO_KEY_VALUES: ReportedKeyValues = Object.freeze({});
