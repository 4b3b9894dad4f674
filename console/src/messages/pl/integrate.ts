import type { EN_INTEGRATE } from '../en/integrate.ts';
import type { TextsOf } from '../en/translation.ts';

/** Polish texts of the page that brings ads into pages and programs. */
export const PL_INTEGRATE = {
  'integrate.about_amp': 'Strony AMP nie uruchamiają Twoich skryptów: ramka zawiera stronę z tą jednostką reklamową.',
  'integrate.about_curl': 'Do powłoki. Każde uruchomienie to osobne żądanie; bez reklamy odpowiedź jest pusta.',
  'integrate.about_openrtb':
    'Treść żądania do punktu końcowego licytacji. Każde żądanie musi mieć własny identyfikator.',
  'integrate.about_prebid': 'Na stronę z Prebid.js, który zawiera adapter Placard.',
  'integrate.about_react': 'Wymaga pakietów @placard/react i @placard/tag.',
  'integrate.about_tag': 'Skrypt raz na stronie, element tam, gdzie ma być reklama.',
  'integrate.about_typescript':
    'Wymaga pakietu @placard/client. Nie zlicza odsłony: robi to program, który pokazuje reklamę.',
  'integrate.about_vast':
    'Do ustawień reklam odtwarzacza wideo: adres jednej reklamy i adres wszystkich przerw reklamowych (VMAP).',
  'integrate.ad_unit': 'Jednostka reklamowa',
  'integrate.check': 'Czekaj na pierwsze żądanie',
  'integrate.check_again': 'Czekaj ponownie',
  'integrate.check_found': 'Strona żąda reklam.',
  'integrate.check_lead':
    'Uruchom oczekiwanie, a potem otwórz swoją stronę z fragmentem kodu. Liczą się żądania każdej strony z tą jednostką.',
  'integrate.check_starts': 'Oczekiwanie się rozpoczyna…',
  'integrate.check_title': 'Czy Twoja strona żąda reklam?',
  'integrate.check_waits': 'Od początku oczekiwania nie było żądania. Otwórz swoją stronę.',
  'integrate.copied': 'Skopiowano',
  'integrate.drawing': 'Odpowiedź nadeszła.',
  'integrate.empty': 'Żadna reklama nie pasuje do tego żądania.',
  'integrate.failed': 'Żądanie nie powiodło się. Być może przeglądarka nie ma dostępu do serwera reklam.',
  'integrate.filled': 'Reklama jest wyświetlana.',
  'integrate.frame': 'Jednostka reklamowa tak, jak pokazuje ją strona',
  'integrate.kinds': 'Sposoby żądania reklam',
  'integrate.lead': 'Kod dla stron i programów, który działa bez zmian, oraz podgląd jego działania.',
  'integrate.request': 'Żądanie',
  'integrate.response': 'Odpowiedź (HTTP {status})',
  'integrate.snippet': 'Fragment kodu',
  'integrate.start': 'Wybierz jednostkę reklamową.',
  'integrate.step_impression': '{count, plural, one {# odsłona} few {# odsłony} many {# odsłon} other {# odsłony}}',
  'integrate.step_request': '{count, plural, one {# żądanie} few {# żądania} many {# żądań} other {# żądania}}',
  'integrate.step_served':
    '{count, plural, one {# żądanie z reklamą} few {# żądania z reklamą} many {# żądań z reklamą} other {# żądania z reklamą}}',
  'integrate.tag': 'Tag strony',
  'integrate.title': 'Integracja',
  'integrate.try_note': 'To prawdziwe żądanie: wyświetlona reklama liczy się jako odsłona.',
  'integrate.unknown': 'Ta sieć nie ma takiej jednostki reklamowej.',
  'integrate.waiting': 'Żądanie zostało wysłane…',
} satisfies TextsOf<typeof EN_INTEGRATE>;
