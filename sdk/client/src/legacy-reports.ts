import { PlacardInputError, PlacardReportError } from './errors.ts';
import type { GraphqlDocument } from './graphql.ts';
import type { CallOptions, Transport } from './transport.ts';
import { waitFor } from './transport.ts';

/** The reports that can be generated, by name. */
export interface ReportDefinition {
  readonly report_definition_name: string;
  readonly report_definition_description: string;
  /** Lists the parameters of the definition. */
  readonly report_definition_body: unknown;
}

/** The input of a report. Which attributes apply depends on the definition. */
export interface ReportTaskInput {
  readonly report_definition_name: string;
  readonly report_name: string;
  readonly attributes: {
    readonly date_range?: { readonly kind: string; readonly date_from?: string; readonly date_to?: string };
    readonly filters?: readonly {
      readonly dimension: string;
      readonly type: string;
      readonly values: readonly { readonly value: string }[];
    }[];
    readonly split?: readonly string[];
    readonly metric?: readonly string[];
    readonly granularity?: string;
    readonly timezone?: string;
  };
  readonly task_external_id?: string;
  readonly task_external_type?: string;
}

/** State of a task. `task_download_url` is there when it is DONE. */
export interface ReportTask {
  readonly task_id: string;
  readonly task_token: string;
  readonly task_name: string;
  readonly task_status: 'PENDING' | 'PROCESSING' | 'DONE' | 'FAILED';
  /** 0 to 100. */
  readonly task_progress: number;
  readonly task_start_time: string | null;
  readonly task_end_time: string | null;
  /** Seconds. */
  readonly task_duration: number | null;
  readonly task_download_url: string | null;
}

/** How a task is waited for. */
export interface WaitOptions extends CallOptions {
  /** Milliseconds between two looks; 2,000 unless given. */
  readonly pollMs?: number;
  /** Milliseconds after which waiting ends with a PlacardReportError; 10 minutes unless given. */
  readonly waitMaxMs?: number;
  readonly onProgress?: (task: ReportTask) => void;
}

const POLL_MS = 2_000;
const WAIT_MAX_MS = 600_000;
const TASK_FIELDS =
  'task_id task_token task_name task_status task_progress task_start_time task_end_time task_duration task_download_url';

/** The functions of the client that this file uses. */
export interface LegacyEndpoint {
  readonly transport: Transport;
  /** Origin of core; downloads go nowhere else, as they carry the credentials. */
  readonly coreOrigin: () => string;
  readonly headers: () => Readonly<Record<string, string>>;
  run<TData>(document: GraphqlDocument<TData, unknown>, variables: unknown, options: CallOptions): Promise<TData>;
  readonly nowMs: () => number;
}

/** The deprecated report tasks: for integrations that use them already; new ones use `reports`. Needs header credentials. */
export class LegacyReports {
  readonly #endpoint: LegacyEndpoint;

  constructor(endpoint: LegacyEndpoint) {
    this.#endpoint = endpoint;
  }

  /** The reports that can be generated. */
  async listDefinitions(options: CallOptions = {}): Promise<readonly ReportDefinition[]> {
    const document = `query { report { report_defs { edges { report_definition_name report_definition_description report_definition_body } } } }`;
    type Data = { report: { report_defs: { edges: readonly ReportDefinition[] } } };
    const { report } = await this.#endpoint.run<Data>(document, {}, options);
    return report.report_defs.edges;
  }

  /** Creates a task; returns its id. */
  async generate(task: ReportTaskInput, options: CallOptions = {}): Promise<string> {
    const document = `mutation ($name: ID!, $title: String!, $attributes: ReportTaskAttrInput!, $type: String, $id: String) {
      report { generate_report(task: { report_definition_name: $name, report_name: $title, attributes: $attributes,
        task_external_type: $type, task_external_id: $id }) { task_id } } }`;
    const variables = {
      name: task.report_definition_name,
      title: task.report_name,
      attributes: task.attributes,
      type: task.task_external_type ?? null,
      id: task.task_external_id ?? null,
    };
    type Data = { report: { generate_report: { task_id: string } } };
    const { report } = await this.#endpoint.run<Data>(document, variables, options);
    return report.generate_report.task_id;
  }

  /** State of a task. */
  async task(taskId: string, options: CallOptions = {}): Promise<ReportTask> {
    const id = Number(taskId);
    if (!Number.isSafeInteger(id)) throw new PlacardInputError(['taskId must be a whole number.']);
    const document = `query ($id: Int!) { report { report_task(task_id: $id) { ${TASK_FIELDS} } } }`;
    const { report } = await this.#endpoint.run<{ report: { report_task: ReportTask } }>(document, { id }, options);
    return report.report_task;
  }

  /** Looks until the task is DONE. @throws PlacardReportError when it is FAILED, or not done in time */
  async waitUntilDone(taskId: string, options: WaitOptions = {}): Promise<ReportTask> {
    const { pollMs = POLL_MS, waitMaxMs = WAIT_MAX_MS, onProgress } = options;
    const deadlineMs = this.#endpoint.nowMs() + waitMaxMs;
    for (;;) {
      const task = await this.task(taskId, options);
      onProgress?.(task);
      if (task.task_status === 'DONE') return task;
      if (task.task_status === 'FAILED') throw new PlacardReportError(taskId, `report task ${taskId} failed`);
      if (this.#endpoint.nowMs() + pollMs > deadlineMs)
        throw new PlacardReportError(taskId, `report task ${taskId} is ${task.task_status} after ${waitMaxMs} ms`);
      await waitFor(pollMs, options.signal);
    }
  }

  /**
   * The report of a finished task as a stream of bytes; cancel it, or abort the signal, to stop early.
   * @param options `format`: CSV unless given, `raw` = one JSON object a line
   * @throws PlacardInputError when the task has no address yet, or one of another server
   */
  async download(
    task: Pick<ReportTask, 'task_download_url'>,
    options: CallOptions & { readonly format?: 'raw' } = {},
  ): Promise<ReadableStream<Uint8Array>> {
    if (task.task_download_url === null)
      throw new PlacardInputError(['The task has no task_download_url: it is not DONE.']);
    const url = new URL(task.task_download_url);
    if (url.origin !== this.#endpoint.coreOrigin())
      throw new PlacardInputError([`task_download_url is at ${url.origin}, which is not the client's coreUrl.`]);
    if (options.format !== undefined) url.searchParams.set('format', options.format);
    const outgoing = { method: 'GET', url: url.href, headers: this.#endpoint.headers(), options } as const;
    return this.#endpoint.transport.openStream(outgoing);
  }
}
