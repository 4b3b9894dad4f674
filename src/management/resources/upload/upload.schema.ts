import { z } from 'zod';

/** What an upload answers; `url` is what a creative's content takes. */
export const UploadedFile = z.looseObject({
  url: z.string().describe("The fields of a creative's content."),
  contentType: z.string(),
  sizeBytes: z.int(),
  width: z.int().nullable(),
  height: z.int().nullable(),
});
export type UploadedFile = z.infer<typeof UploadedFile>;
