// @ts-check
import './shell.js';
