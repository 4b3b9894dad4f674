import { later } from '../ui/later.tsx';

/** Few visits to a table read a file. */
export const ImportDialog = later(async () => (await import('./import-dialog.tsx')).ImportDialog, ['desk', 'csv']);
