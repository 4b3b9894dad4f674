import { plainIdOf } from '../../domain/ids/global-ids.ts';
import { isDecimalId } from '../../domain/ids/ids.ts';
import type { WebhookMessageStatus } from '../../storage/sql/webhook-schema.ts';
import { builder, PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX } from '../kernel/builder.ts';
import { NodeRef, PayloadRef as RefusableRef } from '../kernel/interfaces.ts';
import { AFTER_TEXT, firstText, readListPage } from '../../domain/ids/list-page.ts';
import { idFields, registerNode } from '../kernel/other-nodes.ts';
import { outcomeOf, outcomeRef } from '../kernel/outcome.ts';
import { queryableOf } from '../kernel/transactions.sql.ts';
import { orRefused, RefusedPayload } from '../kernel/user-errors.ts';
import {
  changeWebhook,
  createWebhook,
  removeWebhook,
  resendMessages,
  testWebhook,
  type WebhookChange,
  type WebhookInput,
} from './webhook-service.ts';
import { type DeliveryRow, findWebhook, listDeliveries, listWebhooks, type WebhookRow } from './webhooks.sql.ts';

const StatusRef = builder.enumType('WebhookStatus', {
  description: 'Whether a webhook sends messages.',
  values: {
    ACTIVE: { description: 'Sends messages.' },
    PAUSED: { description: 'Sends nothing. Its messages wait in the log of changes.' },
  } satisfies Record<WebhookRow['status'], { description: string }>,
});

const MessageStatusRef = builder.enumType('WebhookDeliveryStatus', {
  description: 'The state of a message to a webhook.',
  values: {
    PENDING: { description: 'It waits to be sent or retried.' },
    DELIVERED: { description: 'The receiver accepted it.' },
    FAILED: { description: 'It failed after several tries.' },
  } satisfies Record<WebhookMessageStatus, { description: string }>,
});

const DeliveryRef = builder.objectRef<DeliveryRow>('WebhookDelivery').implement({
  description: 'One message to a webhook.',
  fields: (t) => ({
    id: t.id({ description: 'Its id, the header `X-Placard-Delivery`.', resolve: ({ id }) => String(id) }),
    sequence: t.id({
      nullable: true,
      description: 'The number of its change; null for a test.',
      resolve: ({ sequence }) => (sequence === null ? null : String(sequence)),
    }),
    type: t.exposeString('type', { description: 'The type of its change.' }),
    status: t.field({ type: MessageStatusRef, description: 'Its state.', resolve: ({ status }) => status }),
    attempts: t.exposeInt('attempts', { description: 'How often it was sent.' }),
    nextAttemptAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When it is sent next; null when it has ended.',
      resolve: ({ next_at }) => next_at,
    }),
    error: t.exposeString('error', { nullable: true, description: 'Why the last try failed.' }),
    responseStatus: t.int({
      nullable: true,
      description: 'The status of the response to the last try; null when there was none.',
      resolve: ({ response_status }) => response_status,
    }),
    triedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When the last try ended; null before the first one.',
      resolve: ({ tried_at }) => tried_at,
    }),
    createdAt: t.field({ type: 'DateTime', description: 'When it was made.', resolve: (one) => one.created_at }),
    endedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When it was DELIVERED or FAILED.',
      resolve: ({ ended_at }) => ended_at,
    }),
  }),
});

const WebhookRef = builder.objectRef<WebhookRow>('Webhook').implement({
  description: 'An address that is told of changes.',
  interfaces: [NodeRef as never],
  fields: (t) => ({
    ...idFields<WebhookRow>(t, 'Webhook', ({ id }) => id),
    name: t.exposeString('name', { description: 'Name.' }),
    url: t.exposeString('url', { description: 'Where messages go.' }),
    types: t.exposeStringList('types', { description: 'Which changes it is told of.' }),
    status: t.field({ type: StatusRef, description: 'Whether it sends messages.', resolve: ({ status }) => status }),
    failingSince: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'Since when every try has failed; null when the last one was accepted.',
      resolve: ({ failing_since }) => failing_since,
    }),
    position: t.id({
      description: 'The number of the change up to which messages were made.',
      resolve: ({ position }) => String(position),
    }),
    version: t.exposeInt('version', { description: 'Counts up with every change; give it back on update.' }),
    createdAt: t.field({ type: 'DateTime', description: 'When it was made.', resolve: (one) => one.created_at }),
    updatedAt: t.field({
      type: 'DateTime',
      description: 'When it was last changed.',
      resolve: (one) => one.updated_at,
    }),
    deliveries: t.field({
      type: [DeliveryRef],
      description: 'Its latest messages, newest first. Ended ones are kept for 30 days, at most 10,000.',
      args: {
        first: t.arg.int({ description: firstText(PAGE_SIZE_MAX, PAGE_SIZE_DEFAULT) }),
        after: t.arg.id({ description: AFTER_TEXT }),
        status: t.arg({ type: MessageStatusRef, description: 'Only those in this state.' }),
      },
      resolve: (webhook, { status, ...given }, context) => {
        const page = readListPage('WebhookDelivery', given, { sizeMax: PAGE_SIZE_MAX, usual: PAGE_SIZE_DEFAULT });
        const { workspaceId } = context.principal;
        return listDeliveries(queryableOf(context), workspaceId, webhook.id, { status: status ?? null, page });
      },
    }),
  }),
});

registerNode({
  type: 'Webhook',
  description: 'An address that is told of changes.',
  operation: 'query.webhook',
  list: (context) => listWebhooks(queryableOf(context), context.principal.workspaceId),
});

const PayloadRef = builder.objectRef<WebhookChange | RefusedPayload>('WebhookPayload').implement({
  description: 'The result of a change of a webhook.',
  interfaces: [RefusableRef as never],
  fields: (t) => ({
    webhook: t.field({
      type: WebhookRef,
      nullable: true,
      description: 'The webhook; null when nothing was changed.',
      resolve: (change) => (change instanceof RefusedPayload ? null : change.webhook),
    }),
    saved: t.field({
      type: WebhookRef,
      nullable: true,
      description: 'The webhook; null when nothing was changed.',
      resolve: (change) => (change instanceof RefusedPayload ? null : change.webhook),
    }),
    secret: t.string({
      nullable: true,
      description: 'The secret that signs messages, when it is new. It is shown once.',
      resolve: (change) => (change instanceof RefusedPayload ? null : change.secret),
    }),
  }),
});

const DeletePayloadRef = outcomeRef<WebhookRow>('DeleteWebhookPayload', 'The result of deleting a webhook.', {
  name: 'webhook',
  type: WebhookRef,
  description: 'The deleted webhook.',
});

const TestPayloadRef = outcomeRef<DeliveryRow>('TestWebhookPayload', 'The result of testing a webhook.', {
  name: 'delivery',
  type: DeliveryRef,
  description: 'The message; its state shows the result.',
});

const RedeliverPayloadRef = outcomeRef<number | null>(
  'RedeliverWebhookPayload',
  'The result of sending messages again.',
  {
    name: 'messageCount',
    type: 'Int',
    description: 'How many single messages are sent again; null with `after`.',
  },
);

const TEXTS = {
  id: 'Its id.',
  name: 'Name, 1…200 characters.',
  url: 'https:// address of a public host.',
  types: 'Which changes: "*" for all, "lineItem.*" for a kind, "lineItem.update" for one type; 1…50.',
  status: 'ACTIVE (default) or PAUSED.',
};

const CreateInput = builder.inputType('CreateWebhookInput', {
  description: 'The fields of a new webhook.',
  fields: (t) => ({
    name: t.string({ required: true, description: TEXTS.name }),
    url: t.string({ required: true, description: TEXTS.url }),
    types: t.stringList({ required: true, description: TEXTS.types }),
    status: t.field({ type: StatusRef, description: TEXTS.status }),
  }),
});

const UpdateInput = builder.inputType('UpdateWebhookInput', {
  description: 'The fields to change; absent fields stay.',
  fields: (t) => ({
    name: t.string({ description: TEXTS.name }),
    url: t.string({ description: TEXTS.url }),
    types: t.stringList({ description: TEXTS.types }),
    status: t.field({ type: StatusRef, description: TEXTS.status }),
    rotateSecret: t.boolean({ description: 'Makes a new secret, which the response shows.' }),
  }),
});

builder.queryFields((t) => ({
  webhooks: t.field({
    type: [WebhookRef],
    description: 'The webhooks of the environment by name, at most 20.',
    resolve: (_root, _args, context) => listWebhooks(queryableOf(context), context.principal.workspaceId),
  }),
  webhook: t.field({
    type: WebhookRef,
    nullable: true,
    description: 'A webhook by its id; null when there is none.',
    args: { id: t.arg.id({ required: true, description: TEXTS.id }) },
    resolve: async (_root, { id }, context) =>
      isDecimalId(plainIdOf('Webhook', id))
        ? ((await findWebhook(queryableOf(context), context.principal.workspaceId, BigInt(plainIdOf('Webhook', id)))) ??
          null)
        : null,
  }),
}));

builder.mutationFields((t) => ({
  createWebhook: t.field({
    type: PayloadRef,
    nullable: true,
    description: 'Creates a webhook; it is told of changes from now on. The response shows its secret once.',
    args: { input: t.arg({ type: CreateInput, required: true, description: 'The webhook.' }) },
    resolve: (_root, { input }, context, info) =>
      orRefused(context, info, async () => createWebhook(context, input as WebhookInput)),
  }),
  updateWebhook: t.field({
    type: PayloadRef,
    nullable: true,
    description: 'Changes a webhook.',
    args: {
      id: t.arg.id({ required: true, description: TEXTS.id }),
      version: t.arg.int({ description: 'The version that was read; a newer version fails as `conflict`.' }),
      input: t.arg({ type: UpdateInput, required: true, description: 'What is to be changed.' }),
    },
    resolve: (_root, { id, version, input }, context, info) =>
      orRefused(context, info, async () =>
        changeWebhook(context, {
          id: plainIdOf('Webhook', id),
          version: version ?? null,
          input: input as WebhookInput,
        }),
      ),
  }),
  deleteWebhook: t.field({
    type: DeletePayloadRef,
    nullable: true,
    description: 'Deletes a webhook with the list of its messages.',
    args: { id: t.arg.id({ required: true, description: TEXTS.id }) },
    resolve: (_root, { id }, context, info) =>
      outcomeOf(context, info, () => removeWebhook(context, plainIdOf('Webhook', id))),
  }),
  testWebhook: t.field({
    type: TestPayloadRef,
    nullable: true,
    description: 'Sends a message of the type `webhook.test`.',
    args: { id: t.arg.id({ required: true, description: TEXTS.id }) },
    resolve: (_root, { id }, context, info) =>
      outcomeOf(context, info, () => testWebhook(context, plainIdOf('Webhook', id))),
  }),
  redeliverWebhook: t.field({
    type: RedeliverPayloadRef,
    nullable: true,
    description: 'Sends messages again: all after a change, or single ones.',
    args: {
      id: t.arg.id({ required: true, description: TEXTS.id }),
      after: t.arg.string({ description: 'The number of a change: messages of all later ones are sent again.' }),
      deliveryIds: t.arg.idList({ description: 'Ids of messages, at most 1,000.' }),
    },
    resolve: (_root, { id, after, deliveryIds }, context, info) =>
      outcomeOf<number | null>(context, info, () =>
        resendMessages(context, plainIdOf('Webhook', id), { after, deliveryIds: deliveryIds?.map(String) }),
      ),
  }),
}));
