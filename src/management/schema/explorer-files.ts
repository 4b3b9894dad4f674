import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** A file as it goes over the wire. */
export interface ExplorerFile {
  /** With a hash of the content, so that browsers may keep it for ever. */
  readonly address: string;
  readonly type: string;
  readonly plain: Buffer;
  readonly brotli: Buffer;
  readonly gzip: Buffer;
}

/** What the page of GraphiQL loads. */
export interface ExplorerFiles {
  readonly script: ExplorerFile;
  readonly style: ExplorerFile;
}

/** Where the files are, without their hashes. */
export const EXPLORER_PATHS = { script: '/graphql/explorer.js', style: '/graphql/explorer.css' } as const;

/** Levels that take about a second for ten megabytes, once a process. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } };
const GZIP = { level: 6 };

let opened: Promise<ExplorerFiles> | null = null;

/** Reads and compresses GraphiQL when it is first asked for; a failure is tried again the next time. */
export function openExplorerFiles(): Promise<ExplorerFiles> {
  opened ??= readFiles().catch((error: unknown) => {
    opened = null;
    throw error;
  });
  return opened;
}

async function readFiles(): Promise<ExplorerFiles> {
  const { js, css, ...workers } = await import('@graphql-yoga/render-graphiql/graphiql');
  const [script, style] = await Promise.all([
    packFile(EXPLORER_PATHS.script, 'text/javascript; charset=utf-8', `${workerSetup(workers)}\n${js}`),
    packFile(EXPLORER_PATHS.style, 'text/css; charset=utf-8', css),
  ]);
  return { script, style };
}

async function packFile(path: string, type: string, text: string): Promise<ExplorerFile> {
  const plain = Buffer.from(text);
  const [brotli, gzipped] = await Promise.all([promisify(brotliCompress)(plain, BROTLI), promisify(gzip)(plain, GZIP)]);
  const hash = createHash('sha256').update(plain).digest('hex').slice(0, 16);
  return { address: `${path}?${hash}`, type, plain, brotli, gzip: gzipped };
}

interface WorkerSources {
  readonly editorWorkerService: string;
  readonly jsonWorker: string;
  readonly graphqlWorker: string;
}

/** The editor starts its workers from memory, by these names. */
function workerSetup({ editorWorkerService, jsonWorker, graphqlWorker }: WorkerSources): string {
  const sources = { editorWorkerService, json: jsonWorker, graphql: graphqlWorker };
  return (
    `const workerSources = ${JSON.stringify(sources)};\n` +
    `self.MonacoEnvironment = { globalAPI: false, getWorkerUrl: (_id, label) => URL.createObjectURL(new Blob([workerSources[label]], { type: 'application/javascript' })) };`
  );
}
