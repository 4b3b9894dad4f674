import { Button, Group, List, Paper, SegmentedControl, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { type CreativeDetail, loadCreative, loadFileBytes } from '../api/bookings/creatives/creative-detail.ts';
import type { ReviewedKind } from '../api/bookings/creatives/review-queue.ts';
import { ReviewWord, StatusWord } from '../delivery/state-words.tsx';
import { formatCount } from '../format/desk-format.ts';
import { formatInstant } from '../format/format-value.ts';
import { say } from '../messages/say.ts';
import { deskKey, useDeskScope } from '../session/desk-scope.ts';
import { useRecent } from '../session/recent-objects.ts';
import { AdFrame } from '../ui/ad-frame.tsx';
import { Page } from '../ui/page.tsx';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { LoadingPage } from '../ui/state-pages.tsx';
import { useCanEdit } from '../session/session.ts';
import { CreativeUses } from './creative-uses.tsx';
import { HistorySection, PagePreviewDialog, ReplaceDialog } from './later-parts.ts';

const BYTES_IN_KB = 1_000;

/** The page of a creative of a line item. */
export function CreativePage() {
  return <OneCreative kind="creative" />;
}

/** The page of a creative of the library. */
export function LibraryCreativePage() {
  return <OneCreative kind="libraryCreative" />;
}

/** The ad at its size, its weight and scan, its click target, the line items that use it with its figures, and its history. */
function OneCreative({ kind }: { readonly kind: ReviewedKind }) {
  const { id = '' } = useParams({ strict: false });
  const scope = useDeskScope();
  const found = useQuery({
    queryKey: [...deskKey(scope), kind, id],
    queryFn: ({ signal }) => loadCreative(scope, { kind, id }, signal),
    enabled: scope.networkId !== '',
  });
  const creative = found.data;
  useRecent(kind === 'creative' ? 'CREATIVE' : 'LIBRARY_CREATIVE', creative ?? undefined);
  return (
    <Page
      title={creative?.name ?? say('nav.creatives')}
      actions={creative === null || creative === undefined ? undefined : <Actions creative={creative} />}
    >
      <ProblemAlert error={found.error} onRetry={() => void found.refetch()} />
      {found.isPending ? <LoadingPage /> : null}
      {creative === null ? <Text>{say('catalog.missing', { id })}</Text> : null}
      {creative === null || creative === undefined ? null : (
        <Stack gap="md">
          <Stage creative={creative} />
          <Facts creative={creative} />
          <CreativeUses creative={creative} />
          <HistorySection kind={creative.owner.kind} object={{ ...creative, id: creative.owner.id }} />
        </Stack>
      )}
    </Page>
  );
}

/** Its states, another content, the link for those without an account, and the way to its fields. */
function Actions({ creative }: { readonly creative: CreativeDetail }) {
  const { id, kind, status, reviewState, preview } = creative;
  const canEdit = useCanEdit();
  const [open, setOpen] = useState<'replace' | 'page' | null>(null);
  const close = (): void => setOpen(null);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(preview.url);
    notifications.show({ message: say('creative.copied', { at: formatInstant(preview.expiresAt) }) });
  };
  const list = kind === 'creative' ? '/desk/creatives' : '/desk/library';
  return (
    <Group gap="xs">
      <StatusWord status={status} />
      <ReviewWord state={reviewState} />
      {canEdit ? (
        <Button size="xs" variant="default" onClick={() => setOpen('replace')}>
          {say('creative.replace_open')}
        </Button>
      ) : null}
      <Button size="xs" variant="default" onClick={() => void copy()}>
        {say('creative.copy_link')}
      </Button>
      <Button size="xs" variant="default" onClick={() => setOpen('page')}>
        {say('creative.on_page')}
      </Button>
      <Button size="xs" variant="default" renderRoot={(props) => <Link to={list} search={{ open: id }} {...props} />}>
        {say('creative.in_list')}
      </Button>
      {open === 'replace' ? <ReplaceDialog creative={creative} onClose={close} /> : null}
      {open === 'page' ? <PagePreviewDialog creative={creative} onClose={close} /> : null}
    </Group>
  );
}

function Section({
  id,
  title,
  children,
}: {
  readonly id: string;
  readonly title: string;
  readonly children: ReactNode;
}) {
  return (
    <Paper withBorder p="md" component="section" aria-labelledby={id} miw={0}>
      <Stack gap="sm">
        <Title order={2} size="h3" id={id}>
          {title}
        </Title>
        {children}
      </Stack>
    </Paper>
  );
}

/** The ad at its size, on a light page and on a dark one. */
function Stage({ creative }: { readonly creative: CreativeDetail }) {
  const [scheme, setScheme] = useState<'light' | 'dark'>('light');
  return (
    <Section id="stage-title" title={say('creative.stage')}>
      <Group justify="space-between">
        <SegmentedControl
          size="xs"
          aria-label={say('creative.background')}
          value={scheme}
          onChange={(value) => setScheme(value as typeof scheme)}
          data={(['light', 'dark'] as const).map((value) => ({ value, label: say(`creative.on_${value}`) }))}
        />
        <Text size="sm" c="dimmed">
          {say('creative.uncounted')}
        </Text>
      </Group>
      <AdFrame
        key={scheme}
        url={creative.preview.url}
        size={creative}
        title={say('creative.frame', { name: creative.name })}
        scheme={scheme}
      />
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {say('creative.target')}{' '}
        <a href={creative.clickUrl} target="_blank" rel="noopener noreferrer nofollow">
          <bdi>{creative.clickUrl}</bdi>
        </a>
      </Text>
    </Section>
  );
}

/** Format, size and weight of the creative, and the scan of its code. */
function Facts({ creative }: { readonly creative: CreativeDetail }) {
  const scope = useDeskScope();
  const bytes = useQuery({
    queryKey: [...deskKey(scope), 'creative-files', creative.files],
    queryFn: ({ signal }) => loadFileBytes(scope, creative.files, signal),
    enabled: creative.files.length > 0,
  }).data;
  const { format, width, height, secure, scan, reviewReason } = creative;
  const facts: readonly (readonly [string, string])[] = [
    [say('creative.format'), say(`creative_format.${format}`)],
    [say('creative.size'), width === 0 ? say('creative_size.any') : `${width} × ${height}`],
    [
      say('creative.bytes'),
      bytes === null || bytes === undefined
        ? say('value.none_measure')
        : say('creative.kilobytes', { size: formatCount(Math.max(1, Math.round(bytes / BYTES_IN_KB))) }),
    ],
    [say('creative.secure'), say(secure ? 'value.yes' : 'value.no')],
    [
      say('creative.click_macro'),
      scan.hasClickMacro === null ? say('creative.not_needed') : say(scan.hasClickMacro ? 'value.yes' : 'value.no'),
    ],
    [say('creative.hosts'), scan.hosts.length === 0 ? say('value.none') : scan.hosts.join(', ')],
    ...(reviewReason === null ? [] : [[say('creative.reason'), reviewReason] as const]),
  ];
  return (
    <Section id="facts-title" title={say('creative.scan')}>
      <SimpleGrid component="dl" cols={{ base: 2, sm: 3 }} m={0}>
        {facts.map(([title, text]) => (
          <div key={title}>
            <Text component="dt" size="sm" c="dimmed">
              {title}
            </Text>
            <Text component="dd" m={0} className="desk-value" style={{ overflowWrap: 'anywhere' }}>
              {text}
            </Text>
          </div>
        ))}
      </SimpleGrid>
      {scan.warnings.length === 0 ? (
        <Text>{say('creative.clean')}</Text>
      ) : (
        <List>
          {scan.warnings.map(({ code, message }) => (
            <List.Item key={code}>{message}</List.Item>
          ))}
        </List>
      )}
    </Section>
  );
}
