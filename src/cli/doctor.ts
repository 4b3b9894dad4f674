import type { Command } from 'commander';
import { checkCertificates } from './doctor-certificates.ts';
import { checkCluster } from './doctor-cluster.ts';
import { checkLedgerCopies, checkSnapshot, checkSpool } from './doctor-durability.ts';
import { checkMail } from './doctor-mail.ts';
import { checkClock, checkDataFolder, checkNode, checkPorts } from './doctor-machine.ts';
import { checkAnalyticsEvents, checkClickhouse, checkPostgres, checkRedis } from './doctor-stores.ts';
import { type CliCommand, type CliContext, formatTable } from './context/cli-context.ts';
import type { Finding } from './finding.ts';
import { findLockHolder } from '../runtime/supervisor/data-lock.ts';
import { readEndpoints } from '../runtime/supervisor/run-files.ts';

/** `placard doctor`: looks at everything that a start needs and says what to do. Exit code 1 when something is failing. */
export const doctorCommand: CliCommand = { name: 'doctor', register: registerDoctor };

function registerDoctor(program: Command, context: CliContext): void {
  program
    .command('doctor')
    .description('Check this machine, the data folder, certificates and stores, and say what to do.')
    .action(async (_options, command: Command) => {
      const findings = await examine(context);
      const failed = findings.some((finding) => finding.state === 'failed');
      context.print(command, { ok: !failed, findings }, formatFindings(findings));
      if (failed) process.exitCode = 1;
    });
}

async function examine(context: CliContext): Promise<Finding[]> {
  // Without valid settings there is nothing to look at: SettingsError says all that is wrong.
  const settings = context.settings();
  const holder = findLockHolder(settings.dataDir);
  const running = holder === null ? null : readEndpoints(settings.dataDir);
  const findings = [
    [checkNode()],
    checkDataFolder(settings, holder),
    await checkPorts(settings, running),
    checkCertificates(settings, Date.now()),
    await checkPostgres(settings, running),
    await checkClickhouse(settings, running),
    await checkAnalyticsEvents(settings, running),
    await checkCluster(settings, running),
    await checkRedis(settings),
    checkSpool(settings, Date.now()),
    checkLedgerCopies(settings),
    await checkSnapshot(settings),
    await checkMail(settings, running),
    [checkClock(Date.now())],
  ];
  return findings.flat();
}

function formatFindings(findings: readonly Finding[]): string[] {
  const titles = { ok: 'ok', warning: 'warning', failed: 'FAILED' } as const;
  const rows = findings.flatMap((finding) => {
    const first = [titles[finding.state], finding.name, finding.message];
    return finding.advice === null ? [first] : [first, ['', '', `→ ${finding.advice}`]];
  });
  return formatTable(rows);
}
