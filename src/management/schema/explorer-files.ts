import { type AddressedFile, packFile } from '../../http/core/packed-file.ts';

/** The files that the page of GraphiQL loads. */
export interface ExplorerFiles {
  readonly script: AddressedFile;
  readonly style: AddressedFile;
}

/** The paths of the files, without their hashes. */
export const EXPLORER_PATHS = { script: '/graphql/explorer.js', style: '/graphql/explorer.css' } as const;

let opened: Promise<ExplorerFiles> | null = null;

/** Reads and compresses GraphiQL at the first request; a failure is tried again at the next one. */
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
