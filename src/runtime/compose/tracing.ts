import type { Context, Span, TextMapGetter } from '@opentelemetry/api';
import type { IncomingHttpHeaders } from 'node:http';
import type { Settings } from '../../config/settings.ts';
import { readVersion } from '../../config/version.ts';
import type { BeginRequestSpan } from '../../http/core/request-spans.ts';

/** Records spans and sends them to the collector, in the background. */
export interface Tracing {
  readonly beginRequest: BeginRequestSpan;
  /** Records a run of a job that has ended. */
  readonly recordJob: (name: string, startedMs: number, failed: boolean) => void;
  /** Sends what is recorded, for at most `FLUSH_MS`. Never rejects. */
  stop(): Promise<void>;
}

/** Spans beyond this number that wait for the collector are dropped. */
const QUEUE_MAX = 2_048;
const SEND_EVERY_MS = 2_000;
const SEND_TIMEOUT_MS = 5_000;
const FLUSH_MS = 3_000;

const HEADERS: TextMapGetter<IncomingHttpHeaders> = {
  keys: (headers) => Object.keys(headers),
  get: (headers, name) => headers[name],
};

/** As `openTracing`, of runs alone, once `begin` has resolved: what is recorded before is left out, and nothing is loaded before. */
export function openTracingLater(
  settings: Parameters<typeof openTracing>[0],
  part: string,
  begin: Promise<void>,
): Pick<Tracing, 'recordJob' | 'stop'> {
  const later: { tracing: Tracing | null } = { tracing: null };
  const opening = begin.then(async () => {
    later.tracing = await openTracing(settings, part);
  });
  // Without the packages of OpenTelemetry nothing is traced.
  opening.catch(() => undefined);
  return {
    recordJob: (...run) => later.tracing?.recordJob(...run),
    stop: async () => later.tracing?.stop(),
  };
}

/**
 * Null without a collector: nothing is loaded then. A collector that does not respond costs what it was sent, and nothing else.
 * @param part such as `core`
 */
export async function openTracing(
  { otlpUrl, otlpToken, tracePercent }: Pick<Settings, 'otlpUrl' | 'otlpToken' | 'tracePercent'>,
  part: string,
): Promise<Tracing | null> {
  if (otlpUrl === null) return null;
  const { ROOT_CONTEXT, SpanKind, SpanStatusCode } = await import('@opentelemetry/api');
  const { W3CTraceContextPropagator } = await import('@opentelemetry/core');
  const { resourceFromAttributes } = await import('@opentelemetry/resources');
  const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-http');
  const { BatchSpanProcessor, ParentBasedSampler, TracerProvider, TraceIdRatioBasedSampler } = await import(
    '@opentelemetry/sdk-trace'
  );
  const headers = otlpToken === null ? {} : { authorization: `Bearer ${otlpToken}` };
  const exporter = new OTLPTraceExporter({
    url: otlpUrl,
    headers,
    timeoutMillis: SEND_TIMEOUT_MS,
    concurrencyLimit: 2,
  });
  const processor = new BatchSpanProcessor({
    exporter,
    maxQueueSize: QUEUE_MAX,
    scheduledDelayMillis: SEND_EVERY_MS,
    exportTimeoutMillis: SEND_TIMEOUT_MS,
  });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': `placard-${part}`, 'service.version': readVersion() }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(tracePercent / 100) }),
    spanProcessors: [processor],
  });
  const tracer = provider.getTracer('placard');
  const propagator = new W3CTraceContextPropagator();
  const end = (span: Span, failed: boolean): void => {
    if (failed) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end();
  };
  return {
    beginRequest: (name, requestHeaders) => {
      const parent: Context = propagator.extract(ROOT_CONTEXT, requestHeaders, HEADERS);
      const span = tracer.startSpan(name, { kind: SpanKind.SERVER }, parent);
      if (!span.isRecording()) return null;
      return {
        setAttribute: (attribute, value) => void span.setAttribute(attribute, value),
        end: (failed) => end(span, failed),
      };
    },
    recordJob: (name, startedMs, failed) => {
      end(tracer.startSpan(`job ${name}`, { kind: SpanKind.INTERNAL, startTime: startedMs }, ROOT_CONTEXT), failed);
    },
    stop: async () => {
      const timer = Promise.withResolvers<void>();
      const timeout = setTimeout(timer.resolve, FLUSH_MS);
      await Promise.race([provider.shutdown().catch(() => undefined), timer.promise]);
      clearTimeout(timeout);
    },
  };
}
