import { useParams, useSearch } from '@tanstack/react-router';
import type { AppSearch } from '../session/app-search.ts';
import { say } from '../messages/say.ts';
import { Page } from '../ui/page.tsx';
import { LineItemPage, LineItemPanel } from './later-parts.ts';
import { NewLineItem } from './new-line-item.tsx';
import { LineItemList, LineItemTabs } from './object-list.tsx';
import { useIsCompact } from '../ui/use-is-compact.ts';

/** All line items of the network. With the id of one in the address, that one is beside them; on a narrow screen, or by `full`, alone. */
export function LineItemsPage() {
  const { id } = useParams({ strict: false });
  const search = useSearch({ strict: false }) as AppSearch;
  const isCompact = useIsCompact();
  if (id !== undefined && (isCompact || search['full'] !== undefined)) return <LineItemPage />;
  return (
    <>
      <Page title={say('nav.line_items')} beside={<LineItemTabs />} actions={<NewLineItem />}>
        <LineItemList openId={id ?? null} />
      </Page>
      {id === undefined ? null : <LineItemPanel key={id} id={id} />}
    </>
  );
}
