import type { DealKind, Goal } from '../../../domain/booking/line-item.ts';
import type { FieldProblem } from '../../../domain/errors.ts';
import type { ManagementContext } from '../../kernel/context.ts';
import type { StoredRow } from '../../kernel/field.ts';
import type { Findings, RuleFacts } from '../../kernel/resource.ts';
import { listChildren } from '../../kernel/resource.sql.ts';
import { queryableOf } from '../../kernel/transactions.sql.ts';

/** Most line items of a deal that are checked when it becomes guaranteed. */
const LINE_ITEMS_MAX = 1_000;

/** Facts beyond its own row that the rules of a deal use. */
interface DealFacts {
  /** Line items that the deal cannot have. */
  readonly unfitLineItems: readonly StoredRow[];
}

/** Reads the line items of a deal that is to be guaranteed. */
export async function loadDealFacts(context: ManagementContext, row: StoredRow): Promise<Record<string, unknown>> {
  if (!isGuaranteed(row) || row.id === 0n) return {};
  const query = { parentColumn: 'deal_id', parentIds: [row.id], conditions: [], limit: LINE_ITEMS_MAX };
  const lineItems = await listChildren(queryableOf(context), context.principal.workspaceId, 'line_items', query);
  const unfitLineItems = lineItems.filter(
    (lineItem) => lineItem['status'] !== 'ARCHIVED' && listGuaranteeProblems(lineItem, row).length > 0,
  );
  return { unfitLineItems } satisfies DealFacts as unknown as Record<string, unknown>;
}

/** A fixed price below the floor can never win; a guarantee has a fixed price, a buyer, and line items with a goal. */
export function validateDeal(row: StoredRow, facts: RuleFacts): Findings {
  const { unfitLineItems = [] } = facts.loaded as Partial<DealFacts>;
  const problems: FieldProblem[] = [];
  const fixed = row['fixed_price_micros'] as bigint | null;
  if (fixed !== null && fixed < (row['floor_micros'] as bigint))
    problems.push({ path: 'fixedPrice', code: 'below_floor', message: 'Give a fixed price at or over the floor.' });
  if (!isGuaranteed(row)) return { problems, warnings: [] };
  if (fixed === null || fixed === 0n)
    problems.push({ path: 'fixedPrice', code: 'required', message: 'A guaranteed deal has a fixed price above 0.' });
  if ((row['seats'] as readonly string[]).length === 0)
    problems.push({ path: 'seats', code: 'required', message: 'A guaranteed deal has a buyer; give its seat.' });
  const [unfit] = unfitLineItems;
  if (unfit !== undefined) {
    const message = `The line item ${unfit.id} of the deal is not STANDARD with a goal of impressions at CPM; change it first.`;
    problems.push({ path: 'kind', code: 'line_items_differ', message });
  }
  return { problems, warnings: [] };
}

function isGuaranteed(deal: StoredRow): boolean {
  return (deal['kind'] as DealKind) === 'PROGRAMMATIC_GUARANTEED';
}

/** What a line item may not be because of its deal. */
export function listGuaranteeProblems(lineItem: StoredRow, deal: StoredRow | null): FieldProblem[] {
  if (deal === null || !isGuaranteed(deal)) return [];
  const problems: FieldProblem[] = [];
  const refuse = (path: string, message: string): void =>
    void problems.push({ path, code: 'guaranteed_deal', message });
  if (lineItem['type'] !== 'STANDARD') refuse('type', 'A guaranteed deal has line items of STANDARD.');
  if ((lineItem['goal'] as Goal | null)?.kind !== 'IMPRESSIONS')
    refuse('goal', 'A guaranteed deal has a goal of impressions.');
  if (lineItem['pricing_model'] !== 'CPM') refuse('pricingModel', 'A guaranteed deal is paid by CPM.');
  return problems;
}
