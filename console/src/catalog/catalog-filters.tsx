import { Button, Group, MultiSelect, Paper } from '@mantine/core';
import type { RefObject } from 'react';
import type { CatalogKind } from '../api/bookings/catalog.ts';
import { ObjectFilter } from '../pickers/object-filter.tsx';
import { SearchField } from '../tables/list-filters.tsx';
import { say } from '../messages/say.ts';
import { KINDS } from './catalog-kinds.tsx';
import { type CatalogState, isNarrowed, REVIEWS } from './catalog-state.ts';

interface CatalogFiltersProps {
  readonly kind: CatalogKind;
  readonly state: CatalogState;
  change: (next: Partial<CatalogState>, replace?: boolean) => void;
  readonly searchRef: RefObject<HTMLInputElement | null>;
}

/** The filters of a table of the catalogue. What is chosen goes into the address at once. */
export function CatalogFilters({ kind, state, change, searchRef }: CatalogFiltersProps) {
  const { statuses } = KINDS[kind];
  return (
    <Paper withBorder p="sm" component="search" aria-label={say('desk.filters')}>
      <div className="desk-filters">
        <SearchField search={state.search} change={(search) => change({ search }, true)} searchRef={searchRef} />
        <MultiSelect
          size="xs"
          label={say('desk.statuses')}
          placeholder={state.statuses.length === 0 ? say('desk.statuses_any') : ''}
          data={statuses.map((status) => ({ value: status, label: say(`status.${status}`) }))}
          value={[...state.statuses]}
          onChange={(chosen) => change({ statuses: statuses.filter((one) => chosen.includes(one)) })}
        />
        {kind === 'creatives' ? (
          <MultiSelect
            size="xs"
            label={say('catalog.reviews')}
            placeholder={state.reviews.length === 0 ? say('value.any') : ''}
            data={REVIEWS.map((review) => ({ value: review, label: say(`review.${review}`) }))}
            value={[...state.reviews]}
            onChange={(chosen) => change({ reviews: REVIEWS.filter((one) => chosen.includes(one)) })}
          />
        ) : null}
        {kind === 'adUnits' || kind === 'areas' ? (
          <ObjectFilter
            kind="sites"
            label={say('catalog.site')}
            value={state.siteId}
            onChange={(siteId) => change({ siteId })}
          />
        ) : null}
        <Group gap="xs" wrap="nowrap" className="desk-filter-actions">
          {isNarrowed(state) ? (
            <Button
              size="xs"
              variant="subtle"
              onClick={() => change({ search: '', statuses: [], reviews: [], siteId: null })}
            >
              {say('desk.clear')}
            </Button>
          ) : null}
        </Group>
      </div>
    </Paper>
  );
}
