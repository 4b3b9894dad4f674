import { associateMany, type LibraryChoice, type LibraryUse } from '../api/bookings/creatives/library-uses.ts';
import { type BulkChange, type BulkPlan, planSteps } from '../changes/bulk-plan.ts';
import { say } from '../messages/say.ts';

/** Whether a creative of the library comes into line items, or goes from them. */
export const CREATIVE_WAYS = ['assign', 'take'] as const;
export type CreativeWay = (typeof CREATIVE_WAYS)[number];

/** Finds which line items a creative of the library comes into, or goes from. @param uses where it serves now */
export function planCreatives(
  { way, creative }: { readonly way: CreativeWay; readonly creative: Pick<LibraryChoice, 'id' | 'name'> },
  rows: readonly Pick<BulkChange, 'id' | 'name' | 'version'>[],
  uses: readonly LibraryUse[],
): BulkPlan {
  const byItem = new Map(uses.map((use) => [use.lineItemId, use]));
  const what = say('bulk.of_creatives');
  const none = say('value.none');
  if (way === 'assign') {
    const plan = planSteps(what, rows, ({ id }) =>
      byItem.has(id)
        ? null
        : {
            before: none,
            after: creative.name,
            input: { libraryCreativeId: creative.id },
            undo: { status: 'ARCHIVED' },
          },
    );
    return { ...plan, kind: 'creatives', send: associateMany };
  }
  // The changed object is the line item's creative, not the line item.
  const using = rows.map((row) => ({ ...row, use: byItem.get(row.id) }));
  const plan = planSteps(what, using, ({ use }) =>
    use === undefined
      ? null
      : { before: creative.name, after: none, input: { status: 'ARCHIVED' }, undo: { status: 'ACTIVE' } },
  );
  const changes = plan.changes.flatMap((change) => {
    const use = byItem.get(change.id);
    return use === undefined ? [] : [{ ...change, id: use.id, version: use.version }];
  });
  return { ...plan, kind: 'creatives', changes };
}
