import { closeSync, openSync } from 'node:fs';
import { basename, dirname } from 'node:path';

/** Longest path of a socket that every system takes, in bytes. */
const PATH_BYTES_MAX = 100;

/** A path that a socket takes. */
export interface SocketPath {
  readonly path: string;
  /** Call it when the socket is connected, or no longer listens. */
  release(): void;
}

/** A short way to a socket at a path of any length: through the open folder, as Linux shows it. @throws Error when the folder is missing */
export function shortSocketPath(path: string): SocketPath {
  if (Buffer.byteLength(path) <= PATH_BYTES_MAX) return { path, release: () => undefined };
  if (process.platform !== 'linux')
    throw new RangeError(`The path ${path} is too long for a socket: move the data folder to a shorter one.`);
  const folder = openSync(dirname(path), 'r');
  return { path: `/proc/self/fd/${folder}/${basename(path)}`, release: () => closeSync(folder) };
}
