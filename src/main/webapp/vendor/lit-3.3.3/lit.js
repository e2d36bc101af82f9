export * from './html/lit-html.js';
export { LitElement } from './element/lit-element.js';
export { css, unsafeCSS } from './reactive/css-tag.js';
