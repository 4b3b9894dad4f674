import { later } from '../ui/later.tsx';

/** Dialogs and panels of the desk: most visits to a table open none of them. */
export const BulkEditDialog = later(
  async () => (await import('./bulk-edit-dialog.tsx')).BulkEditDialog,
  ['desk', 'desk-table', 'booking'],
);
export const ChangesDialog = later(
  async () => (await import('../changes/changes-dialog.tsx')).ChangesDialog,
  ['desk', 'desk-table'],
);
export const ConflictDialog = later(
  async () => (await import('../changes/conflict-dialog.tsx')).ConflictDialog,
  ['desk', 'desk-table', 'line-item'],
);
export const CopyDialog = later(
  async () => (await import('../line-item/copy-dialog.tsx')).CopyDialog,
  ['desk', 'desk-table'],
);
export const EditDialog = later(
  async () => (await import('../line-item/edit-dialog.tsx')).EditDialog,
  ['desk', 'desk-table', 'booking'],
);
export const SplitDialog = later(
  async () => (await import('../line-item/split-dialog.tsx')).SplitDialog,
  ['desk', 'desk-table', 'booking'],
);
export const LineItemPage = later(
  async () => (await import('../line-item/line-item-page.tsx')).LineItemPage,
  ['desk', 'desk-table', 'line-item', 'delivery', 'audit'],
);
export const LineItemPanel = later(
  async () => (await import('../line-item/line-item-panel.tsx')).LineItemPanel,
  ['desk', 'desk-table', 'line-item', 'delivery', 'audit'],
);
export const CsvMenu = later(async () => (await import('../csv/csv-menu.tsx')).CsvMenu, ['desk', 'csv']);
export const LineItemBulkBar = later(
  async () => (await import('./bulk-bar.tsx')).LineItemBulkBar,
  ['desk', 'desk-table'],
);
export const CampaignBulkBar = later(
  async () => (await import('./bulk-bar.tsx')).CampaignBulkBar,
  ['desk', 'desk-table'],
);
export const TableViews = later(async () => (await import('./table-views.tsx')).TableViews, ['desk-table', 'lens']);
export const HistorySection = later(
  async () => (await import('../line-item/history-section.tsx')).HistorySection,
  ['audit'],
);
export const CommentsSection = later(
  async () => (await import('../team/comments-section.tsx')).CommentsSection,
  ['line-item'],
);
export const ShareReport = later(async () => (await import('../team/share-report.tsx')).ShareReport, ['team']);
