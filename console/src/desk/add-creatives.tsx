import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useCanEdit } from '../app/session.ts';
import { say } from '../messages/say.ts';
import { Icon } from '../ui/icons.tsx';

/** The way to the creative studio of a campaign; nothing for those who may not change it. */
export function AddCreatives({ campaignId }: { readonly campaignId: string }) {
  if (!useCanEdit()) return null;
  return (
    <Button
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
