import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { recordAudit } from '../../../access/audit/audit.sql.ts';
import { PlacardError } from '../../../domain/errors.ts';
import { plainIdOf } from '../../../domain/ids/global-ids.ts';
import { isDecimalId, newUlid } from '../../../domain/ids/ids.ts';
import type { Principal } from '../../../domain/tenancy/principal.ts';
import { type Environment, ENVIRONMENTS, pathPrefix } from '../../../domain/tenancy/workspace.ts';
import { type BodyLineLimits, readBodyLines } from '../../../http/shared/body-lines.ts';
import { contentTypeEssence, hasBody } from '../../../http/shared/request-body.ts';
import type { ManagementStores } from '../../kernel/context.ts';
import type { Authenticate } from '../../kernel/authenticate.ts';
import { findNetwork } from '../network/network.sql.ts';
import { SegmentUploadQuery, type SegmentUploadAnswer } from './segment-upload.schema.ts';
import {
  LINE_LENGTH_MAX,
  lineTooLong,
  type MembershipDeps,
  type MembershipProgress,
  writeMembers,
} from './segment-upload.ts';
import { endReservation, type MemberCount, MemberReservation } from './member-reservation.sql.ts';
import { bookUpload, findUploadTarget, reserveGeneration } from './segment-upload.sql.ts';

/** The largest upload, in bytes. */
const BODY_BYTES_MAX = 1_000_000_000;
/** A character has at most four bytes. */
const BODY_LINES: BodyLineLimits = {
  bytesMax: BODY_BYTES_MAX,
  lineBytesMax: LINE_LENGTH_MAX * 4,
  tooLong: lineTooLong,
};

/** The dependencies of an upload of members. */
export interface SegmentUploadDeps extends Pick<ManagementStores, 'sql'>, MembershipDeps {
  readonly authenticate: Authenticate;
  /** The quota of a workspace: members of all its segments. */
  readonly membersMax: number;
  /** Checked before each batch. @throws PlacardError `disk_space_low` */
  requireSpace(): Promise<void>;
}

/**
 * Adds `POST /segments/<id>/members?mode=ADD|REMOVE|REPLACE&ids=lu|aid&days=<n>` (and under `/staging`): NDJSON (`{"id": "…"}`) or CSV, streamed.
 */
export async function registerSegmentUploads(app: FastifyInstance, deps: SegmentUploadDeps): Promise<void> {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
    for (const environment of ENVIRONMENTS) {
      scope.route({
        method: 'POST',
        url: `${pathPrefix(environment)}/segments/:id/members`,
        bodyLimit: BODY_BYTES_MAX,
        config: { slowBodyAllowed: true },
        handler: (request) => uploadMembers(deps, request, environment),
      });
    }
  });
}

async function uploadMembers(
  deps: SegmentUploadDeps,
  request: FastifyRequest,
  environment: Environment,
): Promise<SegmentUploadAnswer> {
  const principal = await deps.authenticate(request, { environment, operation: 'segments.upload' });
  const { mode, ids: idKind, days } = readQuery(request.query);
  const segmentId = plainIdOf('Segment', (request.params as { id: string }).id);
  const target = isDecimalId(segmentId)
    ? await findUploadTarget(deps.sql, principal.workspaceId, BigInt(segmentId))
    : undefined;
  if (target === undefined) throw new PlacardError('not_found', 'There is no such segment.');
  if (target.status === 'ARCHIVED') throw new PlacardError('conflict', 'The segment is archived; restore it first.');
  const network = await findNetwork(deps.sql, principal.networkId);
  if (network?.status === 'SUSPENDED') throw new PlacardError('network_suspended');
  requireLines(request);
  await deps.requireSpace();
  const { workspaceId } = principal;
  const generation =
    mode === 'REPLACE' ? await reserveGeneration(deps.sql, workspaceId, BigInt(segmentId)) : target.generation;
  const uploadId = newUlid(deps.nowMs());
  const change = {
    workspaceId,
    segmentId,
    generation,
    remove: mode === 'REMOVE',
    idKind,
    days: days ?? target.membershipDays,
    uploadId,
  };
  const quota = {
    workspaceId,
    segmentId: BigInt(segmentId),
    uploadId,
    replaces: mode === 'REPLACE',
    membersMax: deps.membersMax,
  };
  const reservation = new MemberReservation(deps.sql, quota, () => deps.nowMs());
  const progress = { lines: 0, changed: 0, users: 0 };
  const done = { principal, generation, mode, progress, segmentId, uploadId, requestId: request.id };
  try {
    if (hasBody(request.raw)) {
      const lines = readBodyLines(request.raw, BODY_LINES);
      const reserve = async (more: MemberCount): Promise<void> => {
        await deps.requireSpace();
        await reservation.acquire(more);
      };
      await writeMembers(deps, change, { lines, reserve }, progress);
    }
  } catch (error) {
    // Members that were written before the failure are in the store and count.
    await finishUpload(deps, done, false);
    throw error;
  }
  await finishUpload(deps, done, true);
  return { segmentId, mode, lines: progress.lines, changed: progress.changed };
}

/** The accepted content types; curl declares forms. */
const LINE_TYPES =
  /^(text\/[\w.+-]+|application\/(x-ndjson|ndjson|jsonl|x-jsonlines|csv|octet-stream|x-www-form-urlencoded))$/;

/** @throws PlacardError `unsupported_media_type` for a type that is not line by line, such as one JSON document */
function requireLines({ raw: { rawHeaders } }: FastifyRequest): void {
  const at = rawHeaders.findIndex((name, index) => index % 2 === 0 && name.toLowerCase() === 'content-type');
  const declared = at === -1 ? '' : contentTypeEssence(rawHeaders[at + 1]);
  if (declared !== '' && !LINE_TYPES.test(declared))
    throw new PlacardError('unsupported_media_type', 'Send lines, as application/x-ndjson or text/csv.');
}

interface FinishedUpload {
  readonly principal: Principal;
  readonly generation: number;
  readonly mode: SegmentUploadAnswer['mode'];
  readonly progress: MembershipProgress;
  readonly segmentId: string;
  readonly uploadId: string;
  readonly requestId: string;
}

/** Counts the written members. A failed replacement changes no membership: its generation never begins. */
async function finishUpload(deps: SegmentUploadDeps, done: FinishedUpload, isComplete: boolean): Promise<void> {
  const { principal, generation, mode, progress, segmentId, uploadId, requestId } = done;
  const { lines, changed, users } = progress;
  const at = new Date(deps.nowMs());
  const removed = mode === 'REMOVE' ? changed : 0;
  const { workspaceId } = principal;
  const booking = { workspaceId, id: BigInt(segmentId), generation, added: changed - removed, removed, at };
  const entry = {
    by: principal,
    action: 'segment.upload',
    objectKind: 'segment',
    objectId: segmentId,
    after: { mode, lines, changed, ...(isComplete ? {} : { complete: false }) },
    more: { requestId },
  };
  const counts = isComplete || (mode !== 'REPLACE' && changed > 0);
  await deps.sql.transaction().execute(async (trx) => {
    await endReservation(trx, { workspaceId, uploadId }, { users, at });
    if (!counts) return;
    await bookUpload(trx, booking);
    await recordAudit(trx, entry, at);
  });
}

/** @throws PlacardError `invalid_request` naming the first parameter that is wrong */
function readQuery(query: unknown): z.infer<typeof SegmentUploadQuery> {
  const read = SegmentUploadQuery.safeParse(query);
  if (read.success) return read.data;
  throw new PlacardError('invalid_request', read.error.issues[0]?.message);
}
