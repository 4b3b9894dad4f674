import { Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { loadCampaign } from '../api/bookings/desk-object.ts';
import { isolate } from '../messages/isolate.ts';
import { say } from '../messages/say.ts';
import { Page } from '../ui/page.tsx';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { LoadingPage } from '../ui/state-pages.tsx';
import { formatCount, formatFlight, formatMoney } from '../format/desk-format.ts';
import { CommentsSection, HistorySection, ShareReport } from './later-parts.ts';
import { AddCreatives } from '../line-item/add-creatives.tsx';
import { NewLineItem } from './new-line-item.tsx';
import { StatusActions, Trail, TrailLink } from '../line-item/object-header.tsx';
import { LineItemList } from './object-list.tsx';
import { deskKey, useCellContext, useDeskScope } from '../session/desk-scope.ts';
import { useRecent } from '../session/recent-objects.ts';

/** One campaign with its line items. */
export function CampaignPage() {
  const { id = '' } = useParams({ strict: false });
  const scope = useDeskScope();
  const { currency, timezone, nowMs } = useCellContext();
  const campaign = useQuery({
    queryKey: [...deskKey(scope), 'campaign', id],
    queryFn: ({ signal }) => loadCampaign(scope, id, signal),
    enabled: scope.networkId !== '',
  });
  const { data } = campaign;
  useRecent('CAMPAIGN', data ?? undefined);
  if (data === null)
    return (
      <Page title={say('nav.campaigns')}>
        <Text>{say('campaign.missing', { id })}</Text>
        <TrailLink to="/desk/campaigns" name={say('nav.campaigns')} />
      </Page>
    );
  return (
    <Page
      title={data?.name ?? say('nav.campaigns')}
      actions={
        data === undefined ? undefined : (
          <Group gap="xs">
            <StatusActions kind="campaign" object={data} />
            <ShareReport campaignId={id} name={data.advertiser?.name ?? data.name} />
            <AddCreatives campaignId={id} />
            <NewLineItem campaignId={id} />
          </Group>
        )
      }
    >
      <ProblemAlert error={campaign.error} onRetry={() => void campaign.refetch()} />
      {campaign.isPending ? <LoadingPage /> : null}
      {data === undefined ? null : (
        <Stack gap="md">
          <Trail>
            <TrailLink to="/desk/campaigns" name={say('nav.campaigns')} />
            {data.advertiser === null ? '' : ` · ${isolate(data.advertiser.name)}`}
          </Trail>
          <Paper withBorder p="md">
            <Text>{say(`campaign.sentence_${data.status}`)}</Text>
            <Group component="dl" m={0} mt="sm" gap="xl">
              <Fact title={say('item.dates')} text={formatFlight(data, timezone, nowMs)} />
              <Fact
                title={say('desk_column.impressions')}
                text={data.delivery === null ? null : formatCount(data.delivery.lifetime.impressions)}
              />
              <Fact
                title={say('desk_column.clicks')}
                text={data.delivery === null ? null : formatCount(data.delivery.lifetime.clicks)}
              />
              <Fact
                title={say('item.spend')}
                text={data.delivery === null ? null : formatMoney(data.delivery.lifetime.spend, currency)}
              />
            </Group>
          </Paper>
          <Title order={2} size="h3">
            {say('nav.line_items')}
          </Title>
          <LineItemList key={id} campaignId={id} />
          <CommentsSection kind="campaign" id={id} />
          <HistorySection kind="campaign" object={data} />
        </Stack>
      )}
    </Page>
  );
}

function Fact({ title, text }: { readonly title: string; readonly text: string | null }) {
  return (
    <div>
      <Text component="dt" size="sm" c="dimmed">
        {title}
      </Text>
      <Text component="dd" m={0} fw={600}>
        {text ?? say('value.none_measure')}
      </Text>
    </div>
  );
}
