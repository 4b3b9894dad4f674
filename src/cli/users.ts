import { readFileSync } from 'node:fs';
import { type Command, Option } from 'commander';
import type { Role } from '../access/users/roles.ts';
import { type AccessSession, operator, showInstant, withAccess } from './access-session.ts';
import { type CliCommand, type CliContext, formatTable, UsageError } from './context/cli-context.ts';

const ROLE_NAMES = ['viewer', 'editor', 'admin'] as const;

interface CreateOptions {
  readonly email: string;
  readonly name: string;
  readonly operator?: boolean;
  readonly network?: string;
  readonly role?: Role;
  readonly passwordFile?: string;
}

/** `placard users`: accounts of people who sign in to the console. */
export const usersCommand: CliCommand = {
  name: 'users',
  register: (program, context) => {
    const users = program.command('users').description('Create, list, disable and change accounts.');
    registerCreate(users, context);
    registerInvite(users, context);
    registerInvitationLink(users, context);
    registerList(users, context);
    registerRole(users, context);
    registerPasswordLink(users, context);
    registerResetSecondFactor(users, context);
    registerDisable(users, context);
  },
};

function registerCreate(users: Command, context: CliContext): void {
  users
    .command('create')
    .description(
      'Create an account. Without a password file, a one-time link is printed with which its owner sets one.',
    )
    .requiredOption('--email <address>', 'e-mail address')
    .requiredOption('--name <text>', 'name of the person')
    .option('--operator', 'admin of every network of this installation')
    .option('-n, --network <id>', 'a network that the person works in')
    .addOption(new Option('--role <role>', 'what the person may do there').choices(ROLE_NAMES))
    .option('--password-file <path>', 'read the password from a file; - is standard input')
    .action(async (options: CreateOptions, command: Command) => {
      if ((options.network === undefined) !== (options.role === undefined)) {
        throw new UsageError('--network and --role go together.');
      }
      const made = await withAccess(context, (session) => createAccount(session, options));
      const lines = [`User ${made.id} (${options.email}).`];
      if (made.link !== null) lines.push(`Set the password within a day at ${made.link}`);
      context.print(command, made, lines);
    });
}

async function createAccount(
  session: AccessSession,
  options: CreateOptions,
): Promise<{ id: string; link: string | null }> {
  const { createUser } = await import('../access/users/users.sql.ts');
  const { email, name, network: networkId, role } = options;
  const password = options.passwordFile === undefined ? {} : { password: readPassword(options.passwordFile) };
  const memberships = networkId === undefined || role === undefined ? [] : [{ networkId, role }];
  const wish = { email, name, ...password, operator: options.operator === true, memberships };
  const { id } = await createUser(session.sql, { ...wish, by: operator(), mail: session.mail });
  return { id, link: options.passwordFile === undefined ? await newPasswordLink(session, id) : null };
}

/** The first line of the file: the line break that an editor appends does not become part of the password. */
function readPassword(path: string): string {
  return readFileSync(path === '-' ? 0 : path, 'utf8').split(/\r?\n/, 1)[0] ?? '';
}

async function newPasswordLink({ sql, secrets, coreUrl }: AccessSession, userId: string): Promise<string> {
  const { createPasswordLink } = await import('../access/users/invitations.sql.ts');
  const { linkAddress } = await import('../access/users/links.sql.ts');
  const { token } = await createPasswordLink({ sql, pepper: secrets.pepper }, { userId, by: operator() }, new Date());
  return linkAddress(coreUrl, 'password', token);
}

interface InviteOptions {
  readonly email: string;
  readonly network: string;
  readonly role: Role;
}

/** Where the operator hands the link out: nobody else can. */
function registerInvite(users: Command, context: CliContext): void {
  users
    .command('invite')
    .description('Invite an address into a network and print the one-time link. Give it only to that person.')
    .requiredOption('--email <address>', 'whom to invite')
    .requiredOption('-n, --network <id>', 'id of the network')
    .addOption(new Option('--role <role>', 'what the person may do there').choices(ROLE_NAMES).makeOptionMandatory())
    .action(async ({ email, network: networkId, role }: InviteOptions, command: Command) => {
      const { inviteUser } = await import('../access/users/invitations.sql.ts');
      const made = await withAccess(context, async (session) => {
        const deps = { sql: session.sql, pepper: session.secrets.pepper, mail: null };
        const { id } = await inviteUser(deps, { email, networkId, role, by: operator() }, new Date());
        return { id, link: await newInvitationLink(session, id) };
      });
      context.print(command, made, [`Invitation ${made.id}. It works once, for 7 days, at ${made.link}`]);
    });
}

function registerInvitationLink(users: Command, context: CliContext): void {
  users
    .command('invitation-link <id>')
    .description('Print a new one-time link for an open invitation; the previous link stops working.')
    .action(async (id: string, _options: object, command: Command) => {
      const link = await withAccess(context, (session) => newInvitationLink(session, id));
      context.print(command, { id, link }, [link]);
    });
}

async function newInvitationLink({ sql, secrets, coreUrl }: AccessSession, id: string): Promise<string> {
  const { makeInvitationLink } = await import('../access/users/invitations.sql.ts');
  const { linkAddress } = await import('../access/users/links.sql.ts');
  const { token } = await makeInvitationLink({ sql, pepper: secrets.pepper }, { id, by: operator() }, new Date());
  return linkAddress(coreUrl, 'join', token);
}

function registerList(users: Command, context: CliContext): void {
  users
    .command('list')
    .description('List all accounts.')
    .action(async (_options: object, command: Command) => {
      const { listUsers } = await import('../access/users/users.sql.ts');
      const listed = await withAccess(context, ({ sql }) => listUsers(sql));
      const rows = listed.map((user) => [
        user.id,
        user.email,
        user.name,
        user.operator ? 'yes' : 'no',
        showInstant(user.createdAt),
        showInstant(user.disabledAt),
      ]);
      context.print(
        command,
        listed,
        formatTable([['ID', 'E-MAIL', 'NAME', 'OPERATOR', 'CREATED', 'DISABLED'], ...rows]),
      );
    });
}

function registerRole(users: Command, context: CliContext): void {
  users
    .command('role <id>')
    .description('Set what a person may do in a network.')
    .requiredOption('-n, --network <id>', 'id of the network')
    .addOption(new Option('--role <role>', 'the role, or none').choices([...ROLE_NAMES, 'none']).makeOptionMandatory())
    .action(async (id: string, options: { network: string; role: Role | 'none' }, command: Command) => {
      const { setMembership } = await import('../access/users/users.sql.ts');
      const role = options.role === 'none' ? null : options.role;
      const wish = { userId: id, networkId: options.network, role, by: operator() };
      await withAccess(context, ({ sql, mail }) => setMembership(sql, { ...wish, mail }));
      context.print(command, { id, networkId: options.network, role }, [
        `User ${id} is ${options.role} in network ${options.network}.`,
      ]);
    });
}

function registerPasswordLink(users: Command, context: CliContext): void {
  users
    .command('password-link <id>')
    .alias('reset-link')
    .description('Print a one-time link with which a person sets a new password.')
    .action(async (id: string, _options: object, command: Command) => {
      const link = await withAccess(context, (session) => newPasswordLink(session, id));
      context.print(command, { id, link }, [link]);
    });
}

function registerResetSecondFactor(users: Command, context: CliContext): void {
  users
    .command('reset-second-factor <id>')
    .description(
      'Take a second factor out of force, for a person who lost it and every recovery code; ends all sessions.',
    )
    .action(async (id: string, _options: object, command: Command) => {
      const { resetSecondFactor } = await import('../access/sign-in/second-factor.sql.ts');
      await withAccess(context, ({ sql, secrets }) =>
        resetSecondFactor({ sql, pepper: secrets.pepper }, { userId: id, by: operator() }, new Date()),
      );
      context.print(command, { id }, [
        `User ${id} signs in with the password alone, and can set up a new second factor.`,
      ]);
    });
}

function registerDisable(users: Command, context: CliContext): void {
  for (const disabled of [true, false]) {
    users
      .command(`${disabled ? 'disable' : 'enable'} <id>`)
      .description(disabled ? 'Disable an account and end its sessions.' : 'Enable an account again.')
      .action(async (id: string, _options: object, command: Command) => {
        const { setUserDisabled } = await import('../access/users/users.sql.ts');
        await withAccess(context, ({ sql }) => setUserDisabled(sql, { userId: id, disabled, by: operator() }));
        context.print(command, { id, disabled }, [`User ${id} is ${disabled ? 'disabled' : 'enabled'}.`]);
      });
  }
}
