import type { Kysely } from 'kysely';
import { RecurringJob } from '../../../domain/time/recurring-job.ts';
import type { Database } from '../../../storage/sql/schema.ts';
import { type GoalRow, listServingRows, type ServingPage, type WalkPosition } from './goal-status.sql.ts';

const PAGE_ROWS = 200;
/** How much longer than it worked on a page the walk rests: ads share the processors with it. */
const REST = 4;

/** A job that looks at all serving line items, page by page. */
export abstract class ServingWalk extends RecurringJob {
  /**
   * Calls `work` with the rows of each page and workspace, and rests between pages; a stop ends the walk.
   * @returns the sum of the numbers that `work` returned @throws what the stores throw
   */
  protected async walk(
    sql: Kysely<Database>,
    options: { readonly onlyGoals: boolean },
    work: (workspaceId: number, rows: readonly GoalRow[]) => Promise<number>,
  ): Promise<number> {
    let sum = 0;
    let after: WalkPosition | null = { workspaceId: 0, lineItemId: 0n };
    while (after !== null && !this.isStopped) {
      const beganMs = performance.now();
      const { rows, next }: ServingPage = await listServingRows(sql, after, PAGE_ROWS, options);
      for (const [workspaceId, own] of Map.groupBy(rows, ({ row }) => row.workspace_id))
        sum += await work(workspaceId, own);
      after = next;
      if (after !== null) await this.rest((performance.now() - beganMs) * REST);
    }
    return sum;
  }
}
