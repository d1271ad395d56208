import { describe, expect, it } from 'vitest';
import { panelHtml } from '../../../extension/views/panel/panelHtml';

const SOURCE = 'https://file+.vscode-resource.vscode-cdn.net';

const page = panelHtml({
  language: 'en',
  strings: { title: '"><script>alert(1)</script>' },
  cspSource: SOURCE,
  nonce: 'aB3',
  styleNonce: 'cD4',
  script: `${SOURCE}/main.js`,
  style: `${SOURCE}/main.css`,
  icons: `${SOURCE}/codicon.css`,
});

const policy = new Map(
  (/Content-Security-Policy" content="([^"]*)"/.exec(page)?.[1] ?? '')
    .split('; ')
    .map((part) => [part.split(' ')[0] ?? '', part.split(' ').slice(1)]),
);

describe('the page of the panel', () => {
  it('pains 21, 24, 28: reaches no network, this machine’s neither: all comes by messages', () => {
    expect(policy.get('default-src')).toEqual(["'none'"]);
    expect(policy.has('connect-src')).toBe(false);
    const addresses = [...page.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, address]) => address);
    expect(addresses).toHaveLength(3);
    for (const address of addresses) expect(address).toMatch(/^https:\/\/file\+/);
    expect(page).not.toMatch(/localhost|127\.0\.0\.1/);
  });

  it('runs its own script only, and styles without exceptions', () => {
    expect(policy.get('script-src')).toEqual(["'nonce-aB3'"]);
    expect(policy.get('style-src')).toEqual([SOURCE, "'nonce-cD4'"]);
    expect(page).not.toContain('unsafe');
    expect(page.match(/<script/g)).toHaveLength(1);
  });
});
