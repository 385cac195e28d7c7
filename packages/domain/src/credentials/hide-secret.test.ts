import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { newRunFinder } from './find-runs.ts';
import { HIDDEN_SECRET, newHider } from './hide-secret.ts';

const secretText = fc.string({
  unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)),
  minLength: 8,
  maxLength: 60,
});
const around = fc.string({ unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)), maxLength: 20 });

const WRITINGS: Readonly<Record<string, (before: string, secret: string, behind: string) => string>> = {
  'as it is': (a, s, b) => a + s + b,
  'in base64': (a, s, b) => Buffer.from(a + s + b).toString('base64'),
  'in base64url': (a, s, b) => Buffer.from(a + s + b).toString('base64url'),
  'in hex': (a, s, b) => Buffer.from(a + s + b).toString('hex'),
  'in large hex': (a, s, b) =>
    Buffer.from(a + s + b)
      .toString('hex')
      .toUpperCase(),
  'in a URL': (a, s, b) => encodeURIComponent(a + s + b),
  'in a form': (a, s, b) => new URLSearchParams({ a: a + s + b }).toString(),
  'in JSON': (a, s, b) => JSON.stringify({ a: a + s + b }),
  'in JSON, each character escaped': (a, s, b) =>
    `"${[...(a + s + b)].map((char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')}"`,
  'in HTML': (a, s, b) => (a + s + b).replace(/[&<>"']/g, (c) => `&${{ '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": '#39' }[c]};`),
  'in HTML by number': (a, s, b) => [...(a + s + b)].map((char) => `&#${char.charCodeAt(0)};`).join(''),
  'from the end': (a, s, b) => [...(a + s + b)].reverse().join(''),
};

/** The part of a base64 text that is independent of its neighbours is all but the first and last two bytes of the secret. */
const isGone = (name: string, hidden: string, secret: string): boolean => {
  if (!name.includes('base64')) return hidden.includes(HIDDEN_SECRET);
  return hidden.includes(HIDDEN_SECRET) && !Buffer.from(hidden.replaceAll(HIDDEN_SECRET, ''), 'base64').toString('latin1').includes(secret);
};

for (const [name, write] of Object.entries(WRITINGS))
  test(`masks a secret that is echoed ${name}, with any text around it`, () => {
    fc.assert(
      fc.property(around, secretText, around, (before, secret, behind) =>
        isGone(name, newHider([secret]).inText(write(before, secret, behind)), secret),
      ),
    );
  });

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const base32 = (text: string): string => {
  const bits = [...Buffer.from(text)].map((code) => code.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{1,5}/g) ?? []).map((five) => BASE32[Number.parseInt(five.padEnd(5, '0'), 2)]).join('');
};
const inLines = (text: string, width: number): string => (text.match(new RegExp(`.{1,${width}}`, 'gs')) ?? []).join('\r\n');
const codes = (text: string, write: (code: number) => string): string => [...Buffer.from(text)].map(write).join('');
const getHex = (code: number): string => code.toString(16).padStart(2, '0');

/** Forms in which services print uninspected data: dumps of bytes and characters, and lines of a terminal. */
const DUMPS: Readonly<Record<string, (text: string) => string>> = {
  'in large letters': (t) => t.toUpperCase(),
  'in small letters': (t) => t.toLowerCase(),
  'in short lines': (t) => inLines(t, 5),
  'in characters of two bytes': (t) => Buffer.from(t, 'utf16le').toString().replaceAll('\u0000', '\ufffd'),
  'in characters of two bytes in base64': (t) => Buffer.from(t, 'utf16le').toString('base64'),
  'in characters of two bytes in base64, the larger byte first': (t) => Buffer.from(t, 'utf16le').swap16().toString('base64'),
  'in characters of two bytes in hex': (t) => Buffer.from(t, 'utf16le').toString('hex'),
  'in lines of base64': (t) => inLines(Buffer.from(t).toString('base64'), 19),
  'twice in base64': (t) => Buffer.from(Buffer.from(t).toString('base64')).toString('base64'),
  'in base32': base32,
  'in hex by the byte': (t) => codes(t, (code) => `${getHex(code)} `),
  'in escapes of C': (t) => codes(t, (code) => `\\x${getHex(code)}`),
  'in octal escapes': (t) => codes(t, (code) => `\\${code.toString(8).padStart(3, '0')}`),
  'in escapes with braces': (t) => codes(t, (code) => `\\u{${getHex(code)}}`),
  'in numbers': (t) => codes(t, (code) => `${code}, `),
  'in quoted-printable': (t) => codes(t, (code) => `=${getHex(code).toUpperCase()}`),
  'twice in a URL': (t) => encodeURIComponent(encodeURIComponent(t)),
};
const keyText = fc.string({ unit: fc.constantFrom(...'abcdefghijkXYZ0123456789-_./='), minLength: 20, maxLength: 200, size: 'max' });

for (const [name, write] of Object.entries(DUMPS))
  test(`masks a key that is echoed ${name}, and keeps the text around it`, () => {
    fc.assert(
      fc.property(around, keyText, around, (before, key, behind) => {
        const hidden = newHider([key]).inText(`<< ${write(before + key + behind)} >>`);
        return (
          hidden.includes(HIDDEN_SECRET) &&
          hidden.startsWith('<< ') &&
          hidden.endsWith(' >>') &&
          hidden.length < 12 * (before + behind).length + 60
        );
      }),
    );
  });

test('masks values of JSON that reveal a key together, and nothing else', () => {
  const key = 'sk_live_0123456789';
  const { inJson } = newHider([key]);
  assert.deepEqual(inJson({ body: Buffer.from(key).toJSON(), at: [1, 2] }), { body: { type: 'Buffer', data: HIDDEN_SECRET }, at: [1, 2] });
  assert.deepEqual(inJson({ deep: [{ all: [...key] }, 'rest'] }), { deep: [{ all: HIDDEN_SECRET }, 'rest'] });
  assert.deepEqual(inJson([1, ['sk_live', '_01234', '56789']]), [1, HIDDEN_SECRET]);
  assert.deepEqual(inJson({ body: { ...Buffer.from(key) }, at: { 0: 1, 1: 2 } }), { body: HIDDEN_SECRET, at: { 0: 1, 1: 2 } });
  assert.deepEqual(inJson([{ of: { ...[...key] } }, 'rest']), [{ of: HIDDEN_SECRET }, 'rest']);
  const nested = Array.from({ length: 40 }).reduce<unknown>((within) => ({ within, beside: 1 }), [...key]);
  assert.ok(JSON.stringify(inJson(nested)).endsWith(`"${HIDDEN_SECRET}"${',"beside":1}'.repeat(8)}`));
});

test('masks in names, texts and numbers of JSON at any depth, and changes nothing else', () => {
  const secret = 'sk_live_0123456789';
  const { inJson } = newHider([secret, '12345678']);
  const told = {
    [`a ${secret}`]: [1, true, null, `x${secret}y`, { deep: [Buffer.from(secret).toString('base64'), 12345678] }],
    other: 'sk_',
  };
  const hidden = JSON.stringify(inJson(told));
  assert.ok(
    !hidden.includes(secret) && !hidden.includes(Buffer.from(secret).toString('base64').slice(0, 12)) && !hidden.includes('1234567'),
  );
  assert.deepEqual(inJson({ other: [1, 'sk_live_', null] }), { other: [1, 'sk_live_', null] });
});

test('masks in a text within a text, quoted any number of times', () => {
  const secret = 'k"ey\\with/all(of.*it)';
  const { inText } = newHider([secret]);
  let text = `"${[...secret].map((char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')} ${secret}"`;
  for (let depth = 0; depth < 5; depth += 1) {
    assert.equal(inText(text).replace(/\\*"/g, ''), `${HIDDEN_SECRET} ${HIDDEN_SECRET}`, `depth ${depth}`);
    text = JSON.stringify(text);
  }
});

test('masks half of a secret or more at any position, unless an unguessable rest is left, and shows less', () => {
  const hex = fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 16, maxLength: 64 });
  fc.assert(
    fc.property(hex, fc.nat(), fc.nat(), (secret, a, b) => {
      const half = Math.max(Math.ceil(secret.length / 2), secret.length - 16);
      const length = half + (a % (secret.length - half + 1));
      const from = b % (secret.length - length + 1);
      const part = secret.slice(from, from + length);
      const hidden = newHider([secret]).inText(`<< ${part} >> << ${part} >>`);
      return !hidden.includes(part) && hidden.startsWith('<< ') && hidden.endsWith(' >>') && hidden.includes(HIDDEN_SECRET);
    }),
  );
  assert.equal(newHider(['0123456789abcdef']).inText('key 0123456 is wrong'), 'key 0123456 is wrong');
  const long = '0123456789abcdef'.repeat(3);
  assert.equal(newHider([long]).inText(`key ${long.slice(0, 31)} is wrong`), `key ${long.slice(0, 31)} is wrong`);
});

test('searches a response made of parts of a long secret', () => {
  const secret = `${'a'.repeat(2_000)}b${'a'.repeat(2_000)}`;
  const { inText } = newHider([secret]);
  const passed = `${'a'.repeat(1_500)}c`.repeat(40);
  assert.equal(inText(passed), passed);
  assert.equal(inText(`${passed}${secret}`), `${passed}${HIDDEN_SECRET}`);
});

test('masks a response of nothing but secrets as a whole', () => {
  const key = 'a-secret';
  const line = `${HIDDEN_SECRET}%20`;
  assert.equal(newHider([key]).inText(`${key}%20`.repeat(40_000)), line.repeat(40_000));
  assert.equal(newHider([key]).inText(`${key}%20`.repeat(60_000)), HIDDEN_SECRET);
});

/** The maximum length of an access token. */
const LONG = 'k"e\\y/0<&>'.repeat(1_700).slice(0, 16_384);

test('masks a secret of maximum token length in quoted JSON, without compiling a pattern', () => {
  const { inText, inJson } = newHider([LONG]);
  for (let depth = 0, text = JSON.stringify({ told: LONG }); depth < 3; depth += 1, text = JSON.stringify(text)) {
    assert.ok(inText(text).length < 60, `depth ${depth}`);
    assert.ok(inText(text).includes(HIDDEN_SECRET), `depth ${depth}`);
  }
  assert.equal(inText('a "scope" \\ of none'), 'a "scope" \\ of none');
  assert.deepEqual(inJson({ told: `"${LONG}" \\n` }), { told: `"${HIDDEN_SECRET}" \\n` });
});

test('takes no long time for a response or a secret of backslashes', () => {
  const startedAt = performance.now();
  const echo = '\\'.repeat(65_536);
  assert.equal(newHider(['k"ey\\with/all(of.*it)']).inText(echo), echo);
  assert.equal(newHider(['sk_live_0123456789']).inText(echo), echo);
  assert.ok(newHider([`${echo.slice(0, 4_000)}end`]).inText(echo).length < 4_000);
  assert.equal(newHider([echo.slice(0, 16)]).inText(`a${echo}b`), `a${HIDDEN_SECRET}b`);
  assert.ok(performance.now() - startedAt < 1_000);
});

test('masks a secret that ends in backslashes, or begins with a quote, next to a foreign quote', () => {
  for (const secret of ['a secret of two\\\\', '"a secret of two', '\\"secret of \\" two\\']) {
    let text = JSON.stringify({ one: secret, other: `${secret}${secret}` });
    for (let depth = 0; depth < 4; depth += 1) {
      assert.ok(!newHider([secret]).inText(text).includes('secret of'), text);
      text = JSON.stringify(text);
    }
  }
});

test('reveals no secret in an exception of the search', () => {
  const silent = (error: Error): boolean => error.message === 'Secrets could not be looked for.' && error.cause === undefined;
  for (const secret of ['secret \u{d800}\u0436', 'secret \u0436']) assert.throws(() => newHider([secret]), silent);
  assert.throws(() => newHider(['a secret']).inText(undefined as unknown as string), silent);
  const endless: unknown[] = [];
  endless.push(endless);
  assert.throws(() => newHider(['a secret']).inJson(endless), silent);
});

test('searches a response made of near-runs of a secret in linear time', () => {
  const secret = `${'a'.repeat(8_191)}b${'a'.repeat(8_192)}`;
  const almost = `${'a'.repeat(8_100)}c`.repeat(8);
  const hider = newHider([secret]);
  const started = process.cpuUsage();
  assert.equal(hider.inText(almost) === almost, true);
  const told = hider.inJson([almost, `${almost}${secret}!`, almost]);
  const { user, system } = process.cpuUsage(started);
  assert.equal(JSON.stringify(told) === JSON.stringify([almost, `${almost}${HIDDEN_SECRET}!`, almost]), true);
  assert.ok((user + system) / 1_000 < 1_000, `${(user + system) / 1_000} ms`);
});

test('finds exactly the runs that a comparison of all parts finds, in linear time', () => {
  const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(letters, letters, fc.integer({ min: 1, max: 12 }), (secret, text, runMin) => {
      const inRuns = new Set<number>();
      for (let from = 0; from + runMin <= text.length; from += 1)
        if (secret.includes(text.slice(from, from + runMin))) for (let n = 0; n < runMin; n += 1) inRuns.add(from + n);
      const found = newRunFinder(secret, { runMin, newMin: runMin })(text).flatMap(([from, to]) =>
        Array.from({ length: to - from }, (_, n) => from + n),
      );
      assert.deepEqual(
        [...new Set(found)].sort((one, other) => one - other),
        [...inRuns].sort((one, other) => one - other),
      );
    }),
    { numRuns: 2_000 },
  );
});
