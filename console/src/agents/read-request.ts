import type { AgentBooking, AgentRequest, ApprovalPlan } from '../api/bookings/agents/agent-requests.ts';

/** A package as an agent asked for it. Every text is a stranger's. */
export interface AskedPackage {
  readonly productId: string | null;
  readonly packageId: string | null;
  readonly budget: number | null;
  readonly isPaused: boolean;
}

/** Budgets above this are shown in the raw request alone. */
const BUDGET_MAX = 1e12;

/** The parts of an agent's request that people read. */
export interface Asked {
  readonly brand: string | null;
  readonly orderNumber: string | null;
  readonly buyId: string | null;
  readonly startsAt: string | null;
  readonly endsAt: string | null;
  readonly packages: readonly AskedPackage[];
  readonly creatives: readonly string[];
  readonly isPaused: boolean;
  readonly isCanceled: boolean;
}

type Members = Readonly<Record<string, unknown>>;

function membersOf(value: unknown): Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : {};
}

function listOf(value: unknown): readonly Members[] {
  return Array.isArray(value) ? value.map(membersOf) : [];
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value : null;
}

function budgetOf(value: unknown): number | null {
  return typeof value === 'number' && value >= 0 && value <= BUDGET_MAX ? value : null;
}

/** Reads the arguments of a request, whatever an agent made of them. */
export function readAsked(request: unknown): Asked {
  const members = membersOf(request);
  return {
    brand: textOf(membersOf(members['brand'])['domain']),
    orderNumber: textOf(members['po_number']),
    buyId: textOf(members['media_buy_id']),
    startsAt: textOf(members['start_time']),
    endsAt: textOf(members['end_time']),
    packages: listOf(members['packages']).map((one) => ({
      productId: textOf(one['product_id']),
      packageId: textOf(one['package_id']),
      budget: budgetOf(one['budget']),
      isPaused: one['paused'] === true,
    })),
    creatives: listOf(members['creatives']).flatMap((one) => textOf(one['name']) ?? textOf(one['creative_id']) ?? []),
    isPaused: members['paused'] === true,
    isCanceled: members['canceled'] === true,
  };
}

/** Ids of the products that a request names. */
export function productIdsOf(request: unknown): readonly string[] {
  const ids = readAsked(request).packages.flatMap(({ productId: id }) => id ?? []);
  return [...new Set(ids)].filter((id) => /^\d{1,19}$/.test(id));
}

/** The sentence for people in the response to an agent: its own words, the id of the buy, or nothing. */
export interface Told {
  readonly text: string | null;
  readonly buyId: string | null;
}

/** Reads what an agent was told. */
export function readTold({ state, response, reason }: Pick<AgentRequest, 'state' | 'response' | 'reason'>): Told {
  const members = membersOf(response);
  const own = textOf(members['message']) ?? textOf(members['code']);
  return { text: state === 'REJECTED' ? reason : own, buyId: textOf(members['media_buy_id']) };
}

/** The changes of an approval: drafts go live; what the agent asked to begin paused is paused at once. */
export function planApproval(id: string, request: unknown, booking: AgentBooking): ApprovalPlan {
  const { packages, isPaused } = readAsked(request);
  const pausedIds = new Set(packages.flatMap((one, index) => (one.isPaused ? [`adcp-${id}-p${index}`] : [])));
  return {
    campaign: { id: booking.id, version: booking.version, isPaused },
    items: booking.lineItems.nodes
      .filter(({ status }) => status === 'DRAFT')
      .map((item) => ({
        id: item.id,
        version: item.version,
        isPaused: item.externalId !== null && pausedIds.has(item.externalId),
      })),
  };
}
