import { Paper, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { reportQuery } from '../api/reports/report-query.ts';
import { formatCount, formatPercent } from '../format/desk-format.ts';
import { say } from '../messages/say.ts';
import { type CellContext, useDeskScope } from '../session/desk-scope.ts';
import { ObjectLink } from '../tables/column-parts.tsx';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { errorsQuery, playsQuery, type TagError, tagErrors } from './tag-errors.ts';

const QUARTER_MS = 15 * 60_000;
const SHOWN = 5;

/** The creatives whose films or tags players could not play today; nothing where none errs. */
export function TagErrorsSection({ context: { timezone, nowMs } }: { readonly context: CellContext }) {
  const scope = useDeskScope();
  // The same reports for a quarter of an hour.
  const atMs = Math.floor(nowMs / QUARTER_MS) * QUARTER_MS;
  const errors = useQuery(reportQuery(scope, timezone === undefined ? null : errorsQuery(timezone, atMs)));
  const hasErrors = (errors.data?.rows.length ?? 0) > 0;
  const plays = useQuery(reportQuery(scope, timezone === undefined || !hasErrors ? null : playsQuery(timezone, atMs)));
  const found =
    errors.data === undefined || plays.data === undefined ? [] : tagErrors(errors.data.rows, plays.data.rows);
  const problem = errors.error ?? plays.error;
  if (found.length === 0 && problem === null) return null;
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="tag-errors-title">
      <Title order={2} size="h4" id="tag-errors-title" mb="xs">
        {say('failing.title')}
      </Title>
      <ProblemAlert error={problem} onRetry={() => void Promise.all([errors.refetch(), plays.refetch()])} />
      <ul className="desk-history">
        {found.slice(0, SHOWN).map((one) => (
          <li key={one.creativeId}>
            <ObjectLink to="/desk/creatives/$id" id={one.creativeId} name={one.name} />
            <Text size="sm" c="dimmed">
              {describe(one)}
            </Text>
          </li>
        ))}
      </ul>
      {found.length <= SHOWN ? null : (
        <Text size="sm" c="dimmed">
          {say('today.inventory_more', { count: found.length - SHOWN })}
        </Text>
      )}
    </Paper>
  );
}

function describe({ errors, tries, code, vendor }: TagError): string {
  const facts = { errors: formatCount(errors), part: formatPercent((100 * errors) / tries), code };
  return vendor === '' ? say('failing.plays', facts) : say('failing.vendor', { ...facts, vendor });
}
