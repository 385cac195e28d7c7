import type { Spellings } from './text-spellings.ts';

/** Texts that are no e-mail address. */
export const notAddresses = (right: string): Spellings => {
  const [user = '', host = ''] = right.split('@');
  return {
    ...{ nothing: '', 'a space': ' ', 'an at sign': '@', 'no at sign': user, 'no host': `${user}@`, 'no user': `@${host}` },
    ...{
      'no dot': `${user}@host`,
      'two at signs': `${user}@@${host}`,
      'two hosts': `${right}@${host}`,
      'two addresses': `${right},${right}`,
    },
    ...{ 'a space before': ` ${right}`, 'a space behind': `${right} `, 'a space inside': `${user} x@${host}` },
    ...{ 'a tab': `\t${right}`, 'a line feed': `${right}\n`, 'a header of a mail': `${right}\r\nBcc: other@example.com` },
    ...{ 'a no-break space': `${right}\u00a0`, 'a byte order mark': `\ufeff${right}`, 'a line separator': `${right}\u2028` },
    ...{ 'a NUL behind': `${right}\0`, 'a NUL inside': `${user}\0@${host}`, 'a delete': `${user}\x7f@${host}` },
    ...{ 'a soft hyphen': `${user}\u00ad@${host}`, 'a space of no width': `${user}\u200b@${host}`, 'a joiner': `${user}\u200d@${host}` },
    ...{ 'from right to left': `\u202e${right}`, 'a mark of direction': `${right}\u200f`, 'an invisible sign': `${user}\u2063@${host}` },
    ...{
      'a selector of a variant': `${user}\ufe0f@${host}`,
      'a filler': `${user}\u3164@${host}`,
      'a joiner of graphemes': `${user}\u034f@${host}`,
    },
    ...{
      'a tag': `${user}\u{e0041}@${host}`,
      'a further selector': `${user}@${host}\u{e0100}`,
      'a sign of nobody': `${user}\ue000@${host}`,
    },
    ...{
      'half of a character': `${user}\ud83d@${host}`,
      'the other half': `\ude00${right}`,
      'halves the wrong way round': `\ude00\ud83d${right}`,
    },
    ...{ 'too long': `${user.padEnd(255, 'x')}@${host}`, 'far too long': `${user}@${'x.'.repeat(6_000)}example` },
    ...{ 'in a list': [right], 'in an object': { value: right }, 'an operator': { $ne: null }, null: null, true: true, 'a number': 7 },
  };
};

/** Addresses that look like another one, or that a lenient parser would confuse with it: all are distinct. */
export const listOtherAddresses = (right: string): Readonly<Record<string, string>> => {
  const [user = '', host = ''] = right.split('@');
  return {
    'a Cyrillic letter': right.replace('e', 'е'),
    'full width': `${user.replace(/[!-~]/g, (char) => String.fromCodePoint(char.charCodeAt(0) + 0xfee0))}@${host}`,
    'a full stop behind': `${right}.`,
    'a full stop inside': `${user.slice(0, 2)}.${user.slice(2)}@${host}`,
    'a tag behind the name': `${user}+x@${host}`,
    'in angle brackets': `<${right}>`,
    'in quotes': `"${user}"@${host}`,
    'with a comment': `${user}(x)@${host}`,
    'with percent signs': right.replace('e', '%65'),
    'a combining accent': `${user}\u0301@${host}`,
    'a dotless i': right.replace('i', 'ı'),
    'a capital I with a dot': right.replace('i', 'İ'),
    'a long s': right.replace('s', 'ſ'),
    'an ideographic full stop': right.replace('.', '。'),
    'a wildcard': right.replace(/^./, '%'),
    'an underscore': right.replace(/^./, '_'),
  };
};

/** Variants of an address that mean the same account. */
export const listAddressVariants = (right: string): readonly string[] => [
  right,
  right.toUpperCase(),
  right.replace(/^./, (char) => char.toUpperCase()),
  right.replace(/@.*/, (host) => host.toUpperCase()),
];
