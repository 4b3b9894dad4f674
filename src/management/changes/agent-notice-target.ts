import { openBytes, sealBytes, type SealLabel } from '../../storage/sealed-bytes.ts';

/** How the receiver of a notice knows its sender. */
export const NOTICE_SCHEMES = {
  HTTP_SIGNATURE: 'Signed with the key of the network (RFC 9421); it needs no credentials.',
  HMAC_SHA256: 'Signed with the credentials as a shared secret.',
  BEARER: 'The credentials as a bearer token.',
} as const;
export type NoticeScheme = keyof typeof NOTICE_SCHEMES;

/** Where the caller of a request is told of its decision. */
export interface NoticeTarget {
  readonly url: string;
  readonly scheme: NoticeScheme;
  readonly credentials: string | null;
  /** Comes back in each notice, unchanged. */
  readonly token: string | null;
  readonly operationId: string | null;
}

interface Owner {
  readonly workspaceId: number;
  readonly idempotencyKey: string;
}

/** A target as it is stored: only the secret of the installation opens it. */
export function sealTarget(pepper: Buffer, owner: Owner, target: NoticeTarget): Buffer {
  return sealBytes(pepper, labelOf(owner), Buffer.from(JSON.stringify(target)));
}

/** @throws Error for a target that was sealed elsewhere */
export function openTarget(pepper: Buffer, owner: Owner, sealed: Buffer): NoticeTarget {
  return JSON.parse(openBytes(pepper, labelOf(owner), sealed).toString()) as NoticeTarget;
}

function labelOf({ workspaceId, idempotencyKey }: Owner): SealLabel {
  return { purpose: 'agent-notice', owner: `${workspaceId}/${idempotencyKey}` };
}
