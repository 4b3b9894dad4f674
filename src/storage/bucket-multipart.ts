import { createHash, hash, type Hash } from 'node:crypto';
import { open, type FileHandle } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PlacardError } from '../domain/errors.ts';
import { refused } from './bucket-errors.ts';

/** Sends one request for an object; the name includes the query string. @throws PlacardError `unavailable` */
export type SendToBucket = (name: string, init: RequestInit) => Promise<Response>;

/** A file that is to be sent in parts. */
export interface PartedFile {
  readonly path: string;
  readonly sizeBytes: number;
  /** At least 5 MiB with real buckets; each upload holds one part in memory. */
  readonly partBytes: number;
  /** SHA-256 of all of it, 64 hex digits: the file on disk must still match it. */
  readonly hash: string;
  readonly contentType: string;
}

/** No bucket accepts more parts. */
const PARTS_MAX = 10_000;
/** Retries of one request when the bucket is unreachable or busy. */
const RETRIES = 4;
const RETRY_WAIT_MS = 200;
/** Read and digested between two turns of the event loop: about a millisecond. */
const SLICE_BYTES = 256 * 1024;
const MD5 = /^[0-9a-f]{32}$/;

/** Longest text of a bucket that is read, in characters. */
const RESPONSE_LENGTH_MAX = 1_000_000;

/** One part as the bucket acknowledged it. */
interface SentPart {
  readonly etag: string;
  readonly md5: string;
}

/**
 * Stores a file under a name by the multipart upload of S3: part after part, one in memory at a time. Each part goes with its SHA-256
 * and MD5, which the bucket checks; this function checks the acknowledgement. The object appears as a whole or not at
 * all: a failure aborts the upload and removes its parts. (When the process dies, parts stay until the bucket's
 * rule on incomplete uploads removes them.)
 * @throws PlacardError `unavailable`; errors of the disk
 */
export async function uploadInParts(send: SendToBucket, name: string, file: PartedFile): Promise<void> {
  if (file.sizeBytes > file.partBytes * PARTS_MAX)
    throw refused(`${file.sizeBytes} bytes are more than a bucket takes`);
  const headers = { 'content-type': file.contentType, 'x-amz-content-sha256': sha256('') };
  // A request without a response is not repeated: it could begin a second upload. (The client repeats after a 5xx or 429.)
  const created = await send(`${name}?uploads`, { method: 'POST', headers });
  if (!created.ok) throw await refuse(created);
  const uploadId = textOf(await readResponse(created), 'UploadId');
  if (uploadId === null) throw refused('The bucket named no upload');
  const upload = `uploadId=${encodeURIComponent(uploadId)}`;
  try {
    const parts = await sendParts(send, `${name}?${upload}`, file);
    await complete(send, `${name}?${upload}`, parts);
  } catch (error) {
    // The first failure is reported, whether or not the abort succeeds.
    await sendAgain(send, `${name}?${upload}`, { method: 'DELETE' }).then(discard, () => undefined);
    throw error;
  }
}

async function sendParts(send: SendToBucket, target: string, file: PartedFile): Promise<SentPart[]> {
  const whole = createHash('sha256');
  const buffer = Buffer.allocUnsafeSlow(Math.min(file.partBytes, file.sizeBytes));
  const parts: SentPart[] = [];
  const handle = await open(file.path, 'r');
  try {
    for (let start = 0; start < file.sizeBytes; start += file.partBytes) {
      const bytes = buffer.subarray(0, Math.min(file.partBytes, file.sizeBytes - start));
      const digests = await readPart(handle, { bytes, start, whole });
      parts.push(await sendPart(send, `${target}&partNumber=${parts.length + 1}`, { bytes, ...digests }));
    }
  } finally {
    await handle.close();
  }
  if (whole.digest('hex') !== file.hash) throw refused('The file was changed while it was sent');
  return parts;
}

interface ReadPart {
  readonly bytes: Buffer<ArrayBuffer>;
  /** Hexadecimal. */
  readonly sha: string;
  readonly md5: string;
}

async function sendPart(send: SendToBucket, target: string, { bytes, sha, md5 }: ReadPart): Promise<SentPart> {
  const headers = { 'x-amz-content-sha256': sha, 'content-md5': Buffer.from(md5, 'hex').toString('base64') };
  const response = await sendAgain(send, target, { method: 'PUT', body: bytes, headers });
  await discard(response);
  const etag = response.headers.get('etag') ?? '';
  if (etag === '') throw refused('The bucket acknowledged a part without its tag');
  if (isOther(response, etag, md5)) throw refused('The bucket acknowledged another part than was sent');
  return { etag, md5 };
}

/** Buckets respond 200 before they know the result: the body carries a late failure. */
async function complete(send: SendToBucket, target: string, parts: readonly SentPart[]): Promise<void> {
  const listed = parts.map(
    ({ etag }, at) => `<Part><PartNumber>${at + 1}</PartNumber><ETag>${escapeXml(etag)}</ETag></Part>`,
  );
  const body = `<CompleteMultipartUpload xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${listed.join('')}</CompleteMultipartUpload>`;
  const headers = { 'content-type': 'application/xml', 'x-amz-content-sha256': sha256(body) };
  const response = await sendAgain(send, target, { method: 'POST', body, headers });
  const text = await readResponse(response);
  const etag = textOf(text, 'ETag');
  if (etag === null) throw refused(`The bucket did not put the parts together: ${textOf(text, 'Code') ?? 'no reason'}`);
  const all = hash('md5', Buffer.from(parts.map(({ md5 }) => md5).join(''), 'hex'));
  const [digest = ''] = bare(etag).split('-');
  if (isOther(response, digest, all)) throw refused('The bucket put other parts together than were sent');
}

/** The body of a response as text; some hundred bytes are expected. */
async function readResponse(response: Response): Promise<string> {
  let text = '';
  for await (const piece of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += piece;
    if (text.length > RESPONSE_LENGTH_MAX) throw refused('The response of the bucket is too long');
  }
  return text;
}

/** Repeats are harmless: a part replaces itself. @returns a response with a 2xx status. @throws PlacardError `unavailable` */
async function sendAgain(send: SendToBucket, target: string, init: RequestInit): Promise<Response> {
  for (let tries = 0; ; tries += 1) {
    const isLast = tries >= RETRIES;
    const response = await send(target, init).catch((error: unknown) => {
      if (isLast) throw error;
      return null;
    });
    if (response?.ok === true) return response;
    if (response !== null && (isLast || response.status < 500)) throw await refuse(response);
    await response?.body?.cancel();
    await sleep(RETRY_WAIT_MS * 2 ** tries);
  }
}

async function refuse(response: Response): Promise<PlacardError> {
  await discard(response);
  return refused(response.status);
}

/** Digests in slices, so that the event loop goes on between them. */
async function readPart(
  handle: FileHandle,
  { bytes, start, whole }: { bytes: Buffer; start: number; whole: Hash },
): Promise<{ sha: string; md5: string }> {
  const sha = createHash('sha256');
  const md5 = createHash('md5');
  for (let done = 0; done < bytes.length; ) {
    const { bytesRead } = await handle.read(bytes, done, Math.min(SLICE_BYTES, bytes.length - done), start + done);
    if (bytesRead === 0) throw refused('The file became shorter while it was sent');
    const slice = bytes.subarray(done, done + bytesRead);
    for (const digest of [whole, sha, md5]) digest.update(slice);
    done += bytesRead;
  }
  return { sha: sha.digest('hex'), md5: md5.digest('hex') };
}

/** A tag is the MD5 of its content, except when the bucket encrypts with keys of a service or of the caller. */
function isOther(response: Response, etag: string, md5: string): boolean {
  const encryption = response.headers.get('x-amz-server-side-encryption') ?? 'AES256';
  const isOpen = encryption === 'AES256' && !response.headers.has('x-amz-server-side-encryption-customer-algorithm');
  return isOpen && MD5.test(bare(etag)) && bare(etag) !== md5;
}

function bare(etag: string): string {
  return etag.replaceAll('&quot;', '').replaceAll('"', '');
}

function textOf(xml: string, element: string): string | null {
  const [, text = ''] = new RegExp(`<${element}>([^<]+)</${element}>`).exec(xml) ?? [];
  return text === '' ? null : text.replaceAll('&quot;', '"').replaceAll('&amp;', '&');
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

function sha256(bytes: string): string {
  return hash('sha256', bytes);
}

async function discard(response: Response): Promise<void> {
  await response.body?.cancel();
}
