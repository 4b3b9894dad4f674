import { Badge, Text } from '@mantine/core';
import type { Webhook, WebhookDelivery } from '../api/account/webhooks.ts';
import { formatInstant } from '../format/format-value.ts';
import { say } from '../messages/say.ts';

/** Whether a webhook sends, and since when its receiver has failed. */
export function WebhookState({ webhook: { status, failingSince } }: { readonly webhook: Webhook }) {
  const isFailing = status === 'ACTIVE' && failingSince !== null;
  const state = isFailing ? 'FAILING' : status;
  const color = { ACTIVE: 'green.9', FAILING: 'red.9', PAUSED: 'gray' }[state];
  return (
    <>
      <Mark color={color}>{say(`webhook_state.${state}`)}</Mark>
      {isFailing ? (
        <Text size="xs" c="dimmed">
          {say('webhooks.since', { at: formatInstant(failingSince) })}
        </Text>
      ) : null}
    </>
  );
}

/** The state of a delivery. */
export function DeliveryState({ status }: { readonly status: WebhookDelivery['status'] }) {
  const color = { PENDING: 'gray', DELIVERED: 'green.9', FAILED: 'red.9' }[status];
  return <Mark color={color}>{say(`webhook_delivery.${status}`)}</Mark>;
}

function Mark({ color, children }: { readonly color: string; readonly children: string }) {
  return (
    <Badge variant="outline" color={color} c="var(--mantine-color-text)">
      {children}
    </Badge>
  );
}
