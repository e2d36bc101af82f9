// @ts-check
import { confirmed } from './ask.js';
import { change, inProgress } from './bulk.js';
import { whole } from './format.js';
import { hasRole, html, NO_SESSION, nothing, View } from './view.js';

/** @type {import('./bulk.js').Action[]} */
const ACTIONS = [
  { name: 'RESET', title: 'Reset', done: 'reset', text: 'The jobs are started again, with their full number of attempts.' },
  { name: 'RUN', title: 'Run now', done: 'due now', text: 'Scheduled jobs become due immediately, including those that wait for a retry.' },
  { name: 'CANCEL', title: 'Cancel', done: 'cancelled', danger: true, confirm: 'Cancel jobs', dismiss: 'Go back',
    text: 'Waiting jobs are cancelled immediately; running jobs are asked to stop.' },
  { name: 'DELETE', title: 'Delete', done: 'deleted', danger: true,
    text: 'Ended jobs are deleted, together with their attempts and logs. This cannot be undone.' },
  { name: 'PRIORITIZE', title: 'Prioritize', done: 'prioritized', priority: true,
    text: 'Waiting jobs get this priority; 9 is the highest.' },
  { name: 'MOVE', title: 'Move', done: 'moved', type: true,
    text: 'The type of waiting jobs is changed to another registered type, and the roles of their enqueuers are deleted. '
      + 'To select a version, append it as in mail.send@2.' },
];
/** @type {import('./bulk.js').Action} */
const ERASE = { path: 'jobs/erase', title: 'Erase', done: 'erased', danger: true,
  text: 'The payloads, results, properties, failure messages, stack traces and logs of ended jobs are deleted; all other data is kept. This cannot be undone.' };

/**
 * Shows the bar with the actions on the selected jobs. The bar fires `all` when the user selects
 * all matching jobs, `clear` when the user clears the selection or an action has started, and
 * `changed` when an action has ended.
 */
class BulkBar extends View {
  static properties = {
    session: { attribute: false },
    selected: { attribute: false },
    matching: { attribute: false },
    count: { attribute: false },
    expandable: { attribute: false },
  };

  constructor() {
    super();
    this.session = NO_SESSION;
    /** @type {Set<number>} the ids of the selected jobs */
    this.selected = new Set();
    /**
     * @type {{q: string, state?: string} | null} the search, if all jobs that match it are selected
     */
    this.matching = null;
    /** Holds the number of jobs that match the search, as a string. */
    this.count = '';
    /** Is true if more jobs match than are listed. */
    this.expandable = false;
  }

  /** @param {string} name */
  #notify(name) {
    this.dispatchEvent(new Event(name));
  }

  /** @param {import('./bulk.js').Action} action */
  async #run(action) {
    const jobs = this.matching ? { matching: this.matching } : { ids: [...this.selected] };
    const number = this.matching ? this.count : whole(this.selected.size);
    const answer = await confirmed({
      title: `${action.title} ${number} job${number === '1' ? '' : 's'}?`,
      text: action.text,
      action: action.confirm ?? action.title,
      dismiss: action.dismiss,
      danger: action.danger,
      number: action.priority ? { label: 'Priority', min: 0, max: 9, value: 4 } : undefined,
      word: action.type ? { label: 'Type', pattern: '[^@\\s]+(@[1-9][0-9]{0,3})?', hint: 'mail.send, or mail.send@2 for version 2' } : undefined,
    });
    if (answer !== false) {
      const [type, version] = action.type ? answer.split('@') : [];
      const ended = change(action, {
        action: action.name, priority: action.priority ? answer : undefined, type, version: version && Number(version), ...jobs,
      });
      this.#notify('clear');
      await ended;
      this.#notify('changed');
    }
  }

  render() {
    const { selected, matching } = this;
    if (!selected.size) {
      return nothing;
    }
    const actions = hasRole(this.session, 'ADMIN') ? [...ACTIONS, ERASE] : ACTIONS;
    return html`
      <div class="notice chosen" role="group" aria-label="Selected jobs">
        <strong>${matching ? this.count : whole(selected.size)} selected</strong>
        ${this.expandable && !matching
          ? html`<button class="quiet" @click=${() => this.#notify('all')}>Select all matching jobs</button>` : nothing}
        <span class="grow"></span>
        ${hasRole(this.session, 'OPERATOR')
          ? actions.map((action) => html`
              <button ?disabled=${inProgress()} @click=${() => this.#run(action)}>${action.title}</button>`)
          : html`<span>Read-only: your role cannot change jobs.</span>`}
        <button class="quiet" @click=${() => this.#notify('clear')}>Clear selection</button>
      </div>`;
  }
}

customElements.define('readpast-bulk-bar', BulkBar);
