import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { decodeViews } from './decoded-text.ts';
import { HIDDEN_SECRET, newHider } from './hide-secret.ts';

const KEY = 'Aq/9+Zk8==w/Vb&3+xL0/7rT=-_~.sE';
const code = (char: string): number => char.charCodeAt(0);
const hex = (char: string, digits: number): string => code(char).toString(16).padStart(digits, '0').toUpperCase();
const escaping =
  (chars: RegExp, write: (char: string) => string) =>
  (text: string): string =>
    text.replace(chars, write);

/** Each as some library writes it: most characters are left as they are. */
const ENCODERS: Readonly<Record<string, (text: string) => string>> = {
  'urllib.parse.quote of Python': escaping(/[+=&]/g, (c) => `%${hex(c, 2)}`),
  'url.PathEscape of Go': escaping(/\//g, (c) => `%${hex(c, 2)}`),
  'escape of JavaScript': escaping(/[=&~]/g, (c) => `%u${hex(c, 4)}`),
  'System.Text.Json of .NET': escaping(/[+&<>'"]/g, (c) => `\\u${hex(c, 4)}`),
  'json_encode of PHP': escaping(/\//g, () => '\\/'),
  'a string of JavaScript': escaping(/[/&=]/g, (c) => `\\x${hex(c, 2)}`),
  'a string of Rust': escaping(/[+]/g, (c) => `\\u{${hex(c, 2)}}`),
  'octal escapes in part': escaping(/[+/]/g, (c) => `\\${code(c).toString(8).padStart(3, '0')}`),
  'HTML by number': escaping(/[+=]/g, (c) => `&#${code(c)};`),
  'HTML by number in hex': escaping(/[+/=]/g, (c) => `&#x${hex(c, 2)};`),
  'HTML by name': escaping(/[+/=&]/g, (c) => ({ '+': '&plus;', '/': '&sol;', '=': '&equals;', '&': '&amp;' })[c] ?? c),
  Markdown: escaping(/[+\-_.~=]/g, (c) => `\\${c}`),
  'quoted-printable': escaping(/=/g, () => '=3D'),
  'some of each': (t) => t.replace('/', '%2f').replace('+', '\\u002b').replace('&', '&amp;').replace('=', '&#61;'),
};
const AROUND: Readonly<Record<string, (text: string) => string>> = {
  'plain text': (t) => `you sent ${t}, it is wrong`,
  'lines of JSON': (t) => `{"a":1}\n{"told":"${t}"}\n`,
  'server-sent events': (t) => `event: told\ndata: {"told":"${t}"}\n\n`,
  'JSON within JSON': (t) => JSON.stringify({ told: JSON.stringify({ told: t }) }),
  'a page with JSON in it': (t) => `<p data-x="${JSON.stringify({ t }).replaceAll('&', '&amp;').replaceAll('"', '&#34;')}">`,
};

for (const [name, write] of Object.entries(ENCODERS))
  test(`masks a key that ${name} wrote at any position, and nothing else`, () => {
    for (const [where, around] of Object.entries(AROUND)) {
      const answer = around(write(KEY));
      const [before = '', behind = ''] = around('KEY').split('KEY');
      const hidden = newHider([KEY]).inText(answer);
      assert.equal(hidden, `${before}${HIDDEN_SECRET}${behind}`, `${where}: ${answer}`);
    }
  });

test('finds an escaped run of a key, and the form of HTTP basic', () => {
  const part = KEY.slice(2, 26);
  assert.equal(
    newHider([KEY]).inText(`(${encodeURIComponent(part)}) (${part.replaceAll('/', '\\/')})`),
    `(${HIDDEN_SECRET}) (${HIDDEN_SECRET})`,
  );
});

test('returns a response without a key unchanged, with any escapes in it', () => {
  const piece = fc.constantFrom(
    '%',
    '%2',
    '%2B',
    '%u002',
    '\\',
    '\\\\',
    '\\u',
    '\\u{',
    '\\u{2b}',
    '\\x2',
    '\\053',
    '&',
    '&#',
    '&#x2b',
    '&plus;',
    '&nope;',
    '=3D',
    'a',
    '\u{1f600}',
    '\ud800',
    '\u0131',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
      const text = pieces.join('');
      assert.equal(newHider([KEY]).inText(text), text);
      for (const view of decodeViews(text)) {
        const places = Array.from({ length: view.text.length }, (_, at) => [at, at + 1] as const);
        assert.equal(
          view
            .asCame(places)
            .map(([from, to]) => text.slice(from, to))
            .join(''),
          text,
        );
      }
    }),
    { numRuns: 2_000 },
  );
});

test('masks a key between any escapes, whose positions stay', () => {
  const piece = fc.constantFrom('%2B', '%252B ', '\\u002b', '\\\\\\n ', '\\"', '&#x2b;', '&amp;#43;', '=3D', 'a ', '\u{1f600} ');
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), fc.array(piece, { maxLength: 20 }), (before, behind) => {
      const [one, other] = [before.join(''), behind.join('')];
      const hidden = newHider([KEY]).inText(`${one}( ${KEY.replaceAll('+', '%2B')} )${other}`);
      assert.equal(hidden, `${one}( ${HIDDEN_SECRET} )${other}`);
    }),
  );
});

test('decodes escapes, complete or broken, in linear time', () => {
  const started = process.cpuUsage();
  for (const each of ['%2561', '\\', '\\u{00', '&', '&#0', '&aaaaaaaaaaaaaaa', '%', '=3D3D', 'a&b;'])
    newHider([KEY]).inText(each.repeat(Math.ceil(65_536 / each.length)));
  const { user, system } = process.cpuUsage(started);
  assert.ok((user + system) / 1_000 < 1_000, `${(user + system) / 1_000} ms`);
});
