import { beginsWithDay } from '../domain/time/calendar.ts';
import { existsSync } from 'node:fs';
import { userInfo } from 'node:os';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Kysely } from 'kysely';
import type { AuditActor } from '../access/audit/audit.sql.ts';
import { auditKeyPath } from '../access/audit/audit-key.ts';
import type { Settings } from '../config/settings.ts';
import { ENVIRONMENTS, type Environment } from '../domain/tenancy/workspace.ts';
import type { MailQueue } from '../mail/mail-queue.ts';
import type { InstallationSecrets } from '../storage/secrets.ts';
import type { Database } from '../storage/sql/schema.ts';
import { findLockHolder } from '../runtime/supervisor/data-lock.ts';
import { readEndpoints } from '../runtime/supervisor/run-files.ts';
import type { CliContext } from './context/cli-context.ts';

/** Which network's environment a command works in. */
export interface WorkspaceOptions {
  readonly network: string;
  readonly environment: Environment;
}

/** The dependencies of a command on keys, credentials, users or the audit log. */
export interface AccessSession {
  readonly sql: Kysely<Database>;
  readonly secrets: InstallationSecrets;
  readonly dataDir: string;
  /** Where the console is reached. */
  readonly coreUrl: string;
  /** The running core sends what is queued; null: no mail is sent here. */
  readonly mail: MailQueue | null;
}

/**
 * Runs `work` on the management database of this data folder. Where no core runs that would sign the heads of the audit log, they are
 * signed in the end, unless `signs` is false.
 */
export async function withAccess<T>(
  context: CliContext,
  work: (session: AccessSession) => Promise<T>,
  { signs = true } = {},
): Promise<T> {
  const { openPostgres } = await import('../storage/sql/postgres.ts');
  const { loadSecrets } = await import('../storage/secrets.ts');
  const { openMailQueue } = await import('../runtime/compose/mail.ts');
  const settings = context.settings();
  const { dataDir, corePublicUrl, corePort } = settings;
  const mustSign = signs && isSigner(settings);
  return context.withStores({ analytics: false }, async ({ postgresUrl }) => {
    const options = { url: postgresUrl, log: context.log(), poolMax: 2, statementTimeoutMs: 60_000 };
    const postgres = openPostgres(options);
    try {
      await fetchMissingSecrets(postgres.db, context);
      const running = findLockHolder(dataDir) === null ? null : readEndpoints(dataDir);
      const coreUrl = corePublicUrl ?? running?.corePublicUrl ?? `https://localhost:${corePort}`;
      const secrets = loadSecrets(dataDir);
      const mail = openMailQueue({ settings, pepper: secrets.pepper, publicUrl: coreUrl });
      const done = await work({ sql: postgres.db, secrets, dataDir, coreUrl, mail });
      if (mustSign) await signHeads(postgres.db, dataDir, context);
      return done;
    } finally {
      await postgres.close();
    }
  });
}

/** A data folder without secrets, on a PostgreSQL that others use too: the secrets are the cluster's. */
async function fetchMissingSecrets(sql: Kysely<Database>, context: CliContext): Promise<void> {
  const { SECRET_FILES } = await import('../storage/secrets.ts');
  const { readSecretFile } = await import('../cluster/secret-files.ts');
  const settings = context.settings();
  if (settings.postgresUrl === null || SECRET_FILES.every((name) => readSecretFile(settings.dataDir, name) !== null))
    return;
  const { joinCluster } = await import('../cluster/join-cluster.ts');
  await joinCluster({ sql, settings, part: 'core', log: context.log() });
}

/** Whether nobody else signs: no instance runs, and this folder has the installation's key, or its only database. */
function isSigner({ dataDir, postgresUrl }: Settings): boolean {
  if (findLockHolder(dataDir) !== null) return false;
  return postgresUrl === null || existsSync(auditKeyPath(dataDir));
}

async function signHeads(sql: Kysely<Database>, dataDir: string, context: CliContext): Promise<void> {
  const { AuditHeadWriter } = await import('../access/audit/audit-heads.ts');
  const { loadAuditKey } = await import('../access/audit/audit-key.ts');
  const deps = { sql, key: loadAuditKey(dataDir), log: context.log(), nowMs: Date.now };
  await new AuditHeadWriter(dataDir, deps).stop();
}

/** The workspace that the options name, and who acts there. @throws PlacardError `unknown_network` */
export async function openWorkspace(
  session: AccessSession,
  options: WorkspaceOptions,
): Promise<{ workspaceId: number; by: AuditActor }> {
  const { requireWorkspaceId } = await import('../access/permissions/workspaces.sql.ts');
  const workspaceId = await requireWorkspaceId(session.sql, options.network, options.environment);
  return { workspaceId, by: { ...operator(), networkId: options.network, workspaceId } };
}

/** Who acts on the command line, as the audit log names it. */
export function operator(): AuditActor {
  return { actor: `operator:${accountName()}`, remoteAddress: '', networkId: '0', workspaceId: null };
}

/** The account's name, or its number where it has no name, as with another user of a container. */
function accountName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? 'unknown');
  }
}

/** Adds `--network` (required) and `--environment`. */
export function addWorkspaceOptions(command: Command): Command {
  return command
    .requiredOption('-n, --network <id>', 'id of the network')
    .addOption(
      new Option('-e, --environment <name>', 'the environment')
        .choices(ENVIRONMENTS)
        .default('production' satisfies Environment),
    );
}

/** A day is its midnight in UTC. */
const DAY_OR_INSTANT = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d))?$/;

/** `90d`, `12h`, `30m` from now, `never`, a day, or an instant with its zone, such as `2027-01-31T12:00Z`. */
export function parseInstant(text: string): Date | null {
  if (text === 'never') return null;
  const match = /^(\d{1,6})([dhm])$/.exec(text);
  const unitMs = { d: 86_400_000, h: 3_600_000, m: 60_000 };
  if (match !== null) return new Date(Date.now() + Number(match[1]) * unitMs[match[2] as keyof typeof unitMs]);
  const instant = new Date(DAY_OR_INSTANT.test(text) && beginsWithDay(text) ? text : Number.NaN);
  if (Number.isNaN(instant.getTime()))
    throw new InvalidArgumentError(
      'Write 90d, 12h, 30m, a day such as 2027-01-31, an instant such as 2027-01-31T12:00Z, or never.',
    );
  return instant;
}

/** Text between commas, trimmed, without empty parts. */
export function parseList(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** A date for a table: to the minute, or a dash. */
export function showInstant(instant: Date | null): string {
  return instant === null ? '-' : instant.toISOString().slice(0, 16).replace('T', ' ');
}
