import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';

/** The response of a publisher's server to a path; an object is a page of its own. */
export interface SitePage {
  readonly body: string | Buffer;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A publisher's web server of a test: HTTPS, pages from memory, changed while it runs. */
export interface PublisherSite {
  readonly port: number;
  /** Sets the response of a path. */
  put(path: string, page: SitePage): void;
  close(): Promise<void>;
}

/** Starts one on a free port of 127.0.0.1; `certificate` is a PEM with key and certificate. */
export async function openPublisherSite(certificate: string): Promise<PublisherSite> {
  const pages = new Map<string, SitePage>();
  const server = createServer({ key: certificate, cert: certificate }, (request, response) => {
    const page = pages.get((request.url ?? '/').replace(/\?.*$/, ''));
    response.writeHead(page === undefined ? 404 : 200, {
      'content-type': page?.type ?? 'text/html; charset=utf-8',
      ...page?.headers,
    });
    response.end(page?.body ?? 'no such page');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    put: (path, page) => void pages.set(path, page),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
