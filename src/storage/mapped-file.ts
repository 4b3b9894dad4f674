import { fstatSync } from 'node:fs';
import type * as Ffi from 'node:ffi';

const READ_AND_WRITE = 3;
const PRIVATE = 2;
const FAILED = 2n ** 64n - 1n;
const SYSTEMS: ReadonlySet<NodeJS.Platform> = new Set(['linux', 'darwin']);

interface Calls {
  readonly ffi: typeof Ffi;
  /** Its functions are valid for as long as this is retained. */
  readonly library: unknown;
  /** The address, the bytes, what is allowed, the form, the file and where it begins. */
  readonly map: (...given: readonly (bigint | number)[]) => bigint;
  readonly unmap: (address: bigint, bytes: bigint) => number;
}

interface Mapping {
  readonly address: bigint;
  readonly bytes: number;
}

let known: Calls | null | undefined;

/** The calls of the system; null where this runtime or system has none. */
function findCalls(): Calls | null {
  if (known !== undefined) return known;
  known = null;
  try {
    const ffi = SYSTEMS.has(process.platform) ? process.getBuiltinModule('node:ffi') : undefined;
    if (ffi === undefined) return null;
    const { lib, functions } = ffi.dlopen(null, {
      mmap: { arguments: ['pointer', 'u64', 'i32', 'i32', 'i32', 'i64'], return: 'pointer' },
      munmap: { arguments: ['pointer', 'u64'], return: 'i32' },
    });
    known = { ffi, library: lib, map: functions.mmap as Calls['map'], unmap: functions.munmap as Calls['unmap'] };
  } catch {
    // The file is read instead.
  }
  return known;
}

const mappings = new FinalizationRegistry<Mapping>(({ address, bytes }) => {
  findCalls()?.unmap(address, BigInt(bytes));
});

/**
 * The bytes of an open file as memory that all processes share which map it: the system's cache of the file. A write to them makes a private copy of
 * its page and never reaches the file. The file must stay as it is: bytes that are cut off end a process that reads them. The file may be closed, renamed
 * and deleted; the memory is returned once nothing refers to it. Null where the runtime or the system cannot, and for an empty file.
 */
export function mapFile(fd: number): ArrayBuffer | null {
  const calls = findCalls();
  const bytes = fstatSync(fd).size;
  if (calls === null || bytes === 0) return null;
  const address = calls.map(0n, BigInt(bytes), READ_AND_WRITE, PRIVATE, fd, 0n);
  if (address === FAILED || address === 0n) return null;
  const memory = calls.ffi.toArrayBuffer(address, bytes, false);
  mappings.register(memory, { address, bytes });
  return memory;
}
