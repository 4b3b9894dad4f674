import { auditCommand } from './audit.ts';
import { backupCommand, restoreCommand } from './backup/backup.ts';
import type { CliCommand } from './context/cli-context.ts';
import { clusterCommand } from './cluster.ts';
import { configurationCommand } from './configuration.ts';
import { credentialsCommand } from './credentials.ts';
import { decisionsCommand } from './decisions.ts';
import { demoCommand } from './demo.ts';
import { doctorCommand } from './doctor.ts';
import { exportCommand } from './export.ts';
import { healthCommand } from './health.ts';
import { importCommand } from './import.ts';
import { keysCommand } from './keys.ts';
import { limitsCommand } from './limits.ts';
import { linksCommand } from './links.ts';
import { mcpCommand } from './mcp.ts';
import { migrateCommand } from './migrate.ts';
import { networksCommand } from './networks.ts';
import { privacyCommand } from './privacy.ts';
import { ratesCommand } from './rates.ts';
import { secretsCommand } from './secrets.ts';
import { serveCommand } from './serve.ts';
import { spoolCommand } from './spool.ts';
import { releaseCommand } from './backup/release.ts';
import { storesCommand } from './stores.ts';
import { usersCommand } from './users.ts';
import { verifyCountsCommand } from './verify-counts.ts';
import { versionCommand } from './version.ts';

/** All commands, in the order of the help. A new command is one file and one row here. */
export const cliCommands: readonly CliCommand[] = [
  serveCommand,
  demoCommand,
  networksCommand,
  ratesCommand,
  limitsCommand,
  keysCommand,
  credentialsCommand,
  usersCommand,
  linksCommand,
  secretsCommand,
  clusterCommand,
  auditCommand,
  privacyCommand,
  decisionsCommand,
  spoolCommand,
  exportCommand,
  importCommand,
  releaseCommand,
  storesCommand,
  verifyCountsCommand,
  backupCommand,
  restoreCommand,
  mcpCommand,
  configurationCommand,
  migrateCommand,
  doctorCommand,
  healthCommand,
  versionCommand,
];
