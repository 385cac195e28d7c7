import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getShownJson } from '../web/data/shown-json.ts';

test('spells out what an approver would not see of a request, and reads it back unchanged', () => {
  const request = {
    to: 'a\u202egpj.\u2066exe',
    hidden: 'x\u200by\u2028\u00ad\u3164\ufe0f\u{e0041}',
    half: '\ud800',
    plain: 'Zoë 漢字 👍',
    n: [1],
  };
  const shown = getShownJson(request);
  assert.match(shown, /a\\u202egpj\.\\u2066exe/);
  assert.match(shown, /x\\u200by\\u2028\\u00ad\\u3164\\ufe0f\\udb40\\udc41/);
  assert.ok(shown.includes('Zoë 漢字 👍') && shown.includes('\n  "n"'));
  assert.deepEqual(JSON.parse(shown), request);
});
