import { type Command, InvalidArgumentError } from 'commander';
import type { ClusterStatus } from '../cluster/cluster-status.ts';
import { type CliCommand, type CliContext, formatTable, UsageError } from './context/cli-context.ts';
import { clusterEntry, withCluster } from './cluster-session.ts';

const HOUR_MS = 3_600_000;
const TOKEN_LIFE_MS_MAX = 7 * 24 * HOUR_MS;
const TOKEN_USES_MAX = 64;

/** `placard cluster`: the nodes of this installation, and how further ones join. */
export const clusterCommand: CliCommand = {
  name: 'cluster',
  register: (program, context) => {
    const cluster = program.command('cluster').description('Show the nodes of this installation; let others join.');
    registerStatus(cluster, context);
    registerToken(cluster, context);
    registerTokens(cluster, context);
    registerRevoke(cluster, context);
    registerJoin(cluster, context);
    registerAdopt(cluster, context);
    registerForget(cluster, context);
    registerReset(cluster, context);
  },
};

function registerStatus(cluster: Command, context: CliContext): void {
  cluster
    .command('status')
    .description('Show every node, and what keeps one from serving. Exit code 1 when a node differs or is silent.')
    .action(async (_options: object, command: Command) => {
      const { readClusterStatus } = await import('../cluster/cluster-status.ts');
      const status = await withCluster(context, ({ sql }) => readClusterStatus(sql));
      if (status === null) throw new UsageError('There is no cluster yet: start Placard once on this PostgreSQL.');
      context.print(command, status, formatStatus(status));
      if (!status.ok) process.exitCode = 1;
    });
}

function formatStatus({ nodes, secrets, jobs, warnings, ok, id }: ClusterStatus): string[] {
  const rows = nodes.map((node) => [
    node.id,
    node.host,
    node.state,
    node.parts.map(({ part }) => part).join('+'),
    String(node.workers),
    node.version,
    node.parts[0]?.seenAt.slice(0, 19).replace('T', ' ') ?? '',
  ]);
  const problems = nodes.flatMap((node) => node.problems.map((problem) => `${node.id}: ${problem}`));
  const table = formatTable([['NODE', 'HOST', 'STATE', 'PARTS', 'WORKERS', 'VERSION', 'SEEN (UTC)'], ...rows]);
  const marks = secrets.map(({ name, revision, fingerprints, isInVault }) => [
    name,
    String(revision),
    isInVault ? 'vault' : 'PostgreSQL',
    fingerprints.join(' '),
  ]);
  const held = jobs.map(({ name, nodeId, since, runs }) => [
    name,
    runs ? nodeId : 'nobody at present',
    since.slice(0, 19).replace('T', ' '),
  ]);
  return [
    `Cluster ${id}: ${ok ? 'every node agrees' : 'a node differs or is silent'}.`,
    '',
    ...table,
    ...(problems.length === 0 ? [] : ['', ...problems]),
    ...(warnings.length === 0 ? [] : ['', ...warnings.map((warning) => `Warning: ${warning}`)]),
    '',
    ...formatTable([['SECRET', 'REVISION', 'KEPT IN', 'FINGERPRINTS'], ...marks]),
    '',
    ...formatTable([['JOB', 'NODE', 'SINCE (UTC)'], ...held]),
  ];
}

function parseLife(text: string): number {
  const [, number, unit] = /^(\d{1,4})([mhd])$/.exec(text) ?? [];
  const unitMs = { m: HOUR_MS / 60, h: HOUR_MS, d: 24 * HOUR_MS }[unit ?? ''];
  const lifeMs = Number(number) * (unitMs ?? Number.NaN);
  if (!(lifeMs > 0 && lifeMs <= TOKEN_LIFE_MS_MAX)) throw new InvalidArgumentError('Write 30m, 2h or 1d; at most 7d.');
  return lifeMs;
}

function parseUses(text: string): number {
  const uses = /^\d{1,2}$/.test(text) ? Number(text) : 0;
  if (uses < 1 || uses > TOKEN_USES_MAX) throw new InvalidArgumentError(`Write a number from 1 to ${TOKEN_USES_MAX}.`);
  return uses;
}

function registerToken(cluster: Command, context: CliContext): void {
  cluster
    .command('token')
    .description('Make a token with which a further node joins. It is shown once.')
    .addOption(
      cluster
        .createOption('--expires <time>', 'how long it is valid, such as 30m, 2h or 1d')
        .argParser(parseLife)
        .default(HOUR_MS, '1h'),
    )
    .option('--uses <count>', 'how many nodes may join with it', parseUses, 1)
    .action(async ({ expires, uses }: { expires: number; uses: number }, command: Command) => {
      const { recordAudit } = await import('../access/audit/audit.sql.ts');
      const { lockCluster } = await import('../cluster/cluster.sql.ts');
      const { createJoinToken } = await import('../cluster/join-tokens.sql.ts');
      const { parseJoinToken } = await import('../cluster/cluster-key.ts');
      const { holdCluster } = await import('../cluster/rotate-secret.ts');
      const token = await withCluster(context, ({ sql, settings }) =>
        lockCluster(sql, async (trx) => {
          const { clusterKey } = await holdCluster(trx, settings);
          const entry = clusterEntry('joinToken.create', '', { uses, minutes: expires / 60_000 });
          const wish = { clusterKey, uses, lifeMs: expires, createdBy: entry.by.actor };
          const text = await createJoinToken(trx, wish);
          await recordAudit(trx, { ...entry, objectId: parseJoinToken(text)?.id ?? '' });
          return text;
        }),
      );
      const valid = `It is valid for ${expires / 60_000} minutes and ${uses === 1 ? 'one node' : `${uses} nodes`}.`;
      context.print(command, { token, uses, expiresInMs: expires }, [
        token,
        '',
        `Start the further node with PLACARD_JOIN_TOKEN set to it. ${valid} It is not shown again.`,
      ]);
    });
}

function registerTokens(cluster: Command, context: CliContext): void {
  cluster
    .command('tokens')
    .description('List the join tokens that are valid.')
    .action(async (_options: object, command: Command) => {
      const { listJoinTokens } = await import('../cluster/join-tokens.sql.ts');
      const tokens = await withCluster(context, ({ sql }) => listJoinTokens(sql));
      const rows = tokens.map(({ id, usesLeft, createdBy, expiresAt }) => [
        id,
        String(usesLeft),
        expiresAt.toISOString().slice(0, 16).replace('T', ' '),
        createdBy,
      ]);
      context.print(command, tokens, formatTable([['ID', 'USES LEFT', 'EXPIRES (UTC)', 'MADE BY'], ...rows]));
    });
}

function registerRevoke(cluster: Command, context: CliContext): void {
  cluster
    .command('revoke')
    .description('Revoke a join token.')
    .argument('<id>', 'the id of the join token (`placard cluster tokens`)')
    .action(async (id: string, _options: object, command: Command) => {
      const { recordAudit } = await import('../access/audit/audit.sql.ts');
      const { revokeJoinToken } = await import('../cluster/join-tokens.sql.ts');
      const isRevoked = await withCluster(context, ({ sql }) =>
        sql.transaction().execute(async (trx) => {
          const wasValid = await revokeJoinToken(trx, id);
          if (wasValid) await recordAudit(trx, clusterEntry('joinToken.revoke', id));
          return wasValid;
        }),
      );
      if (!isRevoked) throw new UsageError(`There is no valid join token ${id}.`);
      context.print(command, { id, revoked: true }, [`The join token ${id} is revoked.`]);
    });
}

function registerJoin(cluster: Command, context: CliContext): void {
  cluster
    .command('join')
    .description("Replace this node's secrets by the cluster's; the token comes from PLACARD_JOIN_TOKEN or its file.")
    .action(async (_options: object, command: Command) => {
      const { recordAudit } = await import('../access/audit/audit.sql.ts');
      const { replaceSecrets } = await import('../cluster/join-cluster.ts');
      const { loadNodeId } = await import('../cluster/secret-files.ts');
      const replaced = await withCluster(context, async ({ sql, settings }) => {
        const deps = { sql, settings, part: 'core' as const, log: context.log() };
        const names = await replaceSecrets(deps, settings.joinToken);
        const entry = clusterEntry('node.join', loadNodeId(settings.dataDir), { replaced: names });
        await sql.transaction().execute((trx) => recordAudit(trx, entry));
        return names;
      });
      context.print(command, { replaced }, [
        replaced.length === 0
          ? 'This node has the secrets of the cluster.'
          : `Replaced: ${replaced.join(', ')}. The former ones stay in secrets/*.before-join of the data folder.`,
        'Restart Placard on this node.',
      ]);
    });
}

function registerAdopt(cluster: Command, context: CliContext): void {
  cluster
    .command('adopt')
    .description("Make this node's hot store, analytics store, bucket and vault secrets those of the cluster.")
    .action(async (_options: object, command: Command) => {
      const { adoptNode } = await import('../cluster/adopt-node.ts');
      const { recordAudit } = await import('../access/audit/audit.sql.ts');
      const { lockCluster } = await import('../cluster/cluster.sql.ts');
      const adopted = await withCluster(context, ({ sql, settings }) =>
        lockCluster(sql, async (trx) => {
          const done = await adoptNode(trx, settings);
          await recordAudit(
            trx,
            clusterEntry('cluster.adopt', done.nodeId, { secrets: done.secrets, facts: done.facts }),
          );
          return done;
        }),
      );
      context.print(command, adopted, [
        'The cluster now has what this node has. Nodes with other settings stop serving within 5 seconds: restart them with these.',
        ...Object.entries(adopted.facts).map(([name, value]) => `  ${name}: ${value}`),
      ]);
    });
}

function registerForget(cluster: Command, context: CliContext): void {
  cluster
    .command('forget')
    .description('Remove a node that does not come back.')
    .argument('<node>', 'its id')
    .action(async (nodeId: string, _options: object, command: Command) => {
      const { recordAudit } = await import('../access/audit/audit.sql.ts');
      const { lockCluster, deleteNode } = await import('../cluster/cluster.sql.ts');
      const parts = await withCluster(context, ({ sql }) =>
        lockCluster(sql, async (trx) => {
          const gone = await deleteNode(trx, nodeId);
          if (gone > 0) await recordAudit(trx, clusterEntry('node.forget', nodeId));
          return gone;
        }),
      );
      if (parts === 0) throw new UsageError(`There is no node ${nodeId}.`);
      context.print(command, { nodeId, parts }, [`Node ${nodeId} is removed. If it runs, it is listed again.`]);
    });
}

function registerReset(cluster: Command, context: CliContext): void {
  cluster
    .command('reset')
    .description('After the loss of all nodes: forget the secrets, so that the next start makes new ones.')
    .option('--yes', 'every API key, session and link of served ads becomes invalid')
    .action(async ({ yes }: { yes?: boolean }, command: Command) => {
      if (yes !== true)
        throw new UsageError('Every API key, session and link of served ads becomes invalid: repeat it with --yes.');
      const { recordAudit } = await import('../access/audit/audit.sql.ts');
      const { deleteCluster, lockCluster } = await import('../cluster/cluster.sql.ts');
      const { readClusterStatus } = await import('../cluster/cluster-status.ts');
      await withCluster(context, async ({ sql }) => {
        const running = (await readClusterStatus(sql))?.nodes.filter(({ state }) => state !== 'stopped') ?? [];
        if (running.some(({ state }) => state !== 'silent'))
          throw new UsageError(`Nodes run (${running.map(({ id }) => id).join(', ')}): stop them first.`);
        await lockCluster(sql, async (trx) => {
          await deleteCluster(trx);
          await recordAudit(trx, clusterEntry('cluster.reset', '1'));
        });
      });
      context.print(command, { reset: true }, [
        'The next node that starts makes the cluster, with the secrets that it has.',
      ]);
    });
}
