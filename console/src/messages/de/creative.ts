import type { EN_CREATIVE } from '../en/creative.ts';
import type { TextsOf } from '../en/translation.ts';

/** German texts of the page of a creative. */
export const DE_CREATIVE = {
  'creative.background': 'Hintergrund der Seite',
  'creative.bytes': 'Gewicht der Dateien',
  'creative.clean': 'Nichts daran ist zweifelhaft.',
  'creative.click_macro': 'Klick-Makro',
  'creative.copied': 'Der Vorschaulink ist kopiert. Er gilt bis {at}; dort wird nichts gezählt.',
  'creative.copy_link': 'Vorschaulink kopieren',
  'creative.figures': '{impressions} Impressions, {clicks} Klicks, CTR {rate} in {days} Tagen',
  'creative.format': 'Format',
  'creative.frame': 'Die Anzeige „{name}“',
  'creative.hosts': 'Genannte Hosts',
  'creative.in_list': 'In der Liste bearbeiten',
  'creative.kilobytes': '{size} kB',
  'creative.not_needed': 'Nicht nötig',
  'creative.on_dark': 'Dunkle Seite',
  'creative.on_light': 'Helle Seite',
  'creative.reason': 'Bemerkung der Prüfung',
  'creative.scan': 'Gewicht und Prüfung des Codes',
  'creative.secure': 'Alle Adressen sind https',
  'creative.size': 'Größe',
  'creative.stage': 'Die Anzeige',
  'creative.target': 'Ein Klick führt zu',
  'creative.uncounted': 'Hier wird nichts gezählt.',
  'creative.unused': 'Keine Werbebuchung verwendet es.',
  'creative.uses': 'Werbebuchungen, die es verwenden',
} satisfies TextsOf<typeof EN_CREATIVE>;
