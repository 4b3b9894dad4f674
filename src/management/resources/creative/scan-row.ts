import type { CreativeContent, CreativeScan, ThirdPartyTrackers } from '../../../domain/booking/creative.ts';
import { scanCreative } from '../../../domain/booking/creative-scan.ts';
import type { StoredRow } from '../../kernel/field.ts';

/** Scans a stored creative, of a line item or of the library. */
export function scanOf(row: StoredRow): CreativeScan {
  const trackers = (row['trackers'] ?? {}) as Partial<ThirdPartyTrackers>;
  const clickUrl = (row['click_url'] ?? '') as string;
  return scanCreative(row['content'] as CreativeContent, trackers, clickUrl);
}
