import type { EN_AUDIENCE } from '../en/audience.ts';
import type { TextsOf } from '../en/translation.ts';

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
  'rule.activity': 'Aktivität',
  'rule.add': 'Bedingung hinzufügen',
  'rule.any_event': 'jedes Ereignis',
  'rule.any_value': 'beliebiger Wert',
  'rule.condition': 'Bedingung {number}',
  'rule.emptied':
    'Mit einer geänderten Regel beginnt das Segment leer. {count, plural, =0 {Es hat jetzt keine Mitglieder.} one {Beim Speichern verlässt es # Mitglied, auch ein hochgeladenes.} other {Beim Speichern verlassen es # Mitglieder, auch hochgeladene.}}',
  'rule.event': 'Ereignis',
  'rule.key': 'Schlüssel',
  'rule.kind_activity': 'Aktivität',
  'rule.kind_keyValue': 'Schlüsselwert',
  'rule.remove': 'Bedingung {number} entfernen',
  'rule.rule': 'Durch Upload und durch eine Regel',
  'rule.said': 'Nutzer werden Mitglied durch {conditions}.',
  'rule.said_activity': 'jedes Ereignis der Aktivität',
  'rule.said_event': 'das Ereignis {event} der Aktivität',
  'rule.said_key': 'eine Anfrage mit dem Schlüssel {key}',
  'rule.said_values': 'eine Anfrage mit {key} = {values}',
  'rule.source': 'Mitglieder kommen hinzu',
  'rule.title': 'Wie Nutzer Mitglied werden',
  'rule.uploads': 'Nur durch Upload',
  'rule.values': 'Werte',
  'rule.what': 'Was',
  'size.change_fewer':
    'Jetzt {size, plural, one {# Mitglied} other {# Mitglieder}}, {by, number} weniger als vor {days, plural, one {# Tag} other {# Tagen}}.',
  'size.change_more':
    'Jetzt {size, plural, one {# Mitglied} other {# Mitglieder}}, {by, number} mehr als vor {days, plural, one {# Tag} other {# Tagen}}.',
  'size.change_same':
    'Jetzt {size, plural, one {# Mitglied} other {# Mitglieder}}, so viele wie vor {days, plural, one {# Tag} other {# Tagen}}.',
  'size.day': 'Tag',
  'size.description': 'Die Zahl der Mitglieder nach Tag; die Zahlen stehen in der Tabelle darunter.',
  'size.members': 'Mitglieder',
  'size.new':
    'Jetzt {size, plural, one {# Mitglied} other {# Mitglieder}}. Die Größe wird einmal am Tag gespeichert; die Linie beginnt morgen.',
  'size.numbers': 'Zahlen',
  'size.range': 'Gezeigte Tage',
  'size.title': 'Größe im Zeitverlauf',
  'size.today': '{date}, jetzt',
} satisfies TextsOf<typeof EN_AUDIENCE>;
