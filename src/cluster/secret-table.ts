import type { Settings } from '../config/settings.ts';

/** A secret that every node of a cluster has alike. */
export interface ClusterSecret {
  /** Its name, and its file below `<data>/secrets`. */
  readonly name: string;
  readonly purpose: string;
  /** How it is replaced, as `placard secrets list` says it. */
  readonly rotation: string;
  /** Whether delivery needs it, too. */
  readonly isForDelivery: boolean;
  /** The setting that a vault fills. */
  readonly setting: 'secretsLinkKeys' | 'secretsPepper' | 'secretsUserHash' | 'secretsAuditKey';
}

/** All secrets of a cluster: the one table of them. The cluster key, which seals them, is none of them. */
export const CLUSTER_SECRETS: readonly ClusterSecret[] = [
  {
    name: 'link-keys',
    purpose: 'signs tracking and click links',
    rotation: 'placard secrets rotate link-keys: the new key signs after 10 minutes, the old one verifies for 31 days',
    isForDelivery: true,
    setting: 'secretsLinkKeys',
  },
  {
    name: 'pepper',
    purpose: 'digests keys, credentials, sessions and links of mails; seals second factors, providers and the outbox',
    rotation: 'fixed: PostgreSQL holds digests only, and a new digest takes the key or password itself',
    isForDelivery: true,
    setting: 'secretsPepper',
  },
  {
    name: 'user-hash',
    purpose: 'hashes user ids of frequency caps, segments and budgets',
    rotation: 'fixed: under another key all segments and caps of users would be lost',
    isForDelivery: true,
    setting: 'secretsUserHash',
  },
  {
    name: 'audit-signing-key',
    purpose: 'signs the heads of the audit log',
    rotation: 'fixed: one public key checks the whole chain',
    isForDelivery: false,
    setting: 'secretsAuditKey',
  },
];

/** The text of a secret that the settings hold, as its file has it; null: they do not. */
export function secretFromSettings(settings: Settings, secret: ClusterSecret): string | null {
  const text = settings[secret.setting];
  return text === null ? null : `${text.replaceAll('\r', '').trim()}\n`;
}
