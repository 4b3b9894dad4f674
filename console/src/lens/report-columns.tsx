import type { ReactNode } from 'react';
import { say } from '../messages/say.ts';
import { changePercent, type ComparedRows } from '../reports/compare-rows.ts';
import { formatBucket, formatChange, formatDimension, formatMeasure } from '../format/format-value.ts';
import { timeKeyOf } from '../reports/lens-query.ts';
import { type LensState, TIME_MEMBER } from '../reports/lens-state.ts';
import { columnKey, type PivotTable } from '../reports/pivot-rows.ts';
import { groupTitle, memberOf } from '../charts/member-titles.ts';
import type { Member, ReportModel } from '../reports/report-model.ts';
import type { CellValue, ReportRow } from '../reports/report-rows.ts';
import type { ReportColumn } from './report-table.tsx';

/** The input of columns. */
export interface ColumnContext {
  readonly state: LensState;
  readonly model: ReportModel;
  /** Called for a click on a dimension's value; null where there is nothing to drill into. */
  readonly onPick: ((member: string, value: CellValue) => void) | null;
}

const TIME_WIDTH_PX = 170;
const DIMENSION_WIDTH_PX = 190;
const MEASURE_WIDTH_PX = 140;
const COMPARED_WIDTH_PX = 190;

/** Columns of the things that rows differ by. */
export function groupColumns<Row extends object>(
  context: ColumnContext,
  keys: readonly string[],
  rowOf: (row: Row) => ReportRow,
): ReportColumn<Row>[] {
  const { state, model, onPick } = context;
  const time = timeKeyOf(state);
  return keys.map((key): ReportColumn<Row> => {
    const { granularity } = state;
    if (key === time && granularity !== null) {
      return {
        id: key,
        title: say(`granularity.${granularity}`),
        isNumber: false,
        widthPx: TIME_WIDTH_PX,
        sortMember: TIME_MEMBER,
        render: (row) => formatBucket(rowOf(row)[key], granularity),
      };
    }
    const member = memberOf(model, key);
    return {
      id: key,
      title: member.shortTitle,
      description: member.description,
      isNumber: false,
      widthPx: DIMENSION_WIDTH_PX,
      sortMember: key,
      render: (row) => {
        const value = rowOf(row)[key] ?? null;
        const text = formatDimension(member, value);
        if (onPick === null) return text;
        return (
          <button
            type="button"
            className="cell-button"
            onClick={() => onPick(key, value)}
            title={say('drill.open', { value: text })}
          >
            {text}
          </button>
        );
      },
    };
  });
}

/** A flat report: groups, then measures, each with its change when there is something to compare with. */
export function flatColumns(
  context: ColumnContext,
  data: {
    readonly keys: readonly string[];
    readonly before: readonly (ReportRow | null)[] | null;
    readonly totals: ReportRow | null;
    readonly totalsBefore: ReportRow | null;
  },
): ReportColumn<ReportRow>[] {
  const { state, model } = context;
  const measures = state.measures.map((name): ReportColumn<ReportRow> => {
    const member = memberOf(model, name);
    const cell = (row: ReportRow | null, other: ReportRow | null): ReactNode => (
      <MeasureCell
        member={member}
        value={row?.[name] ?? null}
        before={data.before === null ? undefined : (other?.[name] ?? null)}
      />
    );
    return {
      id: name,
      title: member.shortTitle,
      description: member.description,
      isNumber: true,
      widthPx: data.before === null ? MEASURE_WIDTH_PX : COMPARED_WIDTH_PX,
      sortMember: name,
      render: (row, index) => cell(row, data.before?.[index] ?? null),
      ...(data.totals === null ? {} : { total: cell(data.totals, data.totalsBefore) }),
    };
  });
  return [...groupColumns<ReportRow>(context, data.keys, (row) => row), ...measures];
}

function MeasureCell({
  member,
  value,
  before,
}: {
  readonly member: Member;
  readonly value: CellValue;
  readonly before: CellValue | undefined;
}) {
  const text = formatMeasure(member, value);
  if (before === undefined) return text;
  const percent = changePercent(value, before);
  const tone = percent === null || percent === 0 ? '' : percent > 0 ? 'change-up' : 'change-down';
  const was = formatMeasure(member, before);
  return (
    <>
      {text}
      <span className={`change ${tone}`} title={say('compare.was', { value: was })}>
        {percent === null ? say('compare.was', { value: was }) : `${formatChange(percent)} (${was})`}
      </span>
    </>
  );
}

/** A row of a pivot as its table takes it. */
export type PivotRow = PivotTable['rows'][number];

const NO_ROW: ReportRow = {};

/** A pivot: groups, then for every value of the pivot its measures, then the totals of the row. */
export function pivotColumns(
  context: ColumnContext,
  table: PivotTable,
  pivot: {
    readonly key: string;
    readonly groupKeys: readonly string[];
    readonly totals: ReportRow | null;
    /** Null: nothing is compared. */
    readonly compared: ComparedRows | null;
  },
): ReportColumn<PivotRow>[] {
  const { state, model } = context;
  const cell = (member: Member, row: ReportRow | null | undefined): ReactNode => (
    <MeasureCell
      member={member}
      value={row?.[member.name] ?? null}
      before={pivot.compared === null ? undefined : (pivot.compared.get(row ?? NO_ROW)?.[member.name] ?? null)}
    />
  );
  const measured = (
    id: string,
    group: string,
    pick: (row: PivotRow) => ReportRow | null | undefined,
    total: ReportRow | null | undefined,
  ): ReportColumn<PivotRow>[] =>
    state.measures.map((name) => {
      const member = memberOf(model, name);
      return {
        id: `${id} ${name}`,
        title: member.shortTitle,
        description: member.description,
        group,
        isNumber: true,
        widthPx: pivot.compared === null ? MEASURE_WIDTH_PX : COMPARED_WIDTH_PX,
        sortMember: id === 'total' ? name : null,
        render: (row) => cell(member, pick(row)),
        total: cell(member, total),
      };
    });
  const values = table.columns.flatMap((value) => {
    const key = columnKey(value);
    return measured(
      `value ${key}`,
      groupTitle(context, { [pivot.key]: value }, [pivot.key]),
      (row) => row.cells.get(key),
      table.columnTotals.get(key),
    );
  });
  return [
    ...groupColumns<PivotRow>(context, pivot.groupKeys, (row) => row.group),
    ...values,
    ...measured('total', say('table.total'), (row) => row.total, pivot.totals),
  ];
}
