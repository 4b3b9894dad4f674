/** What one conversion weighs: credits are millionths of it. */
const WHOLE = 1_000_000;
/** What a position-based model gives the first and the last touch; those between them share the rest. */
const END = 400_000;

const POSITION = 'toString(attribution)';
const IS_LAST = `${POSITION} IN ('last', 'only')`;
/** The touches of the path; never 0, since ClickHouse may compute branches that it does not take. */
const LENGTH = 'greatest(toInt64(item_count), 1)';
const BETWEEN = 'greatest(toInt64(item_count) - 2, 1)';

/** An equal part for each of some touches; the last touch of the path takes what division leaves. */
const equalPart = (whole: number, among: string): string => `intDiv(${whole}, ${among})`;
const leftOver = (whole: number, among: string): string => `(${whole} % ${among})`;

/** The share of a conversion that each model of attribution gives a touch, in millionths. The shares of a path add up to one conversion. */
const SHARES: Readonly<Record<string, string>> = {
  first_touch_credit: `if(${POSITION} IN ('first', 'only'), ${WHOLE}, 0)`,
  last_touch_credit: `if(${IS_LAST}, ${WHOLE}, 0)`,
  linear_credit: `${equalPart(WHOLE, LENGTH)} + if(${IS_LAST}, ${leftOver(WHOLE, LENGTH)}, 0)`,
  position_based_credit: `multiIf(${POSITION} = 'only', ${WHOLE}, ${LENGTH} = 2, ${WHOLE / 2},
    ${POSITION} = 'middle', ${equalPart(WHOLE - 2 * END, BETWEEN)},
    ${POSITION} = 'last', ${END} + ${leftOver(WHOLE - 2 * END, BETWEEN)}, ${END})`,
};

/** The columns of touches, for the facts of single events. */
export const TOUCH_CREDITS: readonly string[] = Object.entries(SHARES).map(
  ([column, share]) => `if(kind = 'touch', toInt128(${share}), toInt128(0)) AS ${column}`,
);
