import { createServer, request } from 'node:http';

/** What is started once a run, by path. What a starter gives must be JSON. */
export type Starters = Readonly<Record<string, () => Promise<unknown>>>;

/**
 * Listens on a socket for a run's test files, and starts what they ask for when the first of them does: files that need nothing of it
 * cost nothing, and the others run while it starts. Returns how to stop listening.
 */
export async function serveOnDemand(socketPath: string, starters: Starters): Promise<() => Promise<void>> {
  const started = new Map<string, Promise<unknown>>();
  const server = createServer(({ url = '' }, response) => {
    const start = starters[url] ?? (() => Promise.reject(new Error(`nothing is called ${url}`)));
    const starting = started.get(url) ?? start();
    started.set(url, starting);
    starting.then(
      (value) => response.end(JSON.stringify(value)),
      (error: unknown) => response.writeHead(500).end(error instanceof Error ? error.stack : String(error)),
    );
  });
  await new Promise<void>((resolve) => server.listen(socketPath, resolve));
  return async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    // What is still starting can be stopped only when it has.
    await Promise.allSettled(started.values());
  };
}

/** Asks the listener of this run. @throws Error with its reason, when the start failed */
export function askFor<T>(socketPath: string, path: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const call = request({ socketPath, path }, (response) => {
      response.toArray().then((chunks: Buffer[]) => {
        const text = Buffer.concat(chunks).toString('utf8');
        if (response.statusCode === 200) resolve(JSON.parse(text) as T);
        else reject(new Error(`${path} did not start: ${text}`));
      }, reject);
    });
    call.once('error', reject);
    call.end();
  });
}
