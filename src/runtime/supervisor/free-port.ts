import { randomInt } from 'node:crypto';
import { type AddressInfo, createServer } from 'node:net';

/** Thrown when a port is unavailable; the message says what to do. */
export class PortUnavailableError extends Error {
  constructor(port: number, setting: string, reason: string) {
    super(`Port ${port} cannot be used: ${reason}. Free it, or set ${setting} to another port (0 picks a free one).`);
    this.name = 'PortUnavailableError';
  }
}

const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program listens on it',
  EACCES: 'this user may not listen on it',
  EADDRNOTAVAIL: 'the address to bind does not belong to this machine',
};

/**
 * Checks that `port` can be listened on at `host`, or picks one for 0, as {@link pickKeptPort}. The port is free again when this returns:
 * delivery workers share it with SO_REUSEPORT, and so would a second program without this check.
 * @param setting the variable that the message names
 * @throws PortUnavailableError
 */
export function resolvePort(port: number, host: string, setting: string): Promise<number> {
  return port === 0 ? pickKeptPort(host, setting) : probePort(port, host, setting);
}

function probePort(port: number, host: string, setting: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => {
      reject(new PortUnavailableError(port, setting, reasons[error.code ?? ''] ?? error.message));
    });
    probe.listen({ port, host, exclusive: true }, () => {
      const found = (probe.address() as AddressInfo).port;
      probe.close(() => resolve(found));
    });
  });
}

/** Systems take ports of outgoing connections from 32768 (Linux) or 49152 on. */
const KEPT_PORTS = { from: 20_000, below: 32_768 };
const TRIES = 50;

/**
 * Picks a free port that no outgoing connection takes, for a process that listens on it later, and again whenever it is restarted.
 * @param setting the variable that the message names
 * @throws PortUnavailableError
 */
export async function pickKeptPort(host: string, setting: string): Promise<number> {
  for (let tries = 1; tries < TRIES; tries += 1) {
    const port = randomInt(KEPT_PORTS.from, KEPT_PORTS.below);
    try {
      return await probePort(port, host, setting);
    } catch (error) {
      if (!(error instanceof PortUnavailableError)) throw error;
    }
  }
  return probePort(0, host, setting);
}
