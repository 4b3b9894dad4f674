import type { Command } from 'commander';
import type { Log } from '../../domain/log/log.ts';
import { readProcessSettings, type Settings } from '../../config/settings.ts';
import { createLog } from '../../runtime/log/log.ts';
import { type StoreAddresses, withStores } from '../../runtime/supervisor/borrow-stores.ts';

/** The context of a command. Everything is read on first use, so that `--help` and `version` need no configuration. */
export interface CliContext {
  /** The program that the supervisor forks: src/main.ts. */
  readonly modulePath: string;
  /** @throws SettingsError */
  settings(): Settings;
  /** A logger for what a command does in the background: warnings and worse, unless PLACARD_LOG_LEVEL says otherwise. */
  log(): Log;
  /**
   * Writes a result to standard output: with `--json` the value as one JSON document, else the lines for a person.
   * bigint values are written as decimal strings.
   */
  print(command: Command, value: unknown, lines: readonly string[]): void;
  /**
   * Runs `work` with the stores of this data folder: those of the running instance, those named by address, or, when
   * nothing runs, built-in ones that are started for the duration. `analytics: false` spares starting the analytics store;
   * `clickhouseUrl` is then null unless one is there anyway.
   */
  withStores<T>(needs: { readonly analytics: boolean }, work: (stores: StoreAddresses) => Promise<T>): Promise<T>;
}

/** One command or group of commands of the program. */
export interface CliCommand {
  readonly name: string;
  /** Adds it to the program. `--json` is added to every command by the program itself. */
  readonly register: (program: Command, context: CliContext) => void;
}

/** A wrong use of the command line: the program ends with exit code 2 and the message. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}

/** Whether the command has the option `--json`. */
export function isJsonRequested(command: Command): boolean {
  return command.optsWithGlobals<{ json?: boolean }>().json === true;
}

export function createCliContext(modulePath: string): CliContext {
  let settings: Settings | null = null;
  let log: Log | null = null;
  const readOnce = (): Settings => {
    settings ??= readProcessSettings();
    return settings;
  };
  const logOnce = (): Log => {
    const { logLevel, logFormat } = readOnce();
    log ??= createLog({ logLevel: logLevel === 'info' ? 'warn' : logLevel, logFormat }, 'cli');
    return log;
  };
  return {
    modulePath,
    settings: readOnce,
    log: logOnce,
    print: (command, value, lines) => {
      process.stdout.write(
        isJsonRequested(command) ? `${formatJson(value)}\n` : lines.map((line) => `${line}\n`).join(''),
      );
    },
    withStores: (needs, work) => withStores({ settings: readOnce(), log: logOnce(), modulePath, needs }, work),
  };
}

/** JSON of a value, with bigint as decimal strings. */
export function formatJson(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) => (typeof member === 'bigint' ? member.toString() : member), 2);
}

/** Columns padded to their widest cell; the first row is the head. */
export function formatTable(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, cell.length);
  }
  return rows.map((row) =>
    row
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
