import { Alert, Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { type ComponentType, type FormEvent, type ReactNode, useState } from 'react';
import type { LineItemDetail } from '../../api/bookings/desk-object.ts';
import type { ObjectResult } from '../../api/bookings/object-updates.ts';
import { ForecastPanel } from '../../booking/forecast-panel.tsx';
import { FormSection } from '../../booking/form-section.tsx';
import { useForecast } from '../../booking/use-booking.ts';
import type { BothSides } from '../../changes/compare-sides.ts';
import { ConflictDialog } from '../../changes/conflict-dialog.tsx';
import { say } from '../../messages/say.ts';
import { LeaveGuard } from '../../ui/leave-guard.tsx';
import type { ControlProps } from './control-props.ts';
import { type ControlName, SECTIONS } from './form-sections.ts';
import { forecastOf } from './item-forecast.ts';
import { type DraftChanges, settingsAfter } from './item-settings.ts';
import { FrequencyControl, LimitsControl } from './limit-controls.tsx';
import { ActivitiesControl, CreativesControl, CustomControl, PeopleControl } from './more-controls.tsx';
import { SaveDialog, type SaveDialogProps } from './save-dialog.tsx';
import {
  CardControl,
  FlightControl,
  HoursControl,
  NameControl,
  PacingControl,
  ProductControl,
  TargetingControl,
  TermsControl,
} from './term-controls.tsx';
import { faultIn, type ItemPart, useItemDraft, useItemValidation, useWordContext } from './use-settings.ts';

const CONTROLS: Readonly<Record<ControlName, ComponentType<ControlProps>>> = {
  card: CardControl,
  name: NameControl,
  product: ProductControl,
  flight: FlightControl,
  hours: HoursControl,
  terms: TermsControl,
  pacing: PacingControl,
  targeting: TargetingControl,
  frequency: FrequencyControl,
  limits: LimitsControl,
  creatives: CreativesControl,
  activities: ActivitiesControl,
  people: PeopleControl,
  custom: CustomControl,
};

interface SettingsFormProps {
  readonly item: LineItemDetail;
  readonly timezone: string;
  readonly currency: string;
  /** Whether there is one column. */
  readonly isNarrow: boolean;
  /** Content of the second column, below the forecast. */
  readonly children: ReactNode;
}

/** The forecasts of a line item as it is saved and as it is typed. Both begin at the instant at which the form opened, so that each is asked for once. */
function useBothForecasts(base: LineItemDetail, { changes }: DraftChanges) {
  const [nowMs] = useState(() => Date.now());
  const delivered = base.delivery?.progress?.delivered ?? 0;
  const at = { id: base.id, delivered, nowMs };
  const draft = useForecast(forecastOf(settingsAfter(base, changes), at), changes.length === 0 ? 'ROUGH' : 'FULL');
  const saved = useForecast(changes.length === 0 ? null : forecastOf(base, at));
  return { draft, saved, nowMs };
}

/** The booking form again, filled: everything that a person sets of a line item, with its forecast beside it. */
export function SettingsForm({ item, timezone, currency, isNarrow, children }: SettingsFormProps) {
  const form = useItemDraft(item, timezone);
  const { base, draft, change, changes, isDirty, isOutdated, begin, zone } = form;
  const [isReviewing, setReviewing] = useState(false);
  const validation = useItemValidation(base, changes);
  const words = useWordContext(base, changes, zone);
  const { draft: forecast, saved, nowMs } = useBothForecasts(base, changes);
  const canReview = changes.changes.length > 0 && changes.unreadable.length === 0;
  useHotkeys([['mod+Enter', () => (canReview ? setReviewing(true) : undefined)]], []);
  const part: ItemPart = { draft, change, touch: () => undefined, fault: (name) => faultIn(name, changes, validation) };
  const props: ControlProps = { part, item: base, zone, currency, words };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (canReview) setReviewing(true);
  };
  const goal = draft.goalKind === 'IMPRESSIONS' && draft.goalPeriod === 'LIFETIME' ? remainingOf(base, changes) : null;
  const saveCard = (
    <SaveCard
      changes={changes}
      validation={validation}
      isOutdated={isOutdated}
      onReview={() => setReviewing(true)}
      onDiscard={() => begin(item)}
    />
  );
  return (
    <form onSubmit={submit} noValidate className={isNarrow ? 'item-form item-form-narrow' : 'item-form'}>
      <LeaveGuard isChanged={() => isDirty} />
      <Stack gap="md">
        {SECTIONS.map(({ title, controls }) => (
          <FormSection key={title} title={say(title)}>
            {controls.map((name) => {
              const Control = CONTROLS[name];
              return <Control key={name} {...props} />;
            })}
          </FormSection>
        ))}
        {isNarrow && isDirty ? saveCard : null}
      </Stack>
      <Stack gap="md">
        {isNarrow ? null : saveCard}
        <Paper withBorder p="md" component="section" aria-labelledby="forecast-title">
          <ForecastPanel {...forecast} goal={goal} currency={currency} />
        </Paper>
        {children}
      </Stack>
      {isReviewing ? (
        <SavingDialogs
          base={base}
          changes={changes}
          validation={validation}
          words={words}
          likely={{ before: likelyOf(saved), after: likelyOf(forecast) }}
          nowMs={nowMs}
          onSaved={() => begin(item)}
          onClose={() => setReviewing(false)}
        />
      ) : null}
    </form>
  );
}

/** What is saved, told first; and both sides, where somebody else has saved meanwhile. */
function SavingDialogs({ onSaved, onClose, ...saving }: Omit<SaveDialogProps, 'onConflict'>) {
  const [conflict, setConflict] = useState<BothSides | null>(null);
  const end = (isSaved: boolean): void => {
    onClose();
    if (isSaved) onSaved();
  };
  return conflict === null ? (
    <SaveDialog {...saving} onSaved={() => end(true)} onConflict={setConflict} onClose={onClose} />
  ) : (
    <ConflictDialog sides={conflict} onClose={end} />
  );
}

function likelyOf({ forecast, isOutdated }: ReturnType<typeof useForecast>): number | null {
  return forecast === undefined || isOutdated || forecast.sampleSize === 0 ? null : forecast.impressions;
}

function remainingOf(base: LineItemDetail, { changes }: DraftChanges): number | null {
  const { goal } = settingsAfter(base, changes);
  return goal === null ? null : Math.max(0, goal.amount - (base.delivery?.progress?.delivered ?? 0));
}

interface SaveCardProps {
  readonly changes: DraftChanges;
  readonly validation: ObjectResult | undefined;
  readonly isOutdated: boolean;
  onReview: () => void;
  onDiscard: () => void;
}

/** How many settings are changed, what is wrong with them, and the way to save them. */
function SaveCard({ changes: { changes, unreadable }, validation, isOutdated, onReview, onDiscard }: SaveCardProps) {
  const count = changes.length + unreadable.length;
  const faults = unreadable.length + (validation?.problems.length ?? 0);
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="save-title" className="item-save">
      <Stack gap="xs">
        <Title order={2} size="h3" id="save-title">
          {say('item_form.changes')}
        </Title>
        <Text component="output">{count === 0 ? say('item_form.unchanged') : say('item_form.changed', { count })}</Text>
        {isOutdated ? (
          <Alert color="orange" variant="outline" styles={{ message: { color: 'var(--mantine-color-text)' } }}>
            {say('item_form.outdated')}
          </Alert>
        ) : null}
        {faults === 0 ? null : (
          <Text c="var(--mantine-color-error)" role="alert">
            {say('booking.problems', { count: faults })}
          </Text>
        )}
        <Group>
          <Button disabled={changes.length === 0 || unreadable.length > 0} onClick={onReview}>
            {say('item_form.review')}
          </Button>
          {count === 0 ? null : (
            <Button variant="default" onClick={onDiscard}>
              {say('item_form.discard')}
            </Button>
          )}
        </Group>
      </Stack>
    </Paper>
  );
}
