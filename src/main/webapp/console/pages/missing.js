// @ts-check
import { icon } from '../parts.js';
import { href } from '../route.js';
import { html, View } from '../view.js';

/** Replaces pages that do not exist, or that the user is not allowed to see. */
class Missing extends View {
  render() {
    return html`
      <div class="head"><h1>Page not found</h1></div>
      <div class="empty">${icon('search')}<p>The address may be mistyped, or your roles do not include its page.</p>
        <a class="button" href=${href('overview')}>Overview</a></div>`;
  }
}

customElements.define('readpast-missing', Missing);
