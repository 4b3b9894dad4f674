import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readOrCreate } from '../../storage/secrets.ts';

/** The files of the key that signs heads, and of the key that signed them in versions before it. */
const KEY_FILE = 'audit-signing-key';
const LEGACY_FILE = 'audit';
const PUBLIC_NAME = 'public-key.pem';

/** Where the key that signs is. */
export function auditKeyPath(dataDir: string): string {
  return join(dataDir, 'secrets', KEY_FILE);
}

/** The keys that check the signed heads of a data folder. */
export interface AuditVerifyKeys {
  /** null: this machine has no key, and no file with the public one was named. */
  readonly publicKey: KeyObject | null;
  /** The secret of the HMAC that older versions signed with; null when there was none. */
  readonly legacySecret: Buffer | null;
}

/**
 * The Ed25519 key that signs the heads of the audit log: `<data>/secrets/audit-signing-key`, made on first use. The public half is
 * written to `<data>/audit/public-key.pem`, to check copies elsewhere. Neither is in the database.
 */
export function loadAuditKey(dataDir: string): KeyObject {
  const secrets = join(dataDir, 'secrets');
  mkdirSync(secrets, { recursive: true, mode: 0o700 });
  const pem = readOrCreate(secrets, KEY_FILE, () =>
    generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
  );
  const key = createPrivateKey(pem);
  const dir = join(dataDir, 'audit');
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const publicPem = createPublicKey(key).export({ format: 'pem', type: 'spki' }).toString();
  const path = join(dir, PUBLIC_NAME);
  if (readIfThere(path) !== publicPem) writeFileSync(path, publicPem, { mode: 0o644 });
  return key;
}

/**
 * The keys that check this data folder's heads. `publicKeyFile` names a copy of the public key from elsewhere. Does not create a key: a new
 * key has signed nothing.
 * @throws Error when that file is not a public key
 */
export function loadAuditVerifyKeys(dataDir: string, publicKeyFile?: string): AuditVerifyKeys {
  const legacy = readIfThere(join(dataDir, 'secrets', LEGACY_FILE));
  const legacySecret = legacy === null ? null : Buffer.from(legacy.trim(), 'hex');
  if (publicKeyFile !== undefined) return { publicKey: createPublicKey(readFileSync(publicKeyFile)), legacySecret };
  const pem = readIfThere(auditKeyPath(dataDir));
  return { publicKey: pem === null ? null : createPublicKey(pem), legacySecret };
}

function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
