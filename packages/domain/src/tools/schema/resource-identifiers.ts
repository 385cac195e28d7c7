import { fullFormats } from 'ajv-formats/dist/formats.js';

type Components = {
  readonly userinfo: RegExp;
  readonly name: RegExp;
  readonly path: RegExp;
  readonly query: RegExp;
  readonly fragment: RegExp;
};

const UNRESERVED = String.raw`A-Za-z0-9\-._~`;
const DELIMITERS = "!$&'()*+,;=";
const ENCODED = '%[0-9A-Fa-f]{2}';
const PLANES = Array.from({ length: 14 }, (_, index) => index + 1);
const planeRange = (plane: number, first: number, last: number): string =>
  `\\u{${(plane * 0x10000 + first).toString(16)}}-\\u{${(plane * 0x10000 + last).toString(16)}}`;

/** Characters beyond ASCII that RFC 3987 allows in an IRI, and those for private use that it allows in the query. */
const INTERNATIONAL = [
  String.raw`\u{a0}-\u{d7ff}\u{f900}-\u{fdcf}\u{fdf0}-\u{ffef}`,
  ...PLANES.map((plane) => planeRange(plane, plane === 14 ? 0x1000 : 0, 0xfffd)),
].join('');
const PRIVATE = String.raw`\u{e000}-\u{f8ff}\u{f0000}-\u{ffffd}\u{100000}-\u{10fffd}`;

/** The characters of each component of RFC 3986, with the additional characters of RFC 3987. */
const createComponents = (more: string, moreInQuery: string): Components => {
  const text = (characters: string) => new RegExp(`^(?:[${UNRESERVED}${DELIMITERS}${characters}]|${ENCODED})*$`, 'u');
  return {
    userinfo: text(`:${more}`),
    name: text(more),
    path: text(`:@/${more}`),
    query: text(`:@/?${more}${moreInQuery}`),
    fragment: text(`:@/?${more}`),
  };
};

const SCHEME = /^[A-Za-z][A-Za-z0-9+.-]*:/;
const AUTHORITY = /^(?:([^@]*)@)?(\[[^[\]]*\]|[^@:[\]]*)(?::(\d*))?$/s;
const FUTURE = new RegExp(`^[Vv][0-9A-Fa-f]+\\.[${UNRESERVED}${DELIMITERS}:]+$`);
const { ipv6 } = fullFormats;

const isAuthority = (authority: string, { userinfo, name }: Components): boolean => {
  const parts = AUTHORITY.exec(authority);
  if (parts === null) return false;
  const [, user = '', host = ''] = parts;
  if (!userinfo.test(user)) return false;
  if (!host.startsWith('[')) return name.test(host);
  const literal = host.slice(1, -1);
  return (ipv6 as RegExp).test(literal) || FUTURE.test(literal);
};

/** The text before the first mark and the text behind it. */
const splitAt = (text: string, mark: string): readonly [string, string] => {
  const at = text.indexOf(mark);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
};

const isIdentifier = (text: string, isReference: boolean, components: Components): boolean => {
  const [beforeFragment, fragment] = splitAt(text, '#');
  const [beforeQuery, query] = splitAt(beforeFragment, '?');
  const scheme = SCHEME.exec(beforeQuery)?.[0] ?? '';
  const rest = beforeQuery.slice(scheme.length);
  const isNetwork = rest.startsWith('//');
  const [authority, afterAuthority] = isNetwork ? splitAt(rest.slice(2), '/') : ['', rest];
  const path = isNetwork ? afterAuthority : rest;
  // A colon in the first part of a path would end a scheme.
  if (scheme === '' && (!isReference || (!isNetwork && splitAt(path, '/')[0].includes(':')))) return false;
  if (isNetwork && !isAuthority(authority, components)) return false;
  return components.path.test(path) && components.query.test(query) && components.fragment.test(fragment);
};

const URI = createComponents('', '');
const IRI = createComponents(INTERNATIONAL, PRIVATE);

export const isUri = (text: string): boolean => isIdentifier(text, false, URI);
export const isUriReference = (text: string): boolean => isIdentifier(text, true, URI);
export const isIri = (text: string): boolean => isIdentifier(text, false, IRI);
export const isIriReference = (text: string): boolean => isIdentifier(text, true, IRI);

const NAME = `(?:[A-Za-z0-9_]|${ENCODED})+`;
const VARIABLE = `${NAME}(?:\\.${NAME})*(?::[1-9][0-9]{0,3}|\\*)?`;
const LITERAL = String.raw`[\x21\x23\x24\x26-\x3b\x3d\x3f-\x5b\x5d\x5f\x61-\x7a\x7e${INTERNATIONAL}${PRIVATE}]`;
const TEMPLATE = new RegExp(`^(?:${LITERAL}|${ENCODED}|\\{[+#./;?&=,!@|]?${VARIABLE}(?:,${VARIABLE})*\\})*$`, 'u');

/** A template of RFC 6570. */
export const isUriTemplate = (text: string): boolean => TEMPLATE.test(text);
