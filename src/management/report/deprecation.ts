import { type DocumentNode, getOperationAST } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { EngineRequest } from '../graphql/engine.ts';
import type { ManagementContext } from '../graphql/context.ts';
import { rootFieldNames } from '../graphql/query-limits.ts';

/** The root fields whose use is deprecated. */
const DEPRECATED_FIELDS: ReadonlySet<string> = new Set(['report', 'report_defs', 'report_task', 'generate_report']);

/** When report tasks were declared deprecated (RFC 9745: seconds since 1970; 2026-01-01). */
const DEPRECATED_SINCE = '@1767225600';

/** Says in the headers of every answer to a legacy report operation that it is deprecated, and by what (checklist R7). */
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
      response.headers.set('deprecation', DEPRECATED_SINCE);
      response.headers.set('link', successorLink(management.principal.networkId, management.principal.environment));
    },
  };
}

function successorLink(networkId: string, environment: 'production' | 'staging'): string {
  const prefix = environment === 'staging' ? '/staging' : '';
  return `<${prefix}/reports/${networkId}/v1/meta>; rel="successor-version"`;
}
