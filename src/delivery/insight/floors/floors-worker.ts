import type { FloorSuggestion } from '../../../domain/booking/delivery-insight.ts';
import { serveThread } from '../../traffic/serve-thread.ts';
import { prepareFloors } from './suggest-floors.ts';
import type { FloorJob } from './suggest-floors.ts';

serveThread<FloorJob, FloorSuggestion[]>(({ snapshot, sample, job }) => prepareFloors({ ...job, snapshot, sample }));
