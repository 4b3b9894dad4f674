import { Anchor, Button, Group, Paper, SegmentedControl, Text } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import type { CatalogKind, CatalogRow, ShownAd } from '../api/bookings/catalog.ts';
import { ReviewWord, StatusWord } from '../delivery/state-words.tsx';
import { say } from '../messages/say.ts';
import { AdPicture, formatOf } from './ad-columns.tsx';
import type { CatalogState } from './catalog-state.ts';

/** The kinds that are shown as pictures as well, with their lists and the pages of one object. */
export const PAGES = {
  creatives: { list: '/desk/creatives', one: '/desk/creatives/$id' },
  libraryCreatives: { list: '/desk/library', one: '/desk/library/$id' },
} as const;
export type DrawnKind = keyof typeof PAGES;

export function isDrawn(kind: CatalogKind): kind is DrawnKind {
  return kind in PAGES;
}

const PICTURE = { width: 220, height: 180 };

/** The ads of a list as pictures. */
export function Gallery({
  kind,
  rows,
  onMore,
}: {
  readonly kind: DrawnKind;
  readonly rows: readonly (CatalogRow & ShownAd)[];
  readonly onMore: (() => void) | null;
}) {
  return (
    <>
      <ul className="ad-gallery">
        {rows.map((ad) => (
          <Paper key={ad.id} withBorder component="li" p="sm">
            <div className="ad-gallery-picture" style={{ height: PICTURE.height }}>
              <AdPicture ad={ad} box={PICTURE} />
            </div>
            <Anchor
              fw={600}
              renderRoot={(props) => <Link to={PAGES[kind].one} params={{ id: ad.id }} search={{}} {...props} />}
            >
              <bdi>{ad.name}</bdi>
            </Anchor>
            <Text size="sm" c="dimmed">
              {formatOf(ad)}
            </Text>
            <Group gap="sm" fz="sm">
              {ad.status === 'ACTIVE' ? null : <StatusWord status={ad.status} />}
              <ReviewWord state={ad.reviewState} />
            </Group>
          </Paper>
        ))}
      </ul>
      {onMore === null ? null : (
        <Button variant="default" mt="sm" onClick={onMore}>
          {say('action.more')}
        </Button>
      )}
    </>
  );
}

/** Which creatives are shown, and how. */
export function GalleryTools({
  kind,
  state,
  change,
}: {
  readonly kind: DrawnKind;
  readonly state: CatalogState;
  change: (next: Partial<CatalogState>) => void;
}) {
  const navigate = useNavigate();
  return (
    <>
      <SegmentedControl
        size="xs"
        aria-label={say('catalog.shelf')}
        value={kind}
        onChange={(next) => void navigate({ to: PAGES[next as DrawnKind].list, search: {} })}
        data={(['creatives', 'libraryCreatives'] as const).map((value) => ({
          value,
          label: say(`catalog.shelf_${value}`),
        }))}
      />
      <SegmentedControl
        size="xs"
        aria-label={say('catalog.view')}
        value={state.isGallery ? 'pictures' : 'list'}
        onChange={(next) => change({ isGallery: next === 'pictures' })}
        data={(['list', 'pictures'] as const).map((value) => ({ value, label: say(`catalog.view_${value}`) }))}
      />
    </>
  );
}
