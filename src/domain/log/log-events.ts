import { ACCESS_LOG_EVENTS } from './access-log-events.ts';
import { COUNTING_LOG_EVENTS } from './counting-log-events.ts';
import { DELIVERY_LOG_EVENTS } from './delivery-log-events.ts';
import { PROCESS_LOG_EVENTS } from './process-log-events.ts';
import { REPORT_LOG_EVENTS } from './report-log-events.ts';
import { STORE_LOG_EVENTS } from './store-log-events.ts';

/** The parts of the table, by the title that each has in docs/operations/log-events.md. */
export const LOG_EVENT_SECTIONS = {
  'Processes and HTTP': PROCESS_LOG_EVENTS,
  Stores: STORE_LOG_EVENTS,
  Delivery: DELIVERY_LOG_EVENTS,
  'Counting and billing': COUNTING_LOG_EVENTS,
  'Reports and management': REPORT_LOG_EVENTS,
  'Access, limits and mail': ACCESS_LOG_EVENTS,
} as const;

/** Every event that the service logs, by its stable code. Nothing is logged that has no row here. */
export const LOG_EVENTS = {
  ...PROCESS_LOG_EVENTS,
  ...STORE_LOG_EVENTS,
  ...DELIVERY_LOG_EVENTS,
  ...COUNTING_LOG_EVENTS,
  ...REPORT_LOG_EVENTS,
  ...ACCESS_LOG_EVENTS,
} as const;

/** The stable code of a log event. */
export type LogCode = keyof typeof LOG_EVENTS;
