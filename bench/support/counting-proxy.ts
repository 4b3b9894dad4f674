import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A TCP proxy to one port of this machine that counts what passes, TLS included. */
export interface CountingProxy {
  readonly port: number;
  /** Bytes so far: of the clients, and of the server behind it. */
  readonly sent: number;
  readonly received: number;
  end(): Promise<void>;
}

/** Starts it on a free port of 127.0.0.1. */
export async function startCountingProxy(target: number): Promise<CountingProxy> {
  const sockets = new Set<Socket>();
  let sent = 0;
  let received = 0;
  const server = createServer((client) => {
    const onward = connect(target, '127.0.0.1');
    for (const [socket, other] of [
      [client, onward],
      [onward, client],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
    client.on('data', (bytes: Buffer) => (sent += bytes.length)).pipe(onward);
    onward.on('data', (bytes: Buffer) => (received += bytes.length)).pipe(client);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    get sent() {
      return sent;
    },
    get received() {
      return received;
    },
    end: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
