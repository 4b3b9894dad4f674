import type { EN_QUOTAS } from '../en/quotas.ts';
import type { TextsOf } from '../en/translation.ts';

export const DE_QUOTAS: TextsOf<typeof EN_QUOTAS> = {
  'quota.assetBytes': 'Hochgeladene Dateien',
  'quota.bulkJobBytes': 'Zeilen und Ergebnisse von Massenaufträgen',
  'quota.bulkJobs': 'Wartende oder laufende Massenaufträge',
  'quota.objects': 'Objekte der häufigsten Art',
  'quota.reportBytes': 'Fertige Berichtsdateien',
  'quota.savedViews': 'Gespeicherte Ansichten',
  'quota.schedules': 'Berichtszeitpläne',
  'quota.segmentMembers': 'Hochgeladene Segmentmitglieder',
  'quota.webhooks': 'Webhooks',
};
