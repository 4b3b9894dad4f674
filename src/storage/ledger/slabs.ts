const SLAB_BYTES = 2 ** 20;
const STEP_BYTES = 16;
/** Positions count steps of 16 bytes: 2^16 of them in a slab. */
const SLAB_SHIFT = 16;
const OFFSET_MASK = 2 ** SLAB_SHIFT - 1;
/** A longer piece has a slab of its own. */
const SHARED_BYTES_MAX = SLAB_BYTES / 8;
/** Sizes of pieces rise by a quarter of the power of two below: at most a fifth of a piece is unused. */
const SIZES = pieceSizes();
const SIZE_OF_STEPS = sizeOfSteps();

interface Slab {
  readonly bytes: Buffer;
  readonly view: DataView;
}

/** A slab that was freed: positions in it that are still listed read as zeros. */
const NO_SLAB: Slab = { bytes: Buffer.alloc(STEP_BYTES), view: new DataView(new ArrayBuffer(STEP_BYTES)) };

/** Memory in pieces, outside of the heap. A piece is known by its position: the slab, and 16 bits of the offset in steps of 16 bytes. */
export class Slabs {
  /** The first is never used: position 0 means that there is no piece. */
  readonly #slabs: Slab[] = [NO_SLAB];
  /** By size: positions of pieces that are free. */
  readonly #free: number[][] = SIZES.map(() => []);
  readonly #freeSlabs: number[] = [];
  /** By size: where the slab that is being cut goes on, and where it ends. */
  readonly #next: { position: number; left: number }[] = SIZES.map(() => ({ position: 0, left: 0 }));
  #bytes = 0;
  #usedBytes = 0;

  /** Bytes of all slabs. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Bytes of the pieces that are taken. */
  get usedBytes(): number {
    return this.#usedBytes;
  }

  /** The offset of a piece in its slab. */
  static offsetOf(position: number): number {
    return (position & OFFSET_MASK) * STEP_BYTES;
  }

  at(position: number): Slab {
    return this.#slabs[position >>> SLAB_SHIFT] ?? NO_SLAB;
  }

  /** The position of a piece of at least so many bytes. @throws RangeError beyond 64 GiB */
  acquire(bytes: number): number {
    if (bytes > SHARED_BYTES_MAX) {
      this.#usedBytes += bytes;
      return positionOf(this.#addSlab(bytes));
    }
    const size = sizeOf(bytes);
    this.#usedBytes += SIZES[size] ?? 0;
    const free = this.#free[size]?.pop();
    return free ?? this.#cut(size);
  }

  /** @param bytes as it was taken or last fitted */
  free(position: number, bytes: number): void {
    if (bytes <= SHARED_BYTES_MAX) {
      const size = sizeOf(bytes);
      this.#usedBytes -= SIZES[size] ?? 0;
      this.#free[size]?.push(position);
      return;
    }
    const slab = position >>> SLAB_SHIFT;
    const { length } = this.at(position).bytes;
    this.#bytes -= length;
    this.#usedBytes -= length;
    this.#slabs[slab] = NO_SLAB;
    this.#freeSlabs.push(slab);
  }

  /** Whether a piece that was taken with `before` bytes is the piece for `after`, too. */
  fits(position: number, before: number, after: number): boolean {
    if (before <= SHARED_BYTES_MAX && after <= SHARED_BYTES_MAX) return sizeOf(before) === sizeOf(after);
    const { length } = this.at(position).bytes;
    return before > SHARED_BYTES_MAX && after > SHARED_BYTES_MAX && after <= length && after * 2 > length;
  }

  #cut(size: number): number {
    const next = this.#next[size] as { position: number; left: number };
    const bytes = SIZES[size] ?? 0;
    if (next.left < bytes) {
      const slab = this.#addSlab(SLAB_BYTES);
      next.position = positionOf(slab);
      next.left = SLAB_BYTES;
    }
    const { position } = next;
    next.position += bytes / STEP_BYTES;
    next.left -= bytes;
    return position;
  }

  #addSlab(bytes: number): number {
    const slab = this.#freeSlabs.pop() ?? this.#slabs.length;
    if (slab > OFFSET_MASK) throw new RangeError('The ledger has no space for a further entry');
    const memory = Buffer.allocUnsafeSlow(bytes);
    this.#slabs[slab] = { bytes: memory, view: new DataView(memory.buffer, memory.byteOffset, bytes) };
    this.#bytes += bytes;
    return slab;
  }
}

function positionOf(slab: number): number {
  return (slab << SLAB_SHIFT) >>> 0;
}

function sizeOf(bytes: number): number {
  return SIZE_OF_STEPS[Math.ceil(bytes / STEP_BYTES)] ?? 0;
}

function pieceSizes(): number[] {
  const sizes: number[] = [];
  for (let bytes = 2 * STEP_BYTES; bytes < SHARED_BYTES_MAX; ) {
    sizes.push(bytes);
    const quarter = 2 ** Math.floor(Math.log2(bytes)) / 4;
    bytes += Math.max(STEP_BYTES, quarter);
  }
  return [...sizes, SHARED_BYTES_MAX];
}

function sizeOfSteps(): Uint8Array {
  const steps = new Uint8Array(SHARED_BYTES_MAX / STEP_BYTES + 1);
  let size = 0;
  for (let at = 0; at < steps.length; at += 1) {
    while ((SIZES[size] ?? 0) < at * STEP_BYTES) size += 1;
    steps[at] = size;
  }
  return steps;
}
