import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** What the page of a player tells of its ads, in order. */
export interface PlayedAd {
  /** AdServingId: the id of the impression; '' without an ad. */
  readonly impressionId: string;
  readonly outcome: 'playing' | 'ended' | 'none' | 'failed';
}

/**
 * The script of a page that plays ads with video.js, contrib-ads and the VAST client of Dailymotion, all as published. What joins them is
 * what a publisher writes: the pre-roll of an address, its events by the tracker, a click through.
 */
const SCRIPT = `
import videojs from 'video.js';
import 'videojs-contrib-ads';
import { VASTClient, VASTTracker } from '@dailymotion/vast-client';

const played = (window.playedAds = []);
const client = new VASTClient();

async function findAd(address) {
  const { ads } = await client.get(address, { withCredentials: true, timeout: 10_000 });
  const ad = ads[0];
  const linear = ad?.creatives.find(({ type }) => type === 'linear');
  return linear === undefined ? null : { ad, linear, tracker: new VASTTracker(client, ad, linear) };
}

function follow(player, { ad, linear, tracker }) {
  const tell = (outcome) => played.push({ impressionId: ad.adServingId ?? '', outcome });
  let isOver = false;
  const end = (outcome) => {
    if (isOver) return;
    isOver = true;
    tell(outcome);
    player.ads.endLinearAdMode();
  };
  player.one('adplaying', () => {
    tracker.setDuration(player.duration());
    tracker.trackImpression();
    tell('playing');
  });
  player.on('adtimeupdate', () => tracker.setProgress(player.currentTime()));
  player.one('adended', () => {
    tracker.complete();
    end('ended');
  });
  player.one('aderror', () => {
    tracker.errorWithCode('405', true);
    end('failed');
  });
  tracker.on('clickthrough', (url) => window.open(url));
  player.el().addEventListener('click', () => tracker.click());
}

/** Until the content is there, the player forgets what it was told of ads. */
const untilLoaded = (player) =>
  player.readyState() > 0 ? null : new Promise((done) => player.one('loadedmetadata', done));

window.playWith = async (address) => {
  const player = videojs('content', { muted: true, controls: true });
  player.ads({ timeout: 20_000 });
  await untilLoaded(player);
  const found = await findAd(address).catch((error) => {
    window.playerError = String(error);
    return null;
  });
  if (found === null) {
    played.push({ impressionId: '', outcome: 'none' });
    player.trigger('nopreroll');
    player.play();
    return;
  }
  player.one('readyforpreroll', () => {
    player.ads.startLinearAdMode();
    follow(player, found);
    player.src(found.linear.mediaFiles.map(({ fileURL, mimeType }) => ({ src: fileURL, type: mimeType })));
    player.play();
  });
  player.trigger('adsready');
  player.play();
};

/** The address of the pre-roll in a VMAP document. */
window.preRollOf = async (address) => {
  const response = await fetch(address, { credentials: 'include' });
  const vmap = new DOMParser().parseFromString(await response.text(), 'text/xml');
  const breaks = [...vmap.getElementsByTagNameNS('http://www.iab.net/videosuite/vmap', 'AdBreak')];
  const first = breaks.find((one) => one.getAttribute('timeOffset') === 'start');
  return first.getElementsByTagNameNS('*', 'AdTagURI')[0].textContent.trim();
};
`;

/** The script, for browsers. */
export async function bundlePlayer(): Promise<string> {
  const name = `${ROOT}player-entry.js`;
  const bundle = await rolldown({
    input: name,
    platform: 'browser',
    logLevel: 'silent',
    plugins: [
      {
        name: 'entry',
        resolveId: (id: string) => (id === name ? id : null),
        load: (id: string) => (id === name ? SCRIPT : null),
      },
    ],
  });
  const { output } = await bundle.generate({ format: 'iife', minify: true });
  await bundle.close();
  return output[0].code;
}

/** A page with a film of the publisher, at this address. */
export function playerPage(contentUrl: string): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>A page with a player</title>
<body><video id="content" class="video-js" width="640" height="360" muted playsinline><source src="${contentUrl}" type="video/webm"></video>
<script src="/player.js"></script></body></html>`;
}
