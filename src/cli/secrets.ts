import type { Command } from 'commander';
import { parseInstant } from './access-session.ts';
import { type CliCommand, type CliContext, UsageError } from './context/cli-context.ts';
import { clusterEntry, withCluster } from './cluster-session.ts';

/** Every process of every node has a new link key by then. */
const SIGNS_AFTER_MS_MIN = 120_000;

/** `placard secrets`: the secrets that all nodes share. */
export const secretsCommand: CliCommand = {
  name: 'secrets',
  register: (program, context) => {
    const secrets = program.command('secrets').description('List the secrets that all nodes share, and rotate them.');
    registerList(secrets, context);
    const rotate = secrets.command('rotate').description('Replace a secret on every node, with an overlap.');
    registerRotateLinkKeys(rotate.command('link-keys'), context);
    registerRotateClusterKey(rotate.command('cluster-key'), context);
  },
};

function registerList(secrets: Command, context: CliContext): void {
  secrets
    .command('list')
    .description('List each secret, its purpose, its fingerprints, and how it is rotated. No content.')
    .action(async (_options: object, command: Command) => {
      const { readClusterStatus } = await import('../cluster/cluster-status.ts');
      const status = await withCluster(context, ({ sql }) => readClusterStatus(sql));
      if (status === null) throw new UsageError('There is no cluster yet: start Placard once on this PostgreSQL.');
      const lines = status.secrets.flatMap(
        ({ name, revision, fingerprints, isInVault, changedAt, purpose, rotation }) => [
          `${name}  (revision ${revision}, ${isInVault ? 'in a vault' : 'in PostgreSQL'}, ${changedAt.slice(0, 10)})`,
          `  ${purpose}`,
          `  fingerprint ${fingerprints.join(' ')}`,
          `  ${rotation}`,
        ],
      );
      const key = [
        `cluster-key  (fingerprint ${status.keyFingerprint})`,
        '  seals the others in PostgreSQL; it is in the data folders only',
        '  placard secrets rotate cluster-key: running nodes fetch it within 5 seconds, others for a day',
      ];
      context.print(command, { keyFingerprint: status.keyFingerprint, secrets: status.secrets }, [...lines, ...key]);
    });
}

/** The command that rotates link keys; `placard links rotate` is the same. */
export function registerRotateLinkKeys(rotate: Command, context: CliContext): void {
  rotate
    .description('Add a key that starts to sign later. Old keys verify until their last link has expired (31 days).')
    .option(
      '--signs-from <when>',
      'when it starts to sign; every node has it within a minute',
      parseInstant,
      parseInstant('10m'),
    )
    .action(async ({ signsFrom }: { signsFrom: Date | null }, command: Command) => {
      if (signsFrom === null || signsFrom.getTime() < Date.now() + SIGNS_AFTER_MS_MIN)
        throw new UsageError('--signs-from is at least 2m: every worker must know the key before one signs with it.');
      const { recordAudit } = await import('../access/audit/audit.sql.ts');
      const { lockCluster } = await import('../cluster/cluster.sql.ts');
      const { rotateLinkKeys } = await import('../cluster/rotate-secret.ts');
      const rotation = await withCluster(context, async ({ sql, settings }) => {
        await ensureCluster(context, { sql, settings });
        return lockCluster(sql, async (trx) => {
          const nowMs = Date.now();
          const done = await rotateLinkKeys(trx, { settings, signsFromMs: signsFrom.getTime(), nowMs });
          const { keyId, removed } = done;
          const more = { keyId, removed, signsFrom: signsFrom.toISOString() };
          await recordAudit(trx, clusterEntry('secret.rotate', 'link-keys', more));
          return done;
        });
      });
      const from = new Date(rotation.signsFromMs).toISOString();
      const removed =
        rotation.removed.length === 0
          ? []
          : [`Removed, because all their links have expired: ${rotation.removed.join(', ')}.`];
      context.print(command, { ...rotation, signsFrom: from }, [
        `Key ${rotation.keyId} signs links from ${from}.`,
        ...removed,
        'Every node that runs has it within a minute, without a restart.',
      ]);
    });
}

function registerRotateClusterKey(rotate: Command, context: CliContext): void {
  rotate
    .description('Replace the key that seals the secrets in PostgreSQL. Nodes that run fetch it by the former one.')
    .option('--now', 'without overlap, after a leak: every other node then needs a join token')
    .option('--overlap <when>', 'until when the former key opens the new one', parseInstant, parseInstant('1d'))
    .action(async ({ now, overlap }: { now?: boolean; overlap: Date | null }, command: Command) => {
      const { recordAudit } = await import('../access/audit/audit.sql.ts');
      const { lockCluster } = await import('../cluster/cluster.sql.ts');
      const { markOfKey } = await import('../cluster/cluster-key.ts');
      const { rotateClusterKey } = await import('../cluster/rotate-secret.ts');
      const until = now === true ? null : overlap;
      const { key, isInVault } = await withCluster(context, ({ sql, settings }) =>
        lockCluster(sql, async (trx) => {
          const made = await rotateClusterKey(trx, { settings, until });
          const more = { fingerprint: markOfKey(made), until: until?.toISOString() ?? null };
          await recordAudit(trx, clusterEntry('secret.rotate', 'cluster-key', more));
          return { key: made, isInVault: settings.clusterKey !== null };
        }),
      );
      const fingerprint = markOfKey(key);
      const vault = isInVault ? { clusterKey: key.toString('hex') } : {};
      context.print(command, { fingerprint, until: until?.toISOString() ?? null, ...vault }, [
        `The cluster key has the fingerprint ${fingerprint}.`,
        ...(isInVault
          ? [`Set PLACARD_CLUSTER_KEY to ${key.toString('hex')} on every node. It is not shown again.`]
          : []),
        until === null
          ? 'Every other node needs a join token: "placard cluster token --uses <nodes>", then "placard cluster join" on each.'
          : `Nodes that run have it within 5 seconds; others fetch it when they start until ${until.toISOString()}.`,
      ]);
    });
}

/** An installation that has not started since its update has no cluster yet. */
async function ensureCluster(
  context: CliContext,
  { sql, settings }: Parameters<Parameters<typeof withCluster>[1]>[0],
): Promise<void> {
  const { joinCluster } = await import('../cluster/join-cluster.ts');
  await joinCluster({ sql, settings, part: 'core', log: context.log() });
}
