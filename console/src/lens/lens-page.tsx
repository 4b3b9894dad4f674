import { Stack, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useScope } from '../session/session.ts';
import { say } from '../messages/say.ts';
import { Page } from '../ui/page.tsx';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { LoadingPage } from '../ui/state-pages.tsx';
import type { DrillPick } from './drill-dialog.tsx';
import { LensActions } from './lens-actions.tsx';
import { LensBuilder } from './lens-builder.tsx';
import { preloadChart } from './lens-chart.tsx';
import { LensResults } from './lens-results.tsx';
import { isDrawn } from '../reports/lens-state.ts';
import type { ReportModel } from '../reports/report-model.ts';
import { modelQuery, useLensReports, useLensState } from './use-lens.ts';
import { later } from '../ui/later.tsx';

const LensFilters = later(async () => (await import('./lens-filters.tsx')).LensFilters, ['lens']);
const DrillDialog = later(async () => (await import('./drill-dialog.tsx')).DrillDialog, ['lens']);

export { beginLens } from './begin-lens.ts';

/** The Lens: what is asked, and what came of it. */
export function LensPage() {
  const { networkId, environment } = useScope();
  const [state] = useLensState();
  const hasDrawing = isDrawn(state);
  useEffect(() => {
    if (hasDrawing) preloadChart();
  }, [hasDrawing]);
  const model = useQuery(modelQuery({ networkId, environment }));
  if (networkId === '') return <Page title={say('nav.lens')}>{say('scope.none')}</Page>;
  if (model.error !== null) {
    return (
      <Page title={say('nav.lens')}>
        <ProblemAlert error={model.error} onRetry={() => void model.refetch()} />
      </Page>
    );
  }
  return model.data === undefined ? <LoadingPage /> : <Lens model={model.data} />;
}

function Lens({ model }: { readonly model: ReportModel }) {
  const [state, change] = useLensState();
  const reports = useLensReports(state);
  const [picked, setPicked] = useState<DrillPick | null>(null);
  const sort = (member: string): void => {
    const { order } = state;
    const isNumber = model.measures.has(member);
    const descending = order?.member === member ? !order.descending : isNumber;
    change({ ...state, order: { member, descending } });
  };
  return (
    <Page title={say('nav.lens')} actions={<LensActions state={state} model={model} reports={reports} />}>
      <Stack gap="md">
        <LensBuilder
          state={state}
          model={model}
          onChange={change}
          filters={<LensFilters state={state} model={model} moment={reports.moment} onChange={change} />}
        />
        <section aria-labelledby="lens-results">
          <VisuallyHidden>
            <h2 id="lens-results">{say('lens.results')}</h2>
          </VisuallyHidden>
          <LensResults
            state={state}
            model={model}
            reports={reports}
            title={say('lens.results')}
            onPick={(member, value) => setPicked({ member, value })}
            onSort={sort}
          />
        </section>
      </Stack>
      <DrillDialog state={state} model={model} picked={picked} onClose={() => setPicked(null)} onChange={change} />
    </Page>
  );
}
