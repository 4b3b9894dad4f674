import { CloseButton, Button, Group, Text, Title } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { usePageKey } from '../ui/page-keys.ts';
import { say } from '../messages/say.ts';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { LoadingPage } from '../ui/state-pages.tsx';
import { ItemActions } from './item-actions.tsx';
import { LineItemDetails } from './line-item-page.tsx';
import { useLineItem } from './use-line-item.ts';

/** One line item beside the table, which stays: the next row opens in its place, Escape closes it, and a button gives it the whole page. */
export function LineItemPanel({ id }: { readonly id: string }) {
  const item = useLineItem(id);
  const navigate = useNavigate();
  const title = useRef<HTMLHeadingElement>(null);
  const close = (): void => void navigate({ to: '/desk/line-items', search: true });
  usePageKey('Escape', 'panel.close', close);
  useEffect(() => title.current?.focus({ preventScroll: true }), []);
  return (
    <aside className="desk-panel" aria-labelledby="panel-title">
      <Group justify="space-between" wrap="nowrap" align="flex-start" className="desk-panel-head">
        <Title order={2} size="h3" id="panel-title" ref={title} tabIndex={-1}>
          <bdi>{item.data?.name ?? say('nav.line_items')}</bdi>
        </Title>
        <Group gap="xs" wrap="nowrap">
          <Button
            size="xs"
            variant="default"
            renderRoot={(props) => <Link to="/desk/line-items/$id" params={{ id }} search={{ full: '1' }} {...props} />}
          >
            {say('panel.full')}
          </Button>
          <CloseButton aria-label={say('panel.close')} onClick={close} />
        </Group>
      </Group>
      <ProblemAlert error={item.error} onRetry={() => void item.refetch()} />
      {item.isPending ? <LoadingPage /> : null}
      {item.data === null ? <Text>{say('item.missing', { id })}</Text> : null}
      {item.data === null || item.data === undefined ? null : (
        <>
          <ItemActions item={item.data} />
          <LineItemDetails item={item.data} isPanel />
        </>
      )}
    </aside>
  );
}
