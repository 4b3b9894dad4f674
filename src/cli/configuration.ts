import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Command } from 'commander';
import { quotaLimits } from '../runtime/compose/storage-limits.ts';
import { splitLines } from '../domain/text/byte-lines.ts';
import type { ManagementContext } from '../management/kernel/context.ts';
import {
  type AccessSession,
  addWorkspaceOptions,
  openWorkspace,
  type WorkspaceOptions,
  withAccess,
} from './access-session.ts';
import { type CliCommand, type CliContext, UsageError } from './context/cli-context.ts';

/** `placard configuration`: everything that is booked and placed in a network, out to a file and into another environment. */
export const configurationCommand: CliCommand = {
  name: 'configuration',
  register: (program, context) => {
    const configuration = program
      .command('configuration')
      .description(
        'Export the configuration of a network as JSON lines, and import it into another network or environment.',
      );
    registerExport(configuration, context);
    registerImport(configuration, context);
  },
};

function registerExport(configuration: Command, context: CliContext): void {
  addWorkspaceOptions(configuration.command('export'))
    .description('Write every object in use, one a line, parents first. No keys, users or figures.')
    .argument('<file>', 'the file to write; it must not exist')
    .action(async (path: string, options: WorkspaceOptions, command: Command) => {
      const { exportConfiguration } = await import('../management/transfer/export-configuration.ts');
      const { RESOURCES } = await import('../management/schema/schema.ts');
      const count = await withAccess(context, async (session) => {
        const management = await openManagement(context, session, options);
        const file = await open(path, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
          throw new UsageError(
            error.code === 'EEXIST' ? `${path} exists already.` : `${path} cannot be written: ${error.message}`,
          );
        });
        try {
          let lines = 0;
          for await (const object of exportConfiguration(management, RESOURCES)) {
            await file.appendFile(`${JSON.stringify(object)}\n`);
            lines += 1;
          }
          await file.sync();
          return lines;
        } finally {
          await file.close();
        }
      });
      context.print(command, { file: path, objects: count }, [`${count} objects written to ${path}.`]);
    });
}

/** Longest line of an export in bytes: far above the largest object. */
const LINE_BYTES_MAX = 16 * 1_024 * 1_024;

function registerImport(configuration: Command, context: CliContext): void {
  addWorkspaceOptions(configuration.command('import'))
    .description('Create the objects of an export, with new ids: all of them, or none.')
    .argument('<file>', 'a file that `configuration export` wrote')
    .option('--dry-run', 'only check, and say what would be made')
    .action(async (path: string, options: WorkspaceOptions & { dryRun?: boolean }, command: Command) => {
      const { importConfiguration } = await import('../management/transfer/import-configuration.ts');
      const { createEngine } = await import('../management/schema/engine.ts');
      const { managementSchema, RESOURCES } = await import('../management/schema/schema.ts');
      const outcome = await withAccess(context, async (session) =>
        importConfiguration(await openManagement(context, session, options), {
          engine: createEngine(managementSchema()),
          resources: RESOURCES,
          lines: readLines(path),
          dryRun: options.dryRun === true,
        }),
      );
      const made = Object.entries(outcome.created).map(([type, count]) => `${String(count).padStart(7)} ${type}`);
      const problems = outcome.problems.map(
        ({ line, path: field, message }) => `line ${line}${field === '' ? '' : ` ${field}`}: ${message}`,
      );
      const verdict = outcome.applied
        ? 'Imported.'
        : problems.length > 0
          ? 'Nothing was imported.'
          : 'Nothing was imported (dry run); this would be made.';
      context.print(command, outcome, [...problems, ...(problems.length > 0 ? [] : made), verdict]);
      if (problems.length > 0) process.exitCode = 1;
    });
}

/** The lines of an export. A path that cannot be read fails with what the file system says. */
function readLines(path: string): AsyncIterable<string> {
  const tooLong = (line: number): Error =>
    new UsageError(`Line ${line} of ${path} is longer than ${LINE_BYTES_MAX} bytes.`);
  return splitLines(createReadStream(path), { lineBytesMax: LINE_BYTES_MAX, tooLong });
}

/** The management module's context for the operator at this machine, who may do everything in the workspace. */
async function openManagement(
  context: CliContext,
  session: AccessSession,
  options: WorkspaceOptions,
): Promise<ManagementContext> {
  const { createContext } = await import('../management/kernel/context.ts');
  const { workspaceId, by } = await openWorkspace(session, options);
  const stores = {
    sql: session.sql,
    hot: null,
    secrets: session.secrets,
    quotas: quotaLimits(context.settings()),
    nowMs: Date.now,
    log: context.log(),
  };
  const principal = {
    kind: 'session' as const,
    actor: by.actor,
    id: '0',
    workspaceId,
    networkId: options.network,
    environment: options.environment,
    permission: 'admin' as const,
    modules: null,
    remoteAddress: '',
  };
  return createContext(stores, principal, 'command-line');
}
