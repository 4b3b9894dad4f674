import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Log } from '../domain/log/log.ts';
import { LINK_KEY_KEPT_MS } from '../domain/events/served-ad.ts';
import type { LinkKey } from '../domain/events/served-ad.ts';

/** The file below `<data>/secrets`: a line a key, `<id>:<secret in hex>` and, of one that replaced another, `:<signs from, epoch ms>`. */
export const LINK_KEYS_FILE = 'link-keys';
const SECRET_BYTES = 32;
const LINE = /^([\w-]{1,4}):([0-9a-f]{64,128})(?::(\d{1,15}))?$/;
/** Workers take over a new file within this time. */
const LINK_KEYS_READ_EVERY_MS = 60_000;

/** The result of a rotation. */
export interface LinkKeyRotation {
  readonly keyId: string;
  readonly signsFromMs: number;
  /** Keys whose links have all expired; they are gone from the file. */
  readonly removed: readonly string[];
}

/** A first key, as the file holds it. */
export function newLinkKeys(): string {
  return `a:${randomBytes(SECRET_BYTES).toString('hex')}\n`;
}

/** The keys of a file that still verify. @throws Error when a line is not a key, or none is left */
export function parseLinkKeys(text: string, nowMs: number): LinkKey[] {
  const keys = text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line, at): LinkKey => {
      const [, keyId, hex, from] = LINE.exec(line.trim()) ?? [];
      if (keyId === undefined || hex === undefined) throw new Error(`Line ${at + 1} of ${LINK_KEYS_FILE} is not a key`);
      const secret = Buffer.from(hex, 'hex');
      return { keyId, secret, ...(from === undefined ? {} : { signsFromMs: Number(from) }) };
    });
  if (keys.length === 0) throw new Error(`${LINK_KEYS_FILE} holds no key`);
  return keys.filter((key) => !isOver(key, keys, nowMs));
}

/** Adds a key that signs from a time on to a file's text; the others verify until every link of theirs has expired. */
export function addLinkKey(
  text: string,
  { signsFromMs, nowMs }: { readonly signsFromMs: number; readonly nowMs: number },
): { readonly text: string; readonly rotation: LinkKeyRotation } {
  const all = parseLinkKeys(text, 0);
  const kept = all.filter((key) => !isOver(key, all, nowMs));
  const keyId = freeId(all);
  const keys: LinkKey[] = [...kept, { keyId, secret: randomBytes(SECRET_BYTES), signsFromMs }];
  const removed = all.filter((key) => !kept.includes(key)).map((key) => key.keyId);
  return { text: keys.map(formatKey).join(''), rotation: { keyId, signsFromMs, removed } };
}

/** Keeps a list of keys as the file says: a rotation needs no restart. A file that cannot be read changes nothing. */
export function watchLinkKeys(
  dataDir: string,
  keys: LinkKey[],
  { log, everyMs = LINK_KEYS_READ_EVERY_MS }: { readonly log: Log; readonly everyMs?: number },
): { stop(): void } {
  const path = join(dataDir, 'secrets', LINK_KEYS_FILE);
  const timer = setInterval(() => {
    try {
      const read = parseLinkKeys(readFileSync(path, 'utf8'), Date.now());
      // A key that stays is the same object: what was prepared for it is found by it.
      const next = read.map((key) => keys.find((one) => isSameKey(one, key)) ?? key);
      keys.splice(0, keys.length, ...next);
    } catch (error) {
      log.event('link_keys.not_reloaded', { err: error });
    }
  }, everyMs).unref();
  return { stop: () => clearInterval(timer) };
}

function isSameKey(one: LinkKey, other: LinkKey): boolean {
  return one.keyId === other.keyId && one.signsFromMs === other.signsFromMs && one.secret.equals(other.secret);
}

/** Whether another key has signed for longer than any link of this one lives. */
function isOver(key: LinkKey, all: readonly LinkKey[], nowMs: number): boolean {
  const from = key.signsFromMs ?? 0;
  return all.some((one) => (one.signsFromMs ?? 0) > from && (one.signsFromMs ?? 0) + LINK_KEY_KEPT_MS < nowMs);
}

function freeId(keys: readonly LinkKey[]): string {
  for (let number = 10; ; number += 1) {
    const id = number.toString(36);
    if (!keys.some(({ keyId }) => keyId === id)) return id;
  }
}

function formatKey({ keyId, secret, signsFromMs }: LinkKey): string {
  return `${keyId}:${secret.toString('hex')}${signsFromMs === undefined ? '' : `:${signsFromMs}`}\n`;
}
