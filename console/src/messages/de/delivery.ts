import type { EN_DELIVERY } from '../en/delivery.ts';
import type { TextsOf } from '../en/translation.ts';

/** German texts about delivery. A cause is a sentence of its own behind a colon. */
export const DE_DELIVERY = {
  'delivery_text.GOAL': 'Sie hat {delivered} von ihrem Ziel {amount} erreicht.',
  'delivery_text.GOAL_EXPECTED':
    'Sie hat {delivered} von ihrem Ziel {amount} erreicht; der Plan sieht bis jetzt {expected} vor.',
  'delivery_text.SEEN':
    'Von etwa {opportunities} {opportunitiesCount, plural, one {Gelegenheit} other {Gelegenheiten}} der letzten {hours} Stunden {inReachCount, plural, one {passt} other {passen}} {inReach} zu ihrer Buchung, und sie hat {won} genutzt ({percent}).',
  'delivery_text.DELIVERING': 'Das sind die meisten, die für sie bestimmt waren.',
  'delivery_text.TOO_LITTLE': 'Mehr gibt es nicht, und für ihr Ziel ist das zu wenig.',
  'delivery_text.NOT_SHOWN':
    'Ihre Anzeigen stehen in Antworten, aber die Seiten zeigen sie nicht: Gezeigt wurden {impressions} von {responses}.',
  'delivery_text.MOST_LOST': 'Die meisten anderen gingen verloren:',
  'delivery_text.RIVAL': 'Am häufigsten gewann {name} ({type}, Stufe {level}, TKP {bid}).',
  'delivery_text.ALONE':
    'Allein deshalb {opportunitiesCount, plural, one {ging {opportunities} Gelegenheit} other {gingen {opportunities} Gelegenheiten}} verloren.',
  'delivery_text.AND_BECAUSE': 'Außerdem:',
  'delivery_text.TOGETHER':
    'Aus diesen Gründen zusammen {opportunitiesCount, plural, one {ging {opportunities} Gelegenheit} other {gingen {opportunities} Gelegenheiten}} verloren.',
  'delivery_text.CANNOT_SERVE': 'Sie kann jetzt nicht ausgeliefert werden:',
  'delivery_text.DID_NOT_SERVE': 'Sie wurde nicht ausgeliefert:',
  'delivery_text.NO_SAMPLE':
    'Sie kann ausgeliefert werden. Wie ihre Gelegenheiten ausgingen, ist gerade nicht bekannt.',
  'delivery_text.NO_TRAFFIC_FOR':
    'In den letzten {hours} Stunden fragte niemand {object, select, SITE {ihre Website} AREA {ihren Bereich} other {ihren Anzeigenblock}} an.',
  'delivery_text.NO_TRAFFIC': 'In den letzten {hours} Stunden kamen keine Anfragen.',
  'delivery_text.UNKNOWN': 'Die Auslieferung kennt diese Werbebuchung nicht.',

  'delivery_text.BECAUSE_LINE_ITEM_STATUS':
    'Sie ist {status, select, PAUSED {pausiert} DRAFT {ein Entwurf} RESERVED {nur reserviert} COMPLETED {abgeschlossen} ARCHIVED {archiviert} other {nicht aktiv}}.',
  'delivery_text.BECAUSE_PARENT_STATUS':
    '{object, select, ADVERTISER {Ihr Werbetreibender} CAMPAIGN {Ihre Kampagne} other {Ihr Deal}} ist {status, select, PAUSED {pausiert} DRAFT {ein Entwurf} RESERVED {nur reserviert} COMPLETED {abgeschlossen} ARCHIVED {archiviert} other {nicht aktiv}}.',
  'delivery_text.BECAUSE_NETWORK_STATUS': 'Das Netzwerk ist {status, select, PAUSED {pausiert} other {gesperrt}}.',
  'delivery_text.BECAUSE_FLIGHT_NOT_BEGUN': 'Ihre Laufzeit beginnt erst am {at}.',
  'delivery_text.BECAUSE_FLIGHT_OVER': 'Ihre Laufzeit endete am {at}.',
  'delivery_text.BECAUSE_PARENT_FLIGHT_NOT_BEGUN':
    'Die Laufzeit {object, select, CAMPAIGN {ihrer Kampagne} other {ihres Deals}} beginnt erst am {at}.',
  'delivery_text.BECAUSE_PARENT_FLIGHT_OVER':
    'Die Laufzeit {object, select, CAMPAIGN {ihrer Kampagne} other {ihres Deals}} endete am {at}.',
  'delivery_text.BECAUSE_TARGET_STATUS':
    'Ihr Targeting verlangt {object, select, SITE {die Website} AREA {den Bereich} AD_UNIT {den Anzeigenblock} other {das Segment}} {name}, {object, select, SITE {die} AREA {der} AD_UNIT {der} other {das}} {state, select, ARCHIVED {archiviert} other {nicht aktiv}} ist.',
  'delivery_text.BECAUSE_CREATIVE': 'Keines ihrer Werbemittel kann gezeigt werden.',
  'delivery_text.BECAUSE_CREATIVE_NONE': 'Sie hat kein Werbemittel.',
  'delivery_text.BECAUSE_CREATIVE_COMPANIONS': 'Alle ihre Werbemittel sind Begleiter eines anderen.',
  'delivery_text.BECAUSE_CREATIVE_PENDING': 'Ihre Werbemittel warten auf die Prüfung.',
  'delivery_text.BECAUSE_CREATIVE_PAUSED': 'Ihre Werbemittel sind pausiert.',
  'delivery_text.BECAUSE_CREATIVE_NOT_STARTED': 'Die Laufzeit ihrer Werbemittel hat noch nicht begonnen.',
  'delivery_text.BECAUSE_CREATIVE_ENDED': 'Die Laufzeit ihrer Werbemittel ist vorbei.',
  'delivery_text.BECAUSE_CREATIVE_REJECTED': 'Ihre Werbemittel wurden abgelehnt.',
  'delivery_text.BECAUSE_CREATIVE_ARCHIVED': 'Ihre Werbemittel sind archiviert.',
  'delivery_text.BECAUSE_CAP_REACHED':
    'Die Obergrenze {object, select, LINE_ITEM {der Werbebuchung} CAMPAIGN {der Kampagne} other {des Werbetreibenden}} für {unit, select, IMPRESSIONS {Impressions} CLICKS {Klicks} VIEWABLE_IMPRESSIONS {sichtbare Impressions} CONVERSIONS {Conversions} other {Ausgaben}} ist erreicht ({used} von {limit}).',
  'delivery_text.BECAUSE_DAILY_CAP_REACHED':
    'Die heutige Obergrenze {object, select, LINE_ITEM {der Werbebuchung} CAMPAIGN {der Kampagne} other {des Werbetreibenden}} für {unit, select, IMPRESSIONS {Impressions} CLICKS {Klicks} VIEWABLE_IMPRESSIONS {sichtbare Impressions} CONVERSIONS {Conversions} other {Ausgaben}} ist erreicht ({used} von {limit}).',
  'delivery_text.BECAUSE_BUDGET_REACHED':
    'Das Budget {object, select, LINE_ITEM {der Werbebuchung} CAMPAIGN {der Kampagne} other {des Werbetreibenden}} ist ausgegeben ({used} von {limit}).',
  'delivery_text.BECAUSE_DAILY_BUDGET_REACHED':
    'Das heutige Budget {object, select, LINE_ITEM {der Werbebuchung} CAMPAIGN {der Kampagne} other {des Werbetreibenden}} ist ausgegeben ({used} von {limit}).',
  'delivery_text.BECAUSE_GOAL_USED': 'Ihr Ziel ist erreicht ({used} von {limit}).',
  'delivery_text.BECAUSE_DAILY_GOAL_USED': 'Ihr Ziel für heute ist erreicht ({used} von {limit}).',
  'delivery_text.BECAUSE_GOAL_REACHED': 'Ihr Ziel ist erreicht.',
  'delivery_text.BECAUSE_NOT_IN_FLIGHT': 'Ihre Laufzeit, oder die ihrer Kampagne oder Werbemittel, läuft nicht.',
  'delivery_text.BECAUSE_NOT_IN_FLIGHT_CREATIVE': 'Die Laufzeit ihrer Werbemittel läuft nicht.',
  'delivery_text.BECAUSE_PAUSED': 'Sie, ihre Kampagne, ihr Deal oder ihr Werbetreibender ist nicht aktiv.',
  'delivery_text.BECAUSE_DRAFT': 'Sie ist ein Entwurf.',
  'delivery_text.BECAUSE_RESERVED': 'Sie ist nur reserviert.',
  'delivery_text.BECAUSE_COMPLETED': 'Sie ist abgeschlossen.',
  'delivery_text.BECAUSE_ARCHIVED': 'Sie, oder ein Objekt, das sie braucht, ist archiviert.',
  'delivery_text.BECAUSE_SUSPENDED': 'Das Netzwerk ist gesperrt.',
  'delivery_text.BECAUSE_DAYPART': 'Der Zeitpunkt liegt außerhalb ihrer Sendezeiten.',
  'delivery_text.BECAUSE_TARGETING': 'Die Anfrage passt nicht zu ihrem Targeting ({dimension}).',
  'delivery_text.BECAUSE_TARGETING_KEY': 'Die Anfrage passt nicht zu ihrem Targeting (Schlüsselwert „{key}“).',
  'delivery_text.BECAUSE_SIZE': 'Sie hat kein aktives Werbemittel in einer passenden Größe{asked}.',
  'delivery_text.BECAUSE_FORMAT': 'Keines ihrer Werbemittel hat ein Format, das der Slot annimmt{asked}.',
  'delivery_text.BECAUSE_SECURE': 'Die Seite verlangt https, und ihre Werbemittel sind nicht sicher.',
  'delivery_text.BECAUSE_BLOCKED': 'Der Publisher oder die Börse sperrt sie.',
  'delivery_text.BECAUSE_BLOCKED_PRIVATE_AUCTION': 'Die Anfrage ist eine private Auktion für Deals.',
  'delivery_text.BECAUSE_BLOCKED_SEAT': 'Die Anfrage nimmt keine Gebote ihres Käufers (Seat) an.',
  'delivery_text.BECAUSE_BLOCKED_ADVERTISER': 'Die Anfrage sperrt die Domain ihres Werbetreibenden.',
  'delivery_text.BECAUSE_BLOCKED_CATEGORY': 'Die Anfrage sperrt eine Kategorie ihres Werbetreibenden.',
  'delivery_text.BECAUSE_BLOCKED_ATTRIBUTE': 'Die Anfrage sperrt eine Eigenschaft ihrer Werbemittel.',
  'delivery_text.BECAUSE_BLOCKED_LANGUAGE': 'Die Anfrage verlangt Werbemittel in einer anderen Sprache.',
  'delivery_text.BECAUSE_FLOOR': 'Ihr Preis liegt unter dem Mindestpreis{asked}.',
  'delivery_text.BECAUSE_FLOOR_REQUEST': 'Ihr Preis liegt unter dem Mindestpreis der Anfrage{asked}.',
  'delivery_text.BECAUSE_FLOOR_NETWORK': 'Ihr Preis liegt unter dem Mindestpreis des Netzwerks{asked}.',
  'delivery_text.BECAUSE_FLOOR_AD_UNIT': 'Ihr Preis liegt unter dem Mindestpreis des Anzeigenblocks{asked}.',
  'delivery_text.BECAUSE_FLOOR_RULE': 'Ihr Preis liegt unter einer Mindestpreisregel{asked}.',
  'delivery_text.BECAUSE_FLOOR_DEAL': 'Ihr Preis liegt unter dem ihres Deals{asked}.',
  'delivery_text.BECAUSE_CURRENCY': 'Die Anfragen verlangen eine Währung ohne Wechselkurs.',
  'delivery_text.BECAUSE_LATE': 'Antworten kamen später, als die Anfragen erlauben (tmax).',
  'delivery_text.BECAUSE_CAPPED': 'Eine Obergrenze ist erreicht.',
  'delivery_text.BECAUSE_CAPPED_NO_USER': 'Frequenzbegrenzungen brauchen einen Nutzer, und die Anfragen haben keinen.',
  'delivery_text.BECAUSE_CAPPED_LINE_ITEM_FREQUENCY': 'Nutzer haben ihre Frequenzbegrenzung erreicht.',
  'delivery_text.BECAUSE_CAPPED_CAMPAIGN_FREQUENCY': 'Nutzer haben die Frequenzbegrenzung ihrer Kampagne erreicht.',
  'delivery_text.BECAUSE_CAPPED_ADVERTISER_FREQUENCY':
    'Nutzer haben die Frequenzbegrenzung ihres Werbetreibenden erreicht.',
  'delivery_text.BECAUSE_CAPPED_LABEL_FREQUENCY': 'Nutzer haben die Frequenzbegrenzung ihrer Labels erreicht.',
  'delivery_text.BECAUSE_CAPPED_CREATIVE': 'Nutzer haben die Frequenzbegrenzung ihrer Werbemittel erreicht.',
  'delivery_text.BECAUSE_BUDGET': 'Das verfügbare Geld ist ausgegeben.',
  'delivery_text.BECAUSE_CONSENT':
    'Frequenzbegrenzungen brauchen einen Nutzer, und Personalisierung ist nicht erlaubt.',
  'delivery_text.BECAUSE_CONSENT_SEGMENTS':
    'Ihre Segmente brauchen eine Einwilligung in Personalisierung, die Nutzer nicht erteilt haben.',
  'delivery_text.BECAUSE_DSA_MISSING':
    'Die Anfrage verlangt die Angaben nach dem Digital Services Act, und der Werbetreibende hat keine.',
  'delivery_text.BECAUSE_EXCLUSION': 'Ein Konkurrent oder dasselbe Werbemittel steht schon in der Antwort.',
  'delivery_text.BECAUSE_EXCLUSION_LABEL': 'Eine Anzeige mit demselben Ausschluss-Label steht schon in der Antwort.',
  'delivery_text.BECAUSE_ROADBLOCK': 'Ihre Werbemittel können nicht alle zusammen gezeigt werden.',
  'delivery_text.BECAUSE_COMPANION': 'Ihre Werbemittel brauchen Begleiter, und kein Slot passt dafür.',
  'delivery_text.BECAUSE_PACING': 'Sie ist ihrem Plan voraus.',
  'delivery_text.BECAUSE_BETTER_UNIT':
    'Sie wartet auf Anzeigenblöcke, auf denen das Ereignis ihres Optimierungsziels wahrscheinlicher ist.',
  'delivery_text.BECAUSE_LOST_TIER': 'Eine Werbebuchung eines höheren Rangs hat sie genommen.',
  'delivery_text.BECAUSE_LOST_PLAN':
    'Ein anderes Ziel bietet mehr dafür, oder andere zahlen mehr, als ihr Ziel bietet.',
  'delivery_text.BECAUSE_LOST_PRICE': 'Andere haben mehr bezahlt.',
  'delivery_text.BECAUSE_LOST_DRAW': 'Eine gleichrangige, oder eine weiter hinter ihrem Ziel, wurde ausgelost.',
  'delivery_text.BECAUSE_OTHER': '{reason}.',

  'delivery_text.ADVISE_NO_SAMPLE': 'Sehen Sie noch einmal nach, wenn die Auswertung wieder antwortet.',
  'delivery_text.ADVISE_UNKNOWN': 'Aktivieren Sie sie, und sehen Sie in ein paar Sekunden noch einmal nach.',
  'delivery_text.ADVISE_NO_TRAFFIC': 'Prüfen Sie, ob Seiten Anzeigen dieses Netzwerks anfordern.',
  'delivery_text.ADVISE_NOT_ASKED': 'Prüfen Sie, ob Seiten danach fragen, oder wählen Sie anderes Inventar.',
  'delivery_text.ADVISE_TOO_LITTLE':
    'Senken Sie das Ziel, verschieben Sie ihr Ende, oder sorgen Sie für mehr Anfragen.',
  'delivery_text.ADVISE_NOT_SHOWN': 'Prüfen Sie, ob Seiten die Anzeigen zeigen und deren Impression-Links aufrufen.',
  'delivery_text.ADVISE_CURRENCY':
    'Legen Sie einen Wechselkurs der Währung fest, oder bitten Sie den Aufrufer, Gebote und Mindestpreise in der Währung des Netzwerks anzugeben.',
  'delivery_text.ADVISE_LATE': 'Erhöhen Sie die Zahl der Worker, oder bitten Sie den Aufrufer um mehr Zeit.',
  'delivery_text.ADVISE_EXCLUSION': 'Prüfen Sie die Ausschluss-Labels.',
  'delivery_text.ADVISE_SUSPENDED': 'Fragen Sie den Betreiber der Installation.',
  'delivery_text.ADVISE_LABEL_FREQUENCY':
    'Erhöhen Sie die Frequenzbegrenzung des Labels in den Einstellungen des Netzwerks.',
  'delivery_text.ADVISE_LOST_TIER':
    'Erhöhen Sie den Rang oder die Stufe, oder begnügen Sie sich mit den übrigen Gelegenheiten.',
  'delivery_text.ADVISE_LOST_PLAN':
    'Nichts, solange sie ihr Ziel erreicht; sonst erweitern Sie ihr Targeting, oder erhöhen Sie ihre Stufe.',
  'delivery_text.ADVISE_LOST_DRAW': 'Erhöhen Sie den Anteil oder die Stufe, wenn mehr gewünscht ist.',

  'delivery_text.ACTIVATE':
    '{object, select, LINE_ITEM {Die Werbebuchung} CAMPAIGN {Die Kampagne} ADVERTISER {Den Werbetreibenden} DEAL {Den Deal} other {Das Netzwerk}} aktivieren.',
  'delivery_text.ACTIVATE_TARGET': '{name} aktivieren.',
  'delivery_text.MOVE_END':
    'Das Ende {object, select, LINE_ITEM {der Werbebuchung} CAMPAIGN {der Kampagne} other {des Deals}} auf den {at} verschieben.',
  'delivery_text.BEGIN_NOW':
    '{object, select, LINE_ITEM {Die Werbebuchung} CAMPAIGN {Die Kampagne} other {Den Deal}} jetzt beginnen lassen.',
  'delivery_text.MOVE_CREATIVE_FLIGHT': 'Die Laufzeit ihres Werbemittels verschieben.',
  'delivery_text.MOVE_CREATIVE_END': 'Das Ende des Werbemittels verschieben.',
  'delivery_text.BEGIN_CREATIVE_NOW': 'Das Werbemittel jetzt beginnen lassen.',
  'delivery_text.ADD_CREATIVE': 'Ein Werbemittel hinzufügen.',
  'delivery_text.ADD_CREATIVE_OF_SIZE': 'Ein Werbemittel in der angefragten Größe hinzufügen.',
  'delivery_text.ADD_CREATIVE_OF_FORMAT': 'Ein Werbemittel im angefragten Format hinzufügen.',
  'delivery_text.APPROVE_CREATIVE': 'Das Werbemittel freigeben.',
  'delivery_text.APPROVE_REJECTED': 'Das abgelehnte Werbemittel freigeben.',
  'delivery_text.ACTIVATE_CREATIVE': 'Das Werbemittel aktivieren.',
  'delivery_text.RESTORE_CREATIVE': 'Das Werbemittel wiederherstellen.',
  'delivery_text.SERVE_SECURELY': 'Alle Adressen des Werbemittels über https ausliefern.',
  'delivery_text.CORRECT_ATTRIBUTES': 'Die Eigenschaften des Werbemittels korrigieren.',
  'delivery_text.CORRECT_LANGUAGE': 'Die Sprache des Werbemittels korrigieren.',
  'delivery_text.DROP_DIMENSION': '„{dimension}“ aus ihrem Targeting entfernen oder die Werte erweitern.',
  'delivery_text.DROP_KEY': 'Den Schlüssel „{key}“ aus ihrem Targeting entfernen oder seine Werte erweitern.',
  'delivery_text.SELL_WITHOUT_DEAL': 'Sie ohne den Deal verkaufen.',
  'delivery_text.SELL_IN_AUCTION': 'Sie unter einem Deal verkaufen, den die Auktion anbietet.',
  'delivery_text.SELL_TO_SEAT': 'Sie unter einem Deal mit einem Käufer (Seat) verkaufen, den die Anfrage annimmt.',
  'delivery_text.DROP_DAY_PARTS': 'Ihre Sendezeiten entfernen oder erweitern.',
  'delivery_text.CHECK_DOMAINS': 'Die Domains des Werbetreibenden prüfen.',
  'delivery_text.CHECK_CATEGORIES': 'Die Kategorien des Werbetreibenden prüfen.',
  'delivery_text.STATE_PAYER': 'Angeben, für wen die Anzeige gezeigt wird und wer bezahlt hat.',
  'delivery_text.DROP_EXCLUSIONS': 'Ihre Ausschluss-Labels entfernen.',
  'delivery_text.SERVE_UNKNOWN_USERS': 'Sie auch an unbekannte Nutzer ausliefern.',
  'delivery_text.DELIVER_SOON': 'So schnell wie möglich ausliefern.',
  'delivery_text.DROP_OPTIMISATION': 'Ihr Optimierungsziel entfernen.',
  'delivery_text.SHOW_ONE_AT_A_TIME': 'Ihre Werbemittel einzeln zeigen.',
  'delivery_text.SERVE_WITHOUT_COMPANIONS': 'Sie ohne ihre Begleiter ausliefern.',
  'delivery_text.RAISE_DAILY_CAP':
    'Die tägliche Obergrenze {object, select, LINE_ITEM {der Werbebuchung} CAMPAIGN {der Kampagne} other {des Werbetreibenden}} für {unit, select, IMPRESSIONS {Impressions} CLICKS {Klicks} VIEWABLE_IMPRESSIONS {sichtbare Impressions} CONVERSIONS {Conversions} other {Ausgaben}} auf {limit} erhöhen.',
  'delivery_text.RAISE_LIFETIME_CAP':
    'Die gesamte Obergrenze {object, select, LINE_ITEM {der Werbebuchung} CAMPAIGN {der Kampagne} other {des Werbetreibenden}} für {unit, select, IMPRESSIONS {Impressions} CLICKS {Klicks} VIEWABLE_IMPRESSIONS {sichtbare Impressions} CONVERSIONS {Conversions} other {Ausgaben}} auf {limit} erhöhen.',
  'delivery_text.RAISE_CREDIT': 'Den Kredit des Werbetreibenden auf {limit} erhöhen.',
  'delivery_text.RAISE_GOAL': 'Das Ziel auf {amount} erhöhen.',
  'delivery_text.DOUBLE_FREQUENCY_CAPS':
    'Die Frequenzbegrenzung {object, select, LINE_ITEM {der Werbebuchung} CAMPAIGN {der Kampagne} other {des Werbetreibenden}} verdoppeln.',
  'delivery_text.DOUBLE_CREATIVE_CAPS': 'Die Frequenzbegrenzung ihres Werbemittels verdoppeln.',
  'delivery_text.DOUBLE_LABEL_CAPS': 'Die Frequenzbegrenzung ihrer Labels verdoppeln: {labels}.',
  'delivery_text.RAISE_PRICE': 'Den Preis erhöhen.',
  'delivery_text.RAISE_PRICE_TO': 'Den Preis auf {price} erhöhen.',
  'delivery_text.MOVE_LEVEL': 'Sie auf Stufe {level} setzen.',
  'delivery_text.CHANGE_TYPE': 'Ihren Typ auf {type} ändern, Stufe {level}.',
  'delivery_text.RAISE_SHARE': 'Ihren Anteil (Share of Voice) auf {percent} erhöhen.',
  'delivery_text.RAISE_WEIGHT': 'Ihr Gewicht auf {weight} erhöhen.',

  'delivery_text.FORECAST_NO_SAMPLE':
    'Noch gibt es keine Stichprobe von Anfragen: Versuchen Sie es in ein paar Minuten noch einmal.',
  'delivery_text.FORECAST_BEGUN': 'Gezählt wird nur der Teil der Laufzeit, der noch kommt.',
  'delivery_text.FORECAST_LITTLE_TRAFFIC':
    'Noch kommen zu wenige Anfragen: Die Stichprobe hat {requests} {requestsCount, plural, one {Anfrage} other {Anfragen}}.',
  'delivery_text.FORECAST_THINNED':
    'Der Server ist ausgelastet: Nur ein Teil der Nutzer der Stichprobe wurde durchgespielt, deshalb ist die Spanne größer als sonst.',
  'delivery_text.FORECAST_SHORT_SAMPLE':
    'Die Stichprobe umfasst {hours} {hoursCount, plural, one {Stunde} other {Stunden}}: Die anderen Stunden der Woche kommen aus der Verkehrskurve.',
  'delivery_text.FORECAST_UNMATCHED': 'Keine der Anfragen der Stichprobe ist für sie bestimmt.',
  'delivery_text.FORECAST_SMALL_SAMPLE':
    'Die Stichprobe ist dafür klein: {slotsCount, plural, one {Nur {slots} durchgespielter Slot ist} other {{slots} durchgespielte Slots sind}} für sie bestimmt, rechnen Sie mit ±{percent}.',
  'delivery_text.FORECAST_UNCERTAIN':
    'Die Stichprobe ist dafür klein: {slotsCount, plural, one {Nur {slots} durchgespielter Slot ist} other {{slots} durchgespielte Slots sind}} für sie bestimmt, deshalb ist nichts sicher.',
  'delivery_text.FORECAST_VOLUME':
    'In der Laufzeit werden {expected} des Verkehrs der Stichprobe erwartet, möglich sind {low} bis {high}.',
  'delivery_text.FORECAST_PARTS':
    'Teile des Verkehrs hatten eigene starke und schwache Tage: Rechnen Sie mit ±{percent}.',
  'delivery_text.AVAILABILITY_NO_TRAFFIC': 'Es gibt noch keinen Verkehr, deshalb ist keine Erwartung möglich.',
  'delivery_text.AVAILABILITY_SHORT_HISTORY':
    'Der Verlauf hat nur {days} {daysCount, plural, one {Tag} other {Tage}}: Für fehlende Wochentage gibt es keine Erwartung.',
  'delivery_text.AVAILABILITY_LEFT_OUT':
    '{lineItems} {lineItemsCount, plural, one {Werbebuchung} other {Werbebuchungen}} mit Zielen in Klicks oder Conversions {lineItemsCount, plural, one {ist} other {sind}} nicht enthalten.',
  'delivery_text.AVAILABILITY_FIRST_ONLY': 'Nur die ersten {lineItems} Werbebuchungen sind berücksichtigt.',
  'delivery_text.INSPECTION_SAME_PLAN':
    'Ziele behalten ihren Plan: Nach einer echten Änderung entstünde in wenigen Minuten ein neuer.',
  'delivery_text.INSPECTION_LIKE_IT':
    'Entschieden wird eine ähnliche Anfrage zum jetzigen Zeitpunkt. Ihre Schlüsselwerte, Segmente, ihr Nutzer und die Seite stehen nicht im Link.',
  'delivery_text.INSPECTION_NO_BOOKINGS':
    'Das Entscheidungsprotokoll enthält diese Entscheidung, aber nicht mehr ihre Buchungen.',
  'delivery_text.INSPECTION_NO_LOG':
    'Dieser Rechner hat kein Entscheidungsprotokoll: Der Betreiber setzt PLACARD_DECISION_LOG_PER_SECOND, um eines zu beginnen.',
  'delivery_text.INSPECTION_ENDED': 'Die Suche im Entscheidungsprotokoll dauerte zu lange und wurde beendet.',
  'delivery_text.INSPECTION_NOT_LOGGED':
    'Das Entscheidungsprotokoll enthält diese Entscheidung nicht: Es enthält eine Stichprobe der Entscheidungen dieses Rechners.',

  'delivery_dimension.AD_UNIT': 'Anzeigenblock',
  'delivery_dimension.AREA': 'Bereich',
  'delivery_dimension.BROWSER': 'Browser',
  'delivery_dimension.BROWSER_LANGUAGE': 'Sprache des Browsers',
  'delivery_dimension.CITY': 'Stadt',
  'delivery_dimension.COUNTRY': 'Land',
  'delivery_dimension.DAY_PART': 'Tageszeit',
  'delivery_dimension.DEAL': 'Deal',
  'delivery_dimension.DEVICE_TYPE': 'Gerät',
  'delivery_dimension.DOMAIN': 'Domain',
  'delivery_dimension.KEYWORD': 'Stichwort',
  'delivery_dimension.KEY_VALUE': 'Schlüsselwert',
  'delivery_dimension.LANGUAGE': 'Sprache',
  'delivery_dimension.MEDIA_TYPE': 'Medientyp',
  'delivery_dimension.OS': 'Betriebssystem',
  'delivery_dimension.PAGE_URL': 'Adresse der Seite',
  'delivery_dimension.POSITION': 'Position',
  'delivery_dimension.REGION': 'Region',
  'delivery_dimension.SEGMENT': 'Segment',
  'delivery_dimension.SITE': 'Website',
  'delivery_dimension.SIZE': 'Größe',
  'today_text.impressions': 'Abrechenbare Impressions: gezeigte Anzeigen ohne gefilterte Zugriffe.',
  'today_text.revenue': 'Was die Auslieferung des Tages nach den Preisen der Werbebuchungen eingebracht hat.',
  'today_text.fill': 'Anfragen von Anzeigenblöcken, die eine Anzeige bekamen, in Prozent.',
  'today_text.ecpm': 'Umsatz je tausend Impressions.',
  'today_text.clicks': 'Abrechenbare Klicks, einer je Impression.',
  'today.demo': 'Verlauf der Demo',
  'today.demo_progress': 'Der Verlauf der Demo entsteht: {done} von {days} Tagen. Bis dahin wachsen die Zahlen.',
  'today.history_import': 'Importierter Verlauf wird gezählt. Bis dahin wachsen die Zahlen.',
  'today.history_unknown': 'Bis dahin gilt keine Werbebuchung als im Rückstand oder gefährdet.',
  'failing.title': 'Filme und Tags mit Fehlern',
  'failing.plays': '{errors} Wiedergaben scheiterten heute, {part} von allen. Am häufigsten mit VAST-Fehler {code}.',
  'failing.vendor':
    '{errors} Wiedergaben scheiterten heute, {part} von allen. Am häufigsten mit VAST-Fehler {code}, im Tag von {vendor}.',
} satisfies TextsOf<typeof EN_DELIVERY>;
