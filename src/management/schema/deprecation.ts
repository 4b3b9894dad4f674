import { deprecationHeaders } from '../../domain/reporting/report-task.ts';
import type { Principal } from '../../domain/tenancy/principal.ts';

/** The root fields whose use is deprecated. */
const DEPRECATED_FIELDS: ReadonlySet<string> = new Set(['report', 'report_defs', 'report_task', 'generate_report']);

/**
 * The headers that announce the deprecation of a legacy report operation and its successor (conformance R7); null for operations
 * with none of these root fields.
 */
export function deprecationOf(
  rootFields: ReadonlySet<string>,
  { networkId, environment }: Principal,
): Readonly<Record<string, string>> | null {
  if (rootFields.isDisjointFrom(DEPRECATED_FIELDS)) return null;
  return deprecationHeaders(networkId, environment);
}
