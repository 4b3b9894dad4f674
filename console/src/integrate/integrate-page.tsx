import { Button, Code, CopyButton, Paper, Stack, Tabs, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { loadAdUnit, loadDeliveryUrl } from '../api/inventory/integration.ts';
import type { AppSearch } from '../session/app-search.ts';
import { ObjectPicker } from '../pickers/object-picker.tsx';
import { deskKey, useDeskScope } from '../session/desk-scope.ts';
import { type MessageKey, say } from '../messages/say.ts';
import { Icon } from '../ui/icons.tsx';
import { Page } from '../ui/page.tsx';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { LoadingPage } from '../ui/state-pages.tsx';
import { RequestWatch } from './request-watch.tsx';
import { SNIPPET_KINDS, snippetKindsOf, SNIPPETS, type SnippetFacts, type SnippetKind } from './snippets.ts';
import { TryFrame } from './try-frame.tsx';

/** The name of each kind; names of products are the same in every language. */
const NAMES: Readonly<Record<SnippetKind, string | null>> = {
  tag: null,
  react: 'React',
  prebid: 'Prebid.js',
  curl: 'curl',
  typescript: 'TypeScript',
  openrtb: 'OpenRTB',
  amp: 'AMP',
  vast: 'VAST',
};

/** Snippets of an ad unit that work as they stand, a try, and a watch for the first request. The address says which ad unit and which snippet. */
export function IntegratePage() {
  const search = useSearch({ strict: false }) as AppSearch;
  const navigate = useNavigate();
  const scope = useDeskScope();
  const adUnitId = search['unit'] ?? '';
  const kind = SNIPPET_KINDS.find((one) => one === search['as']) ?? 'tag';
  const change = (next: AppSearch): void =>
    void navigate({ to: '.', search: (before: AppSearch) => ({ ...before, ...next }), resetScroll: false });
  const facts = useQuery({
    queryKey: [...deskKey(scope), 'integrate', adUnitId],
    queryFn: async ({ signal }): Promise<SnippetFacts | null> => {
      const [adUnit, delivery] = await Promise.all([loadAdUnit(scope, adUnitId, signal), loadDeliveryUrl(signal)]);
      return adUnit === null ? null : { scope, delivery, adUnit };
    },
    enabled: adUnitId !== '' && scope.networkId !== '',
  });
  return (
    <Page title={say('integrate.title')} lead={say('integrate.lead')}>
      <Stack gap="md">
        <Paper withBorder p="md">
          <ObjectPicker
            kind="adUnits"
            label={say('integrate.ad_unit')}
            value={adUnitId}
            onChange={(unit) => change({ unit })}
          />
        </Paper>
        <ProblemAlert error={facts.error} onRetry={() => void facts.refetch()} />
        {adUnitId === '' ? <Text c="dimmed">{say('integrate.start')}</Text> : null}
        {facts.isLoading ? <LoadingPage /> : null}
        {facts.data === null ? <Text>{say('integrate.unknown')}</Text> : null}
        {facts.data ? (
          <AdUnitSnippets key={adUnitId} facts={facts.data} kind={kind} choose={(as) => change({ as })} />
        ) : null}
      </Stack>
    </Page>
  );
}

interface AdUnitSnippetsProps {
  readonly facts: SnippetFacts;
  readonly kind: SnippetKind;
  choose: (kind: string) => void;
}

function AdUnitSnippets({ facts, kind: chosen, choose }: AdUnitSnippetsProps) {
  const kinds = snippetKindsOf(facts);
  const kind = kinds.includes(chosen) ? chosen : 'tag';
  return (
    <>
      <Paper withBorder p="md">
        <Tabs value={kind} onChange={(next) => choose(next ?? 'tag')} keepMounted={false}>
          <Tabs.List aria-label={say('integrate.kinds')}>
            {kinds.map((one) => (
              <Tabs.Tab key={one} value={one}>
                {NAMES[one] ?? say('integrate.tag')}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          {kinds.map((one) => (
            <Tabs.Panel key={one} value={one} pt="md">
              <Snippet kind={one} text={SNIPPETS[one](facts)} />
            </Tabs.Panel>
          ))}
        </Tabs>
      </Paper>
      <Paper withBorder p="md" component="section" aria-label={say('action.try')}>
        <Title order={2} size="h4" mb="sm">
          {say('action.try')}
        </Title>
        <TryFrame facts={facts} />
      </Paper>
      <Paper withBorder p="md" component="section" aria-label={say('integrate.check')}>
        <Title order={2} size="h4" mb="sm">
          {say('integrate.check_title')}
        </Title>
        <RequestWatch adUnitId={facts.adUnit.id} />
      </Paper>
    </>
  );
}

function Snippet({ kind, text }: { readonly kind: SnippetKind; readonly text: string }) {
  return (
    <Stack gap="sm">
      <Text>{say(`integrate.about_${kind}` satisfies MessageKey)}</Text>
      <Code
        block
        tabIndex={0}
        data-snippet={kind}
        aria-label={say('integrate.snippet')}
        style={{ overflow: 'auto', whiteSpace: 'pre' }}
      >
        {text}
      </Code>
      <CopyButton value={text}>
        {({ copied, copy }) => (
          <Button
            variant="default"
            leftSection={<Icon name="copy" size={16} />}
            style={{ alignSelf: 'flex-start' }}
            onClick={copy}
          >
            {say(copied ? 'integrate.copied' : 'action.copy')}
          </Button>
        )}
      </CopyButton>
    </Stack>
  );
}
