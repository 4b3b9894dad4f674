import { createHmac, timingSafeEqual } from 'node:crypto';

/** Which creative a preview shows, and until when. */
export interface PreviewLink {
  readonly workspaceId: number;
  readonly kind: 'creative' | 'library';
  readonly id: string;
  readonly expiresAtMs: number;
}

const PURPOSE = 'placard-preview/1/';
const PAYLOAD = /^(\d{1,10})\.(creative|library)\.([1-9]\d{0,18})\.(\d{1,15})$/;
const TOKEN_CHARS_MAX = 200;

/** Seals a preview into the token of its address: `<payload>.<MAC>`, signed by a whole HMAC-SHA-256. */
export function sealPreview({ workspaceId, kind, id, expiresAtMs }: PreviewLink, secret: Buffer): string {
  const payload = `${workspaceId}.${kind}.${id}.${expiresAtMs}`;
  return `${payload}.${sign(payload, secret).toString('base64url')}`;
}

/** The content of a token; null for one that is forged, cut, changed or expired. Never throws. */
export function openPreview(token: string, secret: Buffer, nowMs: number): PreviewLink | null {
  if (token.length > TOKEN_CHARS_MAX) return null;
  const at = token.lastIndexOf('.');
  const payload = token.slice(0, Math.max(0, at));
  const text = token.slice(at + 1);
  const mac = Buffer.from(text, 'base64url');
  const expected = sign(payload, secret);
  // Node skips characters outside base64url; only the spelling that we wrote counts.
  if (mac.length !== expected.length || mac.toString('base64url') !== text) return null;
  if (!timingSafeEqual(mac, expected)) return null;
  const [, workspaceId, kind, id, expiresAtMs] = PAYLOAD.exec(payload) ?? [];
  if (kind !== 'creative' && kind !== 'library') return null;
  if (Number(expiresAtMs) <= nowMs) return null;
  return { workspaceId: Number(workspaceId), kind, id: id ?? '', expiresAtMs: Number(expiresAtMs) };
}

function sign(payload: string, secret: Buffer): Buffer {
  return createHmac('sha256', secret).update(PURPOSE).update(payload).digest();
}
