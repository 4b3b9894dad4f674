import { z } from 'zod';
import { setting, type SettingSpec } from './setting-spec.ts';

const HEX_EXAMPLE = '00112233445566778899aabbccddeeff'.repeat(2);

const hexSecret = (bytes: number): z.ZodType<string | null, string | null> =>
  z
    .string()
    .regex(new RegExp(`^[0-9a-f]{${bytes * 2}}$`), `write ${bytes * 2} hexadecimal digits (openssl rand -hex ${bytes})`)
    .nullable();

/** A secret of the cluster that comes from a vault instead of PostgreSQL. */
function vaultSecret(
  name: string,
  kind: string,
  schema: z.ZodType<string | null, string | null>,
  example = HEX_EXAMPLE,
): SettingSpec<string | null> {
  return setting({
    name: `PLACARD_SECRETS_${name}`,
    kind: 'text',
    default: null,
    defaultTitle: 'made by the first node, shared through PostgreSQL',
    secret: true,
    description: `${kind}, from a vault: the same on every node. PostgreSQL then holds its fingerprint only.`,
    example,
    schema,
  });
}

/** What a node needs to be one of a cluster: rows of the settings table. */
export const clusterSettings = {
  joinToken: setting({
    name: 'PLACARD_JOIN_TOKEN',
    kind: 'text',
    default: null,
    defaultTitle: 'none',
    secret: true,
    description:
      'The token of `placard cluster token`, for the first start of a further node. Without effect once the node has joined.',
    example: `plc_join_${'x'.repeat(57)}`,
    schema: z
      .string()
      .regex(/^plc_join_[0-9A-Za-z]{57}$/, 'write a whole token, as `placard cluster token` prints it')
      .nullable(),
  }),
  clusterKey: setting({
    name: 'PLACARD_CLUSTER_KEY',
    kind: 'text',
    default: null,
    defaultTitle: 'a file in the data folder',
    secret: true,
    description: 'The key that seals the secrets of the cluster in PostgreSQL, from a vault: the same on every node.',
    example: HEX_EXAMPLE,
    schema: hexSecret(32),
  }),
  secretsLinkKeys: vaultSecret(
    'LINK_KEYS',
    'The keys that sign links, one a line',
    z
      .string()
      .regex(/^([\w-]{1,4}:[0-9a-f]{64,128}(:\d{1,15})?(\r?\n|$))+$/, 'write one key a line, such as a:<64 digits>')
      .nullable(),
    `a:${HEX_EXAMPLE}`,
  ),
  secretsPepper: vaultSecret('PEPPER', 'The pepper of keys and credentials', hexSecret(32)),
  secretsUserHash: vaultSecret('USER_HASH', 'The key of user hashes', hexSecret(32)),
  secretsAuditKey: vaultSecret(
    'AUDIT_KEY',
    'The Ed25519 key that signs the heads of the audit log, as PEM (PKCS 8)',
    z
      .string()
      .regex(/^-----BEGIN PRIVATE KEY-----/, 'write a PEM: openssl genpkey -algorithm ed25519')
      .nullable(),
    '-----BEGIN PRIVATE KEY-----…',
  ),
} as const;
