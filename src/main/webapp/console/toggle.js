// @ts-check
import { html } from './view.js';

/**
 * A switch that enables or disables something. The switch returns to its previous position if the
 * change fails.
 *
 * @param {{name: string, enabled: boolean}} item
 * @param {boolean} allowed
 * @param {(enabled: boolean) => Promise<boolean>} change
 */
export function toggle({ name, enabled }, allowed, change) {
  const onChange = async (/** @type {any} */ { target }) => {
    const { checked } = target;
    if (!(await change(checked))) {
      target.checked = !checked;
    }
  };
  return html`<input type="checkbox" role="switch" aria-label="${name} is enabled" .checked=${enabled} ?disabled=${!allowed} @change=${onChange}>`;
}
