/** The columns of errors of players, for the facts of single events. Two columns of activities hold the code and the vendor of this kind. */
export const VIDEO_ERROR_COLUMNS: readonly string[] = [
  "if(kind = 'video_error' AND invalid_reason = '', quantity, 0) AS video_errors",
  "CAST(if(kind = 'video_error', toString(item_count), ''), 'LowCardinality(String)') AS video_error_code",
  "CAST(if(kind = 'video_error', toString(activity_event), ''), 'LowCardinality(String)') AS video_vendor_domain",
];
