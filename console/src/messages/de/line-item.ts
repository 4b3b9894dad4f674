import type { EN_LINE_ITEM } from '../en/line-item.ts';
import type { TextsOf } from '../en/translation.ts';

/** German texts of a line item. */
export const DE_LINE_ITEM = {
  'approval.title': 'Freigabe',
  'approval.MISSING': 'Ein anderes Mitglied muss diese Buchung freigeben, bevor sie ausgeliefert wird.',
  'approval.MISSING_LIVE': 'Diese Buchung läuft, und kein anderes Mitglied hat ihre jetzigen Bedingungen freigegeben.',
  'approval.REQUESTED': '{name} bittet um Freigabe. Freigeben kann, wer sie nicht gebucht hat.',
  'approval.APPROVED': 'Freigegeben von {name}.',
  'approval.request': 'Um Freigabe bitten',
  'approval.approve': 'Buchung freigeben',

  'comments.title': 'Kommentare',
  'comments.empty': 'Noch hat niemand etwas geschrieben.',
  'comments.label': 'Ihr Kommentar',
  'comments.mention': 'Benachrichtigen',
  'comments.add': 'Kommentieren',
  'comments.delete': 'Kommentar von {name} löschen',

  'creative_status.ACTIVE': 'Aktiv',
  'creative_status.ARCHIVED': 'Archiviert',
  'creative_status.PAUSED': 'Pausiert',

  'creatives.empty': 'Sie hat keine Werbemittel und kann deshalb nicht ausgeliefert werden.',
  'creatives.format': 'Format',
  'creatives.frame': 'Die Anzeige „{name}“',
  'creatives.more': 'Die ersten {shown} von {total} Werbemitteln.',
  'creatives.picture': 'Anzeige',
  'creatives.review': 'Prüfung',
  'creatives.title': 'Werbemittel',

  'diagnosis.after': 'Danach',
  'diagnosis.apply': 'Diese Änderung vornehmen',
  'diagnosis.apply_short': 'Anwenden',
  'diagnosis.before': 'Jetzt',
  'diagnosis.by_hour': 'Gewinne und Verluste nach Stunde',
  'diagnosis.changed': 'Die Änderung ist vorgenommen.',
  'diagnosis.conflict':
    'Seit diesem Rat hat jemand etwas geändert. Schließen Sie das Fenster, sehen Sie den neuen Rat an und entscheiden Sie neu.',
  'diagnosis.confirm': 'Diese Änderung vornehmen?',
  'diagnosis.gain':
    'Etwa {count} {impressions, plural, one {Impression} other {Impressions}} mehr in {hours} Stunden, wenn alles andere gleich bleibt.',
  'diagnosis.hour': 'Stunde',
  'diagnosis.missing': 'Diese Änderung braucht mehr: {fields}. Nehmen Sie sie über die API vor.',
  'diagnosis.missing_here': 'Diese Änderung braucht mehr: {fields}.',
  'diagnosis.none': 'Keine Änderung nötig.',
  'diagnosis.object': 'Das ändert {kind} „{name}“.',
  'diagnosis.open_advertiser': 'Werbetreibenden öffnen',
  'diagnosis.together': 'Diese Änderungen helfen nur zusammen',
  'diagnosis.other_changes': 'Andere Änderungen, die etwas bringen',
  'diagnosis.others': 'andere Gründe',
  'diagnosis.outcomes':
    'Ergebnisse von {opportunities} {count, plural, one {Gelegenheit} other {Gelegenheiten}} der letzten {hours} Stunden',
  'diagnosis.rivals': 'Wer stattdessen gewann',
  'diagnosis.title': 'Warum liefert sie so aus?',
  'diagnosis.won': 'gewonnen',

  'forecast_record.ARCHIVED': 'Nicht bewertet: Die Werbebuchung wurde während ihrer Laufzeit archiviert.',
  'forecast_record.CHANGED': 'Nicht bewertet: Die Werbebuchung wurde geändert. Eine neue Prognose folgt.',
  'forecast_record.PAUSED': 'Nicht bewertet: Die Werbebuchung wurde während ihrer Laufzeit angehalten.',
  'forecast_record.SAMPLE_TOO_YOUNG': 'Es gibt keine Prognose: Die Stichprobe umfasste weniger als einen Tag.',
  'forecast_record.TOO_LARGE': 'Es gibt keine Prognose: Die Berechnung dauerte zu lange.',
  'forecast_record.above': 'Ausgeliefert: {delivered}, über dem Intervall von 95 % ({low} bis {high}).',
  'forecast_record.below': 'Ausgeliefert: {delivered}, unter dem Intervall von 95 % ({low} bis {high}).',
  'forecast_record.inside': 'Ausgeliefert: {delivered}, innerhalb des Intervalls.',
  'forecast_record.made':
    'Prognose vom {day}: {impressions} {count, plural, one {Impression} other {Impressions}} bis zum Ende der Laufzeit (80 %: {low} bis {high}).',
  'forecast_record.open': 'Sie wird einen Tag nach dem Ende, {day}, mit der Auslieferung verglichen.',
  'forecast_record.title': 'Prognose und Auslieferung',
  'forecast_record.wide': 'Ausgeliefert: {delivered}, innerhalb des Intervalls von 95 % ({low} bis {high}).',

  'item.chart': 'Ausgeliefert je Tag',
  'item.chart_cumulative': 'Ausgeliefert seit Beginn',
  'item.chart_day': 'Tag',
  'item.chart_delivered': 'Ausgeliefert',
  'item.chart_description': '{title}. Die Tabelle darunter enthält jeden Wert.',
  'item.chart_empty': 'An diesen Tagen wurde nichts gezählt.',
  'item.chart_goal': 'Tagesziel',
  'item.chart_high': 'Wahrscheinlich höchstens',
  'item.chart_hour': 'Stunde',
  'item.chart_low': 'Wahrscheinlich mindestens',
  'item.chart_now': 'Jetzt',
  'item.chart_numbers': 'Zahlen zeigen',
  'item.chart_plan': 'Plan',
  'item.chart_plan_ASAP': 'Mindestens (ASAP)',
  'item.chart_plan_FRONT_LOADED': 'Plan (FRONT-LOADED)',
  'item.chart_plan_EVEN': 'Plan (EVEN)',
  'item.chart_projected': 'Hochrechnung',
  'item.chart_today': 'Heute',
  'item.missing': 'In diesem Netzwerk gibt es keine Werbebuchung {id}.',
  'item.money': 'Geld',
  'item.open_lens': 'In Lens öffnen',
  'item.price': 'Preis',
  'item.spend_today': 'Umsatz heute',
  'item.value': 'Wert des Ziels',
  'item.value_day': 'Wert eines Tagesziels',

  'item_action.copy': 'Duplizieren …',
  'item_action.settings': 'Einstellungen',
  'item_action.split': 'Teilen …',

  'kind.AdUnit': 'den Anzeigenblock',
  'kind.Advertiser': 'den Werbetreibenden',
  'kind.Area': 'den Bereich',
  'kind.Campaign': 'die Kampagne',
  'kind.Creative': 'das Werbemittel',
  'kind.Deal': 'den Deal',
  'kind.LineItem': 'die Werbebuchung',
  'kind.Network': 'das Netzwerk',
  'kind.Segment': 'das Segment',
  'kind.Site': 'die Website',

  'panel.close': 'Seitenleiste schließen',
  'panel.full': 'Ganze Seite',

  'promise.ASAP':
    'ASAP verspricht mindestens so viel wie EVEN und nimmt alles, was es bekommt, bis das Ziel erreicht ist.',
  'promise.EVEN':
    'EVEN verspricht seinen Anteil am Verkehr: Der Plan steigt in den Stunden und an den Tagen, an denen Verkehr kommt.',
  'promise.FRONT_LOADED': 'FRONT-LOADED verspricht früh in der Laufzeit bis zu 40 % mehr als EVEN und endet mit EVEN.',
  'promise.projected': '{state}: Hochgerechnet sind es am Ende {projected} von {goal} ({low} bis {high}).',

  'test.better':
    '„{second}“ wird {lift} häufiger geklickt als „{first}“ (p = {p}; die Raten unterscheiden sich um {low} bis {high}; {n2} und {n1} Impressions).',
  'test.method':
    'Zwei-Anteile-z-Test der Klickraten, 95-%-Intervall. Werbemittel, die nach Erfolg rotieren, werden nicht zufällig gezeigt: Dann ist das ein Hinweis, kein Beweis.',
  'test.open':
    '„{first}“ und „{second}“: noch kein Unterschied feststellbar (p = {p}; {n1} und {n2} Impressions). Ein solcher Unterschied braucht etwa {needed} Impressions von jedem.',
  'test.title': 'Welches Werbemittel wird häufiger geklickt?',
  'test.too_little': '„{first}“ und „{second}“: zu wenige Klicks für einen Vergleich ({n1} und {n2} Impressions).',
  'test.worse':
    '„{second}“ wird {lift} seltener geklickt als „{first}“ (p = {p}; die Raten unterscheiden sich um {low} bis {high}; {n2} und {n1} Impressions).',
} satisfies TextsOf<typeof EN_LINE_ITEM>;
