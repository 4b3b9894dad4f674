import { request as requestPlain } from 'node:http';
import { request as requestTls } from 'node:https';
import type { Command } from 'commander';
import type { Settings } from '../config/settings.ts';
import { isSameProcessRunning } from '../runtime/supervisor/process-identity.ts';
import { readChildren, readEndpoints } from '../runtime/supervisor/run-files.ts';
import { type CliCommand, type CliContext, formatTable } from './cli-context.ts';

/** `placard health`: whether what this machine runs is ready, whichever role it has. For health checks of containers; exit code 1 when not. */
export const healthCommand: CliCommand = { name: 'health', register: registerHealth };

const TIMEOUT_MS = 4_000;
/** The ports of the parts that listen. */
const LISTENING = { core: 'corePort', jobs: 'corePort', delivery: 'deliveryPort' } as const;

interface HealthFinding {
  readonly name: string;
  readonly ok: boolean;
  readonly detail: string;
}

function registerHealth(program: Command, context: CliContext): void {
  program
    .command('health')
    .description('Ask the processes of the running instance whether they are ready, in every role.')
    .option('--live', 'ask only whether they respond: for checks that restart what fails')
    .action(async (options: { live?: boolean }, command: Command) => {
      const path = options.live === true ? '/healthz' : '/readyz';
      const findings = await askProcesses(context.settings(), path);
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

/** Nothing runs: no findings. */
async function askProcesses(settings: Settings, path: string): Promise<HealthFinding[]> {
  const { dataDir, tls } = settings;
  const endpoints = readEndpoints(dataDir);
  const running = readChildren(dataDir).filter(isSameProcessRunning);
  if (endpoints === null) return [];
  const parts = [...new Set(running.flatMap(({ name }) => listeningPartOf(name) ?? []))];
  const asked = parts.map(async (name): Promise<HealthFinding> => {
    const address = { host: hostOf(endpoints.bind), port: endpoints[LISTENING[name]], path };
    const detail = await askStatus(address, tls === 'proxy' || tls === 'loopback').then(
      (status) => `${path} is ${status}`,
      (error: unknown) => String(error),
    );
    return { name, ok: detail === `${path} is 200`, detail };
  });
  const others = running.filter(({ name }) => listeningPartOf(name) === null);
  return [...(await Promise.all(asked)), ...others.map(({ name }) => ({ name, ok: true, detail: 'runs' }))];
}

/** Workers that do not serve yet count as delivery, too: a machine whose workers have all died is not ready. */
function listeningPartOf(process: string): keyof typeof LISTENING | null {
  const [part = ''] = process.split(' ');
  return part === 'core' || part === 'jobs' || part === 'delivery' ? part : null;
}

/** An address of this machine that the servers listen on. */
function hostOf(bind: string): string {
  if (bind === '0.0.0.0') return '127.0.0.1';
  return bind === '::' ? 'localhost' : bind;
}

/** @throws Error when there is no response in time */
function askStatus(address: { host: string; port: number; path: string }, isPlain: boolean): Promise<number> {
  return new Promise((resolve, reject) => {
    // The certificate names the public address, not this machine.
    const options = { ...address, timeout: TIMEOUT_MS, agent: false, rejectUnauthorized: false };
    const sent = (isPlain ? requestPlain : requestTls)(options, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sent.once('timeout', () => sent.destroy(new Error(`no response in ${TIMEOUT_MS} ms`)));
    sent.once('error', reject);
    sent.end();
  });
}
