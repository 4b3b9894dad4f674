import { type Command, Option } from 'commander';
import { copySettings } from '../config/reload-settings.ts';
import { readProcessSettings, type Settings } from '../config/settings.ts';
import { hasCore, hasWorkers, SERVE_ROLES, type ServeRole } from '../runtime/supervisor/endpoints.ts';
import { createLog } from '../runtime/log/log.ts';
import type { Endpoints } from '../runtime/supervisor/part.ts';
import { type CliCommand, type CliContext, formatJson, isJsonRequested } from './context/cli-context.ts';

/** `placard serve`: runs everything, or one part of many machines, until it is told to stop. */
export const serveCommand: CliCommand = { name: 'serve', register: registerServe };

function registerServe(program: Command, context: CliContext): void {
  program
    .command('serve')
    .description('Run Placard: core, delivery workers and the built-in stores, until SIGTERM or Ctrl-C.')
    .addOption(
      new Option('--role <role>', 'run one part only; the stores are then needed by address')
        .choices(SERVE_ROLES)
        .default('all'),
    )
    .option('--verbose', 'show all log lines on a terminal instead of milestones, warnings and errors')
    .addHelpText(
      'after',
      '\nSettings come from PLACARD_ environment variables and the file that PLACARD_SETTINGS_FILE names; see docs/configuration.md.',
    )
    .action(async (options: ServeOptions, command: Command) => {
      process.exitCode = await serve(context, options, isJsonRequested(command));
    });
}

interface ServeOptions {
  readonly role: ServeRole;
  readonly verbose?: true;
}

async function serve(context: CliContext, { role, verbose }: ServeOptions, json: boolean): Promise<number> {
  const inForm = (read: Settings): Settings =>
    verbose === true && read.logFormat === 'brief' ? { ...read, logFormat: 'pretty' } : read;
  const settings = copySettings(inForm(context.settings()));
  const { supervise } = await import('../runtime/supervisor/supervisor.ts');
  const { writeSecretsOfSettings } = await import('../cluster/secret-files.ts');
  const { tryJoining } = await import('../runtime/compose/cluster.ts');
  const { readTls } = await import('../http/tls/tls.ts');
  const { tlsSettings } = await import('../runtime/compose/tls-settings.ts');
  const { canStartFromDisk } = await import('../runtime/compose/start-from-disk.ts');
  process.title = 'placard';
  const log = createLog(settings, 'supervisor');
  return await supervise({
    settings,
    readSettings: () => inForm(readProcessSettings()),
    checkCertificate: (own, endpoints) => readTls(tlsSettings(own, endpoints), own.dataDir),
    role,
    modulePath: context.modulePath,
    startPostgres: async (options) => {
      const { startEmbeddedPostgres } = await import('../storage/sql/embedded-postgres.ts');
      return await startEmbeddedPostgres(options);
    },
    canStartFromDisk,
    writeSecrets: writeSecretsOfSettings,
    tryJoining: (own, endpoints, part) => tryJoining({ settings: own, endpoints, part, log }),
    log,
    printReady: (lines, endpoints) => {
      const text = json ? formatReadyJson(lines, endpoints) : formatReady({ settings, role, lines, endpoints });
      process.stdout.write(`${text}\n`);
    },
  });
}

/** One JSON document on one line, so that a script can wait for a line. */
function formatReadyJson(lines: readonly string[], endpoints: Endpoints): string {
  const { corePublicUrl, deliveryPublicUrl, corePort, deliveryPort } = endpoints;
  return JSON.stringify(
    JSON.parse(formatJson({ ready: true, corePublicUrl, deliveryPublicUrl, corePort, deliveryPort, lines })),
  );
}

interface ReadyFacts {
  readonly settings: Settings;
  readonly role: ServeRole;
  readonly lines: readonly string[];
  readonly endpoints: Endpoints;
}

function formatReady({ settings, role, lines, endpoints }: ReadyFacts): string {
  const rows = ['', 'Placard is ready.', ''];
  if (hasCore(role)) rows.push(`  core      ${endpoints.corePublicUrl}  (port ${endpoints.corePort})`);
  if (endpoints.sqlPort !== null) rows.push(`  SQL       PostgreSQL's protocol at port ${endpoints.sqlPort}`);
  if (role === 'jobs') rows.push(`  jobs      probes and metrics at port ${endpoints.corePort}`);
  if (hasWorkers(role)) rows.push(`  delivery  ${endpoints.deliveryPublicUrl}  (port ${endpoints.deliveryPort})`);
  rows.push(`  data      ${settings.dataDir}`);
  if (lines.length > 0) rows.push('', ...lines.map((line) => `  ${line}`));
  rows.push('', 'Stop it with Ctrl-C.');
  return rows.join('\n');
}
