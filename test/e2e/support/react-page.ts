/** A page of a publisher who uses React: two ad units, one of which comes, changes and goes. Built by the test. */
import { createElement as element, StrictMode, useState, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { AdSlot, PlacardScript } from '../../../sdk/react/src/react.ts';

declare global {
  interface Window {
    told: string[];
    change(state: { readonly section?: string; readonly shown?: boolean }): void;
  }
}

window.told = [];
const { deliveryUrl = '' } = document.documentElement.dataset;
const tell = (name: string) => (event: CustomEvent) => window.told.push(`${(event.target as Element).id}:${name}`);

function Page(): ReactNode {
  const [{ section, shown }, set] = useState({ section: 'bread', shown: true });
  window.change = (state) => set((known) => ({ ...known, ...state }));
  const script = { src: `${deliveryUrl}/tag.js`, network: '1000', site: 'magazine', area: 'home', gdpr: false };
  const fallback = element('p', null, 'No ad today.');
  return element(
    'main',
    null,
    element(PlacardScript, script),
    element('h1', null, `The ${section} page`),
    element(AdSlot, { id: 'top', adUnit: 'home/top', sizes: [970, 250], lazy: 'off', onFilled: tell('filled') }),
    shown
      ? element(AdSlot, {
          id: 'side',
          adUnit: 'home/sidebar',
          sizes: '0:300x250',
          keyValues: { section, topic: ['rye', 'oven'] },
          onFilled: tell('filled'),
          onViewable: tell('viewable'),
        })
      : null,
    element(AdSlot, { id: 'none', adUnit: 'home/none', sizes: [1, 2], fallback, onEmpty: tell('empty') }),
  );
}

const root = document.querySelector('#root');
if (root !== null) createRoot(root).render(element(StrictMode, null, element(Page)));
