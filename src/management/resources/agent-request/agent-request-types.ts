import { StatusRef } from './agent-notice-input.ts';
import { builder } from '../../kernel/builder.ts';
import type { AgentRequestRow } from './agent-requests.sql.ts';

/** How far a request is. */
export const StateRef = builder.enumType('AgentRequestState', {
  description: "How far a request of a buyer's agent is.",
  values: {
    RUNNING: { description: 'It is worked on.' },
    SUBMITTED: { description: 'It waits for a person.' },
    COMPLETED: { description: 'It is done.' },
    REJECTED: { description: 'A person rejected it.' },
    FAILED: { description: 'It was refused; its key is free again.' },
  } as const,
});

/** What a request is to earlier ones. */
export const BeginningRef = builder.enumType('AgentRequestBeginning', {
  description: 'What a request is to the ones before it.',
  values: {
    NEW: { description: 'The first one with its key: do it.' },
    REPLAY: { description: 'It was done before: its response is that of the first time.' },
    CONFLICT: { description: 'Its key belongs to a request with other arguments.' },
    IN_FLIGHT: { description: 'The first one with its key still runs.' },
  } as const,
});

/** A decision about a request. */
export const DecisionRef = builder.enumType('AgentRequestDecision', {
  description: 'What a person decides about a request that waits.',
  values: {
    APPROVE: { description: 'The booking goes ahead.' },
    REJECT: { description: 'The booking does not go ahead.' },
  } as const,
});

/** A request of a buyer's agent. */
export const RequestRef = builder.objectRef<AgentRequestRow>('AgentRequest').implement({
  description: "What a buyer's agent asked for, and what it was told.",
  fields: (t) => ({
    id: t.id({ description: 'Its id.', resolve: ({ id }) => String(id) }),
    caller: t.exposeString('caller', { description: 'Kind and id of the credential.' }),
    agent: t.exposeString('agent', { description: 'The agent, as it names itself.' }),
    tool: t.exposeString('tool', { description: 'The tool that it called.' }),
    advertiserId: t.id({
      nullable: true,
      description: 'The advertiser that it is for.',
      resolve: ({ advertiser_id: id }) => (id === null ? null : String(id)),
    }),
    campaignId: t.id({
      nullable: true,
      description: 'The campaign that it booked or changed.',
      resolve: ({ campaign_id: id }) => (id === null ? null : String(id)),
    }),
    state: t.field({ type: StateRef, description: 'How far it is.', resolve: ({ state }) => state }),
    request: t.field({ type: 'JSON', description: 'Its arguments, without secrets.', resolve: (one) => one.request }),
    response: t.field({
      type: 'JSON',
      nullable: true,
      description: 'What the agent was told; null while it runs.',
      resolve: (one) => one.response,
    }),
    terms: t.field({
      type: 'JSON',
      nullable: true,
      description: "Terms of the booking that the campaign itself does not have, such as the buyer's own ids.",
      resolve: (one) => one.terms,
    }),
    reason: t.exposeString('reason', { nullable: true, description: 'Why it was rejected, or a remark.' }),
    decidedBy: t.string({ nullable: true, description: 'Who decided.', resolve: (one) => one.decided_by }),
    decidedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When it was decided.',
      resolve: (one) => one.decided_at,
    }),
    noticeStatus: t.field({
      type: StatusRef,
      nullable: true,
      description:
        'How far the notice of the decision is; null: its caller wants none, or there was nothing to decide.',
      resolve: (one) => one.notice_status,
    }),
    createdAt: t.field({ type: 'DateTime', description: 'When it came.', resolve: (one) => one.created_at }),
    updatedAt: t.field({ type: 'DateTime', description: 'When it last changed.', resolve: (one) => one.updated_at }),
  }),
});
