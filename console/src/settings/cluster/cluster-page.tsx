import { Alert, Badge, Code, List, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import {
  type Cluster,
  type ClusterNode,
  type ClusterSecret,
  loadCluster,
  type NodeState,
} from '../../api/account/cluster.ts';
import { say } from '../../messages/say.ts';
import { Instant } from '../../ui/instant.tsx';
import { Page } from '../../ui/page.tsx';
import { ProblemAlert } from '../../ui/problem-alert.tsx';
import { type SettingsColumn, SettingsTable } from '../../ui/settings-table.tsx';
import { LoadingPage } from '../../ui/state-pages.tsx';
import { sayOfCluster } from './cluster-words.ts';

const COLORS: Readonly<Record<NodeState, string>> = {
  ready: 'green',
  differs: 'red',
  silent: 'orange',
  stopped: 'gray',
};

/** The nodes of the installation and what keeps one from serving; the secrets that they share. For operators. */
export function ClusterPage() {
  const cluster = useQuery({
    queryKey: ['cluster'],
    queryFn: ({ signal }) => loadCluster(signal),
    refetchInterval: 5_000,
  });
  return (
    <Page title={say('nav.cluster')} lead={say('cluster.lead')}>
      <ProblemAlert error={cluster.error} />
      {cluster.isPending ? <LoadingPage /> : null}
      {cluster.data === undefined || cluster.data === null ? null : <ClusterView cluster={cluster.data} />}
    </Page>
  );
}

function ClusterView({ cluster }: { readonly cluster: Cluster }) {
  const differing = cluster.nodes.filter(({ problems }) => problems.length > 0);
  return (
    <Stack gap="lg">
      {cluster.ok ? <Text>{say('cluster.ok')}</Text> : <Text fw={600}>{say('cluster.not_ok')}</Text>}
      {differing.map((node) => (
        <Alert key={node.id} color="red" title={say('cluster.differs', { node: `${node.host} (${node.id})` })}>
          <Messages texts={node.problems} />
        </Alert>
      ))}
      {cluster.warnings.length === 0 ? null : (
        <Alert color="yellow" title={say('cluster.warnings')}>
          <Messages texts={cluster.warnings} />
        </Alert>
      )}
      <Title order={2}>{say('cluster.nodes')}</Title>
      <SettingsTable
        label={say('cluster.nodes')}
        columns={nodeColumns()}
        rows={cluster.nodes}
        rowKey={(node) => node.id}
        empty={say('cluster.no_nodes')}
      />
      <Title order={2}>{say('cluster.secrets')}</Title>
      <SettingsTable
        label={say('cluster.secrets')}
        columns={secretColumns()}
        rows={cluster.secrets}
        rowKey={(secret) => secret.name}
        empty={say('cluster.no_secrets')}
      />
    </Stack>
  );
}

function Messages({ texts }: { readonly texts: readonly string[] }) {
  return (
    <List size="sm" style={{ overflowWrap: 'anywhere' }}>
      {texts.map((text) => (
        <List.Item key={text}>{sayOfCluster(text)}</List.Item>
      ))}
    </List>
  );
}

const nodeColumns = (): readonly SettingsColumn<ClusterNode>[] => [
  { title: say('cluster.host'), render: ({ host, id }) => `${host} (${id})` },
  {
    title: say('cluster.state'),
    render: ({ state }) => (
      <Badge color={COLORS[state]} variant="light" c="var(--mantine-color-text)" tt="none">
        {say(`cluster.state_${state}`)}
      </Badge>
    ),
  },
  { title: say('cluster.parts'), render: ({ parts }) => parts.map(({ part }) => part).join(', ') },
  { title: say('cluster.workers'), render: ({ workers }) => workers },
  { title: say('cluster.version'), render: ({ version }) => version },
  { title: say('cluster.hot_store'), render: ({ facts }) => sayOfCluster(facts['hot store'] ?? '') },
  { title: say('cluster.bucket'), render: ({ facts }) => sayOfCluster(facts['bucket'] ?? '') },
  { title: say('cluster.seen'), render: ({ parts }) => <Instant at={parts[0]?.seenAt ?? null} /> },
];

const secretColumns = (): readonly SettingsColumn<ClusterSecret>[] => [
  { title: say('cluster.secret'), render: ({ name }) => name },
  { title: say('cluster.purpose'), render: ({ purpose }) => sayOfCluster(purpose) },
  { title: say('cluster.fingerprints'), render: ({ fingerprints }) => <Code>{fingerprints.join(' ')}</Code> },
  {
    title: say('cluster.kept'),
    render: ({ isInVault }) => say(isInVault ? 'cluster.in_vault' : 'cluster.in_postgres'),
  },
  { title: say('cluster.changed'), render: ({ changedAt }) => <Instant at={changedAt} /> },
  { title: say('cluster.rotation'), render: ({ rotation }) => sayOfCluster(rotation) },
];
