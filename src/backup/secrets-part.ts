import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { type CheckedBackup, readListed, walkFolder } from './backup-files.ts';
import { BackupError } from './manifest.ts';
import type { BackupPart } from './part.ts';
import { openWithPassphrase, type Passphrase, sealWithPassphrase } from './seal.ts';

const SEALED_FILE = 'secrets.sealed';
const FOLDERS = ['secrets', 'tls'];
/** The restored node is the same node: another id would be a second one, whose stores differ from those of the first. */
const FILES = ['node-id', 'demo.json', 'demo-progress.json'];
/** A secret that a process is still writing. */
const UNFINISHED = /\.\d+\.[0-9a-f]{8}$/;
/** A file of `FILES`, or one directly in a folder of `FOLDERS` whose name is more than dots. */
const PATH = /^(?:node-id|demo\.json|demo-progress\.json|(?:secrets|tls)\/(?!\.+$)[\w.-]+)$/;
const contentSchema = z.record(z.string().regex(PATH), z.base64());

/** Secrets, certificates with their keys, and the demo's credentials, sealed under the passphrase. */
export const secretsPart: BackupPart = {
  name: 'secrets',
  needsStillness: false,
  files: /^secrets\.sealed$/,
  folders: null,
  async write({ dataDir, writer, passphrase }) {
    const paths = [...FILES];
    for (const folder of FOLDERS)
      for await (const { path, isFolder } of walkFolder(join(dataDir, folder)))
        if (!isFolder && !UNFINISHED.test(path)) paths.push(`${folder}/${path}`);
    const content: Record<string, string> = {};
    for (const path of paths) {
      const bytes = await readIfThere(join(dataDir, path));
      if (bytes !== null) content[path] = bytes.toString('base64');
    }
    await writer.write(SEALED_FILE, await sealWithPassphrase(passphrase, Buffer.from(JSON.stringify(content))));
  },
  async restore(target) {
    const { dataDir } = target;
    for (const [path, content] of Object.entries(await readSealed(target))) {
      await mkdir(dirname(join(dataDir, path)), { recursive: true, mode: 0o700 });
      await writeFile(join(dataDir, path), Buffer.from(content, 'base64'), { mode: 0o600, flag: 'wx', flush: true });
    }
  },
  verify: async (target) => void (await readSealed(target)),
};

async function readSealed(
  target: CheckedBackup & { readonly passphrase: Passphrase },
): Promise<Record<string, string>> {
  const opened = await openWithPassphrase(target.passphrase, await readListed(target, SEALED_FILE));
  const parsed = contentSchema.safeParse(JSON.parse(opened.toString('utf8')));
  if (!parsed.success)
    throw new BackupError(`The file ${SEALED_FILE} of the backup holds files that this program never seals.`);
  return parsed.data;
}

async function readIfThere(path: string): Promise<Buffer | null> {
  try {
    return await readFile(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
