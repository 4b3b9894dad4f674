import { later } from '../ui/later.tsx';

export const LineItemPage = later(
  async () => (await import('../line-item/line-item-page.tsx')).LineItemPage,
  ['desk', 'desk-table', 'line-item', 'delivery', 'audit', 'booking', 'catalog', 'item-form'],
);
export const LineItemPanel = later(
  async () => (await import('../line-item/line-item-panel.tsx')).LineItemPanel,
  ['desk', 'desk-table', 'line-item', 'delivery', 'audit', 'booking', 'catalog', 'item-form'],
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
  ['audit', 'booking', 'catalog', 'delivery', 'desk', 'desk-table', 'item-form'],
);
export const CommentsSection = later(
  async () => (await import('../team/comments-section.tsx')).CommentsSection,
  ['line-item'],
);
export const ShareReport = later(async () => (await import('../team/share-report.tsx')).ShareReport, ['team']);
