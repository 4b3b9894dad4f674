import { Button, Group, MultiSelect } from '@mantine/core';
import type { ReactNode, RefObject } from 'react';
import type { CatalogKind } from '../api/bookings/catalog.ts';
import { ObjectFilter } from '../pickers/object-filter.tsx';
import { SearchField } from '../tables/list-filters.tsx';
import { say } from '../messages/say.ts';
import { isDrawn } from './gallery.tsx';
import { KINDS } from './catalog-kinds.tsx';
import { type CatalogState, isNarrowed, REVIEWS, UNNARROWED } from './catalog-state.ts';

interface CatalogFiltersProps {
  readonly kind: CatalogKind;
  readonly state: CatalogState;
  change: (next: Partial<CatalogState>, replace?: boolean) => void;
  readonly searchRef: RefObject<HTMLInputElement | null>;
  /** Further tools of the table. */
  readonly tools: ReactNode;
}

/** The search, the filters and the tools of a table of the catalogue, in one line. What is chosen goes into the address at once. */
export function CatalogFilters({ kind, state, change, searchRef, tools }: CatalogFiltersProps) {
  const { statuses } = KINDS[kind];
  return (
    <Group gap="xs" className="desk-tools" component="search" aria-label={say('desk.filters')}>
      <SearchField search={state.search} change={(search) => change({ search }, true)} searchRef={searchRef} isInline />
      <Choices
        label={say('desk.statuses')}
        empty={say('desk.statuses_any')}
        data={statuses.map((status) => ({ value: status, label: say(`status.${status}`) }))}
        value={state.statuses}
        onChange={(chosen) => change({ statuses: statuses.filter((one) => chosen.includes(one)) })}
      />
      {isDrawn(kind) ? (
        <Choices
          label={say('catalog.reviews')}
          empty={say('value.any')}
          data={REVIEWS.map((review) => ({ value: review, label: say(`review.${review}`) }))}
          value={state.reviews}
          onChange={(chosen) => change({ reviews: REVIEWS.filter((one) => chosen.includes(one)) })}
        />
      ) : null}
      {kind === 'adUnits' || kind === 'areas' ? (
        <ObjectFilter
          kind="sites"
          label={say('catalog.site')}
          isInline
          value={state.siteId}
          onChange={(siteId) => change({ siteId })}
        />
      ) : null}
      {tools}
      {isNarrowed(state) ? (
        <Button size="xs" variant="subtle" onClick={() => change(UNNARROWED)}>
          {say('desk.clear')}
        </Button>
      ) : null}
    </Group>
  );
}

interface ChoicesProps {
  readonly label: string;
  /** The words of the empty field: the filter lets everything through. */
  readonly empty: string;
  readonly data: readonly { readonly value: string; readonly label: string }[];
  readonly value: readonly string[];
  onChange: (chosen: readonly string[]) => void;
}

/** A filter by some of a few values, with its label in the empty field. */
function Choices({ label, empty, data, value, onChange }: ChoicesProps) {
  return (
    <MultiSelect
      size="xs"
      className="desk-filter"
      aria-label={label}
      placeholder={value.length === 0 ? `${label}: ${empty}` : ''}
      data={[...data]}
      value={[...value]}
      onChange={onChange}
    />
  );
}
