/**
 * One PostgreSQL, compiled to WebAssembly, in a thread of its own: it holds empty tables of one caller's model and nothing else. The thread is ended when
 * a statement runs too long.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import { ResponsePieces } from './response-pieces.ts';
import type { CatalogJob, CatalogStart, CatalogWorkerMessage } from './catalog-messages.ts';

const { image, statements } = workerData as CatalogStart;
const port = parentPort;
if (port === null) throw new Error('This module runs in a thread');

const send = (message: CatalogWorkerMessage, moved: readonly ArrayBuffer[] = []): void =>
  port.postMessage(message, [...moved]);

/** What it needs of a memory of WebAssembly: only the types of browsers name it. */
type WasmMemory = { readonly buffer: ArrayBuffer; grow(pages: number): number };

/** Most memory of the database. It begins with 128 MB, and could grow to 2 GB in the core's process, where it would stay. */
const MEMORY_PAGES_MAX = 6_144;
const memory = (globalThis as unknown as { WebAssembly: { Memory: { prototype: WasmMemory } } }).WebAssembly.Memory
  .prototype;
// eslint-disable-next-line typescript/unbound-method -- it is called on the memory that it is asked of
const { grow } = memory;
/** PostgreSQL turns a failure to grow into "out of memory" for the statement. */
memory.grow = function growWithin(this: WasmMemory, pages: number): number {
  if (this.buffer.byteLength / 65_536 + pages > MEMORY_PAGES_MAX)
    throw new RangeError('The catalog has no more memory');
  return grow.call(this, pages);
};

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
  const pieces = new ResponsePieces(job.bytesMax);
  database.execProtocolRawStream(job.request, { onRawData: (piece) => pieces.add(piece) }).then(
    () => {
      const response = pieces.join();
      send({ kind: 'response', response }, response === null ? [] : [response.buffer]);
    },
    (error: unknown) => send({ kind: 'failure', text: String(error) }),
  );
});
send({ kind: 'ready' });
