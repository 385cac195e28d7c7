import assert from 'node:assert/strict';
import { test } from 'node:test';
import { escapeLine } from './escape-line.ts';

test('terminal control and bidirectional characters are spelled out, and names stay unchanged', () => {
  assert.equal(escapeLine('\u001b[2J\u001b]0;x\u0007Acme\r\nroot#'), String.raw`\u{1b}[2J\u{1b}]0;x\u{7}Acme\u{d}\u{a}root#`);
  assert.equal(
    escapeLine('a\u009bb\u202ec\u2066d\u200be\u2028f\u{e0041}'),
    String.raw`a\u{9b}b\u{202e}c\u{2066}d\u{200b}e\u{2028}f\u{e0041}`,
  );
  for (const name of ['Žofie Ågren', 'می\u200cخواهم', '👩\u200d💻 Team', 'org (org_01)  {"a":"\\n"}']) assert.equal(escapeLine(name), name);
});
