import { request as requestPlain } from 'node:http';
import { request as requestTls } from 'node:https';
import { isSameProcessRunning } from '../../runtime/supervisor/process-identity.ts';
import { readChildren, readEndpoints } from '../../runtime/supervisor/run-files.ts';

const TIMEOUT_MS = 4_000;
/** The ports of the parts that listen. */
const LISTENING = { core: 'corePort', jobs: 'corePort', delivery: 'deliveryPort' } as const;

/** What a part says of itself. */
export interface HealthFinding {
  readonly name: string;
  readonly ok: boolean;
  readonly detail: string;
}

/** Asks each part that runs in a data folder for `/readyz` or `/healthz`. Nothing runs: no findings. */
export async function askProcesses(dataDir: string, path: string): Promise<HealthFinding[]> {
  const endpoints = readEndpoints(dataDir);
  const running = readChildren(dataDir).filter(isSameProcessRunning);
  if (endpoints === null) return [];
  const parts = [...new Set(running.flatMap(({ name }) => listeningPartOf(name) ?? []))];
  const asked = parts.map(async (name): Promise<HealthFinding> => {
    const address = { host: hostOf(endpoints.bind), port: endpoints[LISTENING[name]], path };
    const detail = await askStatus(address).then(
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

interface Address {
  readonly host: string;
  readonly port: number;
  readonly path: string;
}

/** By TLS, or in plain text where a balancer ends it. @throws Error when there is no response in time */
async function askStatus(address: Address): Promise<number> {
  try {
    return await askBy(requestTls, address);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code !== 'EPROTO' && code !== 'ECONNRESET' && !code.startsWith('ERR_SSL')) throw error;
    return askBy(requestPlain, address).catch(() => {
      throw error;
    });
  }
}

function askBy(request: typeof requestTls, address: Address): Promise<number> {
  return new Promise((resolve, reject) => {
    // The certificate names the public address, not this machine.
    const options = { ...address, timeout: TIMEOUT_MS, agent: false, rejectUnauthorized: false };
    const sent = request(options, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sent.once('timeout', () => sent.destroy(new Error(`no response in ${TIMEOUT_MS} ms`)));
    sent.once('error', reject);
    sent.end();
  });
}
