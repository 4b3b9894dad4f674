import type { EN_INVENTORY } from '../en/inventory.ts';
import type { TextsOf } from '../en/translation.ts';

/** German texts of the inventory tree, of availability and of uploads to segments. */
export const DE_INVENTORY = {
  'accuracy.bias': 'Alle zusammen',
  'accuracy.flights':
    '{count, plural, one {# Laufzeit mit Prognose endete} other {# Laufzeiten mit Prognose endeten}} in den letzten {days} Tagen.',
  'accuracy.likely': 'Im Intervall von 80 %',
  'accuracy.median': 'Fehler im Median',
  'accuracy.method':
    'Für jede Werbebuchung wird eine Prognose gemacht, wenn sie aktiv wird oder sich ändert, und einen Tag nach ihrer Laufzeit mit der Auslieferung verglichen.',
  'accuracy.none': 'Noch ist keine Laufzeit mit Prognose zu Ende gegangen.',
  'accuracy.not_scored':
    '{count, plural, one {# Prognose ist} other {# Prognosen sind}} nicht bewertet, weil die Werbebuchung angehalten oder geändert wurde.',
  'accuracy.possible': 'Im Intervall von 95 %',
  'accuracy.title': 'Wie gut waren die Prognosen?',
  'accuracy.too_high': '{percent} zu hoch',
  'accuracy.too_low': '{percent} zu niedrig',

  'availability.calendar': 'Kalender freier Impressions',
  'availability.expected': 'Erwartete Impressions',
  'availability.free': 'Frei',
  'availability.free_of': '{free} frei',
  'availability.lead':
    'Wie viele Impressions die nächsten Tage haben, was davon verkauft und reserviert ist, und was frei ist. Für Targeting über Anzeigenblöcke hinaus berechnen Sie die Prognose eines Entwurfs.',
  'availability.method':
    'Erwartet: Mittel desselben Wochentags der letzten 28 Tage ({days, plural, one {# Tag} other {# Tage}} mit Anfragen), davon wurden {percent} der ausgelieferten Anzeigen gezeigt; im Bereich liegen 95 von 100 solchen Tagen. Ziele verteilen sich gleichmäßig auf die verbleibenden Tage und auf die Anzeigenblöcke ihres Targetings.',
  'availability.nobody': 'Niemand hat ihn gebucht.',
  'availability.range': 'insgesamt {low} bis {high}',
  'availability.reserved': 'Reserviert',
  'availability.reserved_of': '{reserved} reserviert',
  'availability.sold': 'Verkauft',
  'availability.sold_of': '{sold} verkauft',
  'availability.title': 'Verfügbarkeit',
  'availability.weeks': 'Wie weit',
  'availability.weeks_count': '{count, plural, one {# Woche} other {# Wochen}}',
  'availability.who': 'Wer ihn hat',

  'inventory.availability': 'Verfügbarkeit',
  'inventory.close': '{name} zuklappen',
  'inventory.cut':
    'Websites mit mehr als 500 Anzeigenblöcken zeigen die ersten 500. Die Tabelle der Anzeigenblöcke enthält alle.',
  'inventory.ecpm': 'eTKP',
  'inventory.ecpm_hint': 'Umsatz von tausend Gelegenheiten',
  'inventory.empty': 'Noch keine Websites. Legen Sie die erste unter „Websites“ an.',
  'inventory.fill': 'Füllrate',
  'inventory.fill_hint': 'Anteil der Gelegenheiten mit einer Anzeige',
  'inventory.floor': 'Mindestpreis',
  'inventory.floor_hint': 'Niedrigster Preis des Anzeigenblocks, TKP',
  'inventory.floor_of': 'Mindestpreis von {name}, TKP',
  'inventory.floor_saved': 'Der Mindestpreis von {name} ist jetzt {floor}.',
  'inventory.inspect': 'Untersuchen',
  'inventory.keys':
    'Tasten: ↑ ↓ Zeilen, → aufklappen, ← zuklappen, die Eingabetaste öffnet oder bearbeitet den Mindestpreis.',
  'inventory.lead':
    'Was jede Website, jeder Bereich und jeder Anzeigenblock in den letzten {days} ganzen Tagen hatte und einnahm.',
  'inventory.more': 'Mehr',
  'inventory.name': 'Name',
  'inventory.open': '{name} aufklappen',
  'inventory.price': 'Preis',
  'inventory.price_hint': 'Umsatz von tausend Impressions',
  'inventory.requests': 'Gelegenheiten',
  'inventory.requests_hint': 'Angefragte Slots',
  'inventory.title': 'Inventar',
} satisfies TextsOf<typeof EN_INVENTORY>;
