import { connect, createServer, type Server, type Socket } from 'node:net';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { busiestSecond } from './fixtures/limit-simulation.ts';
import { pause, WorkerFleet } from './fixtures/worker-fleet.ts';

const redis = new URL(process.env['PLACARD_TEST_REDIS_URL'] ?? 'redis://127.0.0.1:6379');
const LIMIT = 300;
let fleet: WorkerFleet;
let cable: Cable;

/** A way to Redis that a test can cut. */
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
  test('together admit the limit of a second; without Redis each admits its part and ads keep flowing', async () => {
    const key = await fleet.newNetwork(6000, { ads: LIMIT });
    const url = await cable.listen();
    const pair = await Promise.all([fleet.start(0, 2, url), fleet.start(1, 2, url)]);
    await fleet.untilKnown(pair, key.value);
    await pause(1_100);
    const fromMs = Date.now();
    const load = fleet.load(pair, key.value, { untilMs: fromMs + 26_000, lanes: 8 });
    await pause(12_000);
    cable.cut(true);
    await pause(8_000);
    cable.cut(false);
    await load;
    const admitted = await fleet.admitted(pair);
    const between = (from: number, to: number): number[] =>
      admitted.filter((at) => at >= fromMs + from && at < fromMs + to);
    expect(busiestSecond(between(0, 11_900), 980)).toBeLessThanOrEqual(LIMIT);
    expect(between(0, 11_000).length).toBeGreaterThanOrEqual(0.99 * LIMIT * 11);
    expect(busiestSecond(between(14_000, 19_900), 980)).toBeLessThanOrEqual(LIMIT);
    expect(between(14_000, 19_000).length).toBeGreaterThanOrEqual(0.95 * LIMIT * 5);
    expect(between(22_000, 26_000).length).toBeGreaterThanOrEqual(0.5 * LIMIT * 4);
  }, 90_000);
});
