import { later } from '../ui/later.tsx';

export const ChangesDialog = later(
  async () => (await import('./changes-dialog.tsx')).ChangesDialog,
  ['desk', 'desk-table'],
);

export const ChangeDialog = later(
  async () => (await import('./change-dialog.tsx')).ChangeDialog,
  ['booking', 'delivery', 'desk', 'desk-table', 'line-item'],
);

export const ConflictDialog = later(
  async () => (await import('./conflict-dialog.tsx')).ConflictDialog,
  ['desk', 'desk-table', 'line-item'],
);
