// @ts-check
import { patch, post, url } from './api.js';
import { singleClick } from './ask.js';
import { act, icon } from './parts.js';
import { html } from './view.js';

/** Contains the controls that schedules and rules have in common. */

/**
 * Returns a switch that enables or disables a schedule or a rule. The switch returns to its
 * previous position if the change fails.
 *
 * @param {'schedules' | 'rules'} kind
 * @param {{name: string, enabled: boolean}} item
 * @param {boolean} allowed
 * @param {() => unknown} refresh called after the change
 */
export function toggle(kind, { name, enabled }, allowed, refresh) {
  const onChange = async (/** @type {any} */ { target }) => {
    const { checked } = target;
    const changed = await act(() => patch(url([kind, name]), { enabled: checked }), `${name} ${checked ? 'enabled' : 'disabled'}`);
    refresh();
    if (changed === undefined) {
      target.checked = !checked;
    }
  };
  return html`<input type="checkbox" role="switch" aria-label="${name} is enabled" .checked=${enabled} ?disabled=${!allowed} @change=${onChange}>`;
}

/**
 * Returns a button that runs a schedule or a rule now.
 *
 * @param {'schedules' | 'rules'} kind
 * @param {string} name
 * @param {() => unknown} refresh called after the job was created
 */
export const runButton = (kind, name, refresh) => html`
  <button @click=${singleClick(async () => {
    await act(() => post(url([kind, name, 'runs'])), `${name}: job created`);
    await refresh();
  })}>${icon('play')} Run now</button>`;
