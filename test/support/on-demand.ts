import { createServer, request } from 'node:http';

/** The starters of a run, by path; each runs once. A starter's result must be JSON. */
export type Starters = Readonly<Record<string, () => Promise<unknown>>>;

/**
 * Listens on a socket for a run's test files, and runs a starter when the first of them requests it: files that need no store cost nothing,
 * and the others run while it starts. Returns how to stop listening.
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
    // A starter can be stopped only when it has finished.
    await Promise.allSettled(started.values());
  };
}

/** Requests a result from the listener of this run. @throws Error with its reason, when the start failed */
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
