import type { EN_AUDIENCE } from './en-audience.ts';
import type { TextsOf } from './translation.ts';

/** Polish texts of audiences. */
export const PL_AUDIENCE = {
  'audience.column': 'Kolumna z identyfikatorami',
  'audience.do_ADD':
    '{count, plural, one {Dodaj # osobę} few {Dodaj # osoby} many {Dodaj # osób} other {Dodaj # osoby}}',
  'audience.do_REMOVE':
    '{count, plural, one {Usuń # osobę} few {Usuń # osoby} many {Usuń # osób} other {Usuń # osoby}}',
  'audience.do_REPLACE':
    '{count, plural, one {Zastąp wszystkich: # osoba} few {Zastąp wszystkich: # osoby} many {Zastąp wszystkich: # osób} other {Zastąp wszystkich: # osoby}}',
  'audience.done':
    '{lines, plural, one {Wczytano # wiersz} few {Wczytano # wiersze} many {Wczytano # wierszy} other {Wczytano # wiersza}}, {changed, plural, one {zmieniono # osobę} few {zmieniono # osoby} many {zmieniono # osób} other {zmieniono # osoby}}.',
  'audience.file': 'Plik',
  'audience.file_hint':
    'CSV lub tekst, jeden użytkownik w wierszu, do 100 MB. Zapisywane są tylko skróty identyfikatorów z kluczem.',
  'audience.found':
    '{count, plural, one {Znaleziono # identyfikator.} few {Znaleziono # identyfikatory.} many {Znaleziono # identyfikatorów.} other {Znaleziono # identyfikatora.}}',
  'audience.ids': 'Identyfikatory to',
  'audience.ids_aid': 'identyfikatory kont (aid)',
  'audience.ids_lu': 'identyfikatory first-party (lu)',
  'audience.mode': 'Co się stanie',
  'audience.mode_ADD': 'Dodaj do segmentu',
  'audience.mode_REMOVE': 'Usuń z segmentu',
  'audience.mode_REPLACE': 'Zastąp cały segment',
  'audience.refused':
    '{count, plural, one {Pominięto # wiersz:} few {Pominięto # wiersze:} many {Pominięto # wierszy:} other {Pominięto # wiersza:}}',
  'audience.refused_empty': 'Wiersz {line} nie ma identyfikatora.',
  'audience.refused_no_column': 'Wiersz {line} nie ma tej kolumny.',
  'audience.refused_too_long': 'Identyfikator w wierszu {line} ma ponad 200 znaków.',
  'audience.sending': 'Przesyłanie',
  'audience.too_large': 'Ten plik ma ponad 100 MB. Wyślij go przez POST /segments/<id>/members.',
  'audience.upload': 'Prześlij użytkowników',
} satisfies TextsOf<typeof EN_AUDIENCE>;
