import type { Command } from 'commander';
import {
  addWorkspaceOptions,
  openWorkspace,
  showInstant,
  type WorkspaceOptions,
  withAccess,
} from './access-session.ts';
import { type CliCommand, type CliContext, formatTable } from './context/cli-context.ts';

/** `placard credentials`: login/token pairs for the Reports API and the legacy reports. */
export const credentialsCommand: CliCommand = {
  name: 'credentials',
  register: (program, context) => {
    const credentials = program
      .command('credentials')
      .description('Create, list and disable login/token pairs for reports (x-internal-auth headers).');
    registerCreate(credentials, context);
    registerList(credentials, context);
    registerDisable(credentials, context);
  },
};

function registerCreate(credentials: Command, context: CliContext): void {
  addWorkspaceOptions(credentials.command('create'))
    .description('Create a pair and print its token, which is shown this once only.')
    .requiredOption('--name <text>', 'whom the pair is for')
    .option('--login <login>', 'the login (default: a random one)')
    .action(async (options: WorkspaceOptions & { name: string; login?: string }, command: Command) => {
      const { createHeaderCredential } = await import('../access/keys/header-credentials.sql.ts');
      const pair = await withAccess(context, async (session) => {
        const login = options.login === undefined ? {} : { login: options.login };
        const workspace = await openWorkspace(session, options);
        return createHeaderCredential(session.sql, session.secrets, { ...workspace, name: options.name, ...login });
      });
      context.print(command, pair, [
        `x-internal-auth-login: ${pair.login}`,
        `x-internal-auth-token: ${pair.token}`,
        `Credentials ${pair.id}. Keep the token now: it is not shown again.`,
      ]);
    });
}

function registerList(credentials: Command, context: CliContext): void {
  addWorkspaceOptions(credentials.command('list'))
    .description('List the pairs of a network.')
    .option('--all', 'disabled ones too')
    .action(async (options: WorkspaceOptions & { all?: boolean }, command: Command) => {
      const { listHeaderCredentials } = await import('../access/keys/header-credentials.sql.ts');
      const listed = await withAccess(context, async (session) => {
        const { workspaceId } = await openWorkspace(session, options);
        return listHeaderCredentials(session.sql, workspaceId, { includeDisabled: options.all === true });
      });
      const rows = listed.map((pair) => [
        pair.id,
        pair.name,
        pair.login,
        ...[pair.createdAt, pair.lastUsedAt, pair.disabledAt].map(showInstant),
      ]);
      context.print(
        command,
        listed,
        formatTable([['ID', 'NAME', 'LOGIN', 'CREATED', 'LAST USED', 'DISABLED'], ...rows]),
      );
    });
}

function registerDisable(credentials: Command, context: CliContext): void {
  addWorkspaceOptions(credentials.command('disable <id>'))
    .description('Disable a pair, at once and for good.')
    .action(async (id: string, options: WorkspaceOptions, command: Command) => {
      const { disableHeaderCredential } = await import('../access/keys/header-credentials.sql.ts');
      const pair = await withAccess(context, async (session) =>
        disableHeaderCredential(session.sql, { ...(await openWorkspace(session, options)), id }),
      );
      context.print(command, pair, [`Credentials ${id} (${pair.login}) are disabled.`]);
    });
}
