// @ts-check
import { html, render } from './view.js';

/**
 * Shows the keyboard shortcuts.
 *
 * @param {{key: string, label: string}[]} pages
 */
export function show(pages) {
  const dialog = document.createElement('dialog');
  dialog.className = 'dialog';
  dialog.setAttribute('aria-labelledby', 'shortcuts-title');
  render(html`
    <h2 id="shortcuts-title">Keyboard shortcuts</h2>
    <dl class="keys">
      ${pages.map((page) => html`<div><dt><kbd>g</kbd> <kbd>${page.key}</kbd></dt><dd>${page.label}</dd></div>`)}
      <div><dt><kbd>/</kbd></dt><dd>Search</dd></div>
      <div><dt><kbd>p</kbd></dt><dd>Pause or resume updates</dd></div>
      <div><dt><kbd>?</kbd></dt><dd>Show these shortcuts</dd></div>
      <div><dt><kbd>Esc</kbd></dt><dd>Close the dialog</dd></div>
    </dl>
    <form method="dialog" class="actions"><button class="primary">Close</button></form>`, dialog);
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
