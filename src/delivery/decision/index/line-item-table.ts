import type { Creative } from '../../../domain/booking/creative.ts';
import type { Deal, LineItem } from '../../../domain/booking/line-item.ts';
import type { SnapshotLists } from './snapshot-lists.ts';
import { LineItemDraft, compileLineItem } from './compile-line-items.ts';
import type { CompiledLineItem } from './compile-line-items.ts';
import { NO_COLUMNS } from './line-item-columns.ts';
import type { LineItemColumns } from './line-item-columns.ts';
import { PositionMap } from './line-item-edits.ts';
import type { LineItemEdits } from './line-item-edits.ts';
import { findPosition, rankOf } from './line-item-order.ts';
import { findById } from './sorted-by-id.ts';
import type { LiveLineItem } from './touched-line-items.ts';

const PAGE_BITS = 10;
const PAGE_SIZE = 2 ** PAGE_BITS;
const PAGE_MASK = PAGE_SIZE - 1;

/** By position, in pages of `PAGE_SIZE`; null = not asked for yet. */
type MadePages = ((CompiledLineItem | null)[] | null)[];

/** The input of a table. */
export interface LineItemTableInput {
  /** The line items are compiled from it. */
  readonly snapshot: SnapshotLists;
  readonly columns: LineItemColumns;
  /** The names of the fields that the index covers: a compiled line item tests the others. */
  readonly indexedFields: ReadonlySet<string>;
}

/**
 * The line items of a workspace that may be delivered, in the order of `rankOf`. Their numbers are in columns; a line item is compiled when it
 * is first asked for: most requests ask for few of them, and most line items are never asked for in a worker's life.
 */
export class LineItemTable implements Iterable<CompiledLineItem> {
  readonly columns: LineItemColumns;
  readonly #input: LineItemTableInput;
  readonly #made: MadePages;

  private constructor(input: LineItemTableInput, made: MadePages) {
    this.columns = input.columns;
    this.#input = input;
    this.#made = made;
  }

  /** The table of no line items. */
  static empty(snapshot: SnapshotLists): LineItemTable {
    return new LineItemTable({ snapshot, columns: NO_COLUMNS, indexedFields: new Set() }, []);
  }

  /** The table after a change. Line items that stay and were compiled before remain the same objects. */
  edit(edits: LineItemEdits, input: LineItemTableInput): LineItemTable {
    return new LineItemTable(input, moveMade(this.#made, edits));
  }

  /** A table whose columns were stored. */
  static restore(input: LineItemTableInput): LineItemTable {
    return new LineItemTable(input, emptyPages(input.columns.length));
  }

  /** The names of the fields that the index covers. */
  get indexedFields(): ReadonlySet<string> {
    return this.#input.indexedFields;
  }

  get length(): number {
    return this.columns.length;
  }

  /** The line item at a position, which must be below `length`. */
  at(position: number): CompiledLineItem {
    return this.#made[position >>> PAGE_BITS]?.[position & PAGE_MASK] ?? this.#make(position);
  }

  /** The id of the line item at a position. */
  idAt(position: number): string {
    return String(this.columns.ids[position]);
  }

  *[Symbol.iterator](): Generator<CompiledLineItem> {
    for (let position = 0; position < this.length; position += 1) yield this.at(position);
  }

  /** The line item at a position as it is booked, for those who need no more of most line items. */
  bookedAt(position: number): LineItem {
    return this.#made[position >>> PAGE_BITS]?.[position & PAGE_MASK]?.booked ?? this.#readBooked(position);
  }

  /** The input of the line item at a position. */
  draftAt(position: number): LineItemDraft {
    return new LineItemDraft(this.#liveAt(position));
  }

  /** The position of a line item of the snapshot; null when it may not be delivered. */
  findPosition(lineItem: LineItem): number | null {
    const { snapshot, columns } = this.#input;
    const deal = lineItem.dealId === null ? null : (findById(snapshot.deals, lineItem.dealId) ?? null);
    const rank = rankOf(lineItem, deal);
    const position = findPosition(columns, rank, 0);
    return columns.ids[position] === rank.rankId ? position : null;
  }

  /** The creatives that may be shown of the line item at a position. */
  creativesAt(position: number): readonly Creative[] {
    const { creativeStarts, creativeIds } = this.columns;
    const creatives: Creative[] = [];
    for (let at = creativeStarts[position] as number; at < (creativeStarts[position + 1] as number); at += 1)
      creatives.push(found(findById(this.#input.snapshot.creatives, String(creativeIds[at]))));
    return creatives;
  }

  #make(position: number): CompiledLineItem {
    const { snapshot, indexedFields } = this.#input;
    const made = compileLineItem(this.draftAt(position), snapshot.workspace, indexedFields);
    putMade(this.#made, position, made);
    return made;
  }

  #readBooked(position: number): LineItem {
    return found(findById(this.#input.snapshot.lineItems, String(this.columns.ids[position])));
  }

  #liveAt(position: number): LiveLineItem {
    const { snapshot } = this.#input;
    const lineItem = this.#readBooked(position);
    const campaign = found(findById(snapshot.campaigns, lineItem.campaignId));
    return {
      lineItem,
      campaign,
      advertiser: found(findById(snapshot.advertisers, campaign.advertiserId)),
      deal: lineItem.dealId === null ? null : found<Deal>(findById(snapshot.deals, lineItem.dealId)),
      creatives: this.creativesAt(position),
    };
  }
}

function found<T>(entry: T | undefined): T {
  if (entry === undefined) throw new Error('a compiled line item is not in its snapshot');
  return entry;
}

function emptyPages(length: number): MadePages {
  return Array.from({ length: Math.ceil(length / PAGE_SIZE) }, () => null);
}

function putMade(pages: MadePages, position: number, made: CompiledLineItem): void {
  const page = position >>> PAGE_BITS;
  (pages[page] ??= Array.from({ length: PAGE_SIZE }, () => null))[position & PAGE_MASK] = made;
}

function moveMade(before: MadePages, edits: LineItemEdits): MadePages {
  const moved = emptyPages(edits.count);
  const positions = new PositionMap(edits);
  for (const [page, list] of before.entries()) {
    if (list === null) continue;
    for (const [at, made] of list.entries()) {
      const position = made === null ? -1 : positions.find(page * PAGE_SIZE + at);
      if (made !== null && position >= 0) putMade(moved, position, made);
    }
  }
  return moved;
}
