import { get, getText, patch, post, put, putText, remove, url } from '../api.js';
import { confirmed, goFrom, once } from '../ask.js';
import { clock, exact, span, whole } from '../format.js';
import { act, empty, failed, icon, jobLink, skeleton, state, when } from '../parts.js';
import { member, notJson, pretty } from '../json.js';
import { href } from '../route.js';
import { html, nothing, Page } from '../view.js';

const HERE = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** When jobs come by the clock, and by what rules searches become jobs. */
class Schedules extends Page {
  static properties = {
    ...Page.properties,
    schedules: { state: true },
    rules: { state: true },
    schedule: { state: true },
    runs: { state: true },
    editing: { state: true },
    editingRule: { state: true },
  };

  get pace() {
    return 5_000;
  }

  get #name() {
    return this.route.parts[0];
  }

  left() {
    this.schedule = null;
    this.editing = null;
    this.editingRule = null;
  }

  async load(signal) {
    this.words ??= (await import('../../vendor/cronstrue-3.39.0/cronstrue.js')).default;
    if (this.#name) {
      const [text, runs] = await Promise.all([
        getText(url(['schedules', this.#name], { next: 5 }), { signal }),
        get(url(['schedules', this.#name, 'runs'], { limit: 50 }), { signal }),
      ]);
      this.schedule = JSON.parse(text);
      // Cut from the text: a number that JavaScript would round keeps its digits.
      this.payload = member(text, 'payload');
      this.runs = runs;
    } else {
      this.schedule = null;
      [this.schedules, this.rules] = await Promise.all([
        get('schedules', { signal }), this.general ? get('rules', { signal }) : []]);
    }
  }

  #plain(schedule) {
    if (schedule.cron) {
      try {
        return this.words.toString(schedule.cron, { use24HourTimeFormat: true, verbose: true });
      } catch {
        return schedule.cron;
      }
    }
    return schedule.daily ? `Every day at ${schedule.daily}` : `Every ${duration(schedule.every)}`;
  }

  async #change(kind, name, change, done) {
    const answer = await act(() => patch(url([kind, name]), change), done);
    this.refresh();
    return answer !== undefined;
  }

  async #run(kind, name) {
    await act(() => post(url([kind, name, 'runs'])), `${name}: a job has come`);
    await this.refresh();
  }

  /** The fields of the last one that was edited must not stay for this one. */
  async #editRule(rule) {
    this.editingRule = null;
    await this.updateComplete;
    this.editingRule = rule;
  }

  render() {
    const schedule = this.schedule?.name === this.#name ? this.schedule : null;
    return html`
      <div class="head">
        ${this.#name ? html`<a class="button" href=${href('schedules')}>${icon('arrow-left')} Schedules</a>` : nothing}
        <h1>${this.#name ?? 'Schedules and rules'}</h1><span class="grow"></span>
        ${this.administers && !this.editing && (schedule || !this.#name) ? html`<button class="primary" @click=${() => { this.editing = { ...schedule, payload: this.payload }; }}>
          ${this.#name ? html`${icon('pencil')} Edit` : html`${icon('plus')} New schedule`}</button>` : nothing}</div>
      ${failed(this.failure, () => this.refresh())}
      ${this.editing ? this.#editor() : nothing}
      ${this.editingRule ? this.#ruleEditor() : nothing}
      ${!this.loaded ? skeleton() : this.#name ? schedule && this.#shown() : html`${this.#list()}${this.#rules()}`}`;
  }

  #list() {
    return this.schedules.length
      ? html`<section class="card" aria-labelledby="schedules"><h2 id="schedules">Schedules</h2><div class="scroll"><table>
          <thead><tr><th>Schedule</th><th>When</th><th>Type</th><th>Next</th><th>Last</th><th>Enabled</th><th><span class="hidden">Actions</span></th></tr></thead>
          <tbody>${this.schedules.map((one) => html`<tr>
            <td class="cut" title=${one.name}><a href=${href('schedules', [one.name])}><strong>${one.name}</strong></a></td>
            <td>${this.#plain(one)}<br><small class="faint mono">${one.cron ?? ''} ${one.zone ?? ''}</small></td>
            <td class="mono">${one.type}</td><td>${one.fires ? when(one.nextRuns[0]) : '–'}</td>
            <td>${one.lastJob ? jobLink(one.lastJob) : '–'}</td>
            <td>${this.#switch('schedules', one)}</td>
            <td class="right">${this.has('OPERATOR', one.queue) ? html`<button @click=${once(() => this.#run('schedules', one.name))}>${icon('play')} Run now</button>` : nothing}</td>
          </tr>`)}</tbody></table></div></section>`
      : empty('calendar-clock', 'No schedules yet', `${this.administers ? 'Make one here, or put' : 'Put'} @Scheduled on a method.`);
  }

  #rules() {
    const make = this.administers && !this.editingRule
      ? html`<button @click=${() => { this.editingRule = {}; }}>${icon('plus')} New rule</button>` : nothing;
    return this.rules.length
      ? html`<section class="card" aria-labelledby="rules"><h2 id="rules">Rules<span class="grow"></span>${make}</h2><div class="scroll"><table>
          <thead><tr><th>Rule</th><th>Jobs</th><th>Last fill</th><th class="number">Found</th><th class="number">New</th><th>Enabled</th><th><span class="hidden">Actions</span></th></tr></thead>
          <tbody>${this.rules.map((one) => html`<tr>
            <td><strong>${one.name}</strong><br><small class="faint mono cut">${one.search}</small></td>
            <td class="mono">${one.type}</td>
            <td>${one.lastRun ? html`${when(one.lastRun.startedAt)} ${one.lastRun.error ? html`<span class="state discarded">${one.lastRun.error}</span>` : nothing}` : 'never'}</td>
            <td class="number">${one.lastRun ? whole(one.lastRun.found) : '–'}</td>
            <td class="number">${one.lastRun ? whole(one.lastRun.new) : '–'}</td>
            <td>${this.#switch('rules', one)}</td>
            <td class="right">${this.has('OPERATOR', one.queue) ? html`<button @click=${once(() => this.#run('rules', one.name))}>${icon('play')} Fill now</button>` : nothing}
              ${this.administers && !one.declared ? html`<button @click=${() => this.#editRule(one)}>${icon('pencil')} Edit</button>
                <button class="quiet" aria-label="Delete ${one.name}" @click=${() => this.#deleteRule(one.name)}>${icon('trash-2')}</button>` : nothing}</td>
          </tr>`)}</tbody></table></div></section>`
      : this.administers ? html`<p class="faint">${make} A rule makes a job of each row that a search finds.</p>` : nothing;
  }

  /** What configuration declares of rules it alone changes. */
  #switch(kind, one) {
    const change = async ({ target }) => {
      const enabled = target.checked;
      if (!(await this.#change(kind, one.name, { enabled }, `${one.name} is ${enabled ? 'enabled' : 'disabled'}`))) {
        target.checked = !enabled;
      }
    };
    return html`<input type="checkbox" role="switch" aria-label="${one.name} is enabled" .checked=${one.enabled}
      ?disabled=${!this.administers || (kind === 'rules' && one.declared)} @change=${change}>`;
  }

  #shown() {
    const one = this.schedule;
    return html`
      <div class="two">
        <section class="card" aria-labelledby="runs"><h2 id="runs">History</h2>
          ${this.runs.runs.length ? html`<div class="scroll"><table>
            <thead><tr><th>Planned</th><th>What came of it</th><th>Job</th><th class="number">Attempts</th></tr></thead>
            <tbody>${this.runs.runs.map((run) => html`<tr>
              <td>${when(run.plannedAt)} ${run.manual ? html`<span class="state available">by hand</span>` : nothing}</td>
              <td>${run.skipped ? html`<span class="state paused">skipped</span> ${run.skipped.toLowerCase().replaceAll('_', ' ')}` : run.state ? state(run.state) : '–'}</td>
              <td>${run.job ? jobLink(run.job) : '–'}</td><td class="number">${run.attempts ?? '–'}</td></tr>`)}</tbody></table></div>`
            : html`<p class="faint">It has not fired yet.</p>`}</section>
        <aside class="card" aria-labelledby="plan"><h2 id="plan">${this.#plain(one)}</h2>
          <dl class="facts">
            ${one.cron ? html`<dt>Cron</dt><dd class="mono">${one.cron}</dd>` : nothing}
            ${one.zone ? html`<dt>Zone</dt><dd>${one.zone}</dd>` : nothing}
            <dt>Type</dt><dd class="mono">${one.type}</dd><dt>Queue</dt><dd>${one.queue}</dd>
            <dt>Missed runs</dt><dd>${one.catchUp.toLowerCase()}</dd><dt>Overlap</dt><dd>${one.overlap.toLowerCase()}</dd>
            ${one.declared ? html`<dt>Declared</dt><dd>${one.declared.place}<br><small class="faint">by ${one.declared.owner}</small></dd>` : nothing}
          </dl>
          <h2>Next runs</h2>
          ${one.fires ? nothing : html`<p class="faint">${one.enabled ? 'None while no live node declares it.' : 'None while it is disabled.'}</p>`}
          <ol class="plain">${one.nextRuns.map((moment) => html`<li><time datetime=${moment} title=${exact(moment)}>${clock(moment)}</time>
            ${one.zone && one.zone !== HERE ? html`<br><small class="faint">${zoned(moment, one.zone)} in ${one.zone}</small>` : nothing}</li>`)}</ol>
          ${this.administers && !one.declaredNow ? html`<div class="actions"><button @click=${this.#delete}>${icon('trash-2')} Delete</button></div>` : nothing}
        </aside>
      </div>`;
  }

  async #deleteRule(name) {
    const text = 'Its searches and runs are forgotten; the jobs that it has made stay.';
    if (await confirmed({ title: `Delete rule ${name}?`, text, action: 'Delete', danger: true })) {
      await act(() => remove(url(['rules', name])), `${name} is deleted`);
      this.refresh();
    }
  }

  async #delete() {
    const here = location.hash;
    const sure = await confirmed({ title: `Delete ${this.#name}?`, text: 'It fires no more. Jobs that have come stay.', action: 'Delete', danger: true });
    if (sure && (await act(() => remove(url(['schedules', this.#name])).then(() => true), 'deleted'))) {
      goFrom(here, 'schedules');
    }
  }

  #editor() {
    const one = this.editing;
    const save = async (event) => {
      event.preventDefault();
      const here = location.hash;
      const { name, when: kind, at, payload, ...rest } = Object.fromEntries(new FormData(event.target));
      // Whether it is enabled stays as it is now, which may not be as it was when this form was opened.
      const body = { [kind]: at, ...filled(rest, ['priority', 'catchUpCap']), ...(one.name ? {} : { enabled: true }) };
      if (kind === 'every') {
        delete body.zone;
        body.anchor = one.anchor;
      }
      const text = payload.trim() || '{}';
      if (notJson(event.target.elements.payload, text)) {
        return;
      }
      // As it was typed: a number that JavaScript would round keeps its digits.
      const written = `${JSON.stringify(body).slice(0, -1)},"payload":${text}}`;
      if (await act(() => putText(url(['schedules', name]), written), 'saved') && this.editing === one) {
        this.editing = null;
        goFrom(here, 'schedules', [name]);
        this.refresh();
      }
    };
    const kind = one.daily ? 'daily' : one.every ? 'every' : 'cron';
    const choice = (name, values) => html`<select name=${name}>${values.map((value) => html`
      <option ?selected=${value === one[name]}>${value}</option>`)}</select>`;
    return html`
      <form class="card form" @submit=${save}>
        <label>Name <input name="name" required .value=${one.name ?? ''} ?readonly=${Boolean(one.name)}></label>
        <label>When <select name="when">${['cron', 'daily', 'every'].map((value) => html`<option ?selected=${value === kind}>${value}</option>`)}</select></label>
        <label>At <input name="at" required .value=${one[kind] ?? ''} placeholder="0 2 * * *, 02:00 or PT15M"></label>
        <label>Zone <input name="zone" .value=${one.zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone}></label>
        <label>Type <input name="type" required .value=${one.type ?? ''}></label>
        <label>Queue <input name="queue" .value=${one.queue ?? ''}></label>
        <label>Priority <input name="priority" type="number" min="0" max="9" .value=${String(one.priority ?? 4)}></label>
        <label>Missed moments ${choice('catchUp', ['ONCE', 'NONE', 'ALL'])}</label>
        <label>At most, with ALL <input name="catchUpCap" type="number" min="1" max="10000" .value=${String(one.catchUpCap ?? 100)}></label>
        <label>While the last one runs ${choice('overlap', ['ALLOW', 'SKIP'])}</label>
        <label>Latest start <input name="latestStart" .value=${one.latestStart ?? ''} placeholder="PT2H, or any time"></label>
        <label class="wide">Payload <textarea name="payload" rows="4" class="mono" spellcheck="false" .value=${one.name ? pretty(one.payload) : ''}
          @input=${(event) => event.target.setCustomValidity('')} placeholder="{}"></textarea></label>
        <div class="actions wide"><button type="button" class="quiet" @click=${() => { this.editing = null; }}>Leave it</button>
          <button class="primary">${icon('check')} Save</button></div>
      </form>`;
  }

  #ruleEditor() {
    const one = this.editingRule;
    const save = async (event) => {
      event.preventDefault();
      const { name, ...rest } = Object.fromEntries(new FormData(event.target));
      const body = filled(rest, ['priority']);
      // A change leaves what it does not name: whether it is enabled may have changed since this form was opened.
      const store = () => (one.name ? patch(url(['rules', name]), { queue: 'default', priority: 4, datasource: null, computation: null, schedule: null, ...body })
        : put(url(['rules', name]), { ...body, enabled: true }));
      if (await act(store, 'saved') && this.editingRule === one) {
        this.editingRule = null;
        this.refresh();
      }
    };
    return html`
      <form class="card form" @submit=${save}>
        <label>Name <input name="name" required .value=${one.name ?? ''} ?readonly=${Boolean(one.name)}></label>
        <label>Type <input name="type" required .value=${one.type ?? ''}></label>
        <label>Queue <input name="queue" .value=${one.queue ?? ''}></label>
        <label>Priority <input name="priority" type="number" min="0" max="9" .value=${String(one.priority ?? 4)}></label>
        <label>Data source <input name="datasource" .value=${one.datasource ?? ''} placeholder="that of the queue"></label>
        <label>Runs first <input name="computation" .value=${one.computation ?? ''} placeholder="a job type, or nothing"></label>
        <label>Schedule <input name="schedule" .value=${one.schedule ?? ''} placeholder="0 3 * * * Europe/Berlin, or by hand"></label>
        <label class="wide">Search <textarea name="search" rows="4" class="mono" spellcheck="false" required .value=${one.search ?? ''}
          placeholder='select id as "documentId" from document where archived_at is null'></textarea></label>
        <div class="actions wide"><button type="button" class="quiet" @click=${() => { this.editingRule = null; }}>Leave it</button>
          <button class="primary">${icon('check')} Save</button></div>
      </form>`;
  }
}

const ISO = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:([\d.]+)S)?)?$/;

/** A duration as ISO 8601 has it, such as PT15M, in words. */
function duration(text) {
  const [, days = 0, hours = 0, minutes = 0, seconds = 0] = ISO.exec(text) ?? [];
  return span(((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60_000 + Number(seconds) * 1_000);
}

/** A moment in another zone; of those that Java knows browsers do not know all. */
function zoned(moment, zone) {
  try {
    return new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short', timeZone: zone }).format(new Date(moment));
  } catch {
    return moment;
  }
}

/** What was filled in of a form, numbers as such. */
function filled(fields, numbers) {
  return Object.fromEntries(Object.entries(fields)
    .filter(([, value]) => value.trim() !== '')
    .map(([name, value]) => [name, numbers.includes(name) ? Number(value) : value]));
}

customElements.define('readpast-schedules', Schedules);
