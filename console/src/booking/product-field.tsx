import { Select, SimpleGrid } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { loadCatalog, loadCatalogObject } from '../api/bookings/catalog.ts';
import { describeProblem } from '../api/transport/problem.ts';
import { deskKey, useCellContext, useDeskScope } from '../session/desk-scope.ts';
import { formatPriceOption } from '../format/desk-format.ts';
import { say } from '../messages/say.ts';
import { loadSold, termsOf } from './booking-defaults.ts';
import type { FormPart } from './form-part.ts';
import { draftOf, optionsFor, type Product } from './product-terms.ts';

const PRODUCTS_SHOWN = 100;

/** The product that is sold: its inventory and price fill the form, or, where it has none, the terms of its last booking. */
export function ProductField({ part: { draft, change } }: { readonly part: FormPart }) {
  const scope = useDeskScope();
  const { currency } = useCellContext();
  const [chosen, setChosen] = useState<{ readonly product: Product; readonly optionId: string | null } | null>(null);
  const products = useQuery({
    queryKey: [...deskKey(scope), 'booking-products'],
    queryFn: ({ signal }) => {
      const sort = { field: 'NAME', direction: 'ASC' } as const;
      const filter = { statuses: ['ACTIVE'] as const };
      return loadCatalog(scope, 'advertisingProducts', { filter, sort, first: PRODUCTS_SHOWN, after: null }, signal);
    },
    staleTime: 60_000,
  });
  const rows = products.data?.rows ?? [];
  if (rows.length === 0) return null;
  const price = (product: Product, optionId: string | null): void => {
    const option = product.priceOptions.find(({ id }) => id === optionId);
    setChosen({ product, optionId });
    change(draftOf(product, option));
  };
  const choose = async (productId: string | null): Promise<void> => {
    change({ productId });
    setChosen(null);
    if (productId === null) return;
    try {
      const product = await loadCatalogObject(scope, 'advertisingProducts', productId, new AbortController().signal);
      const sold = product?.priceOptions.length === 0 ? await loadSold(scope, productId) : null;
      if (sold !== null) change(termsOf(sold));
      if (product !== null) price(product, optionsFor(product, draft.advertiserId)[0]?.id ?? null);
    } catch (error) {
      notifications.show({ color: 'red', message: describeProblem(error) });
    }
  };
  const options = chosen === null ? [] : optionsFor(chosen.product, draft.advertiserId);
  return (
    <SimpleGrid cols={{ base: 1, xs: options.length > 0 ? 2 : 1 }}>
      <Select
        label={say('booking.product')}
        description={say('booking.product_hint')}
        placeholder={say('booking.product_none')}
        data={rows.map(({ id, name }) => ({ value: id, label: name }))}
        value={draft.productId}
        clearable
        clearButtonProps={{ 'aria-label': say('action.clear') }}
        searchable
        onChange={(productId) => void choose(productId)}
      />
      {chosen === null || options.length === 0 ? null : (
        <Select
          label={say('booking.product_price')}
          description={chosen.product.description}
          data={options.map((option) => ({ value: option.id, label: formatPriceOption(option, currency) }))}
          value={chosen.optionId}
          allowDeselect={false}
          onChange={(optionId) => price(chosen.product, optionId)}
        />
      )}
    </SimpleGrid>
  );
}
