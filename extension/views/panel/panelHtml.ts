/** What the page holds, and where its files are as the webview sees them. */
export interface PanelPage {
  readonly language: string;
  /** The panel's texts: in the page, so that it is drawn before the extension has answered. */
  readonly strings: Readonly<Record<string, string>>;
  readonly cspSource: string;
  /** Two unguessable texts, of letters and digits only. */
  readonly nonce: string;
  readonly styleNonce: string;
  readonly script: string;
  readonly style: string;
  readonly icons: string;
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

const escaped = (text: string): string => text.replace(/[&<>"]/g, (char) => ESCAPES[char] ?? char);

/**
 * The panel's page: its texts, the head that is seen until the script has run, and three files;
 * everything else is forbidden. The toolkit looks for the style nonce in a `csp-nonce` tag: it probes
 * the browser with a style element of its own.
 */
export function panelHtml(page: PanelPage): string {
  const source = page.cspSource;
  const policy = [
    "default-src 'none'",
    `img-src ${source}`,
    `font-src ${source}`,
    `style-src ${source} 'nonce-${page.styleNonce}'`,
    `script-src 'nonce-${page.nonce}'`,
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="${escaped(page.language)}">
  <head>
    <meta charset="utf-8" />
    <meta http-equiv="Content-Security-Policy" content="${escaped(policy)}" />
    <meta property="csp-nonce" content="${page.styleNonce}" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>NormScope</title>
    <link id="vscode-codicon-stylesheet" rel="stylesheet" href="${escaped(page.icons)}" />
    <link rel="stylesheet" href="${escaped(page.style)}" />
  </head>
  <body>
    <div id="root" data-strings="${escaped(JSON.stringify(page.strings))}">
      <div class="app"><header class="top"><h1>NormScope</h1></header></div>
    </div>
    <script nonce="${page.nonce}" src="${escaped(page.script)}"></script>
  </body>
</html>
`;
}
