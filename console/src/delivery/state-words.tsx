import type { DeliveryStatus, GoalProgress } from '../api/bookings/desk-list.ts';
import type { Creative } from '../api/bookings/desk-object.ts';
import { say } from '../messages/say.ts';
import type { DeliveryState } from './delivery-sentence.ts';
import { type Life, type Living, lifeOf } from './life.ts';
import { formatCount, formatPercent } from '../format/desk-format.ts';

type Tone = 'good' | 'bad' | 'warn' | 'quiet';

interface Look {
  readonly tone: Tone;
  /** A shape beside the word: colour is never the only sign. */
  readonly shape: string;
}

const STATUS_LOOKS: Readonly<Record<DeliveryStatus, Look>> = {
  ACTIVE: { tone: 'good', shape: '●' },
  PAUSED: { tone: 'warn', shape: '‖' },
  DRAFT: { tone: 'quiet', shape: '○' },
  RESERVED: { tone: 'quiet', shape: '◇' },
  COMPLETED: { tone: 'quiet', shape: '✓' },
  ARCHIVED: { tone: 'quiet', shape: '▪' },
};

const STOP_LOOKS: Readonly<Record<Exclude<Life, DeliveryStatus>, Look>> = {
  FLIGHT_OVER: { tone: 'quiet', shape: '▪' },
  NOT_BEGUN: { tone: 'quiet', shape: '○' },
  CAMPAIGN_STOPPED: { tone: 'warn', shape: '‖' },
  NO_CREATIVE: { tone: 'bad', shape: '✕' },
  REVIEW_PENDING: { tone: 'warn', shape: '○' },
  REVIEW_REJECTED: { tone: 'bad', shape: '✕' },
  QUIET: { tone: 'warn', shape: '▼' },
};

const DELIVERY_LOOKS: Readonly<Record<DeliveryState, Look>> = {
  AHEAD: { tone: 'good', shape: '▲' },
  ON_TRACK: { tone: 'good', shape: '●' },
  REACHED: { tone: 'good', shape: '✓' },
  BEHIND: { tone: 'warn', shape: '▼' },
  AT_RISK: { tone: 'bad', shape: '◆' },
  MISSED: { tone: 'bad', shape: '✕' },
  ENDED: { tone: 'quiet', shape: '▪' },
  NOT_SERVING: { tone: 'quiet', shape: '‖' },
  NOT_STARTED: { tone: 'quiet', shape: '○' },
  NO_GOAL: { tone: 'quiet', shape: '–' },
  HISTORY_LOADING: { tone: 'quiet', shape: '◌' },
  NO_PLAN: { tone: 'quiet', shape: '–' },
  UNKNOWN: { tone: 'quiet', shape: '?' },
};

const REVIEW_LOOKS: Readonly<Record<Creative['reviewState'], Look>> = {
  APPROVED: { tone: 'good', shape: '✓' },
  PENDING: { tone: 'warn', shape: '○' },
  REJECTED: { tone: 'bad', shape: '✕' },
};

function Word({ look: { tone, shape }, text }: { readonly look: Look; readonly text: string }) {
  return (
    <span className={`state-word${tone === 'quiet' ? '' : ` state-${tone}`}`}>
      <span aria-hidden="true">{shape}</span>
      {text}
    </span>
  );
}

/** The status of a booking, as a word with a shape and a colour. */
export function StatusWord({ status }: { readonly status: DeliveryStatus }) {
  return <Word look={STATUS_LOOKS[status]} text={say(`status.${status}`)} />;
}

/** Whether a booking serves now; where it does not, what stops it. */
export function LifeWord({ booking, nowMs }: { readonly booking: Living; readonly nowMs: number }) {
  const life = lifeOf(booking, nowMs);
  if (life in STATUS_LOOKS) return <StatusWord status={life as DeliveryStatus} />;
  const stop = life as keyof typeof STOP_LOOKS;
  return <Word look={STOP_LOOKS[stop]} text={say(`life.${stop}`)} />;
}

/** How something delivers, as a word with a shape and a colour. */
export function DeliveryWord({ state }: { readonly state: DeliveryState }) {
  return <Word look={DELIVERY_LOOKS[state]} text={say(`delivery.${state}`)} />;
}

/** The state of a creative's review. */
export function ReviewWord({ state }: { readonly state: Creative['reviewState'] }) {
  return <Word look={REVIEW_LOOKS[state]} text={say(`review.${state}`)} />;
}

/** What is delivered of a goal, with a bar and a mark at what the plan expects by now. */
export function GoalBar({ progress }: { readonly progress: GoalProgress }) {
  const { delivered, goal, percent, expected } = progress;
  const mark = expected === null || goal === 0 ? null : Math.min(100, (expected / goal) * 100);
  return (
    <div>
      {`${formatCount(delivered)} (${formatPercent(percent)})`}
      <span className="goal-bar" aria-hidden="true">
        <span style={{ width: `${Math.min(100, percent)}%` }} />
        {mark === null ? null : <i style={{ left: `calc(${mark}% - 1px)` }} />}
      </span>
    </div>
  );
}
