import { Button, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { CreativeDetail } from '../api/bookings/creatives/creative-detail.ts';
import { findPageUnits } from '../api/bookings/creatives/page-units.ts';
import { formatInstant } from '../format/format-value.ts';
import { say } from '../messages/say.ts';
import { deskKey, useDeskScope } from '../session/desk-scope.ts';
import { Dialog } from '../ui/dialog.tsx';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { pagePreviewUrl } from './page-preview.ts';

const TYPING_MS = 250;

/** A link to a real page of a publisher, whose tag shows the creative in one of its ad units. Nothing is counted of the creative. */
export function PagePreviewDialog({
  creative: { preview, width, height },
  onClose,
}: {
  readonly creative: CreativeDetail;
  onClose: () => void;
}) {
  const scope = useDeskScope();
  const [unitId, setUnitId] = useState<string | null>(null);
  const [typed, setTyped] = useState<string | null>(null);
  const [search, setSearch] = useState('');
  const [asked] = useDebouncedValue(search.trim(), TYPING_MS);
  const found = useQuery({
    queryKey: [...deskKey(scope), 'page-units', asked],
    queryFn: ({ signal }) => findPageUnits(scope, asked, signal),
    placeholderData: keepPreviousData,
  });
  const units = found.data ?? [];
  const unit = units.find(({ id }) => id === unitId) ?? null;
  const page = typed ?? (unit?.site === null || unit === null ? '' : `https://${unit.site.domain}/`);
  const url = pagePreviewUrl({ page, previewUrl: preview.url, size: { width, height }, adUnit: unit?.name ?? '' });
  return (
    <Dialog opened onClose={onClose} title={say('creative.on_page_title')}>
      <Stack>
        <Text size="sm">{say('creative.on_page_hint')}</Text>
        <ProblemAlert error={found.error} />
        <Select
          label={say('creative.on_page_unit')}
          required
          data={units.map(({ id, name, site }) => ({
            value: id,
            label: site === null ? name : `${site.name} · ${name}`,
          }))}
          value={unitId}
          searchable
          nothingFoundMessage={say('palette.nothing')}
          // The server has searched.
          filter={({ options }) => options}
          onSearchChange={(text) => setSearch(unit !== null && text.endsWith(unit.name) ? '' : text)}
          onChange={setUnitId}
          data-autofocus
        />
        <TextInput
          label={say('creative.on_page_address')}
          required
          type="url"
          value={page}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <LinkButtons url={url} expiresAt={preview.expiresAt} />
      </Stack>
    </Dialog>
  );
}

function LinkButtons({ url, expiresAt }: { readonly url: string | null; readonly expiresAt: string }) {
  return (
    <Group justify="flex-end">
      <Button
        variant="default"
        disabled={url === null}
        onClick={() => (url === null ? undefined : void copyLink(url, expiresAt))}
      >
        {say('creative.on_page_copy')}
      </Button>
      <Button
        disabled={url === null}
        component="a"
        target="_blank"
        rel="noopener noreferrer"
        {...(url === null ? {} : { href: url })}
      >
        {say('creative.on_page_open')}
      </Button>
    </Group>
  );
}

async function copyLink(link: string, expiresAt: string): Promise<void> {
  await navigator.clipboard.writeText(link);
  notifications.show({ message: say('creative.copied', { at: formatInstant(expiresAt) }) });
}
