/**
 * What the address of Revive's asynchronous tags serves: each `<ins data-revive-zoneid>` gets the ad unit of its zone, which the page tag fills.
 * `source` and the page's own attributes become key-values, as they are site variables there. ES5, as old pages are opened by old browsers.
 */
const SCRIPT = `(function (d, base, network, zones) {
  var own = /^(?:zoneid|id|ct0|block|blockcampaign|seq|loaded|target|charset|withtext|dpr)$/;
  function fill(ins) {
    var unit = d.createElement('div');
    var zone = ins.getAttribute('data-revive-zoneid');
    ins.setAttribute('data-placard', '');
    if (zones.indexOf(Number(zone)) < 0) return;
    if (!ins.style.display) ins.style.display = 'inline-block';
    unit.setAttribute('data-ad-unit', 'revive-' + zone);
    for (var i = 0; i < ins.attributes.length; i++) {
      var found = /^data-revive-([a-z][a-z0-9_-]{0,39})$/.exec(ins.attributes[i].name);
      if (found && !own.test(found[1])) unit.setAttribute('data-kv-' + found[1], ins.attributes[i].value);
    }
    ins.appendChild(unit);
  }
  function look() {
    var found = d.querySelectorAll('ins[data-revive-zoneid]:not([data-placard])');
    for (var i = 0; i < found.length; i++) fill(found[i]);
  }
  look();
  if (d.readyState === 'loading') d.addEventListener('DOMContentLoaded', look);
  if (d.querySelector('script[data-network][src$="/tag.js"]')) return;
  var tag = d.createElement('script');
  tag.async = true;
  tag.setAttribute('data-network', network);
  tag.src = base + '/tag.js';
  d.head.appendChild(tag);
})(document, BASE, NETWORK, ZONES);
`;

/**
 * The script for a network with its zones: an ad unit that the network does not have would get any ad.
 * @param deliveryUrl public base address of delivery, without a trailing slash
 */
export function oldTagScript(deliveryUrl: string, networkId: string, zones: readonly number[]): string {
  return SCRIPT.replace('BASE', () => JSON.stringify(deliveryUrl))
    .replace('NETWORK', () => JSON.stringify(networkId))
    .replace('ZONES', () => JSON.stringify(zones));
}
