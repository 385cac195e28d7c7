/** Variants that make a right value wrong, by name: any JSON value. */
export type Spellings = Readonly<Record<string, unknown>>;

const shifted = (text: string, digitZero: number): string =>
  text.replace(/[0-9]/g, (digit) => String.fromCodePoint(digitZero + Number(digit)));

/** Look-alike letters of other scripts. */
const LOOK_ALIKES: Readonly<Record<string, string>> = {
  ...{ a: 'а', c: 'с', e: 'е', o: 'о', p: 'р', s: 'ѕ', x: 'х', y: 'у', i: 'і', j: 'ј', h: 'һ', B: 'В', C: 'С', H: 'Н', T: 'Т' },
  ...{ K: '\u212a', k: '\u212a', M: 'М', P: 'Р', X: 'Х', '0': 'О', '1': 'l', '3': 'З', '5': 'Ƽ', '8': '৪' },
};
const alike = (text: string): string => text.replace(/./g, (char) => LOOK_ALIKES[char] ?? char);
const inside = (text: string, what: string): string => `${text.slice(0, 2)}${what}${text.slice(2)}`;
const wide = (text: string): string => text.replace(/[!-~]/g, (char) => String.fromCodePoint(char.charCodeAt(0) + 0xfee0));
const percent = (text: string): string => [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');

/** Adds invisible characters before, after or inside, or ones that lenient parsers ignore. */
const hidden = (right: string): Spellings => ({
  'a space before': ` ${right}`,
  'a space behind': `${right} `,
  'a space inside': inside(right, ' '),
  'a tab before': `\t${right}`,
  'a line feed behind': `${right}\n`,
  'a carriage return and line feed behind': `${right}\r\n`,
  'a header behind': `${right}\r\nx-other: 1`,
  'a no-break space behind': `${right}\u00a0`,
  'a NUL behind': `${right}\0`,
  'a NUL inside': inside(right, '\0'),
  'a soft hyphen inside': inside(right, '\u00ad'),
  'a space of no width inside': inside(right, '\u200b'),
  'a joiner inside': inside(right, '\u200d'),
  'a byte order mark before': `\ufeff${right}`,
  'written from right to left': `\u202e${right}`,
  'a line separator behind': `${right}\u2028`,
  'a combining accent behind': `${right}\u0301`,
  'a variation selector inside': inside(right, '\ufe0f'),
});

const otherSigns = (right: string): Spellings => ({
  'full width': wide(right),
  'Arabic digits': shifted(right, 0x660),
  'Persian digits': shifted(right, 0x6f0),
  'Devanagari digits': shifted(right, 0x966),
  'bold digits': shifted(right, 0x1d7ce),
  'look-alike letters': alike(right),
  'half of a character behind': `${right}\ud83d`,
  'the other half inside': inside(right, '\ude00'),
  'encoded with percent signs': percent(right),
  'encoded for JSON twice': JSON.stringify(right),
  'an entity of HTML': right.replace(/.$/, (char) => `&#${char.charCodeAt(0)};`),
});

const wrongLength = (right: string): Spellings => ({
  nothing: '',
  'a sign less': right.slice(0, -1),
  'without the first sign': right.slice(1),
  'a zero before': `0${right}`,
  'a zero behind': `${right}0`,
  twice: `${right}${right}`,
  'twice with a comma': `${right},${right}`,
  'far too long': right.padEnd(12_000, right),
  'a plus before': `+${right}`,
  'a minus before': `-${right}`,
  'with a fraction': `${right}.0`,
  'with an exponent': `${right}e0`,
  'a wildcard behind': `${right.slice(0, -1)}%`,
  'a quote behind': `${right}' or '1'='1`,
});

const otherTypes = (right: string): Spellings => ({
  'a number': /^[1-9][0-9]*$/.test(right) ? Number(right) : 7,
  'in a list': [right],
  'an empty list': [],
  'in an object': { value: right },
  'an operator': { $ne: null },
  'as a prototype': { __proto__: null, toString: right },
  null: null,
  true: true,
});

/** Returns the variants that differ from the right value and are not intentionally equal to it. */
export const listVariants = (right: string, isAlsoRight: (text: string) => boolean = () => false): Spellings =>
  Object.fromEntries(
    Object.entries({ ...hidden(right), ...otherSigns(right), ...wrongLength(right), ...otherTypes(right) }).filter(
      ([, value]) => typeof value !== 'string' || (value !== right && !isAlsoRight(value)),
    ),
  );
