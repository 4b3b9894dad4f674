import { later } from '../ui/later.tsx';

/** Dialogs and panels of the desk: most visits to a table open none of them. */
export const BulkEditDialog = later(async () => (await import('./bulk-edit-dialog.tsx')).BulkEditDialog);
export const ChangesDialog = later(async () => (await import('./changes-dialog.tsx')).ChangesDialog);
export const ConflictDialog = later(async () => (await import('./conflict-dialog.tsx')).ConflictDialog);
export const CopyDialog = later(async () => (await import('./copy-dialog.tsx')).CopyDialog);
export const EditDialog = later(async () => (await import('./edit-dialog.tsx')).EditDialog);
export const SplitDialog = later(async () => (await import('./split-dialog.tsx')).SplitDialog);
export const LineItemPage = later(async () => (await import('./line-item-page.tsx')).LineItemPage);
export const LineItemPanel = later(async () => (await import('./line-item-panel.tsx')).LineItemPanel);
export const CsvMenu = later(async () => (await import('./csv-menu.tsx')).CsvMenu);
export const LineItemBulkBar = later(async () => (await import('./bulk-bar.tsx')).LineItemBulkBar);
export const CampaignBulkBar = later(async () => (await import('./bulk-bar.tsx')).CampaignBulkBar);
export const TableViews = later(async () => (await import('./table-views.tsx')).TableViews);
export const HistorySection = later(async () => (await import('./history-section.tsx')).HistorySection);
export const CommentsSection = later(async () => (await import('../team/comments-section.tsx')).CommentsSection);
export const ShareReport = later(async () => (await import('../team/share-report.tsx')).ShareReport);
