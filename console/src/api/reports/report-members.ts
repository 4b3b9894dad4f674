import { type MetaBody, readReportModel } from '../../reports/read-report-model.ts';
import type { ReportModel } from '../../reports/report-model.ts';
import { reportsPath } from './reports.ts';
import type { Scope } from '../transport/scope.ts';
import { sendJson } from '../transport/send.ts';

/** The members that may be queried. */
export async function loadReportModel(scope: Scope, signal?: AbortSignal): Promise<ReportModel> {
  return readReportModel(
    await sendJson<MetaBody>(`${reportsPath(scope)}/meta`, signal === undefined ? {} : { signal }),
  );
}
