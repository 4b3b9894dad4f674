import { Anchor, Paper, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { reportQuery } from '../api/reports/report-query.ts';
import { formatCount, formatMoney, formatPercent } from '../format/desk-format.ts';
import { say } from '../messages/say.ts';
import { type CellContext, useDeskScope } from '../session/desk-scope.ts';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { type InventoryAlert, inventoryAlerts, LAST_WEEK, unitsQuery } from './inventory-alerts.ts';

const QUARTER_MS = 15 * 60_000;
const SHOWN = 6;

/** What inventory stopped asking for ads, or fell against the same weekday. */
export function InventorySection({ context }: { readonly context: CellContext }) {
  const scope = useDeskScope();
  const { timezone, currency, nowMs } = context;
  // The same reports for a quarter of an hour.
  const atMs = Math.floor(nowMs / QUARTER_MS) * QUARTER_MS;
  const today = useQuery(reportQuery(scope, timezone === undefined ? null : unitsQuery(timezone, atMs, 0)));
  const before = useQuery(reportQuery(scope, timezone === undefined ? null : unitsQuery(timezone, atMs, LAST_WEEK)));
  const isRead = today.data !== undefined && before.data !== undefined;
  const alerts = isRead ? inventoryAlerts(today.data.rows, before.data.rows) : [];
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="inventory-title">
      <Title order={2} size="h4" id="inventory-title" mb="xs">
        {say('today.inventory')}
      </Title>
      <ProblemAlert
        error={today.error ?? before.error}
        onRetry={() => void Promise.all([today.refetch(), before.refetch()])}
      />
      {isRead && alerts.length === 0 ? <Text size="sm">{say('today.inventory_well')}</Text> : null}
      <ul className="desk-history">
        {alerts.slice(0, SHOWN).map((alert) => (
          <li key={`${alert.kind}/${alert.siteId}/${alert.unitName}`}>
            <span className={`state-word ${alert.now === 0 ? 'state-bad' : 'state-warn'}`}>
              <span aria-hidden="true">{alert.now === 0 ? '✕' : '▼'}</span>
              {say(`today.alert_${alert.kind}`)}
            </span>{' '}
            <Anchor
              inherit
              size="sm"
              underline="always"
              renderRoot={(props) => <Link to="/desk/inventory" search={{ site: alert.siteId }} {...props} />}
            >
              <bdi>{alert.unitName === '' ? alert.siteName : `${alert.siteName} · ${alert.unitName}`}</bdi>
            </Anchor>
            <Text size="sm" c="dimmed">
              {describe(alert, currency)}
            </Text>
          </li>
        ))}
      </ul>
      {alerts.length <= SHOWN ? null : (
        <Text size="sm" c="dimmed">
          {say('today.inventory_more', { count: alerts.length - SHOWN })}
        </Text>
      )}
    </Paper>
  );
}

function describe({ kind, before, now }: InventoryAlert, currency: string | undefined): string {
  if (kind === 'FILL') return say('today.fell', { now: formatPercent(now), before: formatPercent(before) });
  if (kind === 'ECPM')
    return say('today.fell', {
      now: formatMoney(now.toFixed(2), currency),
      before: formatMoney(before.toFixed(2), currency),
    });
  return say('today.asked_before', { count: formatCount(before) });
}
