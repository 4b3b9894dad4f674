import { UNKNOWN_SHAPE } from './targeting-shapes.ts';

/**
 * The numbers of all line items of a workspace by position: adjacent numbers are read ten times as fast as objects, are copied in one move, and
 * cost the garbage collector nothing. Immutable.
 */
export interface LineItemColumns {
  readonly length: number;
  readonly ids: BigInt64Array;
  readonly buckets: Uint16Array;
  /** Own price in micros. */
  readonly pricesMicros: Float64Array;
  /** The begin and end of both flights, that of the line item and that of its campaign. */
  readonly startsAtMs: Float64Array;
  readonly endsAtMs: Float64Array;
  /** NaN = none. */
  readonly sharesPercent: Float64Array;
  /** 1 = there is a goal. */
  readonly goals: Uint8Array;
  /** The shape of its targeting, as a position in `shapeNames`. */
  readonly shapes: Uint16Array;
  /** The first one is that of unknown targeting. */
  readonly shapeNames: readonly string[];
  /** The creatives that may be shown of position `p` are, in ascending order, in `creativeIds` from `creativeStarts[p]` up to `creativeStarts[p + 1]`. */
  readonly creativeStarts: Int32Array;
  readonly creativeIds: BigInt64Array;
}

/** Columns of so many line items, all zero. */
export function makeColumns(
  length: number,
  { creativeCount, shapeNames }: { readonly creativeCount: number; readonly shapeNames: readonly string[] },
): LineItemColumns {
  return {
    length,
    ids: new BigInt64Array(length),
    buckets: new Uint16Array(length),
    pricesMicros: new Float64Array(length),
    startsAtMs: new Float64Array(length),
    endsAtMs: new Float64Array(length),
    sharesPercent: new Float64Array(length),
    goals: new Uint8Array(length),
    shapes: new Uint16Array(length),
    shapeNames,
    creativeStarts: new Int32Array(length + 1),
    creativeIds: new BigInt64Array(creativeCount),
  };
}

/** The columns of no line items. */
export const NO_COLUMNS = makeColumns(0, { creativeCount: 0, shapeNames: [UNKNOWN_SHAPE] });
