/**
 * One PostgreSQL, compiled to WebAssembly, in a thread of its own: it holds empty tables of one caller's model and nothing else. The thread is ended when
 * a statement runs too long.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import type { CatalogJob, CatalogStart, CatalogWorkerMessage } from './catalog-messages.ts';

const { image, statements } = workerData as CatalogStart;
const port = parentPort;
if (port === null) throw new Error('This module runs in a thread');

const send = (message: CatalogWorkerMessage): void => port.postMessage(message);

/** It holds hardly a page: what PostgreSQL would set apart for large tables is memory of the core. */
const SMALL = { postgresqlconf: ['shared_buffers=2MB', 'max_connections=5'] };

const database = await PGlite.create(
  image === null ? SMALL : { ...SMALL, loadDataDir: new Blob([image as Uint8Array<ArrayBuffer>]) },
);
if (image === null) {
  const empty = await database.dumpDataDir('gzip');
  send({ kind: 'image', image: new Uint8Array(await empty.arrayBuffer()) });
}
await database.exec(statements);
port.on('message', (job: CatalogJob) => {
  database.execProtocolRaw(job.request).then(
    (response) => send({ kind: 'response', response }),
    (error: unknown) => send({ kind: 'failure', text: String(error) }),
  );
});
send({ kind: 'ready' });
