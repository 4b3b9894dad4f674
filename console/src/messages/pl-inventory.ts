/** Polish texts of the inventory tree, of availability and of uploads to segments. */
export const PL_INVENTORY = {
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

  'availability.calendar': 'Kalendarz wolnych wyświetleń',
  'availability.expected': 'Oczekiwane wyświetlenia',
  'availability.free': 'Wolne',
  'availability.free_of': 'wolne: {free}',
  'availability.lead':
    'Ile wyświetleń mają najbliższe dni, co z nich jest sprzedane i zarezerwowane, a co wolne. Dla targetowania szerszego niż jednostki reklamowe policz prognozę szkicu.',
  'availability.method':
    'Oczekiwane: średnia tego samego dnia tygodnia z ostatnich 28 dni ({days, plural, one {# dzień} few {# dni} many {# dni} other {# dnia}} z żądaniami), z czego pokazano {percent} wyemitowanych reklam; w przedziale mieści się 95 na 100 takich dni. Cele rozkładają się równo na pozostałe dni i na jednostki reklamowe z ich targetowania.',
  'availability.nobody': 'Nikt go nie zarezerwował.',
  'availability.range': 'łącznie od {low} do {high}',
  'availability.reserved': 'Zarezerwowane',
  'availability.reserved_of': 'zarezerwowane: {reserved}',
  'availability.sold': 'Sprzedane',
  'availability.sold_of': 'sprzedane: {sold}',
  'availability.title': 'Dostępność',
  'availability.weeks': 'Jak daleko',
  'availability.weeks_count': '{count, plural, one {# tydzień} few {# tygodnie} many {# tygodni} other {# tygodnia}}',
  'availability.who': 'Kto go ma',
  'nav.availability': 'Dostępność',

  'inventory.availability': 'Dostępność',
  'inventory.close': 'Zwiń: {name}',
  'inventory.cut':
    'Witryny z ponad 500 jednostkami reklamowymi pokazują pierwsze 500. Tabela jednostek reklamowych ma wszystkie.',
  'inventory.ecpm': 'eCPM',
  'inventory.ecpm_hint': 'Przychód z tysiąca okazji',
  'inventory.empty': 'Nie ma jeszcze witryn. Utwórz pierwszą na stronie „Witryny”.',
  'inventory.fill': 'Wypełnienie',
  'inventory.fill_hint': 'Część okazji, które dostały reklamę',
  'inventory.floor': 'Cena minimalna',
  'inventory.floor_hint': 'Najniższa cena jednostki reklamowej, CPM',
  'inventory.floor_of': 'Cena minimalna: {name}, CPM',
  'inventory.floor_saved': 'Cena minimalna {name} to teraz {floor}.',
  'inventory.inspect': 'Zbadaj',
  'inventory.keys': 'Klawisze: ↑ ↓ wiersze, → rozwiń, ← zwiń, Enter otwiera lub edytuje cenę minimalną.',
  'inventory.lead':
    'Co każda witryna, obszar i jednostka reklamowa miała i zarobiła w ostatnich {days} pełnych dniach.',
  'inventory.more': 'Więcej',
  'inventory.name': 'Nazwa',
  'inventory.open': 'Rozwiń: {name}',
  'inventory.price': 'Cena',
  'inventory.price_hint': 'Przychód z tysiąca wyświetleń',
  'inventory.requests': 'Okazje',
  'inventory.requests_hint': 'Miejsca, o które pytano',
  'inventory.title': 'Powierzchnia',
  'nav.inventory_tree': 'Powierzchnia',
} as const;
