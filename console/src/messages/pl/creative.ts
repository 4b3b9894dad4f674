import type { EN_CREATIVE } from '../en/creative.ts';
import type { TextsOf } from '../en/translation.ts';

/** Polish texts of the page of a creative. */
export const PL_CREATIVE = {
  'creative.background': 'Tło strony',
  'creative.bytes': 'Waga plików',
  'creative.clean': 'Nic w niej nie budzi wątpliwości.',
  'creative.click_macro': 'Makro kliknięcia',
  'creative.copied': 'Skopiowano link podglądu. Działa do {at}; nic tam nie jest liczone.',
  'creative.copy_link': 'Kopiuj link podglądu',
  'creative.figures': '{impressions} wyświetleń, {clicks} kliknięć, CTR {rate} w {days} dni',
  'creative.format': 'Format',
  'creative.frame': 'Reklama „{name}”',
  'creative.hosts': 'Wymienione hosty',
  'creative.in_list': 'Edytuj na liście',
  'creative.kilobytes': '{size} kB',
  'creative.not_needed': 'Niepotrzebne',
  'creative.on_dark': 'Ciemna strona',
  'creative.on_light': 'Jasna strona',
  'creative.reason': 'Uwaga weryfikacji',
  'creative.scan': 'Waga i skan',
  'creative.secure': 'Wszystkie adresy są https',
  'creative.size': 'Rozmiar',
  'creative.stage': 'Reklama',
  'creative.target': 'Kliknięcie prowadzi do',
  'creative.uncounted': 'Tu nic nie jest liczone.',
  'creative.unused': 'Żaden element zamówienia jej nie używa.',
  'creative.uses': 'Elementy zamówienia, które jej używają',
} satisfies TextsOf<typeof EN_CREATIVE>;
