import type { AgentRequest, AgentRequestState } from '../api/bookings/agents/agent-requests.ts';
import { isMessageKey, say } from '../messages/say.ts';
import { actorWords } from '../ui/actor-words.ts';
import { readTold } from './read-request.ts';

/** Shapes beside the words: colour is never the only sign. */
const LOOKS: Readonly<Record<AgentRequestState, { readonly tone: string; readonly shape: string }>> = {
  RUNNING: { tone: '', shape: '◔' },
  SUBMITTED: { tone: 'state-warn', shape: '○' },
  COMPLETED: { tone: 'state-good', shape: '✓' },
  REJECTED: { tone: 'state-bad', shape: '✕' },
  FAILED: { tone: 'state-bad', shape: '▪' },
};

/** How far a request is, as a word with a shape and a colour. */
export function RequestState({ state }: { readonly state: AgentRequestState }) {
  const { tone, shape } = LOOKS[state];
  return (
    <span className={`state-word ${tone}`}>
      <span aria-hidden="true">{shape}</span>
      {say(`agents.state_${state}`)}
    </span>
  );
}

/** The tool of a request in people's words; one without words by its own name. */
export function toolWords(tool: string): string {
  const key = `agents.tool_${tool}`;
  return isMessageKey(key) ? say(key) : tool;
}

/** The name of an agent: the one that it gives itself, or the one of its key. */
export function agentWords({ agent, caller }: Pick<AgentRequest, 'agent' | 'caller'>): string {
  if (agent.trim() !== '') return agent;
  const words = actorWords(caller);
  return words === '' ? say('agents.unnamed') : words;
}

/** The last response to the agent, in one text. An approval replaces the response that the agent got before it. */
export function toldWords(request: Pick<AgentRequest, 'state' | 'response' | 'reason' | 'decidedAt'>): string {
  if (request.state === 'COMPLETED' && request.decidedAt !== null) return say('agents.told_approved');
  const { text, buyId } = readTold(request);
  return text ?? (buyId === null ? '' : say('agents.told_buy', { id: buyId }));
}
