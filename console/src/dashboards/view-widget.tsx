import { Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { parseSearch } from '../session/app-search.ts';
import { useScope } from '../session/session.ts';
import { LensResults } from '../lens/lens-results.tsx';
import { readLensParams } from '../reports/lens-state.ts';
import type { ReportModel } from '../reports/report-model.ts';
import { modelQuery, useLensReports } from '../lens/use-lens.ts';
import { say } from '../messages/say.ts';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import type { WidgetOptions, WidgetBodyProps } from './widgets.ts';

/** A saved view of the Lens with its chart and table. */
export function ViewWidget({ options: { viewId }, title, views }: WidgetBodyProps<WidgetOptions['view']>) {
  const model = useQuery(modelQuery(useScope()));
  const view = views.find(({ id }) => id === viewId);
  if (view === undefined) return <Text c="dimmed">{say('dashboards.gone')}</Text>;
  if (model.data !== undefined) return <Report search={view.body.search ?? ''} model={model.data} title={title} />;
  return model.error === null ? (
    <Skeleton height={300} />
  ) : (
    <ProblemAlert error={model.error} onRetry={() => void model.refetch()} />
  );
}

function Report({
  search,
  model,
  title,
}: {
  readonly search: string;
  readonly model: ReportModel;
  readonly title: string;
}) {
  const state = useMemo(() => readLensParams(parseSearch(search)), [search]);
  const reports = useLensReports(state);
  return <LensResults state={state} model={model} reports={reports} title={title} onPick={null} onSort={null} />;
}
