import type { Creative } from '../../../domain/booking/creative.ts';
import type { Deal, LineItem } from '../../../domain/booking/line-item.ts';
import type { SnapshotLists } from './snapshot-lists.ts';
import { LineItemDraft, compileLineItem } from './compile-line-items.ts';
import type { CompiledLineItem } from './compile-line-items.ts';
import { NO_COLUMNS, makeColumns } from './line-item-columns.ts';
import type { LineItemColumns } from './line-item-columns.ts';
import { PositionMap } from './line-item-edits.ts';
import type { LineItemEdits } from './line-item-edits.ts';
import type { LineItemLayers } from './line-item-layers.ts';
import { findPosition, rankOf } from './line-item-order.ts';
import { findById } from './sorted-by-id.ts';
import type { LiveLineItem } from './touched-line-items.ts';

const PAGE_BITS = 10;
const PAGE_SIZE = 2 ** PAGE_BITS;
const PAGE_MASK = PAGE_SIZE - 1;

/** By position, in pages of `PAGE_SIZE`; null = not asked for yet. */
type MadePages = ((CompiledLineItem | null)[] | null)[];

/** The numbers of line items in two layers: `top` has the changed ones. */
export interface LayeredColumns {
  readonly base: LineItemColumns;
  /** Its names of shapes begin with those of the base. */
  readonly top: LineItemColumns;
  /** Null = all line items are in the base. */
  readonly layers: LineItemLayers | null;
}

/** The input of a table. */
export interface LineItemTableInput {
  /** The line items are compiled from it. */
  readonly snapshot: SnapshotLists;
  readonly columns: LayeredColumns;
  /** The names of the fields that the index covers: a compiled line item tests the others. */
  readonly indexedFields: ReadonlySet<string>;
}

/** Columns without changes on top of them. */
export function plainColumns(base: LineItemColumns): LayeredColumns {
  const { shapeNames } = base;
  return { base, top: makeColumns(0, { creativeCount: 0, shapeNames }), layers: null };
}

/**
 * The line items of a workspace that may be delivered, in the order of `rankOf`. Their numbers are in columns; a line item is compiled when it
 * is first asked for: most requests ask for few of them, and most line items are never asked for in a worker's life.
 */
export class LineItemTable implements Iterable<CompiledLineItem> {
  readonly columns: LayeredColumns;
  readonly length: number;
  readonly #layers: LineItemLayers | null;
  readonly #input: LineItemTableInput;
  /** Of the base: tables with changes on top of it share it. */
  readonly #made: MadePages;
  readonly #madeTop: MadePages;

  private constructor(input: LineItemTableInput, made: { readonly base: MadePages; readonly top: MadePages }) {
    const { base, layers } = input.columns;
    this.columns = input.columns;
    this.length = layers?.edits.count ?? base.length;
    this.#layers = layers;
    this.#input = input;
    this.#made = made.base;
    this.#madeTop = made.top;
  }

  /** The table of no line items. */
  static empty(snapshot: SnapshotLists): LineItemTable {
    return LineItemTable.restore({ snapshot, columns: plainColumns(NO_COLUMNS), indexedFields: new Set() });
  }

  /** The table with other changes on top. Line items that stay and were compiled before remain the same objects. @param topEdits from the former top to the present one */
  patch(topEdits: LineItemEdits, input: LineItemTableInput): LineItemTable {
    return new LineItemTable(input, { base: this.#made, top: moveMade(this.#madeTop, topEdits) });
  }

  /**
   * The table after changes that became part of its base. Line items that stay and were compiled before remain the same objects.
   * @param edits from the former base to the present one. @param topPositions the present positions of the former top; −1 = removed
   */
  edit(edits: LineItemEdits, topPositions: readonly number[], input: LineItemTableInput): LineItemTable {
    const base = moveMade(this.#made, edits);
    for (const [top, position] of topPositions.entries()) {
      const made = madeAt(this.#madeTop, top);
      if (position >= 0 && made !== null) putMade(base, position, made);
    }
    return new LineItemTable(input, { base, top: [] });
  }

  /** A table whose columns were stored. */
  static restore(input: LineItemTableInput): LineItemTable {
    const { base, top } = input.columns;
    return new LineItemTable(input, { base: emptyPages(base.length), top: emptyPages(top.length) });
  }

  /** The names of the fields that the index covers. */
  get indexedFields(): ReadonlySet<string> {
    return this.#input.indexedFields;
  }

  /** Where the line item at a position is: `p` in the base, or `~p` in the top. */
  layerAt(position: number): number {
    return this.#layers === null ? position : this.#layers.find(position);
  }

  /** The line item at a position, which must be below `length`. */
  at(position: number): CompiledLineItem {
    return this.#madeAt(position) ?? this.#make(position);
  }

  /** The id of the line item at a position. */
  idAt(position: number): string {
    const at = this.layerAt(position);
    return String(at >= 0 ? this.columns.base.ids[at] : this.columns.top.ids[~at]);
  }

  /** The bucket of its rank. */
  bucketAt(position: number): number {
    const at = this.layerAt(position);
    return (at >= 0 ? this.columns.base.buckets[at] : this.columns.top.buckets[~at]) as number;
  }

  /** The end of both flights, that of the line item and that of its campaign; infinite = never. */
  endsAtMsAt(position: number): number {
    const at = this.layerAt(position);
    return (at >= 0 ? this.columns.base.endsAtMs[at] : this.columns.top.endsAtMs[~at]) as number;
  }

  /** The names of shapes; the first one is that of unknown targeting. */
  get shapeNames(): readonly string[] {
    return this.columns.top.shapeNames;
  }

  /** The shape of its targeting, as a position in `shapeNames`. */
  shapeAt(position: number): number {
    const at = this.layerAt(position);
    return (at >= 0 ? this.columns.base.shapes[at] : this.columns.top.shapes[~at]) as number;
  }

  *[Symbol.iterator](): Generator<CompiledLineItem> {
    for (let position = 0; position < this.length; position += 1) yield this.at(position);
  }

  /** The line item at a position as it is booked, for those who need no more of most line items. */
  bookedAt(position: number): LineItem {
    return this.#madeAt(position)?.booked ?? this.#readBooked(position);
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
    const top = findPosition(columns.top, rank, 0);
    if (columns.top.ids[top] === rank.rankId) return this.#layers?.edits.added[top] ?? null;
    const base = findPosition(columns.base, rank, 0);
    if (columns.base.ids[base] !== rank.rankId) return null;
    const position = this.#layers === null ? base : this.#layers.positionOfBase(base);
    return position < 0 ? null : position;
  }

  /** The creatives that may be shown of the line item at a position. */
  creativesAt(position: number): readonly Creative[] {
    const at = this.layerAt(position);
    const { creativeStarts, creativeIds } = at >= 0 ? this.columns.base : this.columns.top;
    const own = at >= 0 ? at : ~at;
    const creatives: Creative[] = [];
    for (let next = creativeStarts[own] as number; next < (creativeStarts[own + 1] as number); next += 1)
      creatives.push(found(findById(this.#input.snapshot.creatives, String(creativeIds[next]))));
    return creatives;
  }

  #madeAt(position: number): CompiledLineItem | null {
    const at = this.layerAt(position);
    return at >= 0 ? madeAt(this.#made, at) : madeAt(this.#madeTop, ~at);
  }

  #make(position: number): CompiledLineItem {
    const { snapshot, indexedFields } = this.#input;
    const made = compileLineItem(this.draftAt(position), snapshot.workspace, indexedFields);
    const at = this.layerAt(position);
    if (at >= 0) putMade(this.#made, at, made);
    else putMade(this.#madeTop, ~at, made);
    return made;
  }

  #readBooked(position: number): LineItem {
    return found(findById(this.#input.snapshot.lineItems, this.idAt(position)));
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

function madeAt(pages: MadePages, position: number): CompiledLineItem | null {
  return pages[position >>> PAGE_BITS]?.[position & PAGE_MASK] ?? null;
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
