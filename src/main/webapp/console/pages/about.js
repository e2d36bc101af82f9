// @ts-check
import { get, post } from '../api.js';
import { span, whole } from '../format.js';
import { act, failed, icon, skeleton, when } from '../parts.js';
import { go } from '../route.js';
import { html, nothing, Page } from '../view.js';

/** Limits the duration of a transaction, in ms; longer ones delay vacuum for too long. */
const LONG_TRANSACTION = 600_000;
const MANY_TRANSACTIONS = 10_000_000;

/** @param {number} size */
const bytes = (size) => {
  /** @type {[string, number]} */
  const [unit, factor] = size < 1_048_576 ? ['KB', 1_024] : size < 1_073_741_824 ? ['MB', 1_048_576] : ['GB', 1_073_741_824];
  return `${(size / factor).toFixed(1)} ${unit}`;
};

/** @param {number | null | undefined} count */
const number = (count) => (count === null || count === undefined ? '–' : whole(count));

/** @type {Record<string, string>} */
const HOLDERS = { SESSION: 'a session', PREPARED: 'a prepared transaction', SLOT: 'a replication slot' };

/** Shows versions, the effective configuration, and the state of the database. */
class About extends Page {
  static properties = { ...Page.properties, about: { state: true }, encryption: { state: true }, all: { state: true } };

  /** Changes to jobs do not affect this page. @type {string[]} */
  static topics = [];

  constructor() {
    super();
    /** @type {Api.About | null} */
    this.about = null;
    /** @type {Api.Encryption | null} */
    this.encryption = null;
    this.all = false;
  }

  /** @param {AbortSignal} signal */
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

  /** @param {Api.About['database']} database */
  #database({ relations, hiddenSessions, oldestTransaction: oldest, heldBack: held }) {
    return html`
      <section class="card" aria-labelledby="database"><h2 id="database">Database</h2>
        ${(oldest?.millis ?? 0) > LONG_TRANSACTION || (held?.transactions ?? 0) > MANY_TRANSACTIONS
          ? html`<div class="notice warn">${icon('alert-triangle')}<span>Vacuum cannot remove rows that have died since the oldest
              transaction began. End this transaction; otherwise tables and indexes grow and become slow.</span></div>` : nothing}
        <dl class="facts">
          <dt>Oldest transaction</dt>
          <dd>${oldest ? html`${span(oldest.millis)}, ${oldest.state ?? 'unknown state'},
            ${oldest.application || 'unnamed application'} (process ${oldest.process})` : 'none'}</dd>
          <dt>Vacuum is delayed by</dt>
          <dd>${held ? html`${HOLDERS[held.by]} ${held.name ? html`<span class="mono">${held.name}</span>` : nothing}
            ${held.process ? `(process ${held.process})` : nothing}: ${whole(held.transactions)} transactions since then` : 'nothing'}</dd>
          ${hiddenSessions ? html`<dt>Not shown</dt><dd>${whole(hiddenSessions)} sessions of other users. PostgreSQL shows their transactions
            only to roles with <span class="mono">pg_read_all_stats</span>.</dd>` : nothing}
        </dl>
        ${relations.length ? html`<div class="scroll"><table><thead><tr><th>Table or index</th><th class="number">Size</th><th class="number">Live rows</th>
          <th class="number">Dead rows</th><th>Vacuumed</th><th class="number">Read</th></tr></thead>
          <tbody>${relations.map((one) => html`<tr>
            <td class="mono">${one.table ? html`<span class="faint" aria-hidden="true">· </span>` : nothing}${one.name}</td>
            <td class="number">${bytes(one.bytes)}</td>
            <td class="number">${number(one.live)}</td><td class="number">${number(one.dead)}</td>
            <td>${one.table ? nothing : one.vacuumedAt ? when(one.vacuumedAt) : html`<span class="faint">not yet</span>`}</td>
            <td class="number">${number(one.scans)}</td></tr>`)}</tbody></table></div>
        <p class="faint">The numbers are approximate, because they come from the statistics of PostgreSQL. An index that is
          never read can still be required, for example by a unique key.</p>` : nothing}</section>`;
  }

  /** @param {Api.Encryption} encryption */
  #keys({ currentKey: current, keys }) {
    const others = keys.some((key) => key.available && key.id !== current && !key.retiredAt);
    return html`
      <section class="card" aria-labelledby="keys"><h2 id="keys">Encryption keys</h2>
        <div class="scroll"><table><thead><tr><th>Key</th><th>First used</th><th>Use on this server</th></tr></thead>
          <tbody>${keys.map((key) => html`<tr><td class="mono">${key.id}</td><td>${when(key.firstUsedAt)}</td>
            <td>${this.#use(key, current)}</td></tr>`)}</tbody></table></div>
        ${current && others ? html`<p><button @click=${() => this.#rotate()}>Re-encrypt with ${current}</button></p>
          <p class="faint">A job re-encrypts the data that the other keys have encrypted. When the result of
            this job says that the re-encryption is complete, you can remove the other keys.</p>` : nothing}
      </section>`;
  }

  /** @param {Api.Encryption['keys'][number]} key @param {string | undefined} current */
  #use(key, current) {
    if (key.id === current) {
      return 'encrypts new data';
    }
    if (key.retiredAt) {
      return html`not used since ${when(key.retiredAt)}`;
    }
    return key.available ? 'decrypts' : html`<span class="faint">not available</span>`;
  }

  async #rotate() {
    const job = await act(() => post('encryption/rotations'), 'Re-encryption started');
    if (job) {
      go('jobs', [job.id]);
    }
  }

  /** @param {Api.About['configuration']} settings */
  #configuration(settings) {
    const shown = this.all ? settings : settings.filter((one) => one.source !== 'default');
    return html`
      <section class="card" aria-labelledby="configuration"><h2 id="configuration">Effective configuration</h2>
        <p><label><input type="checkbox" .checked=${this.all} @change=${(/** @type {any} */ event) => { this.all = event.target.checked; }}>
          Show defaults</label></p>
        <div class="scroll"><table><thead><tr><th>Key</th><th>Value</th><th>Source</th></tr></thead>
          <tbody>${shown.map((one) => html`<tr><td class="mono">${one.key}
              ${one.known ? nothing : html`<span class="state paused">${icon('alert-triangle')}unknown key</span>`}</td>
            <td class="mono">${one.secret ? html`<span class="faint">${icon('lock')} set, hidden</span>`
              : one.value ?? html`<span class="faint">not set</span>`}</td>
            <td>${one.source}</td></tr>`)}</tbody></table></div>
        ${shown.length ? nothing : html`<p class="faint">Nothing is configured; all settings have their defaults.</p>`}
        <p class="faint">Settings that operators change at run time, such as the concurrency of a queue, are stored in the database and take
          precedence. They are on the Queues page.</p></section>`;
  }
}

customElements.define('readpast-about', About);
