import type { EN_STUDIO } from '../en/studio.ts';
import type { TextsOf } from '../en/translation.ts';

/** Polish texts of the creative studio. */
export const PL_STUDIO = {
  'studio.audio_unmeasured': 'Nie można odczytać długości tego dźwięku. Użyj innego pliku, na przykład MP3.',
  'studio.add':
    '{count, plural, one {Dodaj # kreację} few {Dodaj # kreacje} many {Dodaj # kreacji} other {Dodaj # kreacji}}',
  'studio.choose': 'Wybierz pliki…',
  'studio.done':
    '{count, plural, one {Dodano # kreację.} few {Dodano # kreacje.} many {Dodano # kreacji.} other {Dodano # kreacji.}} Są emitowane, gdy są zatwierdzone, a ich elementy zamówienia są aktywne.',
  'studio.drop': 'Upuść pliki tutaj albo wklej je',
  'studio.drop_hint':
    'Obrazy, paczki HTML5 (ZIP), filmy MP4 oraz tagi jako pliki HTML lub tekstowe; najwyżej {max} naraz.',
  'studio.file_done':
    '{count, plural, =0 {W bibliotece reklamodawcy.} one {W bibliotece reklamodawcy oraz w: {names}.} few {W bibliotece reklamodawcy oraz w: {names}.} many {W bibliotece reklamodawcy oraz w: {names}.} other {W bibliotece reklamodawcy oraz w: {names}.}}',
  'studio.files': 'Pliki',
  'studio.height': 'Wysokość',
  'studio.kilobytes': '{size} kB',
  'studio.kind_audio': 'Dźwięk',
  'studio.kind_bundle': 'Paczka HTML5',
  'studio.kind_image': 'Obraz',
  'studio.kind_markup': 'Tag',
  'studio.kind_video': 'Film',
  'studio.landing': 'Strona docelowa wszystkich plików',
  'studio.landing_hint': 'Dokąd prowadzi kliknięcie. Przejęta z kreacji, które kampania już ma.',
  'studio.lead':
    'Wiele plików naraz staje się kreacjami kampanii {campaign}. Każdy jest dopasowany do elementów zamówienia, które potrzebują jego rozmiaru.',
  'studio.left_out':
    '{count, plural, one {# plik nie jest kompletny.} few {# pliki nie są kompletne.} many {# plików nie jest kompletnych.} other {# plików nie jest kompletnych.}}',
  'studio.line_items': 'Elementy zamówienia',
  'studio.markup_too_long': 'Kod ma ponad 200 000 znaków.',
  'studio.missing': 'Rozmiary bez kreacji',
  'studio.missing_click': 'Podaj stronę docelową.',
  'studio.missing_line': '{name}: {sizes}',
  'studio.missing_more':
    '{count, plural, one {I jeszcze # element.} few {I jeszcze # elementy.} many {I jeszcze # elementów.} other {I jeszcze # elementu.}}',
  'studio.missing_name': 'Podaj nazwę.',
  'studio.missing_size': 'Podaj szerokość i wysokość: plik ich nie zawiera.',
  'studio.more_line_items':
    'Kampania ma {total} elementów zamówienia. Tutaj dopasowuje się {shown}; fragment nazwy znajduje inne.',
  'studio.name': 'Nazwa',
  'studio.no_line_item':
    'Żaden element zamówienia nie potrzebuje tego rozmiaru. Bez niego kreacja pozostaje w bibliotece reklamodawcy.',
  'studio.preview': 'Podgląd: {name}',
  'studio.read_only': 'Twoja rola nie pozwala tu na zmiany.',
  'studio.remove': 'Pomiń {name}',
  'studio.sending': 'Wysyłanie {name}',
  'studio.title': 'Dodaj kreacje',
  'studio.video_unmeasured': 'Nie można odczytać długości i rozmiaru tego filmu. Użyj pliku MP4.',
  'studio.width': 'Szerokość',
  'studio.without_file': 'Albo bez pliku:',
  'studio.kind_vast': 'Adres VAST',
  'studio.kind_native': 'Reklama natywna',
  'studio.missing_content': 'Wypełnij pola oznaczone *.',
  'content.html': 'Kod tagu',
  'content.html_hint': 'HTML w postaci od podmiotu trzeciego. Makra takie jak {macro} są zastępowane przy emisji.',
  'content.vast': 'Adres dokumentu VAST',
  'content.vast_hint': 'https, w postaci od podmiotu trzeciego; makra są zastępowane.',
  'content.seconds': 'Długość w sekundach',
  'content.seconds_hint': 'Filmu pod tym adresem.',
  'content.title': 'Nagłówek',
  'content.body': 'Tekst',
  'content.callToAction': 'Tekst przycisku',
  'content.sponsoredBy': 'Sponsor',
  'content.imageUrl': 'Adres obrazu',
  'content.imageWidth': 'Szerokość obrazu',
  'content.imageHeight': 'Wysokość obrazu',
  'content.iconUrl': 'Adres logo',
  'content.upload': 'Prześlij…',
  'content.upload_of': 'Prześlij: {name}',
} satisfies TextsOf<typeof EN_STUDIO>;
