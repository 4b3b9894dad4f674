import { Select } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { loadCatalog } from '../api/bookings/catalog.ts';
import { describeProblem } from '../api/transport/problem.ts';
import { deskKey, useDeskScope } from '../session/desk-scope.ts';
import { say } from '../messages/say.ts';
import { loadSold, termsOf } from './booking-defaults.ts';
import type { FormPart } from './form-part.ts';

const PRODUCTS_SHOWN = 100;

/** The product that is sold: the terms of its last booking fill the form. Nothing where the network has no products. */
export function ProductField({ part: { draft, change } }: { readonly part: FormPart }) {
  const scope = useDeskScope();
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
  const choose = async (productId: string | null): Promise<void> => {
    change({ productId });
    if (productId === null) return;
    try {
      const sold = await loadSold(scope, productId);
      if (sold !== null) change(termsOf(sold));
    } catch (error) {
      notifications.show({ color: 'red', message: describeProblem(error) });
    }
  };
  return (
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
  );
}
