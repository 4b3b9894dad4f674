/** The sandbox of a frame with code of an advertiser: a separate origin, which may open windows, and leave the page when a user clicks. */
export const AD_SANDBOX =
  'allow-scripts allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation';

/**
 * Code for the document of an ad. Links and `window.open` that name the ad's own frame, or the frame around it, open a window: the landing page
 * does not fit into the frame, and most refuse frames.
 */
export const LEAD_ON_CODE =
  'addEventListener("click",function(e){var a=e.target&&e.target.closest&&e.target.closest("a,area"),b=document.querySelector("base[target]");' +
  'if(!a||!/^\\s*(https?:)?\\/\\//i.test(a.getAttribute("href")||a.getAttribute("xlink:href")))return;' +
  'if(/^(_self|_parent)?$/i.test(a.getAttribute("target")||(b?b.target:"")))a.setAttribute("target","_blank")});' +
  '(function(o){window.open=function(u,n,f){return o.call(window,u,/^_(self|parent)$/i.test(n)?"_blank":n,f)}})(window.open);';
