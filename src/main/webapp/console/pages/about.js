import { get, post } from '../api.js';
import { span, whole } from '../format.js';
import { act, failed, icon, skeleton, when } from '../parts.js';
import { go } from '../route.js';
import { html, nothing, Page } from '../view.js';

/** Longer than this, a transaction keeps vacuum from its work for too long. */
const LONG = 600_000;
const MANY = 10_000_000;

const bytes = (size) => {
  const step = size < 1_048_576 ? ['KB', 1_024] : size < 1_073_741_824 ? ['MB', 1_048_576] : ['GB', 1_073_741_824];
  return `${(size / step[1]).toFixed(1)} ${step[0]}`;
};

const number = (count) => (count === null || count === undefined ? '–' : whole(count));

const HOLDERS = { SESSION: 'a session', PREPARED: 'a prepared transaction', SLOT: 'a replication slot' };

/** Versions, the configuration in force, and how the database is. */
class About extends Page {
  static properties = { ...Page.properties, about: { state: true }, encryption: { state: true }, all: { state: true } };

  async load(signal) {
    [this.about, this.encryption] = await Promise.all([
      get('about', { signal }),
      this.administers ? get('encryption', { signal }) : null,
    ]);
  }

  render() {
    const { about } = this;
    return html`
      <div class="head"><h1>About</h1></div>
      ${failed(this.failure, () => this.refresh())}
      ${about ? html`
        <section class="card" aria-labelledby="versions"><h2 id="versions">Versions</h2>
          <dl class="facts">${Object.entries(about.versions).map(([name, version]) => html`<dt>${name}</dt><dd>${version}</dd>`)}</dl></section>
        ${this.#database(about.database)}
        ${this.encryption?.keys.length ? this.#keys(this.encryption) : nothing}
        ${this.#configuration(about.configuration)}`
        : this.failure ? nothing : skeleton(8)}`;
  }

  #database({ relations, hiddenSessions, oldestTransaction: oldest, heldBack: held }) {
    return html`
      <section class="card" aria-labelledby="database"><h2 id="database">Database</h2>
        ${oldest?.millis > LONG || held?.transactions > MANY
          ? html`<div class="notice warn">${icon('alert-triangle')}<span>Vacuum cannot remove rows that are dead since the oldest
              transaction began. End it, or tables and indexes grow and slow down.</span></div>` : nothing}
        <dl class="facts">
          <dt>Oldest transaction</dt>
          <dd>${oldest ? html`${span(oldest.millis)}, ${oldest.state ?? 'in an unknown state'},
            of ${oldest.application || 'an application without a name'} (process ${oldest.process})` : 'none'}</dd>
          <dt>Vacuum is held back by</dt>
          <dd>${held ? html`${HOLDERS[held.by]} ${held.name ? html`<span class="mono">${held.name}</span>` : nothing}
            ${held.process ? `(process ${held.process})` : nothing}: ${whole(held.transactions)} transactions have begun since` : 'nothing'}</dd>
          ${hiddenSessions ? html`<dt>Not shown</dt><dd>${whole(hiddenSessions)} sessions of other users: PostgreSQL tells of their transactions
            only to a role that has been granted <span class="mono">pg_read_all_stats</span></dd>` : nothing}
        </dl>
        ${relations.length ? html`<div class="scroll"><table><thead><tr><th>Table or index</th><th class="number">Size</th><th class="number">Live rows</th>
          <th class="number">Dead rows</th><th>Vacuumed</th><th class="number">Read</th></tr></thead>
          <tbody>${relations.map((one) => html`<tr>
            <td class="mono">${one.table ? html`<span class="faint" aria-hidden="true">· </span>` : nothing}${one.name}</td>
            <td class="number">${bytes(one.bytes)}</td>
            <td class="number">${number(one.live)}</td><td class="number">${number(one.dead)}</td>
            <td>${one.table ? nothing : one.vacuumedAt ? when(one.vacuumedAt) : html`<span class="faint">not yet</span>`}</td>
            <td class="number">${number(one.scans)}</td></tr>`)}</tbody></table></div>
        <p class="faint">By the statistics of PostgreSQL, so approximate. An index that is never read can still be needed, as for a unique key.</p>` : nothing}</section>`;
  }

  #keys({ currentKey: current, keys }) {
    const others = keys.some((key) => key.available && key.id !== current && !key.retiredAt);
    return html`
      <section class="card" aria-labelledby="keys"><h2 id="keys">Encryption keys</h2>
        <div class="scroll"><table><thead><tr><th>Key</th><th>First used</th><th>Here</th></tr></thead>
          <tbody>${keys.map((key) => html`<tr><td class="mono">${key.id}</td><td>${when(key.firstUsedAt)}</td>
            <td>${key.id === current ? 'encrypts what is stored' : key.retiredAt ? html`encrypts nothing since ${when(key.retiredAt)}` : key.available ? 'decrypts' : html`<span class="faint">not available</span>`}</td>
            </tr>`)}</tbody></table></div>
        ${current && others ? html`<p><button @click=${() => this.#rotate()}>Encrypt anew with ${current}</button></p>
          <p class="faint">A job encrypts anew what the other keys have encrypted. Once its result is complete, they can be taken away.</p>` : nothing}
      </section>`;
  }

  async #rotate() {
    const job = await act(() => post('encryption/rotations'), 'A job encrypts anew');
    if (job) {
      go('jobs', [job.id]);
    }
  }

  #configuration(settings) {
    const shown = this.all ? settings : settings.filter((one) => one.source !== 'default');
    return html`
      <section class="card" aria-labelledby="configuration"><h2 id="configuration">Configuration in force</h2>
        <p><label><input type="checkbox" .checked=${this.all ?? false} @change=${(event) => { this.all = event.target.checked; }}>
          with what is at its default</label></p>
        <div class="scroll"><table><thead><tr><th>Key</th><th>Value</th><th>From</th></tr></thead>
          <tbody>${shown.map((one) => html`<tr><td class="mono">${one.key}
              ${one.known ? nothing : html`<span class="state paused">${icon('alert-triangle')}not a key of Readpast</span>`}</td>
            <td class="mono">${one.secret ? html`<span class="faint">${icon('lock')} set, never shown</span>` : one.value ?? html`<span class="faint">not set</span>`}</td>
            <td>${one.source}</td></tr>`)}</tbody></table></div>
        ${shown.length ? nothing : html`<p class="faint">Nothing is configured: everything is at its default.</p>`}
        <p class="faint">What operators set while it runs, such as a queue's concurrency, is kept in the database and wins; Queues shows it.</p></section>`;
  }
}

customElements.define('readpast-about', About);
