import type { EN_AUDIENCE } from '../en/audience.ts';
import type { TextsOf } from '../en/translation.ts';

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
  'rule.activity': 'Aktywność',
  'rule.add': 'Dodaj warunek',
  'rule.any_event': 'każde zdarzenie',
  'rule.any_value': 'dowolna wartość',
  'rule.condition': 'Warunek {number}',
  'rule.emptied':
    'Segment ze zmienioną regułą zaczyna od zera. {count, plural, =0 {Teraz nikogo w nim nie ma.} one {Po zapisaniu opuści go # osoba, także przesłana.} few {Po zapisaniu opuszczą go # osoby, także przesłane.} many {Po zapisaniu opuści go # osób, także przesłanych.} other {Po zapisaniu opuści go # osoby, także przesłanej.}}',
  'rule.event': 'Zdarzenie',
  'rule.key': 'Klucz',
  'rule.kind_activity': 'Aktywność',
  'rule.kind_keyValue': 'Klucz i wartość',
  'rule.remove': 'Usuń warunek {number}',
  'rule.rule': 'Z przesłanych plików i według reguły',
  'rule.said': 'Do segmentu trafia się przez: {conditions}.',
  'rule.said_activity': 'dowolne zdarzenie aktywności',
  'rule.said_event': 'zdarzenie {event} aktywności',
  'rule.said_key': 'żądanie z kluczem {key}',
  'rule.said_values': 'żądanie z {key} = {values}',
  'rule.source': 'Osoby trafiają do segmentu',
  'rule.title': 'Jak trafia się do segmentu',
  'rule.uploads': 'Tylko z przesłanych plików',
  'rule.values': 'Wartości',
  'rule.what': 'Co',
  'size.change_fewer':
    'Teraz {size, plural, one {# osoba} few {# osoby} many {# osób} other {# osoby}}, o {by, number} mniej niż {days, plural, one {# dzień} few {# dni} many {# dni} other {# dnia}} temu.',
  'size.change_more':
    'Teraz {size, plural, one {# osoba} few {# osoby} many {# osób} other {# osoby}}, o {by, number} więcej niż {days, plural, one {# dzień} few {# dni} many {# dni} other {# dnia}} temu.',
  'size.change_same':
    'Teraz {size, plural, one {# osoba} few {# osoby} many {# osób} other {# osoby}}, tyle samo co {days, plural, one {# dzień} few {# dni} many {# dni} other {# dnia}} temu.',
  'size.day': 'Dzień',
  'size.description': 'Liczba osób w kolejnych dniach; liczby są w tabeli poniżej.',
  'size.members': 'Osoby',
  'size.new':
    'Teraz {size, plural, one {# osoba} few {# osoby} many {# osób} other {# osoby}}. Wielkość jest zapisywana raz dziennie; wykres zacznie się jutro.',
  'size.numbers': 'Liczby',
  'size.range': 'Pokazane dni',
  'size.title': 'Wielkość w czasie',
  'size.today': '{date}, teraz',
} satisfies TextsOf<typeof EN_AUDIENCE>;
