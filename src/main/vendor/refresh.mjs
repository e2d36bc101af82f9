// Copies the libraries of package-lock.json to ../webapp/vendor, with their checksums:
//   npm ci --ignore-scripts && node refresh.mjs
// Needed only when a version changes. Imports by a package's name, which only Node resolves, become paths.
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import subsetFont from 'subset-font';

const ICONS = [
  'activity', 'alert-triangle', 'archive', 'arrow-down', 'arrow-left', 'arrow-right', 'arrow-up', 'ban',
  'bell', 'box', 'calendar-clock', 'check', 'chevron-down', 'chevron-left', 'chevron-right', 'circle',
  'circle-check', 'circle-dot', 'circle-x', 'clock', 'copy', 'database', 'download', 'ellipsis', 'external-link',
  'eye-off', 'file-text', 'filter', 'gauge', 'git-branch', 'hourglass', 'info', 'keyboard', 'layers', 'list',
  'lock', 'log-out', 'menu', 'minus', 'monitor', 'moon', 'pause', 'pencil', 'play', 'plus', 'power', 'refresh-cw',
  'rotate-ccw', 'search', 'server', 'settings', 'skip-forward', 'sun', 'trash-2', 'user', 'users', 'workflow', 'x',
];

const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'));
const to = '../webapp/vendor';
const checksums = [];

const version = (name) => lock.packages[`node_modules/${name}`].version;
const folder = (name) => `${name.split('/').at(-1)}-${version(name)}`;

function write(path, content) {
  const file = join(to, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  checksums.push(`${createHash('sha256').update(content).digest('hex')}  ${path}`);
}

const read = (name, file) => readFileSync(join('node_modules', name, file));
const withoutMap = (text) => text.replace(/\n?\/\/# sourceMappingURL=.*\s*$/, '\n');

/** Lit consists of several packages. Each of their modules is written once, and imported by its path. */
function lit() {
  const base = folder('lit');
  const parts = { 'lit-html': 'html', 'lit-element': 'element', '@lit/reactive-element': 'reactive' };
  const modules = {
    'lit-html': ['lit-html.js', 'is-server.js'],
    'lit-element': ['lit-element.js'],
    '@lit/reactive-element': ['reactive-element.js', 'css-tag.js'],
  };
  const at = (specifier) => {
    const name = Object.keys(parts).find((p) => specifier === p || specifier.startsWith(`${p}/`));
    const main = { 'lit-html': 'lit-html.js', 'lit-element': 'lit-element.js',
      '@lit/reactive-element': 'reactive-element.js' }[name];
    return `${parts[name]}/${specifier === name ? main : specifier.slice(name.length + 1)}`;
  };
  for (const [name, files] of Object.entries(modules)) {
    for (const file of files) {
      const here = dirname(`${parts[name]}/${file}`);
      const text = withoutMap(read(name, file).toString())
        .replace(/(from|import)\s*"((?:lit-|@lit\/)[^"]*)"/g, (_, word, specifier) => {
          const path = relative(here, at(specifier));
          return `${word}"${path.startsWith('.') ? path : `./${path}`}"`;
        });
      write(`${base}/${parts[name]}/${file}`, text);
    }
  }
  write(`${base}/lit.js`, [
    "export * from './html/lit-html.js';",
    "export { LitElement } from './element/lit-element.js';",
    "export { css, unsafeCSS } from './reactive/css-tag.js';",
    '',
  ].join('\n'));
  write(`${base}/LICENSE`, read('lit', 'LICENSE'));
}

function uplot() {
  const base = folder('uplot');
  write(`${base}/uplot.js`, `${withoutMap(read('uplot', 'dist/uPlot.iife.min.js').toString()).trimEnd()}\nexport default uPlot;\n`);
  write(`${base}/uplot.css`, read('uplot', 'dist/uPlot.min.css'));
  write(`${base}/LICENSE`, read('uplot', 'LICENSE'));
}

function cronstrue() {
  const base = folder('cronstrue');
  const text = withoutMap(read('cronstrue', 'dist/cronstrue.min.js').toString()).trimEnd();
  // The library exports itself to a module system if it finds one.
  write(`${base}/cronstrue.js`, `const module = { exports: {} }; const exports = module.exports;\n${text}\nexport default module.exports.default ?? module.exports;\n`);
  write(`${base}/LICENSE`, read('cronstrue', 'LICENSE'));
}

function icons() {
  const base = folder('lucide-static');
  const symbols = ICONS.map((name) => {
    const svg = read('lucide-static', `icons/${name}.svg`).toString();
    const inner = svg.replace(/<!--[^]*?-->/g, '').replace(/^[^]*?<svg[^>]*>/, '').replace(/<\/svg>\s*$/, '');
    return `<symbol id="${name}" viewBox="0 0 24 24">${inner.replace(/\s*\n\s*/g, '')}</symbol>`;
  });
  write(`${base}/icons.svg`, `<svg xmlns="http://www.w3.org/2000/svg">\n${symbols.join('\n')}\n</svg>\n`);
  write(`${base}/LICENSE`, read('lucide-static', 'LICENSE'));
}

async function font() {
  const name = '@fontsource-variable/inter';
  const base = folder(name);
  const letters = Array.from({ length: 0x7f - 0x20 }, (_, i) => String.fromCharCode(0x20 + i)).join('');
  const subset = await subsetFont(read(name, 'files/inter-latin-wght-normal.woff2'),
    `${letters} ·–—‘’“”…−×→←↑↓`, { targetFormat: 'woff2', variationAxes: { wght: { min: 400, max: 700, default: 400 } } });
  // The browser loads the whole font only for characters that the subset does not have.
  write(`${base}/inter-basic.woff2`, subset);
  write(`${base}/inter-latin.woff2`, read(name, 'files/inter-latin-wght-normal.woff2'));
  write(`${base}/LICENSE`, read(name, 'LICENSE'));
}

rmSync(to, { recursive: true, force: true });
lit();
uplot();
cronstrue();
icons();
await font();
checksums.sort((a, b) => (a.slice(66) < b.slice(66) ? -1 : 1));
writeFileSync(join(to, 'SHA256SUMS'), `${checksums.join('\n')}\n`);
