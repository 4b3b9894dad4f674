/* oxlint-disable jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard */
import { Alert, Anchor, Group, Paper, Select, SimpleGrid, Stack, Table, Text, Title } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { dateFormat } from '../format/intl-formats.ts';
import { type Availability, type AvailableDay, loadAvailability } from '../api/bookings/availability.ts';
import type { AppSearch } from '../session/app-search.ts';
import { ObjectPicker } from '../pickers/object-picker.tsx';
import { formatCount, formatPercent } from '../format/desk-format.ts';
import { deskKey, useDeskScope, useCellContext } from '../session/desk-scope.ts';
import { DEVICES } from '../inspector/inspector-state.ts';
import { LineItemLink } from '../inspector/line-item-link.tsx';
import { currentLocale } from '../messages/language.ts';
import { sayRemarks } from '../delivery/say-delivery.ts';
import { say } from '../messages/say.ts';
import { countries } from '../targeting/countries.ts';
import { Page } from '../ui/page.tsx';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { LoadingPage } from '../ui/state-pages.tsx';
import { ForecastAccuracySection } from './forecast-accuracy.tsx';
import { barOf, sumOf, weeksOf } from './calendar-weeks.ts';
import './availability.css';

const ALERT_STYLES = { message: { color: 'var(--mantine-color-text)' } } as const;
const WEEKS = ['2', '4', '8', '13'] as const;
const COUNTRY = /^[A-Z]{2}$/;
const COUNTRIES_SHOWN = 60;
const ID = /^\d{1,19}$/;

/** What is sold, reserved and free of an ad unit, a site or the whole network, day by day. */
export function AvailabilityPage() {
  const search = useSearch({ strict: false }) as AppSearch;
  const navigate = useNavigate();
  const scope = useDeskScope();
  const idOf = (name: string): string => (ID.test(search[name] ?? '') ? (search[name] ?? '') : '');
  const [site, unit] = [idOf('site'), idOf('unit')];
  const country = COUNTRY.test(search['country'] ?? '') ? (search['country'] ?? '') : '';
  const device = DEVICES.find((one) => one === search['device']) ?? null;
  const weeks = WEEKS.find((one) => one === search['weeks']) ?? '4';
  const change = (next: AppSearch): void => {
    void navigate({ to: '.', search: (previous: AppSearch) => ({ ...previous, ...next }), replace: true });
  };
  const input = {
    adUnitIds: unit === '' ? [] : [unit],
    siteIds: unit !== '' || site === '' ? [] : [site],
    countries: country === '' ? [] : [country],
    deviceTypes: device === null ? [] : [device],
    days: 7 * Number(weeks),
  };
  const found = useQuery({
    queryKey: [...deskKey(scope), 'availability', input],
    queryFn: ({ signal }) => loadAvailability(scope, input, signal),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    enabled: scope.networkId !== '',
  });
  return (
    <Page title={say('availability.title')} lead={say('availability.lead')}>
      <Stack gap="md">
        <Choices {...{ site, unit, country, device, weeks, change }} />
        <ProblemAlert error={found.error} onRetry={() => void found.refetch()} />
        {found.isPending ? <LoadingPage /> : null}
        {found.data === undefined ? null : (
          <div aria-busy={found.isFetching}>
            <Found availability={found.data} />
          </div>
        )}
        <ForecastAccuracySection />
      </Stack>
    </Page>
  );
}

interface ChoicesProps {
  readonly site: string;
  readonly unit: string;
  readonly country: string;
  readonly device: string | null;
  readonly weeks: string;
  change: (next: AppSearch) => void;
}

/** Which inventory, of which requests, and how far. */
function Choices({ site, unit, country, device, weeks, change }: ChoicesProps) {
  return (
    <Group align="flex-end" gap="sm" wrap="wrap">
      <ObjectPicker
        kind="sites"
        label={say('inspector.site')}
        value={site}
        onChange={(id) => change({ site: id, unit: '' })}
      />
      <ObjectPicker
        kind="adUnits"
        label={say('inspector.unit')}
        value={unit}
        siteId={site}
        onChange={(id) => change({ unit: id })}
      />
      <Select
        label={say('availability.country')}
        placeholder={say('value.any')}
        data={[...countries()]}
        value={country === '' ? null : country}
        searchable
        clearable
        limit={COUNTRIES_SHOWN}
        onChange={(value) => change({ country: value ?? '' })}
      />
      <Select
        label={say('availability.device')}
        placeholder={say('value.any')}
        data={DEVICES.map((value) => ({ value, label: say(`device.${value}`) }))}
        value={device}
        clearable
        onChange={(value) => change({ device: value ?? '' })}
      />
      <Select
        label={say('availability.weeks')}
        data={WEEKS.map((value) => ({ value, label: say('availability.weeks_count', { count: Number(value) }) }))}
        value={weeks}
        allowDeselect={false}
        onChange={(value) => change({ weeks: value ?? '4' })}
      />
    </Group>
  );
}

function Found({ availability }: { readonly availability: Availability }) {
  const { days, lineItems, elsewhere, historyDays, shownPercent } = availability;
  const notes = sayRemarks(availability, useCellContext());
  const totals = sumOf(days);
  const facts = ['expected', 'sold', 'reserved', 'free'] as const;
  return (
    <Stack gap="md">
      <SimpleGrid cols={{ base: 2, sm: 4 }} spacing="sm">
        {facts.map((name) => (
          <Paper key={name} withBorder p="sm">
            <Text size="sm" c="dimmed">
              {say(`availability.${name}`)}
            </Text>
            <Text fw={700} size="xl">
              {name === 'free' ? sayFree(totals) : formatCount(totals[name])}
            </Text>
          </Paper>
        ))}
      </SimpleGrid>
      {notes.length === 0 ? null : (
        <Alert variant="outline" color="gray" styles={ALERT_STYLES}>
          {notes.map((note) => (
            <Text key={note} size="sm">
              {note}
            </Text>
          ))}
        </Alert>
      )}
      {elsewhere.length === 0 ? null : <Elsewhere units={elsewhere} />}
      <CalendarTable days={days} />
      <Text size="sm" c="dimmed">
        {say('availability.method', { days: historyDays, percent: formatPercent(shownPercent) })}
      </Text>
      <Paper withBorder p="md" component="section" aria-labelledby="takers-title">
        <Title order={2} size="h4" id="takers-title">
          {say('availability.who')}
        </Title>
        {lineItems.length === 0 ? <Text>{say('availability.nobody')}</Text> : null}
        <Table verticalSpacing={6}>
          <Table.Tbody>
            {lineItems.map(({ lineItemId, name, isReserved, impressions }) => (
              <Table.Tr key={lineItemId}>
                <Table.Th scope="row" fw={500}>
                  <LineItemLink id={lineItemId} name={name} />
                </Table.Th>
                <Table.Td>{say(isReserved ? 'availability.reserved' : 'availability.sold')}</Table.Td>
                <Table.Td ta="right">{formatCount(impressions)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Paper>
    </Stack>
  );
}

/** How much is free: a number, or its bounds where they differ. */
function sayFree({ free, freeUpTo }: { readonly free: number | null; readonly freeUpTo: number | null }): string {
  const [low, high] = [formatCount(free ?? 0), formatCount(freeUpTo ?? 0)];
  return low === high ? low : say('availability.from_to', { low, high });
}

/** Other ad units of the same sizes, for inventory that is sold out. */
function Elsewhere({ units }: { readonly units: Availability['elsewhere'] }) {
  return (
    <Alert variant="outline" color="orange" title={say('availability.sold_out')} styles={ALERT_STYLES}>
      {units.map(({ adUnitId, name, free }) => (
        <Text key={adUnitId} size="sm">
          <Anchor
            inherit
            underline="always"
            renderRoot={(props) => (
              <Link to="." search={(previous: AppSearch) => ({ ...previous, site: '', unit: adUnitId })} {...props} />
            )}
          >
            <bdi>{name}</bdi>
          </Anchor>
          {`: ${say('availability.free_of', { free: formatCount(free) })}`}
        </Text>
      ))}
    </Alert>
  );
}

/** Weeks as rows, weekdays as columns. */
function CalendarTable({ days }: { readonly days: readonly AvailableDay[] }) {
  const weekday = dateFormat(currentLocale(), { weekday: 'short', timeZone: 'UTC' });
  const weeks = weeksOf(days);
  return (
    <section className="calendar-scroll" aria-label={say('availability.calendar')} tabIndex={0}>
      <table className="calendar">
        <caption className="visually-hidden">{say('availability.title')}</caption>
        <thead>
          <tr>
            {(weeks[0] ?? []).map(({ date }) => (
              <th key={date} scope="col">
                {weekday.format(new Date(`${date}T00:00:00Z`))}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={week[0]?.date ?? ''}>
              {week.map(({ date, day }) => (
                <td key={date}>{day === null ? null : <DayCell day={day} />}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function DayCell({ day }: { readonly day: AvailableDay }) {
  const date = dateFormat(currentLocale(), { day: 'numeric', month: 'short', timeZone: 'UTC' });
  const bar = barOf(day);
  const none = say('value.none_measure');
  return (
    <>
      <div className="calendar-date">{date.format(new Date(`${day.day}T00:00:00Z`))}</div>
      <div className="calendar-bar" aria-hidden="true">
        <span className="calendar-sold" style={{ width: `${bar.sold}%` }} />
        <span className="calendar-reserved" style={{ width: `${bar.reserved}%` }} />
      </div>
      <div className="calendar-free">
        {say('availability.free_of', { free: day.free === null ? none : sayFree(day) })}
      </div>
      <div className="calendar-rest">{say('availability.sold_of', { sold: formatCount(day.sold) })}</div>
      {day.reserved === 0 ? null : (
        <div className="calendar-rest">{say('availability.reserved_of', { reserved: formatCount(day.reserved) })}</div>
      )}
      {day.low === null || day.high === null ? null : (
        <div className="calendar-rest">
          {say('availability.range', { low: formatCount(day.low), high: formatCount(day.high) })}
        </div>
      )}
    </>
  );
}
