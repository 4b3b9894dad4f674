import { countValue, moneyValue, nameValue, termValue, textOf } from '../../../domain/booking/delivery-text.ts';
import { type DeliveryCaps, type Goal, goalAsInput } from '../../../domain/booking/line-item.ts';
import type { FrequencyCap } from '../../../domain/frequency/frequency-cap.ts';
import { formatMicros } from '../../../domain/money/money.ts';
import { labelCapsOf } from '../../../domain/frequency/label-cap.ts';
import type { Cause } from './cause.ts';
import { ofCreative, ofLevel, ofLineItem } from './change.ts';
import type { Change, ChangeInput, MakeChange } from './change.ts';

/** By how much a change raises a limit that is reached. */
export const RAISED = 2;

/** The factor that raises a limit above what is counted: one that was lowered may be used several times over. */
function raisedBy({ usedTimes = 1 }: Cause): number {
  return Number.isFinite(usedTimes) ? Math.max(RAISED, Math.floor(usedTimes) + 1) : RAISED;
}

/** Raises the cap, budget or frequency cap that is reached. */
export const raiseLimit: MakeChange = (input, cause) => {
  const { code } = cause;
  const [, level = '', unit = ''] = code.split('.');
  if (level === 'label') return raiseLabelFrequency(input);
  if (unit === 'frequency') return raiseFrequency(input, level);
  if (level === 'creative') return raiseCreativeFrequency(input, { code, detail: '' });
  if (level === 'advertiser') {
    const credit = formatMicros(BigInt(Number(input.booked.advertiser.credit_micros ?? 0) * raisedBy(cause)));
    return ofLevel(input, level, () => ({
      text: textOf('raise_credit', { limit: moneyValue(credit) }),
      input: { credit },
    }));
  }
  const counted = unit.replace(/_(per_day|lifetime)$/, '');
  const isDaily = unit.endsWith('_per_day');
  const name = `${counted}${isDaily ? 'PerDay' : 'Lifetime'}`;
  return ofLevel(input, level, (object) => {
    const { caps } = level === 'campaign' ? input.booked.campaign : input.booked.lineItem;
    const raised = toCapsInput(caps, name, raisedBy(cause));
    const limit = raised[name] ?? 0;
    const values = {
      unit: termValue(counted),
      object,
      limit: typeof limit === 'number' ? countValue(limit) : moneyValue(limit),
    };
    return { text: textOf(isDaily ? 'raise_daily_cap' : 'raise_lifetime_cap', values), input: { caps: raised } };
  });
};

const CAP_NAMES: Readonly<Record<string, string>> = {
  spendMicrosPerDay: 'spendPerDay',
  spendMicrosLifetime: 'spendLifetime',
};

/** Caps as the management API takes them, one of them raised. */
function toCapsInput(caps: Partial<DeliveryCaps>, raised: string, by: number): Record<string, number | string | null> {
  const entries = Object.entries(caps).map(([field, value]) => {
    const name = CAP_NAMES[field] ?? field;
    const factor = name === raised ? by : 1;
    if (value === null) return [name, null] as const;
    return [name, name === field ? value * factor : formatMicros(BigInt(value * factor))] as const;
  });
  return Object.fromEntries(entries);
}

function raiseFrequency(input: ChangeInput, level: string): Change | null {
  return ofLevel(input, level, (object) => {
    const owners = {
      line_item: input.booked.lineItem,
      campaign: input.booked.campaign,
      advertiser: input.booked.advertiser,
    };
    const owner = owners[level as keyof typeof owners];
    return {
      text: textOf('double_frequency_caps', { object }),
      input: { frequencyCaps: doubled(owner?.frequency_caps ?? []) },
    };
  });
}

/** The whole list of the network, of which those of the line item's labels are doubled. */
function raiseLabelFrequency({ booked }: ChangeInput): Change | null {
  const { labelCaps = [] } = booked.network;
  const own = labelCapsOf(labelCaps, booked);
  if (own.length === 0) return null;
  const raised = labelCaps.map((one) =>
    own.includes(one) ? { ...one, frequencyCaps: doubled(one.frequencyCaps) } : one,
  );
  const labels = own.map(({ label }) => `“${label}”`).join(', ');
  return {
    text: textOf('double_label_caps', { labels: nameValue(labels) }),
    object: 'Network',
    id: null,
    version: booked.network.version,
    input: { labelCaps: raised },
    missing: [],
  };
}

function doubled(caps: readonly FrequencyCap[]): FrequencyCap[] {
  return caps.map((cap) => ({ ...cap, count: cap.count * RAISED }));
}

const raiseCreativeFrequency = ofCreative(({ frequency_caps: caps }) => ({
  text: 'double_creative_caps',
  input: { frequencyCaps: doubled(caps) },
}));

/** Raises the goal. */
export const raiseGoal: MakeChange = (input, cause) => {
  const goal: Goal | null = input.booked.lineItem.goal;
  if (goal === null) return null;
  const amount = goal.amount * raisedBy(cause);
  return ofLineItem(input, textOf('raise_goal', { amount: countValue(amount) }), {
    goal: goalAsInput({ ...goal, amount }),
  });
};
