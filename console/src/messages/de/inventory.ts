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
  'availability.sold_out': 'Ausverkauft. Andere Anzeigenblöcke dieser Größen haben freie Impressions:',
  'availability.device': 'Gerät',
  'availability.country': 'Land',
  'availability.from_to': '{low} bis {high}',
  'availability.lead':
    'Wie viele Impressions die nächsten Tage haben, und wie viele davon verkauft, reserviert und frei sind. Zwei Zahlen sind die Grenzen der freien Impressions.',
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

  'experiments.about_NO_LEARNING':
    'Werbebuchungen, die nach Klicks oder Conversions bezahlt werden, zählen mit üblichen Raten, etwa 0,1 % für Klicks. Es wird nichts ausprobiert.',
  'experiments.about_NO_PRICES':
    'Garantierte Ziele nehmen ihren Anteil am Plan vor allem, was nach Preis verkauft wird, wie in einem Adserver mit Prioritäten.',
  'experiments.arm': 'Entschieden',
  'experiments.arm_REST': 'wie immer',
  'experiments.arm_RULE': 'nach der Regel',
  'experiments.arms': 'Zahlen beider Teile',
  'experiments.begin': 'Beginnen',
  'experiments.difference': '{percent} ({range})',
  'experiments.differences': 'Unterschiede',
  'experiments.differences_lead':
    'Die Regel gegen den Rest, jeweils für tausend Anfragen, nach {days, plural, one {# ganzen Tag} other {# ganzen Tagen}}. In Klammern: wo der wahre Unterschied in 95 von 100 solchen Experimenten liegt.',
  'experiments.empty':
    'Ein Experiment zeigt, was die Entscheidungen von Placard wert sind: Über einen Teil der Nutzer entscheidet eine andere Regel, und die Berichte vergleichen beide Teile. Beginnen Sie mit einem Zehntel der Nutzer für vier Wochen.',
  'experiments.endsAt': 'Ende',
  'experiments.lead':
    'Über einen Teil der Nutzer entscheidet eine Zeit lang eine andere Regel, über den Rest wie immer: was der Unterschied wert ist.',
  'experiments.measure_CLICKS': 'Klicks',
  'experiments.measure_CONVERSIONS': 'Conversions',
  'experiments.measure_GUARANTEED_IMPRESSIONS': 'Garantierte Impressions',
  'experiments.measure_IMPRESSIONS': 'Impressions',
  'experiments.measure_REVENUE': 'Umsatz',
  'experiments.new': 'Neues Experiment',
  'experiments.no_interval': 'zu wenige Tage für ein Intervall',
  'experiments.no_requests': 'Noch keine Anfragen. Zahlen erscheinen innerhalb einer Minute nach der ersten.',
  'experiments.per_thousand': 'Umsatz von tausend Anfragen',
  'experiments.range': '{low} bis {high}',
  'experiments.requests': 'Anfragen',
  'experiments.rule': 'Der Anteil wird entschieden',
  'experiments.rule_NO_LEARNING': 'ohne das Gelernte',
  'experiments.rule_NO_PRICES': 'ohne Gebote der Ziele',
  'experiments.share': 'Anteil der Nutzer, Prozent',
  'experiments.share_hint':
    '1 bis 50. Ein kleinerer Anteil kostet weniger und braucht länger, bis er einen Unterschied zeigt.',
  'experiments.show_results': 'Ergebnisse zeigen',
  'experiments.show_results_name': 'Ergebnisse von {name} zeigen',
  'experiments.startsAt': 'Beginn',
  'experiments.state_ENDED': 'Beendet',
  'experiments.state_RUNNING': 'Läuft',
  'experiments.state_SCHEDULED': 'Geplant',
  'experiments.stop': 'Beenden',
  'experiments.stop_name': '{name} beenden',
  'experiments.stop_text':
    'Über alle Nutzer wird ab jetzt wie immer entschieden. Die Ergebnisse bleiben. Ein beendetes Experiment kann nicht weitergehen.',
  'experiments.verdict_early':
    'Noch zu früh: bisher {days, plural, one {# ganzer Tag} other {# ganze Tage}}, mindestens drei sind nötig.',
  'experiments.verdict_less':
    'Nach der Regel erlösen Anfragen {percent} ({range}) gegenüber dem Rest: Was die Regel weglässt, lohnt sich.',
  'experiments.verdict_more':
    'Nach der Regel erlösen Anfragen {percent} ({range}) gegenüber dem Rest: Was die Regel weglässt, kostet hier Umsatz.',
  'experiments.verdict_none': 'Noch ist kein Unterschied im Umsatz zu erkennen: Er liegt irgendwo von {range}.',
  'experiments.what': '{share} der Nutzer, {rule}',
  'experiments.when': '{from} – {to}',
  'experiments.zone': 'Uhrzeiten gelten für {timezone}.',

  'inventory.availability': 'Verfügbarkeit',
  'inventory.close': '{name} zuklappen',
  'inventory.cut':
    'Websites mit mehr als 500 Anzeigenblöcken zeigen die ersten 500. Die Tabelle der Anzeigenblöcke enthält alle.',
  'inventory.ecpm': 'eTKP',
  'inventory.ecpm_hint': 'Umsatz von tausend Gelegenheiten',
  'inventory.empty': 'Noch keine Websites. Eine Website hat Bereiche und Anzeigenblöcke, die Werbung anfordern.',
  'inventory.first': 'Erste Website anlegen',
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
} satisfies TextsOf<typeof EN_INVENTORY>;
