import type { EN_DELIVERY } from '../en/delivery.ts';
import type { TextsOf } from '../en/translation.ts';

/** Polish texts about delivery. A cause follows "ponieważ". */
export const PL_DELIVERY = {
  'delivery_text.GOAL': 'Zrealizował {delivered} z celu {amount}.',
  'delivery_text.GOAL_EXPECTED': 'Zrealizował {delivered} z celu {amount}; plan oczekuje do tej pory {expected}.',
  'delivery_text.SEEN':
    'Z około {opportunities} {opportunitiesCount, plural, one {okazji} few {okazji} many {okazji} other {okazji}} z ostatnich {hours} godz. do jego rezerwacji {inReachCount, plural, one {pasuje} few {pasują} many {pasuje} other {pasuje}} {inReach}, a wykorzystał {won} ({percent}).',
  'delivery_text.DELIVERING': 'To większość z tych, które były dla niego.',
  'delivery_text.TOO_LITTLE': 'Więcej nie ma, a to za mało na jego cel.',
  'delivery_text.NOT_SHOWN':
    'Jego reklamy są w odpowiedziach, ale strony ich nie pokazują: pokazano {impressions} z {responses}.',
  'delivery_text.MOST_LOST': 'Większość pozostałych przepadła, ponieważ',
  'delivery_text.RIVAL': 'Najczęściej wygrywał {name} ({type}, poziom {level}, CPM {bid}).',
  'delivery_text.ALONE':
    'Tylko przez to {opportunitiesCount, plural, one {przepadła {opportunities} okazja} few {przepadły {opportunities} okazje} many {przepadło {opportunities} okazji} other {przepadło {opportunities} okazji}}.',
  'delivery_text.AND_BECAUSE': 'Ponadto',
  'delivery_text.TOGETHER':
    'Z tych powodów łącznie {opportunitiesCount, plural, one {przepadła {opportunities} okazja} few {przepadły {opportunities} okazje} many {przepadło {opportunities} okazji} other {przepadło {opportunities} okazji}}.',
  'delivery_text.CANNOT_SERVE': 'Nie może być teraz emitowany, ponieważ',
  'delivery_text.DID_NOT_SERVE': 'Nie był emitowany, ponieważ',
  'delivery_text.NO_SAMPLE': 'Może być emitowany. Wyniki jego okazji są teraz nieznane.',
  'delivery_text.NO_TRAFFIC_FOR':
    'W ostatnich {hours} godzinach nikt nie pytał o {object, select, SITE {jego witrynę} AREA {jego obszar} other {jego jednostkę reklamową}}.',
  'delivery_text.NO_TRAFFIC': 'W ostatnich {hours} godz. nie było żądań.',
  'delivery_text.UNKNOWN': 'Emisja nie zna tego elementu zamówienia.',

  'delivery_text.BECAUSE_LINE_ITEM_STATUS':
    'jest {status, select, PAUSED {wstrzymany} DRAFT {szkicem} RESERVED {tylko zarezerwowany} COMPLETED {zakończony} ARCHIVED {zarchiwizowany} other {nieaktywny}}.',
  'delivery_text.BECAUSE_PARENT_STATUS':
    '{object, select, ADVERTISER {jego reklamodawca jest {status, select, PAUSED {wstrzymany} DRAFT {szkicem} RESERVED {tylko zarezerwowany} COMPLETED {zakończony} ARCHIVED {zarchiwizowany} other {nieaktywny}}} CAMPAIGN {jego kampania jest {status, select, PAUSED {wstrzymana} DRAFT {szkicem} RESERVED {tylko zarezerwowana} COMPLETED {zakończona} ARCHIVED {zarchiwizowana} other {nieaktywna}}} other {jego umowa (deal) jest {status, select, PAUSED {wstrzymana} DRAFT {szkicem} RESERVED {tylko zarezerwowana} COMPLETED {zakończona} ARCHIVED {zarchiwizowana} other {nieaktywna}}}}.',
  'delivery_text.BECAUSE_NETWORK_STATUS': 'sieć jest {status, select, PAUSED {wstrzymana} other {zawieszona}}.',
  'delivery_text.BECAUSE_FLIGHT_NOT_BEGUN': 'jego czas emisji zaczyna się dopiero {at}.',
  'delivery_text.BECAUSE_FLIGHT_OVER': 'jego czas emisji skończył się {at}.',
  'delivery_text.BECAUSE_PARENT_FLIGHT_NOT_BEGUN':
    'czas emisji {object, select, CAMPAIGN {jego kampanii} other {jego umowy (deal)}} zaczyna się dopiero {at}.',
  'delivery_text.BECAUSE_PARENT_FLIGHT_OVER':
    'czas emisji {object, select, CAMPAIGN {jego kampanii} other {jego umowy (deal)}} skończył się {at}.',
  'delivery_text.BECAUSE_TARGET_STATUS':
    'jego targetowanie wymaga {object, select, SITE {witryny {name}, która jest {state, select, ARCHIVED {zarchiwizowana} other {nieaktywna}}} AREA {obszaru {name}, który jest {state, select, ARCHIVED {zarchiwizowany} other {nieaktywny}}} AD_UNIT {jednostki reklamowej {name}, która jest {state, select, ARCHIVED {zarchiwizowana} other {nieaktywna}}} other {segmentu {name}, który jest {state, select, ARCHIVED {zarchiwizowany} other {nieaktywny}}}}.',
  'delivery_text.BECAUSE_CREATIVE': 'żadnej z jego kreacji nie można pokazać.',
  'delivery_text.BECAUSE_CREATIVE_NONE': 'nie ma kreacji.',
  'delivery_text.BECAUSE_CREATIVE_COMPANIONS': 'wszystkie jego kreacje towarzyszą innej kreacji.',
  'delivery_text.BECAUSE_CREATIVE_PENDING': 'jego kreacje czekają na weryfikację.',
  'delivery_text.BECAUSE_CREATIVE_PAUSED': 'jego kreacje są wstrzymane.',
  'delivery_text.BECAUSE_CREATIVE_NOT_STARTED': 'czas emisji jego kreacji jeszcze się nie zaczął.',
  'delivery_text.BECAUSE_CREATIVE_ENDED': 'czas emisji jego kreacji minął.',
  'delivery_text.BECAUSE_CREATIVE_REJECTED': 'jego kreacje odrzucono.',
  'delivery_text.BECAUSE_CREATIVE_ARCHIVED': 'jego kreacje są zarchiwizowane.',
  'delivery_text.BECAUSE_CAP_REACHED':
    'osiągnięto limit {unit, select, IMPRESSIONS {wyświetleń} CLICKS {kliknięć} VIEWABLE_IMPRESSIONS {widocznych wyświetleń} CONVERSIONS {konwersji} other {wydatków}} {object, select, LINE_ITEM {elementu zamówienia} CAMPAIGN {kampanii} other {reklamodawcy}} ({used} z {limit}).',
  'delivery_text.BECAUSE_DAILY_CAP_REACHED':
    'osiągnięto dzisiejszy limit {unit, select, IMPRESSIONS {wyświetleń} CLICKS {kliknięć} VIEWABLE_IMPRESSIONS {widocznych wyświetleń} CONVERSIONS {konwersji} other {wydatków}} {object, select, LINE_ITEM {elementu zamówienia} CAMPAIGN {kampanii} other {reklamodawcy}} ({used} z {limit}).',
  'delivery_text.BECAUSE_BUDGET_REACHED':
    'wydano budżet {object, select, LINE_ITEM {elementu zamówienia} CAMPAIGN {kampanii} other {reklamodawcy}} ({used} z {limit}).',
  'delivery_text.BECAUSE_DAILY_BUDGET_REACHED':
    'wydano dzisiejszy budżet {object, select, LINE_ITEM {elementu zamówienia} CAMPAIGN {kampanii} other {reklamodawcy}} ({used} z {limit}).',
  'delivery_text.BECAUSE_GOAL_USED': 'osiągnął swój cel ({used} z {limit}).',
  'delivery_text.BECAUSE_DAILY_GOAL_USED': 'osiągnął swój dzisiejszy cel ({used} z {limit}).',
  'delivery_text.BECAUSE_GOAL_REACHED': 'osiągnął swój cel.',
  'delivery_text.BECAUSE_NOT_IN_FLIGHT': 'jego czas emisji, albo czas jego kampanii lub kreacji, teraz nie trwa.',
  'delivery_text.BECAUSE_NOT_IN_FLIGHT_CREATIVE': 'czas emisji jego kreacji teraz nie trwa.',
  'delivery_text.BECAUSE_PAUSED': 'on sam, jego kampania, umowa (deal) lub reklamodawca nie są aktywni.',
  'delivery_text.BECAUSE_DRAFT': 'jest szkicem.',
  'delivery_text.BECAUSE_RESERVED': 'jest tylko zarezerwowany.',
  'delivery_text.BECAUSE_COMPLETED': 'jest zakończony.',
  'delivery_text.BECAUSE_ARCHIVED': 'on sam, lub obiekt, którego potrzebuje, jest zarchiwizowany.',
  'delivery_text.BECAUSE_SUSPENDED': 'sieć jest zawieszona.',
  'delivery_text.BECAUSE_DAYPART': 'chwila jest poza jego porami emisji.',
  'delivery_text.BECAUSE_TARGETING': 'żądanie nie pasuje do jego targetowania ({dimension}).',
  'delivery_text.BECAUSE_TARGETING_KEY': 'żądanie nie pasuje do jego targetowania (klucz „{key}”).',
  'delivery_text.BECAUSE_SIZE': 'nie ma aktywnej kreacji o pasującym rozmiarze{asked}.',
  'delivery_text.BECAUSE_FORMAT': 'żadna z jego kreacji nie ma formatu, który przyjmuje miejsce{asked}.',
  'delivery_text.BECAUSE_SECURE': 'strona wymaga https, a jego kreacje nie są bezpieczne.',
  'delivery_text.BECAUSE_BLOCKED': 'blokuje go wydawca lub giełda.',
  'delivery_text.BECAUSE_BLOCKED_PRIVATE_AUCTION': 'żądanie jest aukcją prywatną dla umów (deali).',
  'delivery_text.BECAUSE_BLOCKED_SEAT': 'żądanie nie przyjmuje ofert jego kupującego (seat).',
  'delivery_text.BECAUSE_BLOCKED_ADVERTISER': 'żądanie blokuje domenę jego reklamodawcy.',
  'delivery_text.BECAUSE_BLOCKED_CATEGORY': 'żądanie blokuje kategorię jego reklamodawcy.',
  'delivery_text.BECAUSE_BLOCKED_ATTRIBUTE': 'żądanie blokuje cechę jego kreacji.',
  'delivery_text.BECAUSE_BLOCKED_LANGUAGE': 'żądanie wymaga kreacji w innym języku.',
  'delivery_text.BECAUSE_FLOOR': 'jego cena jest poniżej ceny minimalnej{asked}.',
  'delivery_text.BECAUSE_FLOOR_REQUEST': 'jego cena jest poniżej ceny minimalnej z żądania{asked}.',
  'delivery_text.BECAUSE_FLOOR_NETWORK': 'jego cena jest poniżej ceny minimalnej sieci{asked}.',
  'delivery_text.BECAUSE_FLOOR_AD_UNIT': 'jego cena jest poniżej ceny minimalnej jednostki reklamowej{asked}.',
  'delivery_text.BECAUSE_FLOOR_RULE': 'jego cena jest poniżej reguły ceny minimalnej{asked}.',
  'delivery_text.BECAUSE_FLOOR_DEAL': 'jego cena jest poniżej ceny jego umowy (deal){asked}.',
  'delivery_text.BECAUSE_CURRENCY': 'żądania są w walucie, dla której nie ma kursu wymiany.',
  'delivery_text.BECAUSE_LATE': 'odpowiedzi przychodziły później, niż pozwalają żądania (tmax).',
  'delivery_text.BECAUSE_CAPPED': 'osiągnięto limit.',
  'delivery_text.BECAUSE_CAPPED_NO_USER': 'limity częstotliwości wymagają użytkownika, a żądania go nie mają.',
  'delivery_text.BECAUSE_CAPPED_LINE_ITEM_FREQUENCY': 'użytkownicy osiągnęli jego limity częstotliwości.',
  'delivery_text.BECAUSE_CAPPED_CAMPAIGN_FREQUENCY': 'użytkownicy osiągnęli limity częstotliwości jego kampanii.',
  'delivery_text.BECAUSE_CAPPED_ADVERTISER_FREQUENCY': 'użytkownicy osiągnęli limity częstotliwości jego reklamodawcy.',
  'delivery_text.BECAUSE_CAPPED_LABEL_FREQUENCY': 'użytkownicy osiągnęli limity częstotliwości jego etykiet.',
  'delivery_text.BECAUSE_CAPPED_CREATIVE': 'użytkownicy osiągnęli limity częstotliwości jego kreacji.',
  'delivery_text.BECAUSE_BUDGET': 'wydano dostępne środki.',
  'delivery_text.BECAUSE_CONSENT': 'limity częstotliwości wymagają użytkownika, a personalizacja jest niedozwolona.',
  'delivery_text.BECAUSE_CONSENT_SEGMENTS':
    'jego segmenty wymagają zgody na personalizację, której użytkownicy nie dali.',
  'delivery_text.BECAUSE_DSA_MISSING':
    'żądanie wymaga informacji z aktu o usługach cyfrowych (DSA), a reklamodawca ich nie ma.',
  'delivery_text.BECAUSE_EXCLUSION': 'konkurent lub ta sama kreacja jest już w odpowiedzi.',
  'delivery_text.BECAUSE_EXCLUSION_LABEL': 'reklama z tą samą etykietą wykluczenia jest już w odpowiedzi.',
  'delivery_text.BECAUSE_ROADBLOCK': 'jego kreacji nie można pokazać wszystkich razem.',
  'delivery_text.BECAUSE_COMPANION':
    'jego kreacje wymagają kreacji towarzyszących, a żadne miejsce do nich nie pasuje.',
  'delivery_text.BECAUSE_PACING': 'wyprzedza swój plan.',
  'delivery_text.BECAUSE_BETTER_UNIT':
    'czeka na jednostki reklamowe, w których zdarzenie jego celu optymalizacji jest bardziej prawdopodobne.',
  'delivery_text.BECAUSE_LOST_TIER': 'zabrał je element zamówienia wyższej rangi.',
  'delivery_text.BECAUSE_LOST_PLAN': 'inny cel oferuje za nie więcej albo inni płacą więcej, niż oferuje jego cel.',
  'delivery_text.BECAUSE_LOST_PRICE': 'inni zapłacili więcej.',
  'delivery_text.BECAUSE_LOST_DRAW': 'wylosowano równy mu element lub taki, który jest dalej od celu.',
  'delivery_text.BECAUSE_OTHER': 'powodem jest {reason}.',

  'delivery_text.ADVISE_NO_SAMPLE': 'Sprawdź ponownie, gdy baza analityczna odpowie.',
  'delivery_text.ADVISE_UNKNOWN': 'Aktywuj go i sprawdź ponownie za kilka sekund.',
  'delivery_text.ADVISE_NO_TRAFFIC': 'Sprawdź, czy strony żądają reklam tej sieci.',
  'delivery_text.ADVISE_NOT_ASKED': 'Sprawdź, czy strony o nią pytają, albo wybierz inne zasoby.',
  'delivery_text.ADVISE_TOO_LITTLE': 'Obniż cel, przesuń koniec albo skieruj tu więcej ruchu.',
  'delivery_text.ADVISE_NOT_SHOWN': 'Sprawdź, czy strony pokazują reklamy i wywołują ich linki wyświetleń.',
  'delivery_text.ADVISE_CURRENCY':
    'Ustaw kurs wymiany tej waluty albo poproś nadawcę żądań o oferty i ceny minimalne w walucie sieci.',
  'delivery_text.ADVISE_LATE': 'Dodaj procesy emisji albo poproś nadawcę żądań o więcej czasu.',
  'delivery_text.ADVISE_EXCLUSION': 'Sprawdź etykiety wykluczenia.',
  'delivery_text.ADVISE_SUSPENDED': 'Zapytaj operatora instalacji.',
  'delivery_text.ADVISE_LABEL_FREQUENCY': 'Podnieś limit częstotliwości etykiety w ustawieniach sieci.',
  'delivery_text.ADVISE_LOST_TIER': 'Podnieś rangę lub poziom albo poprzestań na pozostałych okazjach.',
  'delivery_text.ADVISE_LOST_PLAN':
    'Nic, dopóki osiąga swój cel; w przeciwnym razie poszerz targetowanie lub podnieś poziom.',
  'delivery_text.ADVISE_LOST_DRAW': 'Podnieś udział lub poziom, jeśli ma być więcej.',

  'delivery_text.ACTIVATE':
    'Aktywuj {object, select, LINE_ITEM {element zamówienia} CAMPAIGN {kampanię} ADVERTISER {reklamodawcę} DEAL {umowę (deal)} other {sieć}}.',
  'delivery_text.ACTIVATE_TARGET': 'Aktywuj {name}.',
  'delivery_text.MOVE_END':
    'Przesuń koniec {object, select, LINE_ITEM {elementu zamówienia} CAMPAIGN {kampanii} other {umowy (deal)}} na {at}.',
  'delivery_text.BEGIN_NOW':
    'Zacznij teraz {object, select, LINE_ITEM {element zamówienia} CAMPAIGN {kampanię} other {umowę (deal)}}.',
  'delivery_text.MOVE_CREATIVE_FLIGHT': 'Przesuń czas emisji jego kreacji.',
  'delivery_text.MOVE_CREATIVE_END': 'Przesuń koniec kreacji.',
  'delivery_text.BEGIN_CREATIVE_NOW': 'Zacznij kreację teraz.',
  'delivery_text.ADD_CREATIVE': 'Dodaj kreację.',
  'delivery_text.ADD_CREATIVE_OF_SIZE': 'Dodaj kreację o żądanym rozmiarze.',
  'delivery_text.ADD_CREATIVE_OF_FORMAT': 'Dodaj kreację w żądanym formacie.',
  'delivery_text.APPROVE_CREATIVE': 'Zatwierdź kreację.',
  'delivery_text.APPROVE_REJECTED': 'Zatwierdź odrzuconą kreację.',
  'delivery_text.ACTIVATE_CREATIVE': 'Aktywuj kreację.',
  'delivery_text.RESTORE_CREATIVE': 'Przywróć kreację.',
  'delivery_text.SERVE_SECURELY': 'Podawaj wszystkie adresy kreacji przez https.',
  'delivery_text.CORRECT_ATTRIBUTES': 'Popraw cechy kreacji.',
  'delivery_text.CORRECT_LANGUAGE': 'Popraw język kreacji.',
  'delivery_text.DROP_DIMENSION': 'Usuń „{dimension}” z jego targetowania albo poszerz wartości.',
  'delivery_text.DROP_KEY': 'Usuń klucz „{key}” z jego targetowania albo poszerz jego wartości.',
  'delivery_text.SELL_WITHOUT_DEAL': 'Sprzedaj go bez umowy (deal).',
  'delivery_text.SELL_IN_AUCTION': 'Sprzedaj go w ramach umowy (deal), którą oferuje aukcja.',
  'delivery_text.SELL_TO_SEAT': 'Sprzedaj go w ramach umowy (deal) z kupującym (seat), którego przyjmuje żądanie.',
  'delivery_text.DROP_DAY_PARTS': 'Usuń lub poszerz jego pory emisji.',
  'delivery_text.CHECK_DOMAINS': 'Sprawdź domeny reklamodawcy.',
  'delivery_text.CHECK_CATEGORIES': 'Sprawdź kategorie reklamodawcy.',
  'delivery_text.STATE_PAYER': 'Podaj, w czyim imieniu pokazuje się reklamę i kto za nią zapłacił.',
  'delivery_text.DROP_EXCLUSIONS': 'Usuń jego etykiety wykluczenia.',
  'delivery_text.SERVE_UNKNOWN_USERS': 'Emituj go także nieznanym użytkownikom.',
  'delivery_text.DELIVER_SOON': 'Emituj tak szybko, jak się da.',
  'delivery_text.DROP_OPTIMISATION': 'Usuń jego cel optymalizacji.',
  'delivery_text.SHOW_ONE_AT_A_TIME': 'Pokazuj jego kreacje pojedynczo.',
  'delivery_text.SERVE_WITHOUT_COMPANIONS': 'Emituj go bez kreacji towarzyszących.',
  'delivery_text.RAISE_DAILY_CAP':
    'Podnieś dzienny limit {unit, select, IMPRESSIONS {wyświetleń} CLICKS {kliknięć} VIEWABLE_IMPRESSIONS {widocznych wyświetleń} CONVERSIONS {konwersji} other {wydatków}} {object, select, LINE_ITEM {elementu zamówienia} CAMPAIGN {kampanii} other {reklamodawcy}} do {limit}.',
  'delivery_text.RAISE_LIFETIME_CAP':
    'Podnieś łączny limit {unit, select, IMPRESSIONS {wyświetleń} CLICKS {kliknięć} VIEWABLE_IMPRESSIONS {widocznych wyświetleń} CONVERSIONS {konwersji} other {wydatków}} {object, select, LINE_ITEM {elementu zamówienia} CAMPAIGN {kampanii} other {reklamodawcy}} do {limit}.',
  'delivery_text.RAISE_CREDIT': 'Podnieś kredyt reklamodawcy do {limit}.',
  'delivery_text.RAISE_GOAL': 'Podnieś cel do {amount}.',
  'delivery_text.DOUBLE_FREQUENCY_CAPS':
    'Podwój limity częstotliwości {object, select, LINE_ITEM {elementu zamówienia} CAMPAIGN {kampanii} other {reklamodawcy}}.',
  'delivery_text.DOUBLE_CREATIVE_CAPS': 'Podwój limity częstotliwości jego kreacji.',
  'delivery_text.DOUBLE_LABEL_CAPS': 'Podwój limity częstotliwości jego etykiet: {labels}.',
  'delivery_text.RAISE_PRICE': 'Podnieś cenę.',
  'delivery_text.RAISE_PRICE_TO': 'Podnieś cenę do {price}.',
  'delivery_text.MOVE_LEVEL': 'Przenieś go na poziom {level}.',
  'delivery_text.CHANGE_TYPE': 'Zmień jego typ na {type}, poziom {level}.',
  'delivery_text.RAISE_SHARE': 'Podnieś jego udział (share of voice) do {percent}.',
  'delivery_text.RAISE_WEIGHT': 'Podnieś jego wagę do {weight}.',

  'delivery_text.FORECAST_NO_SAMPLE': 'Nie ma jeszcze próby żądań: spróbuj ponownie za kilka minut.',
  'delivery_text.FORECAST_BEGUN': 'Liczy się tylko ta część czasu emisji, która jest jeszcze przed nami.',
  'delivery_text.FORECAST_LITTLE_TRAFFIC':
    'Ruch jest jeszcze za mały: próba ma {requests} {requestsCount, plural, one {żądanie} few {żądania} many {żądań} other {żądania}}.',
  'delivery_text.FORECAST_THINNED':
    'Serwer jest zajęty: odtworzono tylko część użytkowników próby, więc przedział jest szerszy niż zwykle.',
  'delivery_text.FORECAST_SHORT_SAMPLE':
    'Próba obejmuje {hours} {hoursCount, plural, one {godzinę} few {godziny} many {godzin} other {godziny}}: pozostałe godziny tygodnia pochodzą z krzywej ruchu.',
  'delivery_text.FORECAST_UNMATCHED': 'Żadne z żądań próby nie jest dla niego.',
  'delivery_text.FORECAST_SMALL_SAMPLE':
    'Próba jest na to mała: z odtworzonych miejsc dla niego {slotsCount, plural, one {jest {slots}} few {są {slots}} many {jest {slots}} other {jest {slots}}}, więc licz się z ±{percent}.',
  'delivery_text.FORECAST_UNCERTAIN':
    'Próba jest na to mała: z odtworzonych miejsc dla niego {slotsCount, plural, one {jest {slots}} few {są {slots}} many {jest {slots}} other {jest {slots}}}, więc nic nie jest pewne.',
  'delivery_text.FORECAST_VOLUME':
    'W czasie emisji spodziewane jest {expected} ruchu z próby, a możliwe od {low} do {high}.',
  'delivery_text.FORECAST_PARTS':
    'Części ruchu miały własne dni dużego i małego ruchu: możliwe odchylenie to ±{percent}.',
  'delivery_text.AVAILABILITY_NO_TRAFFIC': 'Nie ma jeszcze ruchu, więc nie da się niczego oczekiwać.',
  'delivery_text.AVAILABILITY_SHORT_HISTORY':
    'Historia ma tylko {days} {daysCount, plural, one {dzień} few {dni} many {dni} other {dnia}}: brakujące dni tygodnia nie mają oczekiwań.',
  'delivery_text.AVAILABILITY_LEFT_OUT':
    'Nie uwzględniono {lineItems} {lineItemsCount, plural, one {elementu} few {elementów} many {elementów} other {elementu}} zamówienia z celem w kliknięciach lub konwersjach.',
  'delivery_text.AVAILABILITY_FIRST_ONLY': 'Uwzględniono tylko pierwsze elementy zamówienia: {lineItems}.',
  'delivery_text.INSPECTION_SAME_PLAN':
    'Cele zachowują swój plan: po prawdziwej zmianie nowy powstałby w ciągu kilku minut.',
  'delivery_text.INSPECTION_LIKE_IT':
    'Rozstrzygane jest podobne żądanie w obecnej chwili. W linku nie ma jego kluczy i wartości, segmentów, użytkownika ani strony.',
  'delivery_text.INSPECTION_NO_BOOKINGS': 'Dziennik decyzji zawiera tę decyzję, ale już nie jej rezerwacje.',
  'delivery_text.INSPECTION_NO_LOG':
    'Ta maszyna nie ma dziennika decyzji: aby go zacząć, operator ustawia PLACARD_DECISION_LOG_PER_SECOND.',
  'delivery_text.INSPECTION_ENDED': 'Przeszukiwanie dziennika decyzji trwało zbyt długo i zostało zakończone.',
  'delivery_text.INSPECTION_NOT_LOGGED': 'Dziennik decyzji nie zawiera tej decyzji: ma próbę decyzji tej maszyny.',

  'delivery_dimension.AD_UNIT': 'jednostka reklamowa',
  'delivery_dimension.AREA': 'obszar',
  'delivery_dimension.BROWSER': 'przeglądarka',
  'delivery_dimension.BROWSER_LANGUAGE': 'język przeglądarki',
  'delivery_dimension.CITY': 'miasto',
  'delivery_dimension.COUNTRY': 'kraj',
  'delivery_dimension.DAY_PART': 'pora dnia',
  'delivery_dimension.DEAL': 'umowa (deal)',
  'delivery_dimension.DEVICE_TYPE': 'urządzenie',
  'delivery_dimension.DOMAIN': 'domena',
  'delivery_dimension.KEYWORD': 'słowo kluczowe',
  'delivery_dimension.KEY_VALUE': 'klucz i wartość',
  'delivery_dimension.LANGUAGE': 'język',
  'delivery_dimension.MEDIA_TYPE': 'rodzaj mediów',
  'delivery_dimension.OS': 'system operacyjny',
  'delivery_dimension.PAGE_URL': 'adres strony',
  'delivery_dimension.POSITION': 'pozycja',
  'delivery_dimension.REGION': 'region',
  'delivery_dimension.SEGMENT': 'segment',
  'delivery_dimension.SITE': 'witryna',
  'delivery_dimension.SIZE': 'rozmiar',
  'today_text.impressions': 'Rozliczane wyświetlenia: pokazane reklamy bez odfiltrowanego ruchu.',
  'today_text.revenue': 'Ile emisja dnia zarobiła według cen elementów zamówienia.',
  'today_text.fill': 'Zapytania jednostek, które dostały reklamę, w procentach.',
  'today_text.ecpm': 'Przychód z tysiąca wyświetleń.',
  'today_text.clicks': 'Rozliczane kliknięcia, jedno na wyświetlenie.',
  'today.demo': 'Historia demo',
  'today.demo_progress': 'Historia demo powstaje: {done} z {days} dni. Do tego czasu liczby rosną.',
  'today.history_import': 'Zaimportowana historia jest zliczana. Do tego czasu liczby rosną.',
  'today.history_unknown': 'Do tego czasu żadna pozycja nie jest uznawana za opóźnioną ani zagrożoną.',
  'failing.title': 'Filmy i tagi z błędami',
  'failing.plays': 'Nieudane odtworzenia dzisiaj: {errors}, {part} wszystkich. Najczęściej z błędem VAST {code}.',
  'failing.vendor':
    'Nieudane odtworzenia dzisiaj: {errors}, {part} wszystkich. Najczęściej z błędem VAST {code}, w tagu {vendor}.',
} satisfies TextsOf<typeof EN_DELIVERY>;
