// @ts-check
import { empty } from '../parts.js';
import { href } from '../route.js';
import { html, View } from '../view.js';

/** The page of addresses that no page has, or none that the user may see. */
class Missing extends View {
  render() {
    return html`
      <div class="head"><h1>Page not found</h1></div>
      ${empty('search', 'This address has no page', 'It may be mistyped, or your roles may not include it.')}
      <p><a class="button" href=${href('overview')}>Overview</a></p>`;
  }
}

customElements.define('readpast-missing', Missing);
