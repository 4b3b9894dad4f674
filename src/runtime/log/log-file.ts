import { closeSync, fstatSync, mkdirSync, openSync, renameSync, statSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A file of so many bytes becomes `placard.log.1`; the former `placard.log.1` is deleted. */
const FILE_BYTES_MAX = 20 * 1_048_576;
/** Lines between two looks at the size of the file. */
const LINES_A_LOOK = 256;

/** `<data>/log/placard.log`: all lines of a service that shows a terminal the brief form. */
export function logFilePath(dataDir: string): string {
  return join(dataDir, 'log', 'placard.log');
}

/**
 * Appends lines to a file that the processes of a service share. What the disk refuses is left out: the terminal still shows warnings and
 * errors.
 */
export class LogFile {
  readonly #path: string;
  readonly #bytesMax: number;
  #file: number | null = null;
  #linesUntilLook = 0;

  constructor(path: string, bytesMax = FILE_BYTES_MAX) {
    this.#path = path;
    this.#bytesMax = bytesMax;
  }

  write(line: string): void {
    try {
      if (this.#linesUntilLook === 0) this.#turnWhenFull();
      this.#linesUntilLook = (this.#linesUntilLook || LINES_A_LOOK) - 1;
      this.#file ??= this.#open();
      writeSync(this.#file, line);
    } catch {
      this.#close();
    }
  }

  #open(): number {
    mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 });
    return openSync(this.#path, 'a', 0o600);
  }

  /** The first process that finds the file full moves it. A process whose file is no longer at the path, for this or any reason, opens another. */
  #turnWhenFull(): void {
    this.#file ??= this.#open();
    const own = fstatSync(this.#file);
    const isAtPath = statSync(this.#path, { throwIfNoEntry: false })?.ino === own.ino;
    if (isAtPath && own.size < this.#bytesMax) return;
    if (isAtPath) renameSync(this.#path, `${this.#path}.1`);
    this.#close();
  }

  #close(): void {
    if (this.#file !== null) closeSync(this.#file);
    this.#file = null;
  }
}
