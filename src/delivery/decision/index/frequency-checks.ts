import { frequencyCounterKey } from '../../../domain/booking/frequency-key.ts';
import type { FrequencyScope } from '../../../domain/booking/frequency-key.ts';
import type { CapLevel, Owners } from '../../../domain/money/limit.ts';
import type { FrequencyCap } from '../../../domain/booking/line-item.ts';

/** A limit on how often one user sees something. */
export interface FrequencyCheck {
  readonly level: CapLevel;
  readonly scope: FrequencyScope;
  readonly id: string;
  readonly cap: FrequencyCap;
}

/** The frequency caps of a line item and its parents; creatives have their own. */
export function compileFrequencyChecks({ lineItem, campaign, advertiser }: Owners): FrequencyCheck[] {
  return [
    ...lineItem.frequencyCaps.map((cap) => ({ level: 'line_item', scope: 'li', id: lineItem.id, cap }) as const),
    ...campaign.frequencyCaps.map((cap) => ({ level: 'campaign', scope: 'ca', id: campaign.id, cap }) as const),
    ...advertiser.frequencyCaps.map((cap) => ({ level: 'advertiser', scope: 'ad', id: advertiser.id, cap }) as const),
  ];
}

/** The counter of one user for one frequency cap. */
export function frequencyCheckKey(check: FrequencyCheck, workspaceId: number, userHash: string): string {
  return frequencyCounterKey({ workspaceId, userHash, scope: check.scope, id: check.id, cap: check.cap });
}
