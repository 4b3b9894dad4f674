import { type MetaBody, readReportModel } from '../lens/read-report-model.ts';
import type { ReportModel } from '../lens/report-model.ts';
import { reportsPath } from './reports.ts';
import type { Scope } from './scope.ts';
import { sendJson } from './send.ts';

/** The members that may be queried. */
export async function loadReportModel(scope: Scope, signal?: AbortSignal): Promise<ReportModel> {
  return readReportModel(
    await sendJson<MetaBody>(`${reportsPath(scope)}/meta`, signal === undefined ? {} : { signal }),
  );
}
