import type { EN_QUOTAS } from '../en/quotas.ts';
import type { TextsOf } from '../en/translation.ts';

export const PL_QUOTAS: TextsOf<typeof EN_QUOTAS> = {
  'quota.assetBytes': 'Przesłane pliki',
  'quota.bulkJobBytes': 'Wiersze i wyniki zadań zbiorczych',
  'quota.bulkJobs': 'Zadania zbiorcze oczekujące lub w toku',
  'quota.objects': 'Obiekty najliczniejszego rodzaju',
  'quota.reportBytes': 'Gotowe pliki raportów',
  'quota.savedViews': 'Zapisane widoki',
  'quota.schedules': 'Harmonogramy raportów',
  'quota.segmentMembers': 'Przesłani członkowie segmentów',
  'quota.webhooks': 'Webhooki',
};
