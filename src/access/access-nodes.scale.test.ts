import { connect, createServer, type Server, type Socket } from 'node:net';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { surelyAdmittedWithin } from './fixtures/observed-calls.ts';
import { pause, WorkerFleet } from './fixtures/worker-fleet.ts';

const redis = new URL(process.env['PLACARD_TEST_REDIS_URL'] ?? 'redis://127.0.0.1:6379');
const LIMIT = 300;
let fleet: WorkerFleet;
let cable: Cable;

/** A connection to Redis that a test can cut. */
class Cable {
  readonly #sockets = new Set<Socket>();
  readonly #server: Server;
  #cut = false;

  constructor() {
    this.#server = createServer((socket) => {
      if (this.#cut) return socket.destroy();
      const onward = connect(Number(redis.port || 6379), redis.hostname);
      for (const one of [socket, onward]) {
        this.#sockets.add(one);
        one.on('error', () => one.destroy());
        one.on('close', () => this.#sockets.delete(one));
      }
      socket.pipe(onward).pipe(socket);
      return undefined;
    });
  }

  async listen(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    const url = new URL(redis);
    url.hostname = '127.0.0.1';
    url.port = String((this.#server.address() as { port: number }).port);
    return url.href;
  }

  cut(isCut: boolean): void {
    this.#cut = isCut;
    if (isCut) for (const socket of this.#sockets) socket.destroy();
  }

  close(): void {
    this.cut(true);
    this.#server.close();
  }
}

beforeAll(async () => {
  fleet = await WorkerFleet.open();
  cable = new Cable();
});

afterAll(async () => {
  await fleet.close();
  cable.close();
});

describe('two nodes on one Redis', () => {
  test('two nodes admit the limit of a second together, and without Redis each admits its part and ads keep flowing', async () => {
    const key = await fleet.newNetwork(6000, { ads: LIMIT });
    const url = await cable.listen();
    const pair = await Promise.all([fleet.start(0, 2, url), fleet.start(1, 2, url)]);
    await fleet.untilKnown(pair, key.value);
    await pause(1_100);
    const fromMs = performance.now();
    const load = fleet.load(pair, key.value, { forMs: 26_000, lanes: 8 });
    await pause(12_000);
    cable.cut(true);
    await pause(8_000);
    cable.cut(false);
    const calls = await load;
    const between = (from: number, to: number) =>
      calls.filter(({ completedMs }) => completedMs >= fromMs + from && completedMs < fromMs + to);
    const admitted = (from: number, to: number) => between(from, to).filter((call) => call.admitted).length;
    expect(surelyAdmittedWithin(between(0, 11_900), 1_000)).toBeLessThanOrEqual(LIMIT);
    expect(admitted(0, 11_000)).toBeGreaterThanOrEqual(0.99 * LIMIT * 11);
    expect(surelyAdmittedWithin(between(14_000, 19_900), 1_000)).toBeLessThanOrEqual(LIMIT);
    expect(admitted(14_000, 19_000)).toBeGreaterThanOrEqual(0.9 * LIMIT * 5);
    expect(admitted(22_000, 26_000)).toBeGreaterThanOrEqual(0.5 * LIMIT * 4);
  }, 120_000);
});
