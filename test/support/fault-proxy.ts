import { connect, createServer } from 'node:net';
import type { Socket } from 'node:net';

/** A TCP proxy of a test: to one port of this machine, or to several in turn, as a load balancer does. */
export interface FaultProxy {
  readonly port: number;
  /** Where new connections go. One that cannot be opened goes to the next. */
  targets: readonly number[];
  /** Responses are delayed by this much. */
  delayMs: number;
  /** pass; refuse: new connections are reset; drop: bytes of open and new connections vanish, and nothing is closed. */
  mode: 'pass' | 'refuse' | 'drop';
  /** Resets all open connections. */
  cut(): void;
  end(): Promise<void>;
}

/** Starts a proxy on a free port of 127.0.0.1. */
export async function startFaultProxy(targets: readonly number[]): Promise<FaultProxy> {
  const sockets = new Set<Socket>();
  let turn = 0;
  const server = createServer((client) => {
    sockets.add(client);
    client.on('error', () => undefined);
    client.on('close', () => sockets.delete(client));
    if (proxy.mode === 'refuse') return void client.destroy();
    turn += 1;
    const ports = proxy.targets.map((_port, at, all) => all[(turn + at) % all.length] ?? 0);
    openFirst(ports, (onward) => (onward === null ? client.destroy() : join(client, onward)));
  });

  function join(client: Socket, onward: Socket): void {
    sockets.add(onward);
    onward.on('error', () => client.destroy());
    onward.on('close', () => {
      sockets.delete(onward);
      // Bytes that are still delayed come first.
      later(() => client.destroySoon());
    });
    client.on('close', () => onward.destroy());
    if (client.destroyed) onward.destroy();
    client.on('data', (data) => {
      if (proxy.mode !== 'drop') onward.write(data);
    });
    onward.on('data', (data) => {
      if (proxy.mode !== 'drop') later(() => client.writable && client.write(data));
    });
  }
  function later(work: () => void): void {
    setTimeout(work, proxy.delayMs);
  }

  const proxy: FaultProxy = {
    port: 0,
    targets,
    delayMs: 0,
    mode: 'pass',
    cut: () => {
      for (const socket of sockets) socket.destroy();
    },
    end: async () => {
      proxy.cut();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return Object.assign(proxy, { port: typeof address === 'object' && address !== null ? address.port : 0 });
}

/** Calls back with a connection to the first port that accepts one; null: none does. */
function openFirst([port, ...others]: readonly number[], use: (socket: Socket | null) => void): void {
  if (port === undefined) return use(null);
  const socket = connect(port, '127.0.0.1');
  const next = (): void => openFirst(others, use);
  socket.once('error', next);
  socket.once('connect', () => {
    socket.off('error', next);
    use(socket);
  });
}
