import type { HttpReply } from '../shared/route.ts';

/** The smallest transparent GIF: 1×1, 43 bytes. */
const PIXEL_GIF = Buffer.from('R0lGODlhAQABAIAAAP///wAAACH5BAEAAAAALAAAAAABAAEAAAICRAEAOw==', 'base64');

/** The response of a pixel, on pages of any origin. */
export const PIXEL_REPLY: HttpReply = {
  status: 200,
  headers: { 'content-type': 'image/gif', 'cache-control': 'no-store', 'cross-origin-resource-policy': 'cross-origin' },
  body: PIXEL_GIF,
};
