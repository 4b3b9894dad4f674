import { join } from 'node:path';
import type { Command } from 'commander';
import { type CliCommand, type CliContext, formatTable, UsageError } from './context/cli-context.ts';

interface CatOptions {
  readonly deadLetters?: boolean;
}

/** `placard spool`: the events of this machine that the analytics store does not have yet, and those that it will never get. */
export const spoolCommand: CliCommand = {
  name: 'spool',
  register: (program, context) => {
    const spool = program
      .command('spool')
      .description('Inspect events that wait on disk for the analytics store, and dead letters.');
    registerList(spool, context);
    registerCat(spool, context);
    registerVerify(spool, context);
  },
};

const spoolDirOf = (context: CliContext): string => join(context.settings().dataDir, 'spool');

function registerList(spool: Command, context: CliContext): void {
  spool
    .command('ls')
    .description('List spool files, oldest first.')
    .action(async (_options, command: Command) => {
      const { inspectSpool } = await import('../events/recovery/spool-inspection.ts');
      const { files, deadLetters } = inspectSpool(spoolDirOf(context));
      const rows = files.map((file) => [
        file.file,
        file.state,
        new Date(file.openedAtMs).toISOString(),
        String(file.lines),
        String(file.bytes),
        file.batch ?? '-',
        file.problems.length === 0 ? 'ok' : `${file.problems.length} problems`,
      ]);
      const head = ['FILE', 'STATE', 'BEGUN', 'LINES', 'BYTES', 'BATCH', 'CHECK'];
      context.print(command, { files, deadLetters }, [...formatTable([head, ...rows]), describeLetters(deadLetters)]);
    });
}

function registerCat(spool: Command, context: CliContext): void {
  spool
    .command('cat')
    .description('Print the rows of a spool file, or the dead letters, one JSON document per line.')
    .argument('[file]', 'name from "placard spool ls"')
    .option('--dead-letters', 'print dead letters: file, offset, length, reason, text')
    .action(async (name: string | undefined, options: CatOptions, command: Command) => {
      const { listDeadLetters, readFileRows } = await import('../events/recovery/spool-inspection.ts');
      if (options.deadLetters === true) {
        const letters = listDeadLetters(spoolDirOf(context));
        context.print(
          command,
          letters,
          letters.map((letter) => JSON.stringify(letter)),
        );
        return;
      }
      if (name === undefined)
        throw new UsageError('Give the name of a file from "placard spool ls", or --dead-letters.');
      const rows = readFileRows(spoolDirOf(context), name);
      if (rows === null) throw new UsageError(`There is no spool file ${name}. It may have shipped in the meantime.`);
      context.print(
        command,
        rows.map((row) => JSON.parse(row) as unknown),
        rows,
      );
    });
}

function registerVerify(spool: Command, context: CliContext): void {
  spool
    .command('verify')
    .description('Check every line of every spool file; exit code 1 if any cannot be read.')
    .action(async (_options, command: Command) => {
      const { inspectSpool } = await import('../events/recovery/spool-inspection.ts');
      const { files, damagedLists, deadLetters } = inspectSpool(spoolDirOf(context));
      const problems = [
        ...files.flatMap(({ file, problems: found }) => found.map((problem) => `${file}: ${problem}`)),
        ...damagedLists.map((path) => `${path}: the list of files of a batch cannot be read`),
      ];
      const lines = files.reduce((sum, file) => sum + file.lines, 0);
      const summary = `${files.length} spool files, ${lines} lines, ${problems.length} problems.`;
      context.print(command, { files: files.length, lines, problems, deadLetters }, [
        ...problems,
        summary,
        describeLetters(deadLetters),
      ]);
      if (problems.length > 0) process.exitCode = 1;
    });
}

function describeLetters(counts: Readonly<Record<string, number | undefined>>): string {
  const parts = Object.entries(counts).map(([reason, count]) => `${count} ${reason}`);
  return parts.length === 0 ? 'No dead letters.' : `Dead letters: ${parts.join(', ')}.`;
}
