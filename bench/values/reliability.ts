/** A prediction and what came of it. */
export interface Predicted {
  /** The predicted probability. */
  readonly rate: number;
  readonly isHit: boolean;
}

/** Predictions of about the same size. */
export interface ReliabilityBin {
  readonly count: number;
  readonly hits: number;
  /** Mean of the predictions. */
  readonly predicted: number;
  readonly observed: number;
  /** The 95 % interval of the observed rate (Wilson). */
  readonly low: number;
  readonly high: number;
}

/** How well predictions agree with outcomes. */
export interface Reliability {
  /** By rising prediction. */
  readonly bins: readonly ReliabilityBin[];
  /** Expected calibration error: the mean distance between prediction and observed rate over the bins, by their counts. */
  readonly expectedError: number;
  /** The same beside the observed rate of all; 0 where nothing was observed. */
  readonly relativeError: number;
}

/** The 97.5 % quantile of the normal distribution. */
const DEVIATIONS = 1.959_964;

/**
 * The reliability of predictions in about equally large bins. Equal predictions stay in one bin, so that the order of the input changes nothing; bins can
 * therefore be fewer.
 */
export function measureReliability(predictions: readonly Predicted[], binsMax = 10): Reliability {
  const sorted = predictions.toSorted((left, right) => left.rate - right.rate);
  const bins: ReliabilityBin[] = [];
  let from = 0;
  for (let bin = 1; bin <= binsMax && from < sorted.length; bin += 1) {
    let until = Math.max(from + 1, Math.round((sorted.length * bin) / binsMax));
    while (until < sorted.length && sorted[until]?.rate === sorted[until - 1]?.rate) until += 1;
    bins.push(binOf(sorted.slice(from, until)));
    from = until;
  }
  const [count, hits] = [sorted.length, bins.reduce((sum, bin) => sum + bin.hits, 0)];
  const distance = bins.reduce((sum, bin) => sum + bin.count * Math.abs(bin.predicted - bin.observed), 0);
  const expectedError = count === 0 ? 0 : distance / count;
  return { bins, expectedError, relativeError: hits === 0 ? 0 : distance / hits };
}

function binOf(predictions: readonly Predicted[]): ReliabilityBin {
  const count = predictions.length;
  const hits = predictions.filter(({ isHit }) => isHit).length;
  const predicted = predictions.reduce((sum, { rate }) => sum + rate, 0) / count;
  const observed = hits / count;
  const square = DEVIATIONS ** 2;
  const middle = (observed + square / (2 * count)) / (1 + square / count);
  const half =
    (DEVIATIONS * Math.sqrt((observed * (1 - observed)) / count + square / (4 * count ** 2))) / (1 + square / count);
  return { count, hits, predicted, observed, low: Math.max(0, middle - half), high: Math.min(1, middle + half) };
}
