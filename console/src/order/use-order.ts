import { useQuery } from '@tanstack/react-query';
import { loadOrder, loadOrderItems } from '../api/bookings/orders/order.ts';
import { deskKey, useDeskScope } from '../session/desk-scope.ts';

/** A campaign as an order; null where the network has none of this id. @param id empty: nothing is read */
export function useOrder(id: string) {
  const scope = useDeskScope();
  return useQuery({
    queryKey: [...deskKey(scope), 'campaign', id],
    queryFn: ({ signal }) => loadOrder(scope, id, signal),
    enabled: scope.networkId !== '' && id !== '',
  });
}

/** The line items of a campaign. */
export function useOrderItems(id: string) {
  const scope = useDeskScope();
  return useQuery({
    queryKey: [...deskKey(scope), 'order-items', id],
    queryFn: ({ signal }) => loadOrderItems(scope, id, signal),
    enabled: scope.networkId !== '',
  });
}
