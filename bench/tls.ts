/**
 * TLS handshakes a second on one worker, full and resumed, beside a bare node:https server with the same certificate:
 * `node bench/tls.ts [seconds, default 4]`. Handshakes come one after the other over 8 lanes; CPU time is the server's.
 */
import { join } from 'node:path';
import { connect } from 'node:tls';
import { startBenchServer } from './support/bench-server.ts';
import { startFloor } from './support/floor.ts';
import { cpuMicros } from './support/load.ts';

const LANES = 8;
const seconds = Number(process.argv[2] ?? 4);
const server = await startBenchServer({ lineItems: 100, tls: true });
const floor = await startFloor(1_000, join(server.dataDir, 'tls', 'server.pem'), 4);
try {
  for (const resumed of [false, true]) {
    await measure('bare node:https', floor.url, floor.pid, resumed);
    await measure('delivery worker', server.deliveryUrl, server.workerPid, resumed);
  }
} finally {
  floor.stop();
  await server.stop();
}

async function measure(name: string, url: string, pid: number, resumed: boolean): Promise<void> {
  const { hostname: host, port } = new URL(url);
  const session = resumed ? (await shake(host, port, undefined, true)).session : undefined;
  const before = cpuMicros(pid);
  const untilMs = performance.now() + seconds * 1_000;
  let count = 0;
  let reused = 0;
  const runLane = async (): Promise<void> => {
    while (performance.now() < untilMs) {
      const result = await shake(host, port, session, false);
      count += 1;
      if (result.reused) reused += 1;
    }
  };
  await Promise.all(Array.from({ length: LANES }, runLane));
  const cpu = ((cpuMicros(pid) - before) / count).toFixed(0);
  console.log(
    `${name}  ${resumed ? 'resumed' : 'full   '}  ${(count / seconds).toFixed(0).padStart(6)} handshakes/s  ${cpu} µs CPU each  ${reused} of ${count} resumed`,
  );
}

/** One handshake; waits for a ticket to resume with when asked to. */
function shake(
  host: string,
  port: string,
  session: Buffer | undefined,
  wantsTicket: boolean,
): Promise<{ session: Buffer | undefined; reused: boolean }> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port: Number(port), rejectUnauthorized: false, ...(session && { session }) });
    const end = (ticket?: Buffer): void => {
      const reused = socket.isSessionReused();
      socket.destroy();
      resolve({ session: ticket, reused });
    };
    socket.once('error', reject);
    if (wantsTicket) socket.once('session', end);
    else socket.once('secureConnect', () => end());
  });
}
