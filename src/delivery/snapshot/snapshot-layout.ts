import type { SnapshotLists } from '../decision/index/snapshot-lists.ts';
import type { RecordEntry } from '../decision/index/stored-records.ts';
import type { SnapshotPart } from '../decision/index/snapshot-parts.ts';
import type { StoredColumn } from '../decision/index/stored-workspace.ts';

/** The parts whose records are read from the file on demand, and their members that hold ids of others. */
export const LAZY_PARTS = { lineItems: ['campaignId', 'dealId'], creatives: ['lineItemId'] } as const;
export type LazyPart = keyof typeof LAZY_PARTS;

/** The begin and end of lines in a snapshot file, in bytes. */
export type LineRange = readonly [start: number, end: number];

/** Where the records of one part are, in ascending order of id. */
interface PartLayout {
  readonly ids: BigInt64Array;
  readonly starts: Float64Array;
  readonly lengths: Uint32Array;
  readonly references: readonly (readonly [member: string, ids: BigInt64Array])[];
  count: number;
}

interface WorkspaceLayout {
  readonly parts: Readonly<Record<LazyPart, PartLayout>>;
  /** The lines before the first lazy part, and those after the last one. */
  readonly ranges: [[number, number], [number, number]];
}

/** Records where the lines of a snapshot file are while it is written. */
export class SnapshotLayout {
  readonly workspaces: WorkspaceLayout[] = [];
  #offset = 0;
  #last: { readonly part: PartLayout; readonly at: number } | null = null;

  beginWorkspace({ lineItems, creatives }: SnapshotLists): void {
    const parts = {
      lineItems: emptyPart(lineItems.length, LAZY_PARTS.lineItems),
      creatives: emptyPart(creatives.length, LAZY_PARTS.creatives),
    };
    this.workspaces.push({
      parts,
      ranges: [
        [this.#offset, 0],
        [0, 0],
      ],
    });
  }

  beginPart(part: SnapshotPart): void {
    const { ranges } = this.#current;
    if (part === 'lineItems') ranges[0][1] = this.#offset;
    if (part === 'deals') ranges[1][0] = this.#offset;
  }

  endWorkspace(): void {
    this.#current.ranges[1][1] = this.#offset;
  }

  /** The next line holds this record. @throws SyntaxError when its id is not a number */
  addRecord(name: LazyPart, entry: RecordEntry): void {
    const part = this.#current.parts[name];
    const at = part.count++;
    part.ids[at] = entry.id;
    part.starts[at] = this.#offset;
    for (const [member, ids] of part.references) ids[at] = entry.referenceOf(member);
    this.#last = { part, at };
  }

  /** A line of so many bytes was written. */
  endLine(bytes: number): void {
    this.#offset += bytes;
    if (this.#last !== null) this.#last.part.lengths[this.#last.at] = bytes;
    this.#last = null;
  }

  get #current(): WorkspaceLayout {
    const current = this.workspaces.at(-1);
    if (current === undefined) throw new Error('No workspace has begun');
    return current;
  }
}

function emptyPart(length: number, members: readonly string[]): PartLayout {
  return {
    ids: new BigInt64Array(length),
    starts: new Float64Array(length),
    lengths: new Uint32Array(length),
    references: members.map((member) => [member, new BigInt64Array(length)] as const),
    count: 0,
  };
}

/** The columns of one part, by name. */
export function columnsOf(name: LazyPart, part: PartLayout): (readonly [string, StoredColumn])[] {
  return [
    [`${name}/ids`, part.ids],
    [`${name}/starts`, part.starts],
    [`${name}/lengths`, part.lengths],
    ...part.references.map(([member, ids]) => [`${name}/${member}`, ids] as const),
  ];
}
