import assert from 'node:assert/strict';
import { test } from 'node:test';
import { prefersHtml } from './wants-html.ts';

test('a browser wants HTML; a client that accepts nothing, anything, JSON or something odd does not', () => {
  const browsers = [
    'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
    'text/html, */*;q=0.1',
    'TEXT/HTML',
    'text/*',
    'application/json;q=0.5, text/html;q=0.9',
    '*/*;q=0.1, text/html;level=1',
  ];
  const programs = [
    undefined,
    '',
    '*/*',
    'application/json',
    'application/json, text/html',
    'text/html;q=0.5, application/json',
    'text/html;q=0',
    'text/html;q=x, */*;q=0.1',
    'image/png',
    'text/html;q=0.3, */*;q=0.8',
    'application/*, text/*;q=0.9',
    ',;,;q=',
  ];
  for (const accept of browsers) assert.equal(prefersHtml(accept), true, accept);
  for (const accept of programs) assert.equal(prefersHtml(accept), false, accept);
});
