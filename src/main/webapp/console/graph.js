// @ts-check
import { STATES } from './format.js';
import { HEIGHT, layout, WIDTH } from './layout.js';
import { href } from './route.js';
import { html, nothing, svg, View } from './view.js';

/** Below this scale, the text is too small to read. */
const MIN_SCALE = 0.85;

/** @typedef {{x: number, y: number, width: number, height: number}} Box */

/**
 * Returns the path of an edge as SVG.
 *
 * @param {import('./layout.js').Place} from
 * @param {import('./layout.js').Place} to
 */
function curve(from, to) {
  const [x1, y1, x2, y2] = [from.x + WIDTH, from.y + HEIGHT / 2, to.x, to.y + HEIGHT / 2];
  return `M${x1} ${y1} C${x1 + 36} ${y1} ${x2 - 36} ${y2} ${x2} ${y2}`;
}

/**
 * Draws a graph of jobs from left to right, each after the jobs that it waits for. The user moves
 * it with the mouse or the arrow keys.
 */
class Graph extends View {
  static properties = { jobs: { attribute: false }, box: { state: true }, at: { state: true } };

  /** @type {{x: number, y: number} | null} where the pointer was last while it drags the graph */
  #dragged = null;
  #moved = false;
  /** @type {Box | null} the last view that was set by the graph and not by the user */
  #fitted = null;

  #onResize = () => {
    if (this.box === this.#fitted) {
      this.#fitReadable();
    }
  };

  constructor() {
    super();
    /** @type {import('./layout.js').GraphJob[]} */
    this.jobs = [];
    /** @type {import('./layout.js').Place[]} */
    this.places = [];
    /** @type {Box} */
    this.box = { x: 0, y: 0, width: 0, height: 0 };
    /** @type {number | undefined} the id of the job that has the focus */
    this.at = undefined;
  }

  connectedCallback() {
    super.connectedCallback();
    addEventListener('resize', this.#onResize);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    removeEventListener('resize', this.#onResize);
  }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    if (changed.has('jobs')) {
      this.places = layout(this.jobs);
      if (!this.places.some((place) => place.job.id === this.at)) {
        this.at = this.places[0]?.job.id;
      }
      if (!this.#fitted) {
        this.#fitReadable();
      }
    }
  }

  /** Shows the beginning of the graph, at a scale at which it can be read. */
  #fitReadable() {
    this.#fit();
    const { width, height } = this.box;
    const across = (this.parentElement?.clientWidth || 640) / MIN_SCALE;
    const down = (this.querySelector('svg')?.clientHeight || (innerWidth > 760 ? 384 : 256)) / MIN_SCALE;
    this.box = { ...this.box, width: Math.min(width, across), height: Math.min(height, down) };
    this.#fitted = this.box;
  }

  /**
   * Moves the focus: left to a predecessor, right to a follower, or up and down within the column.
   *
   * @param {string} key
   */
  async #step(key) {
    const here = this.places.find((place) => place.job.id === this.at);
    if (!here) {
      return;
    }
    /** @type {(place: import('./layout.js').Place) => Record<string, boolean>} */
    const directions = (place) => ({
      ArrowLeft: here.job.after.includes(place.job.id),
      ArrowRight: place.job.after.includes(here.job.id),
      ArrowUp: place.x === here.x && place.y < here.y,
      ArrowDown: place.x === here.x && place.y > here.y,
    });
    const [next] = this.places.filter((place) => directions(place)[key]).sort((a, b) => Math.abs(a.y - here.y) - Math.abs(b.y - here.y));
    if (next) {
      this.at = next.job.id;
      await this.updateComplete;
      /** @type {HTMLElement} */ (this.querySelector('a[tabindex="0"]')).focus({ preventScroll: true });
    }
  }

  /**
   * Moves the view so that the focused job is visible.
   *
   * @param {import('./layout.js').Place} place
   */
  #show({ job, x, y }) {
    this.at = job.id;
    const { box } = this;
    /** @type {(at: number, size: number, from: number, room: number) => number} */
    const into = (at, size, from, room) => Math.min(Math.max(from, at + size + 16 - room), at - 16);
    if (!this.#dragged) {
      const [left, top] = [into(x, WIDTH, box.x, box.width), into(y, HEIGHT, box.y, box.height)];
      if (left !== box.x || top !== box.y) {
        this.box = { ...box, x: left, y: top };
      }
    }
  }

  #fit() {
    const right = Math.max(...this.places.map((place) => place.x)) + WIDTH;
    const bottom = Math.max(...this.places.map((place) => place.y)) + HEIGHT;
    // A small graph is not enlarged.
    const across = this.parentElement?.clientWidth || 640;
    this.box = { x: -16, y: -16, width: Math.max(right + 32, across), height: Math.max(bottom + 32, 200) };
    this.#fitted = this.box;
  }

  /** @param {number} x @param {number} y */
  #move(x, y) {
    this.box = { ...this.box, x: this.box.x + x, y: this.box.y + y };
  }

  /** @param {number} factor */
  #zoom(factor) {
    const { x, y, width, height } = this.box;
    this.box = {
      x: x + (width - width * factor) / 2,
      y: y + (height - height * factor) / 2,
      width: width * factor,
      height: height * factor,
    };
  }

  /** @param {any} event */
  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    if (event.key.startsWith('Arrow') && event.target.closest('a')) {
      event.preventDefault();
      this.#step(event.key);
      return;
    }
    const step = this.box.width / 10;
    /** @type {Record<string, () => void>} */
    const actions = {
      ArrowLeft: () => this.#move(-step, 0),
      ArrowRight: () => this.#move(step, 0),
      ArrowUp: () => this.#move(0, -step),
      ArrowDown: () => this.#move(0, step),
      '+': () => this.#zoom(0.8),
      '-': () => this.#zoom(1.25),
      0: () => this.#fit(),
    };
    if (actions[event.key]) {
      event.preventDefault();
      actions[event.key]();
    }
  }

  /**
   * Zooms if the control key is pressed; otherwise the wheel scrolls the page.
   *
   * @param {WheelEvent} event
   */
  #wheel(event) {
    if (event.ctrlKey || event.metaKey) {
      event.preventDefault();
      this.#zoom(event.deltaY > 0 ? 1.1 : 0.9);
    }
  }

  /** @param {any} event */
  #drag(event) {
    if (this.#dragged && event.buttons) {
      const { clientWidth, clientHeight } = event.currentTarget;
      const scale = Math.max(this.box.width / clientWidth, this.box.height / clientHeight);
      this.#move((this.#dragged.x - event.clientX) * scale, (this.#dragged.y - event.clientY) * scale);
      this.#dragged = { x: event.clientX, y: event.clientY };
      this.#moved = true;
    }
  }

  /**
   * Suppresses the click that ends a drag, which would open the job under the pointer.
   *
   * @param {MouseEvent} event
   */
  #onClick(event) {
    if (this.#moved && event.detail) {
      event.preventDefault();
    }
  }

  render() {
    const { x, y, width, height } = this.box;
    const at = new Map(this.places.map((place) => [place.job.id, place]));
    return html`
      <div class="graph">
        <svg tabindex="0" role="group"
          aria-label="${this.jobs.length} jobs and the jobs that they wait for. Arrow keys move the graph, plus and minus zoom,
            0 shows all. Tab moves to a job, and arrow keys from there to other jobs."
          viewBox="${x} ${y} ${width} ${height}" preserveAspectRatio="xMinYMin meet" @keydown=${this.#key}
          @pointerdown=${(/** @type {PointerEvent} */ event) => { this.#dragged = { x: event.clientX, y: event.clientY }; this.#moved = false; }}
          @dragstart=${(/** @type {Event} */ event) => event.preventDefault()} @click=${this.#onClick}
          @pointermove=${this.#drag} @pointerup=${() => { this.#dragged = null; }}
          @pointercancel=${() => { this.#dragged = null; }} @wheel=${this.#wheel}>
          ${this.places.flatMap((place) => place.job.after.map((id) => {
            const from = at.get(id);
            return from
              ? svg`<path class="edge" d=${curve(from, place)}></path>`
              : nothing;
          }))}
          ${this.places.map((place) => svg`
            <a href=${href('jobs', [place.job.id])} tabindex=${place.job.id === this.at ? 0 : -1} @focus=${() => this.#show(place)}
              aria-label="Job ${place.job.id}, ${place.job.type}, ${STATES[place.job.state]?.label}">
              <g class="node ${place.job.state.toLowerCase()}" transform="translate(${place.x} ${place.y})">
                <rect width=${WIDTH} height=${HEIGHT} rx="8"></rect>
                <text x="12" y="18">${place.job.type.length > 20 ? `${place.job.type.slice(0, 19)}…` : place.job.type}</text>
                <text class="small" x="12" y="34">${place.job.id} · ${STATES[place.job.state]?.label}</text>
              </g></a>`)}
        </svg>
        <div class="zoom">
          <button aria-label="Zoom in" @click=${() => this.#zoom(0.8)}>+</button>
          <button aria-label="Zoom out" @click=${() => this.#zoom(1.25)}>−</button>
          <button @click=${() => this.#fit()}>All</button>
        </div>
      </div>`;
  }
}

customElements.define('readpast-graph', Graph);
