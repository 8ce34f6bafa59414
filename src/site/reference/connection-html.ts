import { escapeHtml } from "../markdown.ts";

export interface Server {
  readonly name: string;
  readonly url: string;
  readonly isOwn: boolean;
}

/** Where requests go, and with which key. */
export function connectionHtml(servers: readonly Server[]): string {
  const kept = servers.length > 1 ? ", one key for each environment" : "";
  return `<section class="connection try" aria-labelledby="connection">
<h2 id="connection">Try it</h2>
<fieldset class="servers">
<legend>Requests go to</legend>
${servers.map(choice).join("\n")}
</fieldset>
<div class="key">
<label for="key">API key</label>
<div><input id="key" type="password" autocomplete="off" autocapitalize="off" spellcheck="false" aria-describedby="key-note">
<button type="button" id="reveal" aria-pressed="false" aria-controls="key">Show</button></div>
<p id="key-note">Kept in this page only${kept}. Leaving the page deletes it.</p>
<p hidden><button type="button" id="session-key">Use a one-hour read key of my session</button> <span role="status"></span></p>
</div>
</section>
<p class="without-script">Sending requests from this page needs JavaScript; everything else is here.</p>`;
}

function choice({ name, url, isOwn }: Server): string {
  const address = escapeHtml(url);
  return `<label><input type="radio" name="server" value="${address}" data-environment="${name}"${isOwn ? " checked data-own" : ""}>
<span><strong>${name}</strong> <code class="quiet">${address}</code></span></label>`;
}
