import { z } from 'zod';

/** What an upload answers; `url` is what a creative's content takes. */
export const UploadedFile = z.looseObject({
  url: z.string().describe("What a creative's content takes."),
  contentType: z.string(),
  sizeBytes: z.int(),
  width: z.int().nullable(),
  height: z.int().nullable(),
});
export type UploadedFile = z.infer<typeof UploadedFile>;
