import { later } from '../ui/later.tsx';

/** Parts of a creative's page that come after the ad, or that few visits open. */
export const HistorySection = later(
  async () => (await import('../line-item/history-section.tsx')).HistorySection,
  ['audit', 'booking', 'catalog', 'delivery', 'desk', 'desk-table', 'item-form'],
);
export const ReplaceDialog = later(
  async () => (await import('./replace-dialog.tsx')).ReplaceDialog,
  ['creative', 'studio'],
);
export const PagePreviewDialog = later(
  async () => (await import('./page-preview-dialog.tsx')).PagePreviewDialog,
  ['creative'],
);
