import { createHash, hash, type Hash } from 'node:crypto';
import { open, type FileHandle } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PlacardError } from '../domain/errors.ts';
import { refused } from './bucket-errors.ts';

/** Sends one request for an object; what stands behind `?` is a part of the name. @throws PlacardError `unavailable` */
export type SendToBucket = (name: string, init: RequestInit) => Promise<Response>;

/** A file that is to be sent in parts. */
export interface PartedFile {
  readonly path: string;
  readonly sizeBytes: number;
  /** At least 5 MiB with real buckets; so much memory is taken. */
  readonly partBytes: number;
  /** SHA-256 of all of it, 64 hex digits: what is on disk must still be that. */
  readonly hash: string;
  readonly contentType: string;
}

/** More parts than these no bucket takes. */
const PARTS_MAX = 10_000;
/** Tries of one request after the first one, where the bucket could not be reached or was busy for long. */
const RETRIES = 4;
const RETRY_WAIT_MS = 200;
/** Read and digested between two turns of the event loop: about a millisecond. */
const SLICE_BYTES = 256 * 1024;
const MD5 = /^[0-9a-f]{32}$/;

/** Longest text of a bucket that is read, in characters. */
const ANSWER_LENGTH_MAX = 1_000_000;

/** One part as the bucket acknowledged it. */
interface SentPart {
  readonly etag: string;
  readonly md5: string;
}

/**
 * Keeps a file under a name by the multipart upload of S3: part after part, one in memory at a time. Each part goes with its SHA-256
 * and MD5, which the bucket checks, and what the bucket says of it is checked here. The object is there when all of it is, or not at
 * all: after a failure the upload is aborted, so that no parts stay behind. (Where the process dies, they do, until the bucket's
 * rule on incomplete uploads takes them away.)
 * @throws PlacardError `unavailable`; errors of the disk
 */
export async function uploadInParts(send: SendToBucket, name: string, file: PartedFile): Promise<void> {
  if (file.sizeBytes > file.partBytes * PARTS_MAX)
    throw refused(`${file.sizeBytes} bytes are more than a bucket takes`);
  const headers = { 'content-type': file.contentType, 'x-amz-content-sha256': sha256('') };
  // Not repeated when no answer comes: that could begin another upload. (The bucket's client repeats what is answered 5xx or 429.)
  const created = await send(`${name}?uploads`, { method: 'POST', headers });
  if (!created.ok) throw await refuse(created);
  const uploadId = textOf(await readAnswer(created), 'UploadId');
  if (uploadId === null) throw refused('The bucket named no upload');
  const upload = `uploadId=${encodeURIComponent(uploadId)}`;
  try {
    const parts = await sendParts(send, `${name}?${upload}`, file);
    await complete(send, `${name}?${upload}`, parts);
  } catch (error) {
    // The first failure is told, whatever becomes of this.
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
  const answer = await sendAgain(send, target, { method: 'PUT', body: bytes, headers });
  await discard(answer);
  const etag = answer.headers.get('etag') ?? '';
  if (etag === '') throw refused('The bucket acknowledged a part without its tag');
  if (isOther(answer, etag, md5)) throw refused('The bucket acknowledged another part than was sent');
  return { etag, md5 };
}

/** Buckets answer 200 before they know: what went wrong then stands in the body. */
async function complete(send: SendToBucket, target: string, parts: readonly SentPart[]): Promise<void> {
  const listed = parts.map(
    ({ etag }, at) => `<Part><PartNumber>${at + 1}</PartNumber><ETag>${escapeXml(etag)}</ETag></Part>`,
  );
  const body = `<CompleteMultipartUpload xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${listed.join('')}</CompleteMultipartUpload>`;
  const headers = { 'content-type': 'application/xml', 'x-amz-content-sha256': sha256(body) };
  const answer = await sendAgain(send, target, { method: 'POST', body, headers });
  const text = await readAnswer(answer);
  const etag = textOf(text, 'ETag');
  if (etag === null) throw refused(`The bucket did not put the parts together: ${textOf(text, 'Code') ?? 'no reason'}`);
  const all = hash('md5', Buffer.from(parts.map(({ md5 }) => md5).join(''), 'hex'));
  const [digest = ''] = bare(etag).split('-');
  if (isOther(answer, digest, all)) throw refused('The bucket put other parts together than were sent');
}

/** A bucket's text, of which some hundred bytes are expected. */
async function readAnswer(answer: Response): Promise<string> {
  let text = '';
  for await (const piece of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += piece;
    if (text.length > ANSWER_LENGTH_MAX) throw refused('The response of the bucket is too long');
  }
  return text;
}

/** Repeats are harmless: a part replaces itself. @returns the answer, which is a good one. @throws PlacardError `unavailable` */
async function sendAgain(send: SendToBucket, target: string, init: RequestInit): Promise<Response> {
  for (let tries = 0; ; tries += 1) {
    const isLast = tries >= RETRIES;
    const answer = await send(target, init).catch((error: unknown) => {
      if (isLast) throw error;
      return null;
    });
    if (answer?.ok === true) return answer;
    if (answer !== null && (isLast || answer.status < 500)) throw await refuse(answer);
    await answer?.body?.cancel();
    await sleep(RETRY_WAIT_MS * 2 ** tries);
  }
}

async function refuse(answer: Response): Promise<PlacardError> {
  await discard(answer);
  return refused(answer.status);
}

/** In slices: digesting a part at a stretch would hold everything else up. */
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

/** A tag is the MD5 of what it stands for, but where the bucket encrypts with keys of a service or of the caller. */
function isOther(answer: Response, etag: string, md5: string): boolean {
  const encryption = answer.headers.get('x-amz-server-side-encryption') ?? 'AES256';
  const isOpen = encryption === 'AES256' && !answer.headers.has('x-amz-server-side-encryption-customer-algorithm');
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

async function discard(answer: Response): Promise<void> {
  await answer.body?.cancel();
}
