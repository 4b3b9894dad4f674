import { z } from 'zod';
import { integer, optionalUrl, setting } from './setting-spec.ts';

const COLLECTOR = 'http://127.0.0.1:4318/v1/traces';

/** Where traces go: rows of the settings table. */
export const traceSettings = {
  otlpUrl: setting({
    name: 'PLACARD_OTLP_URL',
    kind: 'address',
    default: null,
    defaultTitle: 'none (no traces)',
    secret: false,
    description:
      'Where traces of requests to the core, of jobs and of shipped batches of events go: OTLP over HTTP, as JSON. Ads and single events are never traced.',
    example: COLLECTOR,
    schema: optionalUrl(['http:', 'https:'], COLLECTOR),
  }),
  otlpToken: setting({
    name: 'PLACARD_OTLP_TOKEN',
    kind: 'text',
    default: null,
    defaultTitle: 'none',
    secret: true,
    description: 'Bearer token for the collector of traces.',
    example: 'a-long-random-text',
    schema: z.string().nullable(),
  }),
  tracePercent: setting({
    name: 'PLACARD_TRACE_PERCENT',
    kind: 'percentage',
    default: '10',
    defaultTitle: '10',
    secret: false,
    description:
      'How many of the traces that begin here are recorded, 0 to 100. A caller that sends traceparent decides for its own.',
    example: '100',
    schema: integer(0, 100),
  }),
} as const;
