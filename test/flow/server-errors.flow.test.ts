/**
 * Responses when the server itself fails (conformance T6): a damaged table, and a database that is cut off.
 * The database stands behind a gate that the test can shut.
 */
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type HttpResponse, type Client, createClient } from '../support/http-client.ts';
import { makeDataDir, type PlacardProcess, removeDataDir, startPlacard } from '../support/placard-process.ts';
import { createTestDatabase, type TestDatabase } from '../support/stores.ts';

/** Passes connections on to a server, until it is shut. */
class Gate {
  readonly #sockets = new Set<Socket>();
  readonly #server: Server;
  isOpen = true;

  constructor(host: string, port: number) {
    this.#server = createServer((socket) => {
      if (!this.isOpen) return void socket.destroy();
      const onward = connect(port, host);
      for (const end of [socket, onward]) {
        this.#sockets.add(end);
        end.on('error', () => {});
        end.on('close', () => {
          this.#sockets.delete(end);
          socket.destroy();
          onward.destroy();
        });
      }
      socket.pipe(onward).pipe(socket);
    });
  }

  async listen(): Promise<number> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return (this.#server.address() as AddressInfo).port;
  }

  shut(): void {
    this.isOpen = false;
    for (const socket of this.#sockets) socket.destroy();
  }

  async close(): Promise<void> {
    this.shut();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

const REQUEST_ID = 'trace-of-a-failure';
/** Internal words that no response may contain. */
const INSIDE = /campaign_|relation|select |ECONN|kysely|node_modules|\.ts\b|\\n\s+at |127\.0\.0\.1|postgres/i;

// Conformance: T6
describe('a failing server', () => {
  let database: TestDatabase;
  let gate: Gate;
  let dataDir: string;
  let server: PlacardProcess;
  let client: Client;

  beforeAll(async () => {
    database = await createTestDatabase();
    const url = new URL(database.url);
    gate = new Gate(url.hostname, Number(url.port));
    url.hostname = '127.0.0.1';
    url.port = String(await gate.listen());
    dataDir = makeDataDir();
    server = await startPlacard({
      dataDir,
      env: { PLACARD_POSTGRES_URL: url.href, PLACARD_DEMO: 'true', PLACARD_WORKERS: '1' },
      demoHistory: 'none',
    });
    client = createClient(server.ca);
  }, 300_000);
  afterAll(async () => {
    client?.close();
    await server?.stop();
    await gate?.close();
    await database?.close();
    await removeDataDir(dataDir);
  });

  const readCampaigns = () =>
    client.send(`${server.coreUrl}/graphql`, {
      headers: {
        authorization: `Bearer ${server.demo.keys.admin}`,
        'content-type': 'application/json',
        'x-request-id': REQUEST_ID,
      },
      body: JSON.stringify({ query: '{ campaigns(first: 5) { nodes { id name } } }' }),
    });
  const bid = () =>
    client.send(`${server.deliveryUrl}/1000/bid`, {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        id: 'r1',
        imp: [{ id: '1', banner: { w: 300, h: 250 } }],
        site: { id: 'demo', domain: 'demo.example' },
      }),
    });

  const download = () =>
    client.send(`${server.demo.urls.reportsDownload}/${'0'.repeat(40)}/`, {
      headers: {
        'x-internal-auth-login': server.demo.credentials.login,
        'x-internal-auth-token': server.demo.credentials.token,
        'x-request-id': REQUEST_ID,
      },
    });
  const expectNothingOfTheInside = (response: HttpResponse) => {
    expect(response.headers['content-type']).toMatch(/json/);
    expect(response.headers['x-request-id']).toBe(REQUEST_ID);
    expect(response.text).not.toMatch(INSIDE);
  };

  test('a damaged table gets a 500 with its request id and no internals', async () => {
    expect((await download()).status).toBe(404);
    await sql`ALTER TABLE report_tasks RENAME TO report_tasks_away`.execute(database.owner);
    const response = await download();
    await sql`ALTER TABLE report_tasks_away RENAME TO report_tasks`.execute(database.owner);
    expect(response.status).toBe(500);
    expect(response.json()).toMatchObject({ error: 'internal_error', requestId: REQUEST_ID });
    expectNothingOfTheInside(response);
    await expect.poll(() => server.output()).toContain(REQUEST_ID);
    expect((await download()).status).toBe(404);
  });

  test('GraphQL returns an error with that code beside the data, as GraphQL over HTTP requires', async () => {
    await sql`ALTER TABLE campaigns RENAME TO campaigns_away`.execute(database.owner);
    const response = await readCampaigns();
    await sql`ALTER TABLE campaigns_away RENAME TO campaigns`.execute(database.owner);
    expect(response.json()).toMatchObject({
      data: null,
      errors: [{ path: ['campaigns'], extensions: { code: 'internal_error', requestId: REQUEST_ID } }],
    });
    expectNothingOfTheInside(response);
  });

  test('an unreachable database gets a 503 with Retry-After while ads are served, and requests succeed once it is back', async () => {
    gate.shut();
    const response = await download();
    expect(response.status).toBe(503);
    expect(response.json()).toMatchObject({ error: 'unavailable', requestId: REQUEST_ID });
    expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
    expectNothingOfTheInside(response);
    expect((await readCampaigns()).json()).toMatchObject({ errors: [{ extensions: { code: 'unavailable' } }] });
    expect([200, 204]).toContain((await bid()).status);
    gate.isOpen = true;
    await expect.poll(async () => (await download()).status).toBe(404);
  });
});
