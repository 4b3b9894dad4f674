import type { EN_INVENTORY } from '../en/inventory.ts';
import type { TextsOf } from '../en/translation.ts';

/** Polish texts of the inventory tree, of availability and of uploads to segments. */
export const PL_INVENTORY = {
  'accuracy.bias': 'Wszystkie razem',
  'accuracy.flights':
    '{count, plural, one {# emisja z prognozą zakończyła się} few {# emisje z prognozą zakończyły się} many {# emisji z prognozą zakończyło się} other {# emisji z prognozą zakończyło się}} w ostatnich {days} dniach.',
  'accuracy.likely': 'W przedziale 80 %',
  'accuracy.median': 'Mediana błędu',
  'accuracy.method':
    'Prognoza powstaje, gdy element zamówienia staje się aktywny lub się zmienia, a dzień po jego emisji jest porównywana z wynikiem.',
  'accuracy.none': 'Nie zakończyła się jeszcze żadna emisja z prognozą.',
  'accuracy.not_scored':
    '{count, plural, one {# prognoza nie ma} few {# prognozy nie mają} many {# prognoz nie ma} other {# prognozy nie ma}} oceny, bo element zamówienia wstrzymano lub zmieniono.',
  'accuracy.possible': 'W przedziale 95 %',
  'accuracy.title': 'Jak dobre były prognozy?',
  'accuracy.too_high': '{percent} za wysoko',
  'accuracy.too_low': '{percent} za nisko',

  'availability.calendar': 'Kalendarz wolnych wyświetleń',
  'availability.expected': 'Oczekiwane wyświetlenia',
  'availability.free': 'Wolne',
  'availability.free_of': 'wolne: {free}',
  'availability.sold_out': 'Wyprzedane. Inne jednostki w tych rozmiarach mają wolne wyświetlenia:',
  'availability.device': 'Urządzenie',
  'availability.country': 'Kraj',
  'availability.from_to': '{low} do {high}',
  'availability.lead':
    'Ile wyświetleń mają najbliższe dni, a ile z nich jest sprzedanych, zarezerwowanych i wolnych. Dwie liczby to granice wolnych wyświetleń.',
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

  'experiments.about_NO_LEARNING':
    'Pozycje płatne za kliknięcia lub konwersje są wyceniane według zwykłych współczynników, na przykład 0,1 % kliknięć. Nic nie jest próbowane.',
  'experiments.about_NO_PRICES':
    'Gwarantowane cele biorą swoją część planu przed wszystkim, co sprzedaje się według ceny, jak w serwerze reklam z priorytetami.',
  'experiments.arm': 'Decyzja',
  'experiments.arm_REST': 'jak zawsze',
  'experiments.arm_RULE': 'według reguły',
  'experiments.arms': 'Liczby obu części',
  'experiments.begin': 'Rozpocznij',
  'experiments.difference': '{percent} ({range})',
  'experiments.differences': 'Różnice',
  'experiments.differences_lead':
    'Reguła wobec reszty, na tysiąc żądań, według {days, plural, one {# pełnego dnia} few {# pełnych dni} many {# pełnych dni} other {# pełnego dnia}}. W nawiasie: gdzie leży prawdziwa różnica w 95 na 100 takich eksperymentów.',
  'experiments.empty':
    'Eksperyment pokazuje, ile są warte decyzje Placard: o części użytkowników decyduje inna reguła, a raporty porównują obie części. Zacznij od jednej dziesiątej użytkowników przez cztery tygodnie.',
  'experiments.endsAt': 'Koniec',
  'experiments.lead':
    'O części użytkowników przez pewien czas decyduje inna reguła, o reszcie jak zawsze: ile warta jest różnica.',
  'experiments.measure_CLICKS': 'Kliknięcia',
  'experiments.measure_CONVERSIONS': 'Konwersje',
  'experiments.measure_GUARANTEED_IMPRESSIONS': 'Gwarantowane wyświetlenia',
  'experiments.measure_IMPRESSIONS': 'Wyświetlenia',
  'experiments.measure_REVENUE': 'Przychód',
  'experiments.new': 'Nowy eksperyment',
  'experiments.no_interval': 'za mało dni na przedział',
  'experiments.no_requests': 'Nie ma jeszcze żądań. Liczby pojawią się w ciągu minuty od pierwszego.',
  'experiments.per_thousand': 'Przychód z tysiąca żądań',
  'experiments.range': '{low} do {high}',
  'experiments.requests': 'Żądania',
  'experiments.rule': 'O części decyduje się',
  'experiments.rule_NO_LEARNING': 'bez tego, czego się nauczono',
  'experiments.rule_NO_PRICES': 'bez ofert celów',
  'experiments.share': 'Część użytkowników, procent',
  'experiments.share_hint': 'Od 1 do 50. Mniejsza część kosztuje mniej i dłużej pokazuje różnicę.',
  'experiments.show_results': 'Pokaż wyniki',
  'experiments.show_results_name': 'Pokaż wyniki: {name}',
  'experiments.startsAt': 'Początek',
  'experiments.state_ENDED': 'Zakończony',
  'experiments.state_RUNNING': 'Trwa',
  'experiments.state_SCHEDULED': 'Zaplanowany',
  'experiments.stop': 'Zakończ',
  'experiments.stop_name': 'Zakończ: {name}',
  'experiments.stop_text':
    'Od teraz o wszystkich użytkownikach decyduje się jak zawsze. Wyniki zostają. Zakończonego eksperymentu nie można wznowić.',
  'experiments.verdict_early':
    'Za wcześnie: na razie {days, plural, one {# pełny dzień} few {# pełne dni} many {# pełnych dni} other {# pełnego dnia}}, potrzebne są co najmniej trzy.',
  'experiments.verdict_less':
    'Według reguły żądania przynoszą {percent} ({range}) wobec reszty: to, co reguła pomija, jest tego warte.',
  'experiments.verdict_more':
    'Według reguły żądania przynoszą {percent} ({range}) wobec reszty: to, co reguła pomija, kosztuje tu przychód.',
  'experiments.verdict_none': 'Nie widać jeszcze różnicy w przychodzie: leży gdzieś od {range}.',
  'experiments.what': '{share} użytkowników, {rule}',
  'experiments.when': '{from} – {to}',
  'experiments.zone': 'Godziny w strefie {timezone}.',

  'inventory.availability': 'Dostępność',
  'inventory.close': 'Zwiń: {name}',
  'inventory.cut':
    'Witryny z ponad 500 jednostkami reklamowymi pokazują pierwsze 500. Tabela jednostek reklamowych ma wszystkie.',
  'inventory.ecpm': 'eCPM',
  'inventory.ecpm_hint': 'Przychód z tysiąca okazji',
  'inventory.empty': 'Nie ma jeszcze witryn. Witryna ma sekcje i jednostki reklamowe, które proszą o reklamy.',
  'inventory.first': 'Utwórz pierwszą witrynę',
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
} satisfies TextsOf<typeof EN_INVENTORY>;
