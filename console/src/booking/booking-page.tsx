import { Alert, Button, Group, Paper, Stack, Text } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import type { ApiProblem } from '../api/transport/problem.ts';
import { useCanEdit, useNetwork } from '../session/session.ts';
import { formatCount, formatPercent } from '../format/desk-format.ts';
import { say } from '../messages/say.ts';
import { Page } from '../ui/page.tsx';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { LoadingPage } from '../ui/state-pages.tsx';
import { useNow } from '../ui/use-now.ts';
import { type BookingDraft, forecastInput, neededPerDay } from './booking-draft.ts';
import { wholeOf } from '../format/typed-numbers.ts';
import { needsApproval, sortFaults } from './booking-faults.ts';
import { CampaignFields } from './campaign-fields.tsx';
import type { FormPart } from './form-part.ts';
import { ForecastPanel, isWithinReach } from './forecast-panel.tsx';
import { LimitFields } from './limit-fields.tsx';
import { checksOf } from './booking-words.ts';
import { FormSection } from './form-section.tsx';
import { CardField, FlightFields, NameField } from './term-fields.tsx';
import { ProductField } from './product-field.tsx';
import { TargetingFields } from '../targeting/targeting-fields.tsx';
import {
  faultOf,
  type SavedAs,
  type ShownForecast,
  useBookingDraft,
  useForecast,
  useSaving,
  useValidation,
} from './use-booking.ts';
import { WeekGrid } from '../targeting/week-grid.tsx';
import { HowMuchFields } from './how-much-fields.tsx';

/** Books one line item, with its campaign if need be. */
export function BookingPage() {
  const network = useNetwork();
  const canEdit = useCanEdit();
  return (
    <Page title={say('booking.title')} lead={say('booking.lead')}>
      {canEdit ? null : <Text>{say('booking.read_only')}</Text>}
      {canEdit && network === undefined ? <LoadingPage /> : null}
      {canEdit && network !== undefined ? (
        <BookingForm timezone={network.timezone} currency={network.currency} />
      ) : null}
    </Page>
  );
}

/** The draft with its faults, which show once a field was touched or saving was tried; and how it is saved. */
function useBookingForm(timezone: string) {
  const { draft, change, discard, isRestored } = useBookingDraft(useNow(), timezone);
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const [isAttempted, setAttempted] = useState(false);
  const navigate = useNavigate();
  const validation = useValidation(draft, timezone);
  const saving = useSaving(draft, timezone, (id) => {
    discard();
    notifications.show({ message: say('booking.saved') });
    void navigate({ to: '/desk/line-items/$id', params: { id }, search: {} });
  });
  const isWaiting = validation.needsApproval || needsApproval(saving.error);
  const save = (as: SavedAs): void => {
    setAttempted(true);
    saving.mutate(as === 'ACTIVE' && isWaiting ? 'APPROVAL' : as);
  };
  const part: FormPart = {
    draft,
    change: (next) => {
      setTouched((known) => new Set([...known, ...Object.keys(next)]));
      change(next);
    },
    touch: (name) => setTouched((known) => (known.has(name) ? known : new Set([...known, name]))),
    fault: (name) => (isAttempted || touched.has(name) ? faultOf(validation.problem, FIELD_PATHS[name] ?? name) : null),
  };
  return { part, save, saving, validation, isWaiting, isAttempted, isRestored, discard };
}

function BookingForm({ timezone, currency }: { readonly timezone: string; readonly currency: string }) {
  const { part, save, saving, validation, isWaiting, isAttempted, isRestored, discard } = useBookingForm(timezone);
  const { draft } = part;
  const shown = useForecast(forecastInput(draft, timezone));
  const { forecast } = shown;
  const goal = goalImpressions(draft, timezone);
  useHotkeys([['mod+Enter', () => save('ACTIVE')]], []);
  const submit = (event: FormEvent): void => event.preventDefault();
  return (
    <form onSubmit={submit} noValidate className="booking">
      <Stack gap="md">
        {isRestored ? <RestoredNotice onDiscard={discard} /> : null}
        <FormSection title={say('booking.who')}>
          <CampaignFields part={part} />
        </FormSection>
        <FormSection title={say('booking.what')}>
          <CardField part={part} />
          <ProductField part={part} />
          <NameField part={part} />
        </FormSection>
        <FormSection title={say('booking.when')}>
          <FlightFields part={part} timezone={timezone} />
          <WeekGrid hours={draft.hours} change={(hours) => part.change({ hours })} />
          {draft.hours.includes(true) ? null : <Alert color="orange">{say('booking.week_none')}</Alert>}
        </FormSection>
        <FormSection title={say('booking.how_much')}>
          <HowMuchFields part={part} timezone={timezone} currency={currency} />
        </FormSection>
        <FormSection title={say('booking.where')}>
          <TargetingFields rows={draft.targeting} change={(targeting) => part.change({ targeting })} />
          <Reach forecast={forecast} isOutdated={shown.isOutdated} />
          {part.fault('targeting') === null ? null : (
            <Text size="sm" c="var(--mantine-color-error)">
              {part.fault('targeting')}
            </Text>
          )}
        </FormSection>
        <FormSection title={say('booking.limits')}>
          <LimitFields part={part} />
        </FormSection>
      </Stack>
      <Stack gap="md" className="booking-side">
        <Paper withBorder p="md" component="section" aria-labelledby="forecast-title">
          <ForecastPanel {...shown} goal={goal} currency={currency} />
        </Paper>
        <Paper withBorder p="md" component="section" aria-label={say('booking.checks')}>
          <Stack gap="xs">
            <Checklist isValid={validation.problem === null} reaches={isWithinReach(forecast, goal)} />
            <Findings
              validation={validation}
              isAttempted={isAttempted}
              saveError={needsApproval(saving.error) ? null : saving.error}
            />
            {isWaiting ? <Text>{say('booking.needs_approval')}</Text> : null}
            <Group>
              <Button loading={saving.isPending} onClick={() => save('ACTIVE')}>
                {say(isWaiting ? 'booking.ask_approval' : 'booking.activate')}
              </Button>
              <Button variant="default" loading={saving.isPending} onClick={() => save('DRAFT')}>
                {say('booking.save_draft')}
              </Button>
            </Group>
          </Stack>
        </Paper>
      </Stack>
    </form>
  );
}

/** The form was left before it was saved. */
function RestoredNotice({ onDiscard }: { onDiscard: () => void }) {
  return (
    <Group justify="space-between">
      <Text size="sm" c="dimmed">
        {say('booking.restored')}
      </Text>
      <Button size="xs" variant="default" onClick={onDiscard}>
        {say('booking.discard')}
      </Button>
    </Group>
  );
}

/** What the server warns of and, after a try to save, what is wrong. */
function Findings({
  validation: { problem, warnings },
  isAttempted,
  saveError,
}: {
  readonly validation: ReturnType<typeof useValidation>;
  readonly isAttempted: boolean;
  readonly saveError: unknown;
}) {
  return (
    <>
      {warnings.map(({ path, message }) => (
        <Text key={`${path} ${message}`} size="sm" c="dimmed">
          {message}
        </Text>
      ))}
      {isAttempted && problem !== null ? <ProblemCount problem={problem} /> : null}
      {saveError === null || problem !== null ? null : <ProblemAlert error={saveError} />}
    </>
  );
}

/** How many fields are marked, and what is wrong that no field marks. */
function ProblemCount({ problem }: { readonly problem: ApiProblem }) {
  const { marked, others } = sortFaults(problem);
  return (
    <Text c="var(--mantine-color-error)" role="alert">
      {[marked === 0 ? [] : say('booking.problems', { count: marked }), ...others].flat().join(' ')}
    </Text>
  );
}

/** Fields whose name in the API is another one. */
const FIELD_PATHS: Readonly<Record<string, string>> = {
  goalAmount: 'goal',
  goalKind: 'goal',
  capCount: 'frequencyCaps',
  hours: 'dayParts',
};

/** The impressions that a goal of impressions needs; null for other goals. */
function goalImpressions(draft: BookingDraft, timezone: string): number | null {
  const perDay = neededPerDay(draft, timezone);
  if (perDay === null || draft.goalKind !== 'IMPRESSIONS') return null;
  const amount = wholeOf(draft.goalAmount) ?? 0;
  if (draft.goalPeriod === 'LIFETIME') return amount;
  const whole = neededPerDay({ ...draft, goalPeriod: 'LIFETIME' }, timezone);
  return whole === null || whole === 0 ? null : Math.round(amount * (amount / whole));
}

/** How much of the inventory the conditions reach, as they are put together. */
function Reach({ forecast, isOutdated }: Pick<ShownForecast, 'forecast' | 'isOutdated'>) {
  if (forecast === undefined || forecast.opportunities === 0) return null;
  const { matched, opportunities } = forecast;
  return (
    <Text size="sm" fw={600} component="output" aria-busy={isOutdated}>
      {say('booking.reach', {
        matched: formatCount(matched),
        opportunities: formatCount(opportunities),
        percent: formatPercent((100 * matched) / opportunities),
      })}
    </Text>
  );
}

function Checklist({ isValid, reaches }: { readonly isValid: boolean; readonly reaches: boolean | null }) {
  return (
    <ul className="booking-checks">
      {checksOf({ isValid, reaches }).map(({ sign, text }) => (
        <li key={text}>
          <span aria-hidden="true">{sign}</span> {text}
        </li>
      ))}
    </ul>
  );
}
