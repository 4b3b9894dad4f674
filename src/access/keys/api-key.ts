import type { Environment } from '../../domain/tenancy/workspace.ts';
import { hasValidChecksum, newSecretText } from '../secrets/secret-text.ts';

/** Random characters of a key: 36 base62 characters are 214 bits. */
const RANDOM_LENGTH = 36;
const PREFIX: Readonly<Record<Environment, string>> = { production: 'plc_live_', staging: 'plc_test_' };
const SHAPE = /^plc_(live|test)_[0-9A-Za-z]{42}$/;
/** The characters of a key that the listing and the audit log show, besides its last four. */
const SHOWN_LENGTH = 12;

/**
 * A new bearer key (conformance K2): `plc_live_` or `plc_test_`, 36 random base62 characters, and a checksum of 6, so that a
 * secret scanner can know it by `plc_(live|test)_[0-9A-Za-z]{42}`.
 */
export function newApiKeyValue(environment: Environment): string {
  return newSecretText(PREFIX[environment], RANDOM_LENGTH);
}

/** The environment that a key value names; null unless its shape and checksum are right. Looks nothing up. */
export function readApiKeyEnvironment(value: string): Environment | null {
  const match = SHAPE.exec(value);
  if (match === null || !hasValidChecksum(value)) return null;
  return match[1] === 'live' ? 'production' : 'staging';
}

/** The environment that the shown part of a key names. */
export function environmentOfPrefix(prefix: string): Environment {
  return prefix.startsWith(PREFIX.staging) ? 'staging' : 'production';
}

/** The part of a key that may be shown: `plc_live_` and three characters. */
export function shownPrefix(value: string): string {
  return value.slice(0, SHOWN_LENGTH);
}
