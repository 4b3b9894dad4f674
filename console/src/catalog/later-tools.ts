import { later } from '../ui/later.tsx';

/** Files of a table: few visits need them at once. */
export const CsvMenu = later(async () => (await import('../csv/csv-menu.tsx')).CsvMenu, ['desk', 'csv']);
