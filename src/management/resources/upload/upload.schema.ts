import { z } from 'zod';

/** The response to an upload; a creative's content takes its `url`. */
export const UploadedFile = z.looseObject({
  url: z.string().describe("The fields of a creative's content."),
  contentType: z.string(),
  sizeBytes: z.int(),
  width: z.int().nullable(),
  height: z.int().nullable(),
});
export type UploadedFile = z.infer<typeof UploadedFile>;
