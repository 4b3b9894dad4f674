import { Button } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { say } from '../messages/say.ts';
import { useCanEdit } from '../session/session.ts';
import { Icon } from '../ui/icons.tsx';
import { Page } from '../ui/page.tsx';
import { usePageKey } from '../ui/page-keys.ts';
import { CampaignList } from './object-list.tsx';

/** All campaigns of the network. */
export function CampaignsPage() {
  return (
    <Page
      title={say('nav.campaigns')}
      lead={say('campaigns.lead')}
      actions={useCanEdit() ? <NewCampaign /> : undefined}
    >
      <CampaignList />
    </Page>
  );
}

function NewCampaign() {
  const navigate = useNavigate();
  usePageKey('n', 'order.new', () => void navigate({ to: '/desk/campaigns/new', search: {} }));
  return (
    <Button
      leftSection={<Icon name="plus" size={16} />}
      renderRoot={(props) => <Link to="/desk/campaigns/new" search={{}} {...props} />}
    >
      {say('order.new')}
    </Button>
  );
}
