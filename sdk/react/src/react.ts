import type { PlacardEvents, PlacardKeyValues, PlacardSize, PlacardSlotOptions, PlacardTag } from '@placard/tag';
import { createElement, type CSSProperties, type ReactNode, useEffect, useRef } from 'react';

/** The page, as the tag's script says it. */
export interface PlacardScriptProps {
  /** Address of the tag: `https://ads.example/tag.js`. */
  readonly src: string;
  readonly network: string;
  readonly site?: string | undefined;
  readonly domain?: string | undefined;
  readonly area?: string | undefined;
  readonly keywords?: readonly string[] | undefined;
  /** For pages without a consent tool: false = GDPR does not apply. */
  readonly gdpr?: boolean | undefined;
  readonly environment?: 'production' | 'staging' | undefined;
  /** Milliseconds. */
  readonly timeout?: number | undefined;
  readonly consentTimeout?: number | undefined;
  readonly headerBidTimeout?: number | undefined;
  /** New ads are requested when the address changes; leave it off where routes mount ad units of their own. */
  readonly refreshOnNavigation?: boolean | undefined;
  /** All ad units of the page share one request. */
  readonly singleRequest?: boolean | undefined;
  /** For a content security policy with nonces. */
  readonly nonce?: string | undefined;
}

/** Loads the tag once. Other properties than the first ones of a page have no effect: the tag reads them when it starts. */
export function PlacardScript(props: PlacardScriptProps): ReactNode {
  const first = useRef(props);
  useEffect(() => {
    const { src, nonce } = first.current;
    if ([...document.scripts].some((one) => one.src === new URL(src, location.href).href)) return;
    const script = document.createElement('script');
    script.async = true;
    script.src = src;
    if (nonce !== undefined) script.nonce = nonce;
    Object.assign(script.dataset, scriptData(first.current));
    document.head.append(script);
  }, []);
  return null;
}

/** An ad unit. */
export interface AdSlotProps extends PlacardSlotOptions {
  /** Name of the ad unit. */
  readonly adUnit: string;
  /** One size, several, or a text with breakpoints: `1024:970x250;0:320x100`. */
  readonly sizes?: string | PlacardSize | readonly PlacardSize[] | undefined;
  readonly keyValues?: PlacardKeyValues | undefined;
  /** Shown when there is no ad. */
  readonly fallback?: ReactNode;
  /** HTML of the template of native ads, with `data-ad` attributes. Never put what users write into it. */
  readonly nativeTemplate?: string | undefined;
  readonly id?: string | undefined;
  readonly className?: string | undefined;
  readonly style?: CSSProperties | undefined;
  readonly onRequested?: Listener<'requested'> | undefined;
  readonly onFilled?: Listener<'filled'> | undefined;
  readonly onEmpty?: Listener<'empty'> | undefined;
  readonly onError?: Listener<'error'> | undefined;
  readonly onViewable?: Listener<'viewable'> | undefined;
  readonly onNative?: Listener<'native'> | undefined;
  readonly onHeaderBid?: Listener<'headerbid'> | undefined;
  readonly onVideo?: Listener<'video'> | undefined;
}

type Listener<Name extends keyof PlacardEvents> = (event: CustomEvent<PlacardEvents[Name]>) => void;

/** The property that hears each event of the tag. */
const LISTENERS = {
  requested: 'onRequested',
  filled: 'onFilled',
  empty: 'onEmpty',
  error: 'onError',
  viewable: 'onViewable',
  native: 'onNative',
  headerbid: 'onHeaderBid',
  video: 'onVideo',
} as const satisfies Record<keyof PlacardEvents, keyof AdSlotProps>;

/** An ad unit in the page. It leaves with its component; another name, other sizes, options or key-values request another ad. */
export function AdSlot(props: AdSlotProps): ReactNode {
  const { adUnit, sizes, keyValues, media, lazy, refresh, collapse, reserve, position } = props;
  const key = JSON.stringify([adUnit, sizes, keyValues, media, lazy, refresh, collapse, reserve, position]);
  return createElement(Slot, { key, ...props });
}

function Slot(props: AdSlotProps): ReactNode {
  const ref = useRef<HTMLDivElement>(null);
  const latest = useRef(props);
  useEffect(() => {
    latest.current = props;
  });
  useEffect(() => {
    const element = ref.current;
    if (element === null) return;
    const mute = listen(element, latest);
    withTag((tag) => display(tag, element, latest.current));
    return () => {
      mute();
      withTag((tag) => tag.destroy(element));
    };
  }, []);
  const { id, className, style, fallback, nativeTemplate } = props;
  return createElement(
    'div',
    { ref, id, className, style },
    nativeTemplate === undefined
      ? null
      : createElement('template', { dangerouslySetInnerHTML: { __html: nativeTemplate } }),
    fallback === undefined ? null : createElement('div', { 'data-ad-fallback': '', hidden: true }, fallback),
  );
}

function display(tag: PlacardTag, element: HTMLElement, props: AdSlotProps): void {
  // Left before the tag has loaded.
  if (!element.isConnected) return;
  const { adUnit, sizes = '', keyValues = {}, media, lazy, refresh, collapse, reserve, position } = props;
  const slot = tag.defineSlot(adUnit, sizes, element, { media, lazy, refresh, collapse, reserve, position });
  for (const [name, value] of Object.entries(keyValues)) slot.setTargeting(name, value);
  tag.display(slot);
}

function listen(element: HTMLElement, latest: { readonly current: AdSlotProps }): () => void {
  const ends = Object.entries(LISTENERS).map(([name, property]) => {
    const hear = (event: Event): void => (latest.current[property] as ((event: Event) => void) | undefined)?.(event);
    element.addEventListener(`placard:${name}`, hear);
    return () => element.removeEventListener(`placard:${name}`, hear);
  });
  return () => ends.forEach((end) => end());
}

/** Runs with the tag, at once or when it has loaded. */
export function withTag(command: (tag: PlacardTag) => void): void {
  window.placard ??= { cmd: [] };
  window.placard.cmd.push(command);
}

function scriptData(props: PlacardScriptProps): Record<string, string> {
  const { network, site, domain, area, keywords, gdpr, environment, timeout, consentTimeout, headerBidTimeout } = props;
  const values = {
    network,
    site,
    domain,
    area,
    keywords: keywords?.join('+'),
    gdpr: gdpr === undefined ? undefined : Number(gdpr),
    environment,
    timeout,
    consentTimeout,
    headerBidTimeout,
    singleRequest: props.singleRequest === true ? '' : undefined,
    spa: props.refreshOnNavigation === true ? '' : undefined,
  };
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
}
