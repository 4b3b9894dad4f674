import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { preferredOf } from '../shared/response-encoding.ts';

/** A file in memory as it goes over the wire; a compressed form that nobody made is null. */
export interface PackedFile {
  readonly type: string;
  readonly plain: Buffer;
  readonly brotli: Buffer | null;
  readonly gzip: Buffer | null;
}

/** A packed file with the address under which browsers may keep it for ever: it carries a hash of the content. */
export type AddressedFile = PackedFile & { readonly address: string };

/** Levels that take about a second for ten megabytes, once a process. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } };
const GZIP = { level: 6 };
const FOR_EVER = 'public, max-age=31536000, immutable';

/** Compresses a text that is served under `path`. */
export async function packFile(path: string, type: string, text: string): Promise<AddressedFile> {
  const plain = Buffer.from(text);
  const [brotli, gzipped] = await Promise.all([promisify(brotliCompress)(plain, BROTLI), promisify(gzip)(plain, GZIP)]);
  const hash = createHash('sha256').update(plain).digest('hex').slice(0, 16);
  return { address: `${path}?${hash}`, type, plain, brotli, gzip: gzipped };
}

/** Sends a file in the encoding that the client prefers; the server's compressor leaves a body that has an encoding alone. */
export function sendPacked(
  request: FastifyRequest,
  reply: FastifyReply,
  file: PackedFile,
  isImmutable: boolean,
): FastifyReply {
  const offered = (['br', 'gzip'] as const).filter((name) => formOf(file, name) !== null);
  const encoding = preferredOf(String(request.headers['accept-encoding'] ?? ''), offered);
  reply.headers({
    'content-type': file.type,
    'cache-control': isImmutable ? FOR_EVER : 'no-cache',
    vary: 'accept-encoding',
  });
  if (encoding === null) return reply.send(file.plain);
  return reply.header('content-encoding', encoding).send(formOf(file, encoding));
}

function formOf(file: PackedFile, encoding: 'br' | 'gzip'): Buffer | null {
  return encoding === 'br' ? file.brotli : file.gzip;
}
