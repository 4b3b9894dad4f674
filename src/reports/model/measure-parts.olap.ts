/** The members that a figure of delivery is broken down by. */
export const DRILL = ['line_item_id', 'line_item_name', 'creative_id', 'creative_name'] as const;

/** An integer sum shifted right by decimal places, exactly. */
export function shiftDecimal(sumSql: string, decimals: 6 | 9): string {
  return `(${sumSql} * toDecimal256('0.${'1'.padStart(decimals, '0')}', ${decimals}))`;
}
