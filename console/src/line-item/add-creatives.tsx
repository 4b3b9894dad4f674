import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useCanEdit } from '../session/session.ts';
import { say } from '../messages/say.ts';
import { Icon } from '../ui/icons.tsx';

/** The way to the creative studio of a campaign; nothing for those who may not change it. */
export function AddCreatives({
  campaignId,
  size = 'sm',
}: {
  readonly campaignId: string;
  readonly size?: 'xs' | 'sm';
}) {
  if (!useCanEdit()) return null;
  return (
    <Button
      size={size}
      variant="default"
      leftSection={<Icon name="picture" size={16} />}
      renderRoot={(props) => (
        <Link to="/desk/campaigns/$id/creatives" params={{ id: campaignId }} search={{}} {...props} />
      )}
    >
      {say('studio.open')}
    </Button>
  );
}
