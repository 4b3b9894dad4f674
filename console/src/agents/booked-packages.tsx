import { Text, Title } from '@mantine/core';
import type { AgentBooking, BookedPackage } from '../api/bookings/agents/agent-requests.ts';
import { formatFlight, formatGoal, formatMoney, formatPrice } from '../format/desk-format.ts';
import { say } from '../messages/say.ts';
import { useCellContext } from '../session/desk-scope.ts';
import { ObjectLink } from '../tables/column-parts.tsx';

/** The booking of a request as it is now: the campaign, and a line item for each package. */
export function BookedPackages({ booking }: { readonly booking: AgentBooking }) {
  const { id, name, lineItems } = booking;
  return (
    <section aria-label={say('agents.booking')}>
      <Title order={3} size="h5">
        {say('agents.booking')}
      </Title>
      <ObjectLink to="/desk/campaigns/$id" id={id} name={name} />
      <ul className="desk-history">
        {lineItems.nodes.map((item) => (
          <li key={item.id}>
            <Booked item={item} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Booked({ item }: { readonly item: BookedPackage }) {
  const { currency, timezone, nowMs } = useCellContext();
  const { id, name, status, budget, goal, advertisingProduct } = item;
  const terms = [
    budget === null ? null : `${say('agents.budget')} ${formatMoney(budget, currency)}`,
    formatPrice(item, currency),
    goal === null ? null : formatGoal(goal),
    formatFlight(item, item.timezone ?? timezone, nowMs),
    say(`status.${status}`),
  ];
  return (
    <>
      <ObjectLink to="/desk/line-items/$id" id={id} name={name} />
      {advertisingProduct === null ? null : (
        <Text size="sm">
          {say('agents.product')}: <bdi>{advertisingProduct.name}</bdi>
        </Text>
      )}
      <Text size="sm" c="dimmed">
        {terms.filter((one) => one !== null).join(' · ')}
      </Text>
    </>
  );
}
