import { askGraphql } from '../transport/graphql.ts';
import type { Scope } from '../transport/scope.ts';
import { uploadBody } from '../transport/upload.ts';

export const UPLOAD_MODES = ['ADD', 'REMOVE', 'REPLACE'] as const;
export const ID_KINDS = ['lu', 'aid'] as const;

/** How members are uploaded. */
export interface MemberUpload {
  readonly segmentId: string;
  readonly mode: (typeof UPLOAD_MODES)[number];
  readonly ids: (typeof ID_KINDS)[number];
  /** One JSON object a line. */
  readonly body: string;
}

/** The result of an upload: lines that were read, and members that were added or removed. */
export interface UploadedMembers {
  readonly lines: number;
  readonly changed: number;
}

/**
 * Uploads members.
 * @param onProgress told of the share that was sent, 0…1
 * @throws ApiProblem
 */
export function uploadMembers(
  scope: Scope,
  upload: MemberUpload,
  onProgress: (share: number) => void,
): Promise<UploadedMembers> {
  const { segmentId, mode, ids, body } = upload;
  const path = `/segments/${encodeURIComponent(segmentId)}/members?${new URLSearchParams({ mode, ids })}`;
  return uploadBody(scope, { path, contentType: 'application/x-ndjson', body }, onProgress);
}

/** The size at the beginning of a day of the network's time zone, `YYYY-MM-DD`. */
export interface SegmentSize {
  readonly day: string;
  readonly size: number;
}

/** Reads the sizes of the last days, oldest first; none of a segment that the network does not have. */
export async function loadSegmentSizes(
  scope: Scope,
  { segmentId, days }: { readonly segmentId: string; readonly days: number },
  signal: AbortSignal,
): Promise<readonly SegmentSize[]> {
  const query =
    'query SegmentSizes($id: ID!, $days: Int) { segment(id: $id) { sizeHistory(days: $days) { day size } } }';
  const { segment } = await askGraphql<{ segment: { sizeHistory: readonly SegmentSize[] } | null }>(
    scope,
    query,
    { id: segmentId, days },
    signal,
  );
  return segment?.sizeHistory ?? [];
}
