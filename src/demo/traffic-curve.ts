/** How busy each hour of a day is, from midnight; about 1 on average. */
export const HOUR_CURVE: readonly number[] = [
  0.34, 0.2, 0.13, 0.1, 0.12, 0.25, 0.55, 0.95, 1.2, 1.3, 1.28, 1.25, 1.3, 1.28, 1.2, 1.15, 1.18, 1.25, 1.4, 1.6, 1.75,
  1.6, 1.15, 0.68,
];

/** The mean of the hours. */
export const HOUR_MEAN = HOUR_CURVE.reduce((sum, one) => sum + one, 0) / HOUR_CURVE.length;

/** How busy each day of a week is, from Monday. */
export const WEEKDAY_CURVE: readonly number[] = [1.06, 1.08, 1.07, 1.04, 0.98, 0.84, 0.93];
