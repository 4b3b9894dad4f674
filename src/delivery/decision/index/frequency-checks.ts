import { frequencyCounterKey } from '../../../domain/frequency/frequency-key.ts';
import type { FrequencyScope } from '../../../domain/frequency/frequency-key.ts';
import { labelCapsOf, labelCounterId } from '../../../domain/frequency/label-cap.ts';
import type { LabelCap } from '../../../domain/frequency/label-cap.ts';
import type { CapLevel, Owners } from '../../../domain/money/limit.ts';
import type { FrequencyCap } from '../../../domain/frequency/frequency-cap.ts';

/** A limit on how often one user sees something. */
export interface FrequencyCheck {
  readonly level: CapLevel | 'label';
  readonly scope: FrequencyScope;
  readonly id: string;
  readonly cap: FrequencyCap;
}

/** The frequency caps of a line item, its parents and its labels; creatives have their own. */
export function compileFrequencyChecks(owners: Owners, labelCaps: readonly LabelCap[] | undefined): FrequencyCheck[] {
  const { lineItem, campaign, advertiser } = owners;
  return [
    ...lineItem.frequencyCaps.map((cap) => ({ level: 'line_item', scope: 'li', id: lineItem.id, cap }) as const),
    ...campaign.frequencyCaps.map((cap) => ({ level: 'campaign', scope: 'ca', id: campaign.id, cap }) as const),
    ...advertiser.frequencyCaps.map((cap) => ({ level: 'advertiser', scope: 'ad', id: advertiser.id, cap }) as const),
    ...labelCapsOf(labelCaps, owners).flatMap(({ label, frequencyCaps }) =>
      frequencyCaps.map((cap) => ({ level: 'label', scope: 'la', id: labelCounterId(label), cap }) as const),
    ),
  ];
}

/** The counter of one user for one frequency cap. */
export function frequencyCheckKey(check: FrequencyCheck, workspaceId: number, userHash: string): string {
  return frequencyCounterKey({ workspaceId, userHash, scope: check.scope, id: check.id, cap: check.cap });
}
