import { say } from '../messages/say.ts';
import { Page } from '../ui/page.tsx';
import { LineItemList } from './object-list.tsx';

/** All line items of the network. */
export function LineItemsPage() {
  return (
    <Page title={say('nav.line_items')} lead={say('line_items.lead')}>
      <LineItemList />
    </Page>
  );
}
