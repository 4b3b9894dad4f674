import type { PlacardTag } from '../tag.d.ts';
import { AdUnit } from './ad-unit.ts';
import { readSettings, type TagSettings } from './settings.ts';

const SELECTOR = '[data-ad-unit]';
const page = window as unknown as { placard?: PlacardTag };
const script = document.currentScript as HTMLScriptElement | null;
const settings = script === null ? null : readSettings(script);
if (settings !== null && page.placard === undefined) start(settings);

/** Finds the ad units of the page, now and as they come and go. */
function start(known: TagSettings): void {
  const adUnits = new Map<Element, AdUnit>();
  const look = (): void => {
    for (const [element, adUnit] of adUnits) {
      if (element.isConnected) continue;
      adUnit.close();
      adUnits.delete(element);
    }
    for (const element of document.querySelectorAll<HTMLElement>(SELECTOR))
      if (!adUnits.has(element)) adUnits.set(element, new AdUnit(element, known));
  };
  page.placard = {
    refresh: (element) => {
      for (const [one, adUnit] of adUnits) if (element === undefined || one === element) adUnit.refresh();
    },
  };
  look();
  new MutationObserver(look).observe(document.documentElement, { childList: true, subtree: true });
  if (known.singlePage) watchAddress(() => page.placard?.refresh());
}

/** Calls back when the page shows another address without being loaded again; a fragment alone is none. */
function watchAddress(changed: () => void): void {
  const addressOf = (): string => location.href.replace(/#.*/, '');
  let shown = addressOf();
  const check = (): void => {
    if (addressOf() === shown) return;
    shown = addressOf();
    changed();
  };
  const { navigation } = window as unknown as { navigation?: EventTarget };
  navigation?.addEventListener('navigatesuccess', check);
  navigation?.addEventListener('currententrychange', check);
  addEventListener('popstate', check);
}
