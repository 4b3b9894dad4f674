import { type DocumentNode, getOperationAST } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { deprecationHeaders } from '../../domain/reporting/report-task.ts';
import type { EngineRequest } from './engine-request.ts';
import type { ManagementContext } from '../kernel/context.ts';
import { rootFieldNames } from '../kernel/query-limits.ts';

/** The root fields whose use is deprecated. */
const DEPRECATED_FIELDS: ReadonlySet<string> = new Set(['report', 'report_defs', 'report_task', 'generate_report']);

/** Announces the deprecation and its successor in the headers of every response to a legacy report operation (conformance R7). */
export function deprecateReportTasks<Context extends object>(): Plugin<Context, EngineRequest> {
  const marked = new WeakSet<ManagementContext>();
  return {
    onExecute: ({ args }) => {
      const { management } = args.contextValue as unknown as EngineRequest;
      const document = args.document as DocumentNode;
      const operation = getOperationAST(document, args.operationName);
      if (!operation) return;
      if (!rootFieldNames(document, operation).isDisjointFrom(DEPRECATED_FIELDS)) marked.add(management);
    },
    onResponse: ({ response, serverContext }) => {
      const { management } = serverContext;
      if (!marked.has(management)) return;
      const { networkId, environment } = management.principal;
      for (const [name, value] of Object.entries(deprecationHeaders(networkId, environment))) {
        response.headers.set(name, value);
      }
    },
  };
}
