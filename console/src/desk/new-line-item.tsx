import { Button } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { usePageKey } from '../ui/page-keys.ts';
import { useCanEdit } from '../session/session.ts';
import { say } from '../messages/say.ts';
import { Icon } from '../ui/icons.tsx';

/** The way to the booking page; nothing for those who may not book. */
export function NewLineItem({ campaignId }: { readonly campaignId?: string }) {
  return useCanEdit() ? <BookingLink search={campaignId === undefined ? {} : { campaign: campaignId }} /> : null;
}

function BookingLink({ search }: { readonly search: { readonly campaign?: string } }) {
  const navigate = useNavigate();
  usePageKey('b', 'booking.key', () => void navigate({ to: '/desk/line-items/new', search }));
  return (
    <Button
      leftSection={<Icon name="plus" size={16} />}
      renderRoot={(props) => <Link to="/desk/line-items/new" search={search} {...props} />}
    >
      {say('booking.new')}
    </Button>
  );
}
