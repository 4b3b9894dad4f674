import { later } from '../ui/later.tsx';

export const CopyDialog = later(async () => (await import('./copy-dialog.tsx')).CopyDialog, ['desk', 'desk-table']);

export const EditDialog = later(
  async () => (await import('./edit-dialog.tsx')).EditDialog,
  ['desk', 'desk-table', 'booking'],
);

export const SplitDialog = later(
  async () => (await import('./split-dialog.tsx')).SplitDialog,
  ['desk', 'desk-table', 'booking'],
);
