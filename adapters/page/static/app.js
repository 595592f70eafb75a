// Hands what Telegram tells a Mini App (in the address, behind the #) to the page, which checks its signature.
// The messages to Telegram's clients are those of https://core.telegram.org/bots/webapps#implementing-your-own
"use strict";
(function () {
  function tell(event, data) {
    var written = JSON.stringify(data || {});
    if (window.TelegramWebviewProxy !== undefined) {
      window.TelegramWebviewProxy.postEvent(event, written);
    } else if (window.external && "notify" in window.external) {
      window.external.notify(JSON.stringify({ eventType: event, eventData: data || {} }));
    } else if (window.parent !== window) {
      window.parent.postMessage(JSON.stringify({ eventType: event, eventData: data || {} }), "https://web.telegram.org");
    }
  }
  var form = document.getElementById("enter");
  var told = new URLSearchParams(window.location.hash.slice(1)).get("tgWebAppData");
  if (!form || !told) {
    return;
  }
  tell("web_app_ready");
  tell("web_app_expand");
  form.elements.namedItem("init_data").value = told;
  window.history.replaceState(null, "", window.location.pathname);
  form.submit();
})();
