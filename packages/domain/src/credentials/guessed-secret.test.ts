import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { HIDDEN_SECRET, newHider } from './hide-secret.ts';

const LETTERS = 'abcdefghijkmnopqrstuvwxyzABCDEFGHIJKLMNPQRSTUVWXYZ23456789';
const keyText = fc.string({ unit: fc.constantFrom(...LETTERS), minLength: 20, maxLength: 90, size: 'max' });
const apart = (text: string, width: number): string[] => text.match(new RegExp(`.{1,${width}}`, 'g')) ?? [];

/** Ways in which an agent sends a guess, and the response of a service that echoes it. */
const ECHOES: Readonly<Record<string, (known: string, guess: string) => { readonly sent: readonly string[]; readonly answer: string }>> = {
  'as it is': (k, g) => ({ sent: [JSON.stringify({ note: k + g })], answer: `You said: ${k}${g}.` }),
  'in JSON within JSON': (k, g) => ({ sent: [`"${k}${g}"`], answer: JSON.stringify(JSON.stringify({ a: `${k}${g}\n` })) }),
  'from a URL': (k, g) => ({ sent: [`https://a.example/?q=%22${k}${g}%22`], answer: `<b>&quot;${k}${g}&quot;</b>` }),
  'escaped in the request alone': (k, g) => ({
    sent: [[...(k + g)].map((c) => `%${c.charCodeAt(0).toString(16)}`).join('')],
    answer: k + g,
  }),
  'in other letters': (k, g) => ({ sent: [(k + g).toLowerCase()], answer: k + g }),
  'without the spaces': (k, g) => ({ sent: [apart(k + g, 2).join(' ')], answer: k + g }),
  'joined of two': (k, g) => ({ sent: [JSON.stringify({ first: k, last: g })], answer: `${k}${g}` }),
  'joined of items': (k, g) => ({ sent: [JSON.stringify({ all: apart(k + g, 3) })], answer: `${k}${g}` }),
};

for (const [name, echo] of Object.entries(ECHOES))
  test(`reveals nothing of the next character of a key to a holder of a part from what comes back ${name}`, () => {
    fc.assert(
      fc.property(keyText, fc.nat(), (key, n) => {
        const known = key.slice(0, 1 + (n % (key.length - 6)));
        for (const guess of [key[known.length] ?? '', '0']) {
          const { sent, answer } = echo(known, guess);
          assert.equal(newHider([key], sent).inText(answer), answer);
          assert.deepEqual(newHider([key], sent).inJson({ [answer]: [answer] }), { [answer]: [answer] });
        }
      }),
    );
  });

test('reveals nothing through a response stored by another call, of a key with an unguessable rest', () => {
  const known = `xoxb-${'1234567890'.repeat(2)}-`;
  const key = `${known}4eC39HqLyjWDarjtT1zdp7dc`;
  for (let to = known.length; to < known.length + 7; to += 1)
    for (const guess of [key.slice(0, to + 1), `${key.slice(0, to)}!`]) assert.equal(newHider([key]).inText(guess), guess);
});

test('masks a key next to sent parts of it, and a run with unsent parts', () => {
  fc.assert(
    fc.property(keyText, fc.nat(), (key, n) => {
      const known = key.slice(0, 1 + (n % (key.length - 18)));
      const { inText } = newHider([key], [`{"a":"${known}"}`]);
      assert.equal(inText(`${known}! ${key} ${known}!`), `${known}! ${HIDDEN_SECRET} ${known}!`);
      const most = key.slice(0, -1);
      assert.equal(inText(`(${most})`), `(${HIDDEN_SECRET})`);
    }),
  );
});

test('does not treat a key as sent after all its short pieces or letters were', () => {
  fc.assert(
    fc.property(keyText, (key) => {
      const pieces = Array.from({ length: key.length - 2 }, (_, at) => `${key.slice(at, at + 3)}0`);
      const most = key.slice(0, -1);
      for (const sent of [pieces, [pieces.join('')], [LETTERS], [...key]])
        assert.equal(newHider([key], sent).inText(`(${most}) (${key})`), `(${HIDDEN_SECRET}) (${HIDDEN_SECRET})`);
    }),
  );
});

test('masks a whole key even from a caller who sent it', () => {
  const key = 'sk_live_4eC39HqLyjWD';
  assert.equal(newHider([key], [key]).inText(`You said: ${key}.`), `You said: ${HIDDEN_SECRET}.`);
});

test('searches long sent texts and long echoes in linear time', () => {
  const secret = `${'a'.repeat(8_191)}b${'a'.repeat(8_192)}`;
  const started = process.cpuUsage();
  const told = `${'a'.repeat(8_100)}c`.repeat(8);
  for (const sent of [told, '%2561'.repeat(13_000), '\\'.repeat(65_536)]) newHider([secret], [sent]).inText(`${secret.slice(1)} ${told}`);
  const { user, system } = process.cpuUsage(started);
  assert.ok((user + system) / 1_000 < 1_500, `${(user + system) / 1_000} ms`);
});
