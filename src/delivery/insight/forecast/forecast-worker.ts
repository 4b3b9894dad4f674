import type { Forecast } from '../../../domain/booking/delivery-insight.ts';
import { serveThread } from '../../traffic/serve-thread.ts';
import { prepareForecast } from './forecast.ts';
import type { ForecastInput } from './forecast-run.ts';

/** The small parts of a forecast. */
export type ForecastJob = Pick<
  ForecastInput,
  'draft' | 'booked' | 'precision' | 'curve' | 'history' | 'nowMs' | 'seed'
>;

serveThread<ForecastJob, Forecast>(({ snapshot, sample, job, elapsedMs }) =>
  prepareForecast({ ...job, snapshot, sample, elapsedMs }),
);
