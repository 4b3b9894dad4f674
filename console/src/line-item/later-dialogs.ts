import { later } from '../ui/later.tsx';

export const CopyDialog = later(async () => (await import('./copy-dialog.tsx')).CopyDialog, ['desk', 'desk-table']);

export const SplitDialog = later(
  async () => (await import('./split-dialog.tsx')).SplitDialog,
  ['desk', 'desk-table', 'booking', 'delivery'],
);

export const SettingsSection = later(
  async () => (await import('./form/settings-section.tsx')).SettingsSection,
  ['desk', 'desk-table', 'booking', 'delivery', 'line-item', 'item-form'],
);
