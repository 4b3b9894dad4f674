import type { EN_AUDIENCE } from './en-audience.ts';
import type { TextsOf } from './translation.ts';

/** German texts of audiences. */
export const DE_AUDIENCE = {
  'audience.column': 'Spalte mit den IDs',
  'audience.do_ADD': '{count, plural, one {# Mitglied hinzufügen} other {# Mitglieder hinzufügen}}',
  'audience.do_REMOVE': '{count, plural, one {# Mitglied entfernen} other {# Mitglieder entfernen}}',
  'audience.do_REPLACE':
    '{count, plural, one {Alle durch # Mitglied ersetzen} other {Alle durch # Mitglieder ersetzen}}',
  'audience.done':
    '{lines, plural, one {# Zeile wurde gelesen} other {# Zeilen wurden gelesen}}, {changed, plural, one {# Mitglied geändert} other {# Mitglieder geändert}}.',
  'audience.file': 'Datei',
  'audience.file_hint':
    'CSV oder Text mit einem Nutzer je Zeile, bis 100 MB. Nur verschlüsselte Hashwerte der IDs werden gespeichert.',
  'audience.found': '{count, plural, one {# ID gefunden.} other {# IDs gefunden.}}',
  'audience.ids': 'Die IDs sind',
  'audience.ids_aid': 'Konto-IDs (aid)',
  'audience.ids_lu': 'First-Party-IDs (lu)',
  'audience.mode': 'Was geschieht',
  'audience.mode_ADD': 'Zum Segment hinzufügen',
  'audience.mode_REMOVE': 'Aus dem Segment entfernen',
  'audience.mode_REPLACE': 'Alle Mitglieder ersetzen',
  'audience.refused': '{count, plural, one {# Zeile wird ausgelassen:} other {# Zeilen werden ausgelassen:}}',
  'audience.refused_empty': 'Zeile {line} hat keine ID.',
  'audience.refused_no_column': 'Zeile {line} hat diese Spalte nicht.',
  'audience.refused_too_long': 'Die ID in Zeile {line} hat mehr als 200 Zeichen.',
  'audience.sending': 'Upload',
  'audience.too_large': 'Diese Datei hat mehr als 100 MB. Senden Sie sie stattdessen an POST /segments/<id>/members.',
  'audience.upload': 'Mitglieder hochladen',
} satisfies TextsOf<typeof EN_AUDIENCE>;
