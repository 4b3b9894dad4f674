import type { WhatIf } from '../../../domain/booking/decision-inspection.ts';
import type { AdUnit } from '../../../domain/booking/inventory.ts';
import type { LineItem } from '../../../domain/booking/line-item.ts';
import { fieldError } from '../../../domain/errors.ts';
import { compileSteps } from '../../decision/index/compile-workspace.ts';
import type { CompiledWorkspace } from '../../decision/index/compiled-workspace.ts';
import { DecisionMemory } from '../../decision/index/decision-memory.ts';
import type { SnapshotLists } from '../../decision/index/snapshot-lists.ts';
import { patchSnapshot } from '../../decision/index/snapshot-parts.ts';
import { findById } from '../../decision/index/sorted-by-id.ts';
import type { WorkSteps } from '../../decision/index/work-steps.ts';

/**
 * The workspace as it would be with some changes, in steps. The given one stays as it is, and keeps its memory for itself.
 * @param nowMs as of when line items that have ended are left out
 * @throws PlacardError `validation_failed` naming an id that the workspace does not have
 */
export function* imagineChanges(
  compiled: CompiledWorkspace,
  whatIfs: readonly WhatIf[],
  nowMs: number,
): WorkSteps<CompiledWorkspace> {
  const snapshot = changeSnapshot(compiled.snapshot, whatIfs);
  const previous = { ...compiled, memory: new DecisionMemory() };
  return yield* compileSteps(snapshot, { nowMs, previous, reportUnusable: () => {} });
}

function changeSnapshot(snapshot: SnapshotLists, whatIfs: readonly WhatIf[]): SnapshotLists {
  const lineItems = new Map<string, LineItem>();
  const adUnits = new Map<string, AdUnit>();
  for (const [position, whatIf] of whatIfs.entries()) {
    const { lineItemId, adUnitId } = whatIf;
    if (lineItemId !== null) {
      const before = lineItems.get(lineItemId) ?? findById(snapshot.lineItems, lineItemId);
      if (before === undefined) throw unknown(position, 'lineItemId', 'line item');
      lineItems.set(lineItemId, changeLineItem(before, whatIf));
    } else if (adUnitId !== null) {
      const before = adUnits.get(adUnitId) ?? findById(snapshot.adUnits, adUnitId);
      if (before === undefined) throw unknown(position, 'adUnitId', 'ad unit');
      adUnits.set(adUnitId, { ...before, floorMicros: whatIf.floorMicros ?? before.floorMicros });
    }
  }
  const changed = patchSnapshot(snapshot, 'lineItems', {
    ids: [...lineItems.keys()],
    records: [...lineItems.values()],
  });
  return patchSnapshot(changed, 'adUnits', { ids: [...adUnits.keys()], records: [...adUnits.values()] });
}

function changeLineItem(before: LineItem, whatIf: WhatIf): LineItem {
  const { status, type, level, sharePercent, priceMicros, caps, withoutFrequencyCaps, withoutGoal } = whatIf;
  return {
    ...before,
    ...(status === undefined ? {} : { status }),
    ...(type === undefined ? {} : { type }),
    ...(level === undefined ? {} : { level }),
    ...(sharePercent === undefined ? {} : { sharePercent }),
    ...(priceMicros === undefined ? {} : { priceMicros }),
    ...(caps === undefined ? {} : { caps }),
    ...(withoutFrequencyCaps === true ? { frequencyCaps: [] } : {}),
    ...(withoutGoal === true ? { goal: null } : {}),
  };
}

function unknown(position: number, member: string, kind: string): Error {
  const path = `input.whatIf.${position}.${member}`;
  return fieldError(path, 'unknown', `There is no ${kind} with this id in the bookings of this decision.`);
}
