import { Button, Code, Group, Select, SimpleGrid, Stack, Text, TextInput, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import {
  createSchedule,
  deleteSchedule,
  loadSchedules,
  type ReportFileFormat,
  type ReportSchedule,
  runSchedule,
} from '../api/reports/schedules.ts';
import { useCanEdit, useNetwork, useScope, useSession } from '../session/session.ts';
import { formatInstant } from '../format/format-value.ts';
import type { CubeQuery } from '../reports/lens-query.ts';
import { say } from '../messages/say.ts';
import { Dialog } from '../ui/dialog.tsx';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import {
  cronOf,
  hourText,
  type Period,
  PERIODS,
  readAddresses,
  type Rhythm,
  RHYTHMS,
  withPeriod,
} from './schedule-rhythm.ts';

const HOURS = Array.from({ length: 24 }, (_none, hour) => ({ value: String(hour), label: hourText(hour) }));

/** The forms of the files, with their words: one row each. */
const FILE_FORMATS: Readonly<Record<ReportFileFormat, () => string>> = {
  CSV: () => say('schedules.file_csv'),
  CSV_BOM: () => say('schedules.file_csv_bom'),
  XLSX: () => say('schedules.file_xlsx'),
};

/** Sends what the Lens shows regularly, by mail and webhook. */
export function ScheduleAction({ query }: { readonly query: CubeQuery | undefined }) {
  const [opened, setOpened] = useState(false);
  if (!useCanEdit()) return null;
  return (
    <>
      <Button variant="default" disabled={query === undefined} onClick={() => setOpened(true)}>
        {say('schedules.action')}
      </Button>
      <Dialog opened={opened} onClose={() => setOpened(false)} title={say('schedules.title')} size="lg">
        {opened && query !== undefined ? <Schedules query={query} /> : null}
      </Dialog>
    </>
  );
}

function useSchedulesKey(): readonly string[] {
  const { environment, networkId } = useScope();
  return ['schedules', environment, networkId];
}

function Schedules({ query }: { readonly query: CubeQuery }) {
  const scope = useScope();
  const queryKey = useSchedulesKey();
  const found = useQuery({ queryKey, queryFn: ({ signal }) => loadSchedules(scope, signal) });
  return (
    <Stack>
      <NewSchedule query={query} />
      <Title order={3} size="h4">
        {say('schedules.existing')}
      </Title>
      <ProblemAlert error={found.error} onRetry={() => void found.refetch()} />
      {found.data?.length === 0 ? <Text c="dimmed">{say('schedules.none')}</Text> : null}
      {found.data?.map((schedule) => (
        <ScheduleLine key={schedule.id} schedule={schedule} />
      ))}
    </Stack>
  );
}

function NewSchedule({ query }: { readonly query: CubeQuery }) {
  const scope = useScope();
  const client = useQueryClient();
  const queryKey = useSchedulesKey();
  const { user } = useSession();
  const zone = useNetwork()?.timezone ?? '';
  const [form, setForm] = useState({ name: '', mail: user.email, webhook: '' });
  const [timing, setTiming] = useState<Timing>({ period: 'last 7 days', rhythm: 'weekly', hour: 6 });
  const [fileFormat, setFileFormat] = useState<ReportFileFormat>('CSV');
  const making = useMutation({
    mutationFn: () =>
      createSchedule(scope, {
        name: form.name,
        query: withPeriod(query, timing.period),
        cron: cronOf(timing.rhythm, timing.hour),
        fileFormat,
        mailTo: readAddresses(form.mail),
        webhookUrl: form.webhook.trim() === '' ? null : form.webhook.trim(),
      }),
    onSuccess: async () => {
      notifications.show({ message: say('schedules.created') });
      await client.invalidateQueries({ queryKey });
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    making.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <ProblemAlert error={making.error} />
        <TextInput
          label={say('schedules.name')}
          value={form.name}
          required
          maxLength={200}
          data-autofocus
          onChange={(event) => setForm({ ...form, name: event.currentTarget.value })}
        />
        <TimingFields timing={timing} onChange={(next) => setTiming({ ...timing, ...next })} />
        <Text size="sm">{say(`schedules.sentence_${timing.rhythm}`, { time: hourText(timing.hour), zone })}</Text>
        <FormatField format={fileFormat} onChange={setFileFormat} />
        <TextInput
          label={say('schedules.mail')}
          description={say('schedules.mail_hint')}
          value={form.mail}
          onChange={(event) => setForm({ ...form, mail: event.currentTarget.value })}
        />
        <TextInput
          label={say('schedules.webhook')}
          description={say('schedules.webhook_hint')}
          value={form.webhook}
          onChange={(event) => setForm({ ...form, webhook: event.currentTarget.value })}
        />
        {making.data === undefined || making.data === null ? null : (
          <Text size="sm">
            {say('schedules.secret')} <Code>{making.data}</Code>
          </Text>
        )}
        <Group>
          <Button type="submit" loading={making.isPending} disabled={form.name.trim() === ''}>
            {say('schedules.create')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Which period is reported, how often, and at which hour. */
interface Timing {
  readonly period: Period;
  readonly rhythm: Rhythm;
  readonly hour: number;
}

function TimingFields({
  timing: { period, rhythm, hour },
  onChange,
}: {
  readonly timing: Timing;
  onChange: (next: Partial<Timing>) => void;
}) {
  return (
    <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="sm">
      <Select
        label={say('schedules.period')}
        data={periodChoices()}
        value={period}
        allowDeselect={false}
        onChange={(value) => onChange({ period: PERIODS.find((one) => one === value) ?? period })}
      />
      <Select
        label={say('schedules.rhythm')}
        data={RHYTHMS.map((value) => ({ value, label: say(`schedules.${value}`) }))}
        value={rhythm}
        allowDeselect={false}
        onChange={(value) => onChange({ rhythm: RHYTHMS.find((one) => one === value) ?? rhythm })}
      />
      <Select
        label={say('schedules.hour')}
        data={HOURS}
        value={String(hour)}
        allowDeselect={false}
        onChange={(value) => onChange({ hour: Number(value ?? hour) })}
      />
    </SimpleGrid>
  );
}

function FormatField({
  format,
  onChange,
}: {
  readonly format: ReportFileFormat;
  readonly onChange: (format: ReportFileFormat) => void;
}) {
  const formats = Object.keys(FILE_FORMATS) as ReportFileFormat[];
  return (
    <Select
      label={say('schedules.file')}
      data={formats.map((value) => ({ value, label: FILE_FORMATS[value]() }))}
      value={format}
      allowDeselect={false}
      onChange={(value) => onChange(formats.find((one) => one === value) ?? format)}
    />
  );
}

function periodChoices(): { value: Period; label: string }[] {
  return PERIODS.map((value) => ({ value, label: say(`schedules.period_${value.replaceAll(' ', '_') as PeriodKey}`) }));
}

type PeriodKey = 'yesterday' | 'last_7_days' | 'last_30_days' | 'last_week' | 'last_month';

function ScheduleLine({ schedule }: { readonly schedule: ReportSchedule }) {
  const scope = useScope();
  const client = useQueryClient();
  const queryKey = useSchedulesKey();
  const onSuccess = () => client.invalidateQueries({ queryKey });
  const running = useMutation({
    mutationFn: () => runSchedule(scope, schedule.id),
    onSuccess: async () => {
      notifications.show({ message: say('schedules.started') });
      await onSuccess();
    },
  });
  const removing = useMutation({ mutationFn: () => deleteSchedule(scope, schedule.id), onSuccess });
  const { name, nextRunAt, fileFormat, mailTo, webhookUrl } = schedule;
  return (
    <Stack gap={4}>
      <Group justify="space-between" gap="sm">
        <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
          <bdi>{name}</bdi>
        </Text>
        <Group gap="xs">
          <Button
            size="xs"
            variant="default"
            loading={running.isPending}
            aria-label={say('schedules.run_one', { name })}
            onClick={() => running.mutate()}
          >
            {say('schedules.run')}
          </Button>
          <Button
            size="xs"
            variant="default"
            loading={removing.isPending}
            aria-label={say('schedules.delete_one', { name })}
            onClick={() => removing.mutate()}
          >
            {say('action.delete')}
          </Button>
        </Group>
      </Group>
      <ProblemAlert error={running.error ?? removing.error} />
      <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {[
          ...(nextRunAt === null ? [] : [say('schedules.next', { at: formatInstant(nextRunAt) })]),
          FILE_FORMATS[fileFormat](),
          ...mailTo,
          ...(webhookUrl === null ? [] : [webhookUrl]),
        ].join(' · ')}
      </Text>
      {schedule.runs.map((run) => (
        <Text key={run.id} size="sm">
          {`${formatInstant(run.scheduledFor)}: ${say('schedules.run_line', { status: run.status, rows: run.rowCount ?? -1 })}`}
          {run.errorMessage === null ? '' : ` (${run.errorMessage})`}
        </Text>
      ))}
    </Stack>
  );
}
