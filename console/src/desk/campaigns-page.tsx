import { say } from '../messages/say.ts';
import { Page } from '../ui/page.tsx';
import { CampaignList } from './object-list.tsx';

/** All campaigns of the network. */
export function CampaignsPage() {
  return (
    <Page title={say('nav.campaigns')} lead={say('campaigns.lead')}>
      <CampaignList />
    </Page>
  );
}
