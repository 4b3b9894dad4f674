import type { Creative } from '../../../domain/booking/creative.ts';
import type { LineItem } from '../../../domain/booking/line-item.ts';
import type { WorkspaceSnapshot } from '../../../domain/booking/snapshot.ts';
import type { Records } from './stored-records.ts';

/** A snapshot whose long lists may be read from the disk on demand. */
export type SnapshotLists = Omit<WorkspaceSnapshot, 'lineItems' | 'creatives'> & {
  readonly lineItems: Records<LineItem>;
  readonly creatives: Records<Creative>;
};
