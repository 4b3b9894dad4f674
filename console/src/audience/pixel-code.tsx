import { Paper, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { loadDeliveryUrl } from '../api/inventory/integration.ts';
import { say } from '../messages/say.ts';
import { useDeskScope } from '../session/desk-scope.ts';
import { CodeToCopy } from '../ui/code-to-copy.tsx';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { writePixel } from './pixel-address.ts';

/** The tag that an advertiser's page has, to copy. */
export function PixelCode({ actgid }: { readonly actgid: string }) {
  const scope = useDeskScope();
  const delivery = useQuery({ queryKey: ['deliveryUrl'], queryFn: ({ signal }) => loadDeliveryUrl(signal) });
  const tag = delivery.data === undefined ? '' : writePixel(delivery.data, scope, actgid);
  return (
    <Paper withBorder p="md" component="section" aria-label={say('pixel.title')}>
      <Stack gap="sm">
        <Title order={3} size="h5">
          {say('pixel.title')}
        </Title>
        <Text size="sm">{say('pixel.hint')}</Text>
        <ProblemAlert error={delivery.error} onRetry={() => void delivery.refetch()} />
        <CodeToCopy text={tag} />
      </Stack>
    </Paper>
  );
}
