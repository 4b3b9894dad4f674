import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { recordAudit } from '../../../access/audit/audit.sql.ts';
import { PlacardError } from '../../../domain/errors.ts';
import { ENVIRONMENTS, pathPrefix } from '../../../domain/tenancy/workspace.ts';
import { BytesInFlight } from '../../../http/shared/bytes-in-flight.ts';
import { ASSET_BYTES_MAX, ASSET_TYPES, assetName, type AssetStore } from '../../../storage/assets.ts';
import type { ManagementStores } from '../../kernel/context.ts';
import type { Authenticate } from '../../kernel/authenticate.ts';
import { SIDE_PIXELS_MAX } from '../../fields/sizes.ts';
import { findNetwork } from '../network/network.sql.ts';
import { isWholeFile } from './whole-file.ts';
import { releaseAsset, reserveAsset } from './assets.sql.ts';
import { readFacts } from './read-facts.ts';
import { type SniffedFile, sniffFile } from './sniff-file.ts';
import type { UploadedFile } from './upload.schema.ts';

/** The dependencies of uploads. */
export interface UploadDeps extends Pick<ManagementStores, 'sql' | 'nowMs'> {
  readonly assets: AssetStore;
  readonly authenticate: Authenticate;
  /** The quota of a workspace for all its files, in bytes. */
  readonly bytesMax: number;
  /** @throws PlacardError `disk_space_low` */
  requireSpace(bytes: number): Promise<void>;
}

/**
 * Adds `POST /assets` and `POST /staging/assets`: one file a request, as the raw body or as `multipart/form-data` with one file. The
 * file is stored under a hash of its content; the delivery server serves it, sandboxed.
 */
export async function registerUploads(app: FastifyInstance, deps: UploadDeps): Promise<void> {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    await scope.register(multipart, {
      limits: { files: 1, fields: 5, parts: 6, fileSize: ASSET_BYTES_MAX, headerPairs: 20 },
    });
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: ASSET_BYTES_MAX }, (_request, body, done) =>
      done(null, body),
    );
    for (const environment of ENVIRONMENTS) {
      scope.route({
        method: 'POST',
        url: `${pathPrefix(environment)}/assets`,
        bodyLimit: ASSET_BYTES_MAX,
        preParsing: async (request, reply) => {
          // This check runs before a byte of the file is read.
          principals.set(request, await deps.authenticate(request, { environment, operation: 'assets.upload' }));
          await deps.requireSpace(ASSET_BYTES_MAX);
          holdBytes(request, reply);
        },
        handler: async (request, reply) => {
          const file = await storeFile(deps, request, await readFile(request));
          return reply.code(201).header('cache-control', 'no-store').send(file);
        },
      });
    }
  });
}

/** Files that are held in memory until they are stored. */
const uploads = new BytesInFlight({ ofOwnerMax: 2 * ASSET_BYTES_MAX, totalMax: 6 * ASSET_BYTES_MAX });

/** @throws PlacardError `overloaded` when the network, or all of them, send too much at once */
function holdBytes(request: FastifyRequest, { raw }: FastifyReply): void {
  const declared = Number(request.headers['content-length'] ?? ASSET_BYTES_MAX);
  const bytes = Number.isFinite(declared) ? Math.min(declared, ASSET_BYTES_MAX) : ASSET_BYTES_MAX;
  raw.once('close', uploads.reserve(principals.get(request)?.networkId ?? '', bytes));
}

const principals = new WeakMap<FastifyRequest, Awaited<ReturnType<Authenticate>>>();

async function readFile(request: FastifyRequest): Promise<Buffer> {
  if (Buffer.isBuffer(request.body)) return request.body;
  if (!request.isMultipart()) throw new PlacardError('invalid_request', 'The body is empty; send the file.');
  try {
    const part = await request.file();
    if (part !== undefined) return await part.toBuffer();
  } catch (cause) {
    if ((cause as { code?: string }).code === 'FST_REQ_FILE_TOO_LARGE')
      throw new PlacardError('payload_too_large', `A file has at most ${ASSET_BYTES_MAX} bytes.`, { cause });
    throw new PlacardError('invalid_request', 'The form is malformed, cut off, or of too many parts.', { cause });
  }
  throw new PlacardError('invalid_request', 'The form has no file.');
}

async function storeFile(deps: UploadDeps, request: FastifyRequest, bytes: Buffer): Promise<UploadedFile> {
  const sniffed = await sniffFile(bytes);
  if (sniffed === null) {
    const kinds = Object.keys(ASSET_TYPES).join(', ');
    throw new PlacardError('unsupported_media_type', `The content of the file is none of ${kinds}.`);
  }
  const { extension } = sniffed;
  requireSize(sniffed);
  if (!(await isWholeFile(bytes, extension)))
    throw new PlacardError(
      'invalid_request',
      `The file is not a whole ${ASSET_TYPES[extension]}: it is cut off, damaged, or not what its header says.`,
    );
  const facts = await readFacts(bytes, sniffed);
  const principal = principals.get(request);
  if (principal === undefined) throw new PlacardError('authentication_required');
  const network = await findNetwork(deps.sql, principal.networkId);
  if (network?.status === 'SUSPENDED') throw new PlacardError('network_suspended');
  const name = assetName(bytes, extension);
  const asset = { workspaceId: principal.workspaceId, name, sizeBytes: bytes.length, facts };
  const now = new Date(deps.nowMs());
  const isNew = await reserveAsset(deps.sql, asset, { bytesMax: deps.bytesMax, now });
  const url = await deps.assets.put(bytes, extension).catch(async (error: unknown) => {
    if (isNew) await releaseAsset(deps.sql, asset.workspaceId, name);
    throw error;
  });
  const after = { contentType: ASSET_TYPES[extension], sizeBytes: bytes.length };
  const entry = {
    by: principal,
    action: 'asset.upload',
    objectKind: 'asset',
    objectId: url,
    after,
    more: { requestId: request.id },
  };
  await deps.sql.transaction().execute((trx) => recordAudit(trx, entry, now));
  const { width, height, durationMs, bitrateKbps = null, bundle } = facts;
  return {
    url,
    ...after,
    width,
    height,
    durationMs,
    bitrateKbps,
    bundle: bundle && { ...bundle, scan: { ...bundle.scan } },
  };
}

function requireSize({ width, height }: SniffedFile): void {
  const isWrong = (side: number | null): boolean => side !== null && (side < 1 || side > SIDE_PIXELS_MAX);
  if (!isWrong(width) && !isWrong(height)) return;
  const message = `A picture has 1 to ${SIDE_PIXELS_MAX} pixels a side; this one has ${width} × ${height}.`;
  throw new PlacardError('invalid_request', message);
}
