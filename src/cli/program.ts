import { Command, CommanderError } from 'commander';
import { SettingsError } from '../config/settings.ts';
import { PlacardError } from '../domain/errors.ts';
import { MissingStoresError } from '../runtime/supervisor/endpoints.ts';
import { type CliCommand, createCliContext, formatJson, UsageError } from './context/cli-context.ts';
import { cliCommands } from './commands.ts';
import { readVersion } from '../config/version.ts';

/** 0: done. 1: it failed. 2: wrong use or wrong configuration. */
export type ExitCode = 0 | 1 | 2;

/**
 * Runs one command line.
 * @param args without the program's name
 * @param modulePath the program that `serve` forks
 * @returns the exit code; a command can also set `process.exitCode` itself
 */
export async function runProgram(
  args: readonly string[],
  modulePath: string,
  commands: readonly CliCommand[] = cliCommands,
): Promise<ExitCode> {
  const program = makeProgram(modulePath, commands);
  try {
    await program.parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    return reportFailure(error, args.includes('--json'));
  }
}

/** The parser of command lines, with all commands. */
export function makeProgram(modulePath: string, commands: readonly CliCommand[] = cliCommands): Command {
  const program = new Command('placard')
    .description('An ad server that a publisher can own.')
    .version(readVersion(), '-V, --version', 'show the version')
    .showHelpAfterError('(placard help <command> says more)')
    .exitOverride();
  const context = createCliContext(modulePath);
  for (const command of commands) command.register(program, context);
  prepareCommands(program);
  return program;
}

/** Gives every command `--json`, and sub-commands the settings that commander does not hand down to those made before. */
function prepareCommands(parent: Command): void {
  for (const command of parent.commands) {
    command.copyInheritedSettings(parent);
    if (command.commands.length > 0) prepareCommands(command);
    else if (!command.options.some((option) => option.long === '--json')) {
      command.option('--json', 'write the result as JSON');
    }
  }
}

function reportFailure(error: unknown, json: boolean): ExitCode {
  if (error instanceof CommanderError) {
    // commander has already written its message, or the help that was asked for.
    return error.exitCode === 0 ? 0 : 2;
  }
  const { code, message, exitCode } = describeFailure(error);
  const fields = error instanceof PlacardError ? error.fields : [];
  if (json) process.stderr.write(`${formatJson({ error: code, message, ...(fields.length > 0 ? { fields } : {}) })}\n`);
  else {
    const details = fields.map((field) => `\n  ${field.path}: ${field.message}`);
    process.stderr.write(`placard: ${message}${details.join('')}\n`);
  }
  return exitCode;
}

function describeFailure(error: unknown): { code: string; message: string; exitCode: ExitCode } {
  if (error instanceof SettingsError || error instanceof MissingStoresError) {
    return { code: 'invalid_configuration', message: error.message, exitCode: 2 };
  }
  if (error instanceof UsageError) return { code: 'invalid_usage', message: error.message, exitCode: 2 };
  if (error instanceof PlacardError) return { code: error.code, message: error.message, exitCode: 1 };
  return { code: 'failed', message: error instanceof Error ? error.message : String(error), exitCode: 1 };
}
