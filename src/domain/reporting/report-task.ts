import type { Principal } from '../tenancy/principal.ts';
import { type Environment, pathPrefix } from '../tenancy/workspace.ts';

/** PENDING waits, PROCESSING is being made, DONE can be downloaded, FAILED says why (specification, "Report task (legacy)"). */
export const REPORT_TASK_STATUSES = ['PENDING', 'PROCESSING', 'DONE', 'FAILED'] as const;
export type ReportTaskStatus = (typeof REPORT_TASK_STATUSES)[number];

/** A template that tasks are made from. */
export interface ReportDefinition {
  readonly name: string;
  readonly description: string;
  /** JSON: its parameters with type, default and allowed values. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** The attributes of a task as clients send them: nothing of it is checked yet. */
export interface ReportTaskAttributes {
  readonly date_range?:
    | {
        readonly kind?: string | null | undefined;
        readonly date_from?: string | null | undefined;
        readonly date_to?: string | null | undefined;
      }
    | null
    | undefined;
  readonly filters?:
    | readonly {
        readonly dimension?: string | null | undefined;
        readonly type?: string | null | undefined;
        readonly values?: readonly { readonly value?: string | null | undefined }[] | null | undefined;
      }[]
    | null
    | undefined;
  readonly split?: readonly string[] | null | undefined;
  readonly metric?: readonly string[] | null | undefined;
  readonly granularity?: string | null | undefined;
  readonly timezone?: string | null | undefined;
}

/** The fields of a task. */
export interface ReportTaskInput {
  readonly definitionName: string;
  readonly reportName: string;
  readonly attributes: ReportTaskAttributes;
  readonly externalId: string | null;
  readonly externalType: string | null;
}

/** A task as its network sees it. */
export interface ReportTask {
  readonly id: number;
  /** The last segment of the download address; opens nothing by itself. */
  readonly token: string;
  readonly name: string;
  readonly definitionName: string;
  readonly status: ReportTaskStatus;
  /** 0…100; 100 when DONE. */
  readonly progress: number;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly endedAt: Date | null;
  /** Why it FAILED; null otherwise. */
  readonly errorMessage: string | null;
  /** Rows of the finished report; null before. */
  readonly rowCount: number | null;
  /** Where it can be downloaded; null unless DONE and not expired. */
  readonly downloadUrl: string | null;
  readonly externalId: string | null;
  readonly externalType: string | null;
}

/** Which tasks are wanted; all conditions must hold. */
export interface ReportTaskFilter {
  readonly externalId: string | null;
  readonly externalType: string | null;
  readonly status: ReportTaskStatus | null;
  /** Only tasks older than this one; null: from the newest on. */
  readonly beforeId: number | null;
  /** 1…100. */
  readonly limit: number;
}

/**
 * The legacy report tasks, as the management API offers them. `Connection` is the database connection or transaction that the call
 * is part of. Every call sees the caller's workspace only.
 */
export interface ReportTasks<Connection> {
  /** With the members of the caller's network. */
  definitions(connection: Connection, caller: Principal): Promise<readonly ReportDefinition[]>;
  /** @throws PlacardError `validation_failed` naming each wrong attribute (no task is made), `overloaded` when too many wait */
  create(connection: Connection, caller: Principal, input: ReportTaskInput): Promise<ReportTask>;
  /** Null for an id that is unknown or belongs to another workspace. */
  find(connection: Connection, caller: Principal, id: number): Promise<ReportTask | null>;
  /** Newest first. */
  list(connection: Connection, caller: Principal, filter: ReportTaskFilter): Promise<ReportTask[]>;
}

/** Since when report tasks are deprecated: the `Deprecation` header of their responses (RFC 9745; 2026-01-01). */
const DEPRECATED_SINCE = '@1767225600';

/** Headers that say that report tasks are deprecated, and what replaces them. */
export function deprecationHeaders(networkId: string, environment: Environment): Readonly<Record<string, string>> {
  return {
    deprecation: DEPRECATED_SINCE,
    link: `<${pathPrefix(environment)}/reports/${networkId}/v1/meta>; rel="successor-version"`,
  };
}
