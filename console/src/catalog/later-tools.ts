import { later } from '../ui/later.tsx';

/** Files of a table: few visits need them at once. */
export const CsvTools = later(async () => (await import('../csv/csv-menu.tsx')).CsvTools, ['desk', 'csv']);
