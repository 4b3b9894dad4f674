import { z } from 'zod';

/** The response to an upload; a creative's content takes its `url`. */
export const UploadedFile = z.looseObject({
  url: z.string().describe("The fields of a creative's content."),
  contentType: z.string(),
  sizeBytes: z.int(),
  width: z.int().nullable(),
  height: z.int().nullable(),
  durationMs: z.int().nullable().describe('Length of an MP4 video or of a sound in milliseconds.'),
  bitrateKbps: z.int().nullable().describe('Mean bit rate of a sound in kbit/s; null for any other file.'),
  bundle: z
    .looseObject({
      entry: z.string().describe('Path of the page that is shown.'),
      clickTag: z.string().describe('The click tag as its code has it.'),
      files: z.int(),
      unpackedBytes: z.int(),
      leftOut: z.array(z.string()).readonly().describe('Files that are not served, such as source maps.').optional(),
      scan: z.looseObject({
        insecureUrls: z.array(z.string()).readonly(),
        hosts: z.array(z.string()).readonly(),
        usesCookies: z.boolean(),
        usesStorage: z.boolean(),
        usesDocumentWrite: z.boolean(),
        hasClickMacro: z.boolean().nullable(),
      }),
    })
    .nullable()
    .describe('What is inside an HTML5 bundle (ZIP); null for any other file.'),
});
export type UploadedFile = z.infer<typeof UploadedFile>;
