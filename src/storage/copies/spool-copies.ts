/** Bytes that were added to a spool file together. */
export interface CopiedPart {
  /** `<worker index>/<file id>`, behind a folder where there is one: unique for ever. */
  readonly file: string;
  /** Rises within the file. */
  readonly part: number;
  /** Where the bytes begin in the file. A part replaces earlier ones from there on: those were not acknowledged. */
  readonly offset: number;
  readonly bytes: Buffer;
}

/** A file of a lost machine that this one has taken over. */
export interface TakenFile {
  readonly file: string;
  readonly bytes: Buffer;
  /** All of its lines are counted, and the lines that were duplicates are left out. */
  readonly isCounted: boolean;
}

/**
 * Copies of the spool files of machines, outside of these machines, until the analytics store has their events. A file has one owner: the
 * machine that wrote it, or the one that took it over. Any other machine adds nothing to it, and neither counts nor ships it.
 */
export interface SpoolCopies {
  /** Resolves when the part is where the setting says. @returns false: another machine has taken the file over */
  append(part: CopiedPart): Promise<boolean>;
  /** The file is counted. @param content what it holds now; null: the same as before @returns false as `append` */
  complete(file: string, content: Buffer | null): Promise<boolean>;
  /** Those of these files that another machine has taken over, or has shipped. */
  findLost(files: readonly string[]): Promise<ReadonlySet<string>>;
  /** Nobody takes these files over while an insert of them may last. @returns as `findLost` */
  hold(files: readonly string[]): Promise<ReadonlySet<string>>;
  /** The analytics store has the events of these files. */
  drop(files: readonly string[]): Promise<void>;
  /** Says that this machine is alive. @returns machines that have not said so for a while, and whose files may be taken over */
  beat(): Promise<readonly string[]>;
  /** Names of the files of a machine. */
  listFiles(machine: string): Promise<readonly string[]>;
  /** Takes files of a lost machine. @returns how many it still owned */
  acquire(machine: string, files: readonly string[]): Promise<number>;
  /** Names of files that were taken, and are not on this machine's disk yet. */
  listTaken(): Promise<readonly string[]>;
  /** Null: it is not this machine's any more, or is on its disk. */
  readTaken(file: string): Promise<TakenFile | null>;
  /** The taken file is on stable storage of this machine. */
  retain(file: string): Promise<void>;
  /** Whether a file that this machine took is on its disk, and still its own. */
  isRetained(file: string): Promise<boolean>;
  close(): Promise<void>;
}

/** A content made of parts, as they were written. Bytes that no part holds are line feeds: lines around them are found. */
export function joinParts(parts: readonly Omit<CopiedPart, 'file'>[]): Buffer {
  let content = Buffer.alloc(0);
  for (const { offset, bytes } of parts.toSorted((one, other) => one.part - other.part)) {
    const before = content.subarray(0, offset);
    content = Buffer.concat([before, Buffer.alloc(offset - before.length, '\n'), bytes]);
  }
  return content;
}
