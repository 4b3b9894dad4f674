import { z } from 'zod';

/** Whether an upload adds members, removes them, or replaces all of them. */
export const UPLOAD_MODES = ['ADD', 'REMOVE', 'REPLACE'] as const;
const DAYS_MAX = 365;
const oneOf = `mode must be one of ${UPLOAD_MODES.join(', ')}.`;
const wholeDays = `days must be a whole number from 1 to ${DAYS_MAX}.`;

/** The query parameters of an upload, for validation and description. */
export const SegmentUploadQuery = z.object({
  mode: z.enum(UPLOAD_MODES, oneOf).describe('ADD, REMOVE or REPLACE.').default('ADD'),
  ids: z.enum(['lu', 'aid'], 'ids must be lu or aid.').describe('lu or aid.').default('lu'),
  days: z
    .string(wholeDays)
    .pipe(z.coerce.number<string>(wholeDays).int(wholeDays).min(1, wholeDays).max(DAYS_MAX, wholeDays))
    .describe(`Days of membership, 1 to ${DAYS_MAX}; default: that of the segment.`)
    .optional(),
});

/** The result of an upload of segment members. */
export const SegmentUploadAnswer = z.looseObject({
  segmentId: z.string(),
  mode: z.enum(UPLOAD_MODES),
  lines: z.int(),
  changed: z.int(),
});
export type SegmentUploadAnswer = z.infer<typeof SegmentUploadAnswer>;
