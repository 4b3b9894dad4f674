import { isolate } from '../messages/isolate.ts';
import { formatBucket, formatDimension } from '../format/format-value.ts';
import { timeKeyOf } from '../reports/lens-query.ts';
import type { LensState } from '../reports/lens-state.ts';
import { findMember, type Member, type ReportModel } from '../reports/report-model.ts';
import type { ReportRow } from '../reports/report-rows.ts';

/** A member by its name; one without a title of its own where the model has none of that name. */
export function memberOf(model: ReportModel, name: string): Member {
  return (
    findMember(model, name) ?? {
      name,
      shortTitle: name,
      description: '',
      type: 'string',
      format: null,
      currency: null,
      drillMembers: [],
      isAdditive: false,
    }
  );
}

/** A member's name for people. */
export function titleOf(model: ReportModel, name: string): string {
  return memberOf(model, name).shortTitle;
}

/** The name of a group of rows: its values, joined. */
export function groupTitle(
  { state, model }: { readonly state: LensState; readonly model: ReportModel },
  row: ReportRow,
  keys: readonly string[],
): string {
  const time = timeKeyOf(state);
  return keys
    .map((key) =>
      key === time && state.granularity !== null
        ? formatBucket(row[key], state.granularity)
        : isolate(formatDimension(memberOf(model, key), row[key])),
    )
    .join(' · ');
}
