import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { type CliCommand, type CliContext, formatTable, UsageError } from './context/cli-context.ts';

interface LogOptions {
  readonly file?: string;
  readonly lineItem?: string;
  readonly limit: number;
}

/** `placard decisions`: what the decision log of this machine holds, and whether its decisions come out the same again. */
export const decisionsCommand: CliCommand = {
  name: 'decisions',
  register: (program, context) => {
    const decisions = program
      .command('decisions')
      .description('Read the decision log of this machine, and make its decisions again.');
    registerList(decisions, context);
    registerReplay(decisions, context);
  },
};

function withFilter(command: Command): Command {
  return command
    .option('--file <name>', 'only this file of the log')
    .option('--line-item <id>', 'only decisions that considered this line item');
}

function registerList(decisions: Command, context: CliContext): void {
  withFilter(decisions.command('list'))
    .description('Show logged decisions, oldest first.')
    .option('--limit <count>', 'how many, 1 to 100000', parseLimit, 50)
    .action(async (options: LogOptions, command: Command) => {
      const { describe, readDecisions } = await import('../delivery/insight/decision-log/decision-replay.ts');
      const listed = [];
      for await (const logged of readDecisions(await folderOf(context, options), filterOf(options))) {
        if (listed.push(logged) >= options.limit) break;
      }
      const rows = listed.map(({ logFile, line, record }) =>
        record === null
          ? [`${logFile}:${line}`, '-', '-', '-', 'cannot be read']
          : [
              `${logFile}:${line}`,
              new Date(record.atMs).toISOString(),
              String(record.workspaceId),
              record.snapshot.slice(0, 8),
              record.answer.placements.map(describe).join('; '),
            ],
      );
      const values = listed.map(({ logFile, line, record }) => ({
        // The name in the JSON that scripts read.
        segment: logFile,
        line,
        at: record === null ? null : new Date(record.atMs),
        workspaceId: record?.workspaceId ?? null,
        snapshot: record?.snapshot ?? null,
        arm: record?.arm ?? null,
        answer: record?.answer ?? null,
      }));
      context.print(command, values, formatTable([['WHERE', 'AT', 'WORKSPACE', 'SNAPSHOT', 'ANSWER'], ...rows]));
    });
}

function registerReplay(decisions: Command, context: CliContext): void {
  withFilter(decisions.command('replay'))
    .description('Make the logged decisions again; exit code 1 if any comes out different.')
    .action(async (options: LogOptions, command: Command) => {
      const { replayDecisions } = await import('../delivery/insight/decision-log/decision-replay.ts');
      const different: { where: string; at: Date | null; differences: readonly string[] }[] = [];
      let replayed = 0;
      for await (const { logFile, line, record, differences } of replayDecisions(
        await folderOf(context, options),
        filterOf(options),
      )) {
        replayed += 1;
        if (differences.length === 0) continue;
        different.push({
          where: `${logFile}:${line}`,
          at: record === null ? null : new Date(record.atMs),
          differences,
        });
      }
      const equal = replayed - different.length;
      const summary = `${replayed} decisions replayed: ${equal} equal, ${different.length} different.`;
      const lines = different.flatMap(({ where, differences }) => differences.map((one) => `${where}: ${one}`));
      context.print(command, { replayed, equal, different }, [...lines, summary]);
      if (different.length > 0) process.exitCode = 1;
    });
}

function filterOf({ file, lineItem }: LogOptions): { logFile: string | null; lineItemId: string | null } {
  return { logFile: file ?? null, lineItemId: lineItem ?? null };
}

/** @throws UsageError where there is no such log */
async function folderOf(context: CliContext, { file }: LogOptions): Promise<string> {
  const { DECISIONS_FOLDER, listLogFiles } = await import('../delivery/insight/decision-log/decision-log-files.ts');
  const dir = join(context.settings().dataDir, DECISIONS_FOLDER);
  if (!existsSync(dir))
    throw new UsageError(`There is no decision log in ${dir}: set PLACARD_DECISION_LOG_PER_SECOND to begin one.`);
  const names = (await listLogFiles(dir)).map(({ name }) => name);
  if (file !== undefined && !names.includes(file))
    throw new UsageError(`There is no file ${file}; there are: ${names.join(', ') || 'none'}.`);
  return dir;
}

function parseLimit(text: string): number {
  const limit = Number(text);
  if (!Number.isInteger(limit) || limit < 1 || limit > 100_000)
    throw new InvalidArgumentError('Write a whole number, 1 to 100000.');
  return limit;
}
