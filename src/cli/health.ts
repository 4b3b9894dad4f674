import type { Command } from 'commander';
import { askProcesses } from '../../bin/health.mjs';
import { type CliCommand, type CliContext, formatTable } from './context/cli-context.ts';

/** `placard health`: whether what this machine runs is ready, whichever role it has. For health checks of containers; exit code 1 when not. */
export const healthCommand: CliCommand = { name: 'health', register: registerHealth };

function registerHealth(program: Command, context: CliContext): void {
  program
    .command('health')
    .description('Ask the processes of the running instance whether they are ready, in every role.')
    .option('--live', 'ask only whether they respond: for checks that restart what fails')
    .action(async (options: { live?: boolean }, command: Command) => {
      const path = options.live === true ? '/healthz' : '/readyz';
      const findings = await askProcesses(context.settings().dataDir, path);
      const ok = findings.length > 0 && findings.every((finding) => finding.ok);
      const lines = findings.map(({ name, ok: isOk, detail }) => [isOk ? 'ok' : 'FAILED', name, detail]);
      context.print(
        command,
        { ok, findings },
        lines.length > 0 ? formatTable(lines) : ['Placard does not run in this data folder.'],
      );
      if (!ok) process.exitCode = 1;
    });
}
