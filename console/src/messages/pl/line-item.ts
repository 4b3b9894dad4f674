import type { EN_LINE_ITEM } from '../en/line-item.ts';
import type { TextsOf } from '../en/translation.ts';

/** Polish texts of a line item. */
export const PL_LINE_ITEM = {
  'approval.title': 'Akceptacja',
  'approval.MISSING': 'Zanim ruszy emisja, inny członek zespołu musi zaakceptować tę rezerwację.',
  'approval.MISSING_LIVE':
    'Ta rezerwacja jest w emisji, a jej obecnych warunków nie zaakceptował żaden inny członek zespołu.',
  'approval.REQUESTED': '{name} prosi o akceptację. Może jej udzielić ktoś, kto tego nie rezerwował.',
  'approval.APPROVED': 'Zaakceptowano: {name}.',
  'approval.request': 'Poproś o akceptację',
  'approval.approve': 'Zaakceptuj rezerwację',

  'comments.title': 'Komentarze',
  'comments.empty': 'Nikt jeszcze nic nie napisał.',
  'comments.label': 'Twój komentarz',
  'comments.mention': 'Powiadom',
  'comments.add': 'Skomentuj',
  'comments.delete': 'Usuń komentarz: {name}',

  'creative_status.ACTIVE': 'Aktywna',
  'creative_status.ARCHIVED': 'Zarchiwizowana',
  'creative_status.PAUSED': 'Wstrzymana',

  'creatives.empty': 'Nie ma kreacji, więc nie może być emitowany.',
  'creatives.format': 'Format',
  'creatives.more': 'Pierwsze {shown} z {total} kreacji.',
  'creatives.review': 'Weryfikacja',
  'creatives.title': 'Kreacje',

  'diagnosis.after': 'Potem',
  'diagnosis.apply': 'Wprowadź tę zmianę',
  'diagnosis.apply_short': 'Zastosuj',
  'diagnosis.before': 'Teraz',
  'diagnosis.by_hour': 'Wygrane i przegrane według godzin',
  'diagnosis.changed': 'Zmianę wprowadzono.',
  'diagnosis.conflict': 'Od tej porady ktoś coś zmienił. Zamknij to okno, obejrzyj nową poradę i zdecyduj jeszcze raz.',
  'diagnosis.confirm': 'Wprowadzić tę zmianę?',
  'diagnosis.gain':
    'Około {count} {impressions, plural, one {wyświetlenie} few {wyświetlenia} many {wyświetleń} other {wyświetlenia}} więcej w {hours} godz., jeśli reszta się nie zmieni.',
  'diagnosis.hour': 'Godzina',
  'diagnosis.missing': 'Ta zmiana wymaga więcej: {fields}. Wprowadź ją przez API.',
  'diagnosis.missing_here': 'Ta zmiana wymaga więcej: {fields}.',
  'diagnosis.none': 'Zmiana nie jest potrzebna.',
  'diagnosis.object': 'To zmienia {kind} „{name}”.',
  'diagnosis.open_advertiser': 'Otwórz reklamodawcę',
  'diagnosis.together': 'Te zmiany pomogą tylko razem',
  'diagnosis.other_changes': 'Inne zmiany, które coś dadzą',
  'diagnosis.others': 'inne powody',
  'diagnosis.outcomes':
    'Wyniki {opportunities} {count, plural, one {okazji} few {okazji} many {okazji} other {okazji}} z ostatnich {hours} godz.',
  'diagnosis.rivals': 'Kto wygrał zamiast niego',
  'diagnosis.title': 'Dlaczego emisja tak przebiega?',
  'diagnosis.won': 'wygrane',

  'forecast_record.ARCHIVED': 'Bez oceny: element zamówienia zarchiwizowano w czasie emisji.',
  'forecast_record.CHANGED': 'Bez oceny: element zamówienia zmieniono. Powstanie nowa prognoza.',
  'forecast_record.PAUSED': 'Bez oceny: element zamówienia wstrzymano w czasie emisji.',
  'forecast_record.SAMPLE_TOO_YOUNG': 'Nie ma prognozy: próba obejmowała mniej niż dzień ruchu.',
  'forecast_record.TOO_LARGE': 'Nie ma prognozy: obliczenia trwały za długo.',
  'forecast_record.above': 'Wyemitowano: {delivered}, powyżej przedziału 95 % (od {low} do {high}).',
  'forecast_record.below': 'Wyemitowano: {delivered}, poniżej przedziału 95 % (od {low} do {high}).',
  'forecast_record.inside': 'Wyemitowano: {delivered}, w granicach przedziału.',
  'forecast_record.made':
    'Prognoza z {day}: {impressions} {count, plural, one {wyświetlenie} few {wyświetlenia} many {wyświetleń} other {wyświetlenia}} do końca emisji (80 %: od {low} do {high}).',
  'forecast_record.open': 'Dzień po końcu, {day}, prognoza zostanie porównana z emisją.',
  'forecast_record.title': 'Prognoza i emisja',
  'forecast_record.wide': 'Wyemitowano: {delivered}, w granicach przedziału 95 % (od {low} do {high}).',

  'item.chart': 'Wyemitowano według dni',
  'item.chart_cumulative': 'Wyemitowano od początku',
  'item.chart_day': 'Dzień',
  'item.chart_delivered': 'Wyemitowano',
  'item.chart_description': '{title}. Tabela poniżej zawiera każdą wartość.',
  'item.chart_empty': 'W tych dniach nic nie policzono.',
  'item.chart_goal': 'Cel dzienny',
  'item.chart_high': 'Prawdopodobnie najwyżej',
  'item.chart_low': 'Prawdopodobnie co najmniej',
  'item.chart_numbers': 'Pokaż liczby',
  'item.chart_plan': 'Plan',
  'item.chart_projected': 'Przewidywane',
  'item.chart_today': 'Dziś',
  'item.missing': 'W tej sieci nie ma elementu zamówienia {id}.',
  'item.money': 'Pieniądze',
  'item.open_lens': 'Otwórz w Lens',
  'item.price': 'Cena',
  'item.spend_today': 'Przychód dzisiaj',
  'item.value': 'Wartość celu',
  'item.value_day': 'Wartość celu dziennego',

  'item_action.copy': 'Powiel…',
  'item_action.edit': 'Edytuj…',
  'item_action.split': 'Podziel…',

  'kind.AdUnit': 'jednostkę reklamową',
  'kind.Advertiser': 'reklamodawcę',
  'kind.Area': 'obszar',
  'kind.Campaign': 'kampanię',
  'kind.Creative': 'kreację',
  'kind.Deal': 'umowę (deal)',
  'kind.LineItem': 'element zamówienia',
  'kind.Network': 'sieć',
  'kind.Segment': 'segment',
  'kind.Site': 'witrynę',

  'panel.close': 'Zamknij panel',
  'panel.full': 'Cała strona',

  'test.better':
    '„{second}” jest klikana o {lift} częściej niż „{first}” (p = {p}; wskaźniki różnią się o {low} do {high}; {n2} i {n1} wyświetleń).',
  'test.method':
    'Test z dla dwóch proporcji na CTR, przedział 95%. Kreacje rotowane według skuteczności nie są pokazywane losowo: wtedy to wskazówka, nie dowód.',
  'test.open':
    '„{first}” i „{second}”: nie widać jeszcze różnicy (p = {p}; {n1} i {n2} wyświetleń). Taka różnica wymaga około {needed} wyświetleń każdej.',
  'test.title': 'Którą kreację klika się częściej?',
  'test.too_little': '„{first}” i „{second}”: za mało kliknięć do porównania ({n1} i {n2} wyświetleń).',
  'test.worse':
    '„{second}” jest klikana o {lift} rzadziej niż „{first}” (p = {p}; wskaźniki różnią się o {low} do {high}; {n2} i {n1} wyświetleń).',
} satisfies TextsOf<typeof EN_LINE_ITEM>;
