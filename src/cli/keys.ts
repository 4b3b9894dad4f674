import { type Command, Option } from 'commander';
import type { ApiKeyListing } from '../access/keys/api-keys.sql.ts';
import { MODULES, type Module, PERMISSIONS, type Permission } from '../domain/tenancy/workspace.ts';
import {
  addWorkspaceOptions,
  openWorkspace,
  parseInstant,
  parseList,
  showInstant,
  withAccess,
} from './access-session.ts';
import type { WorkspaceOptions } from './access-session.ts';
import { type CliCommand, type CliContext, formatTable } from './context/cli-context.ts';

interface CreateOptions extends WorkspaceOptions {
  readonly name: string;
  readonly permission: Permission;
  readonly modules?: string[];
  readonly expires?: Date | null;
  readonly allow?: string[];
}

/** `placard keys`: bearer API keys. */
export const keysCommand: CliCommand = {
  name: 'keys',
  register: (program, context) => {
    const keys = program.command('keys').description('Create, list, rotate and revoke API keys.');
    registerCreate(keys, context);
    registerList(keys, context);
    registerRotate(keys, context);
    registerRevoke(keys, context);
  },
};

function registerCreate(keys: Command, context: CliContext): void {
  addWorkspaceOptions(keys.command('create'))
    .description('Create a key and print its value, which is shown this once only.')
    .requiredOption('--name <text>', 'what the key is for')
    .addOption(
      new Option('--permission <level>', 'what it may do')
        .choices(PERMISSIONS)
        .default('read-only' satisfies Permission),
    )
    .option('--modules <list>', `only these modules, of ${MODULES.join(', ')} (default: all)`, parseList)
    .option('--expires <when>', 'such as 90d, 2027-01-31 or never (default: never)', parseInstant)
    .option('--allow <list>', 'only from these addresses and CIDR ranges', parseList)
    .action(async (options: CreateOptions, command: Command) => {
      const { createApiKey } = await import('../access/keys/api-keys.sql.ts');
      const key = await withAccess(context, async (session) => {
        const { workspaceId, by } = await openWorkspace(session, options);
        return createApiKey(session.sql, session.secrets, {
          workspaceId,
          name: options.name,
          permission: options.permission,
          modules: (options.modules as Module[] | undefined) ?? null,
          expiresAt: options.expires ?? null,
          ipAllowlist: options.allow ?? [],
          by,
        });
      });
      context.print(command, key, [key.value, `Key ${key.id}. Keep the value now: it is not shown again.`]);
    });
}

function registerList(keys: Command, context: CliContext): void {
  addWorkspaceOptions(keys.command('list'))
    .description('List the keys of a network.')
    .option('--all', 'revoked and expired ones too')
    .action(async (options: WorkspaceOptions & { all?: boolean }, command: Command) => {
      const { listApiKeys } = await import('../access/keys/api-keys.sql.ts');
      const listed = await withAccess(context, async (session) => {
        const { workspaceId } = await openWorkspace(session, options);
        return listApiKeys(session.sql, workspaceId, { includeInactive: options.all === true });
      });
      const head = ['ID', 'NAME', 'KEY', 'PERMISSION', 'MODULES', 'CREATED', 'LAST USED', 'EXPIRES', 'REVOKED'];
      context.print(command, listed, formatTable([head, ...listed.map(showKey)]));
    });
}

function showKey(key: ApiKeyListing): string[] {
  const modules = key.modules?.join(',') ?? 'all';
  const times = [key.createdAt, key.lastUsedAt, key.expiresAt, key.revokedAt].map(showInstant);
  return [key.id, key.name, `${key.prefix}…${key.lastFour}`, key.permission, modules, ...times];
}

function registerRotate(keys: Command, context: CliContext): void {
  addWorkspaceOptions(keys.command('rotate <id>'))
    .description('Create a key with the settings of an old one, which dies later.')
    .option('--old-expires <when>', 'when the old one dies', parseInstant, parseInstant('24h'))
    .option('--expires <when>', 'when the new one expires (default: never)', parseInstant)
    .action(
      async (id: string, options: WorkspaceOptions & { oldExpires: Date; expires?: Date | null }, command: Command) => {
        const { rotateApiKey } = await import('../access/keys/api-keys.sql.ts');
        const key = await withAccess(context, async (session) => {
          const workspace = await openWorkspace(session, options);
          const wish = { ...workspace, id, oldExpiresAt: options.oldExpires, expiresAt: options.expires ?? null };
          return rotateApiKey(session.sql, session.secrets, wish);
        });
        const until = showInstant(options.oldExpires);
        context.print(command, key, [key.value, `Key ${key.id}. Key ${id} works until ${until} UTC.`]);
      },
    );
}

function registerRevoke(keys: Command, context: CliContext): void {
  addWorkspaceOptions(keys.command('revoke <id>'))
    .description('Revoke a key, at once and for good.')
    .action(async (id: string, options: WorkspaceOptions, command: Command) => {
      const { revokeApiKey } = await import('../access/keys/api-keys.sql.ts');
      const key = await withAccess(context, async (session) =>
        revokeApiKey(session.sql, { ...(await openWorkspace(session, options)), id }),
      );
      context.print(command, key, [`Key ${id} (${key.name}) is revoked.`]);
    });
}
