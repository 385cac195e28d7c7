/** Browsers send some forty characters; longer headers are not read. */
const readMax = 1_000;
/** RFC 9110, section 12.4.2. */
const WEIGHT = /^q=(1(\.0{0,3})?|0?\.\d{0,3}|0)$/i;

/** Encodings that answers are kept in, the smaller one first. */
const ENCODINGS = ['br', 'gzip'] as const;
export type ContentEncoding = (typeof ENCODINGS)[number];

/** Content in the encodings that it was compressed to in advance. */
export type Compressed = { readonly [Name in ContentEncoding]?: Buffer };

const parseWeight = (parameters: readonly string[]): number => {
  const [weight = 'q=1', ...more] = parameters;
  return more.length === 0 && WEIGHT.test(weight) ? Number(weight.slice(2)) || 0 : 0;
};

/** The compressed form that `Accept-Encoding` names with the highest weight; undefined if it accepts none of them by name. */
export const chooseEncoding = (accepted: string | string[] | undefined, compressed: Compressed): ContentEncoding | undefined => {
  const header = String(accepted ?? '');
  if (header.length > readMax) return undefined;
  const weights = new Map<string, number>();
  for (const part of header.split(',')) {
    const [name = '', ...parameters] = part.split(';').map((word) => word.trim());
    weights.set(name.toLowerCase(), parseWeight(parameters));
  }
  const readWeight = (name: ContentEncoding): number => (compressed[name] === undefined ? 0 : (weights.get(name) ?? 0));
  return ENCODINGS.filter((name) => readWeight(name) > 0).sort((one, other) => readWeight(other) - readWeight(one))[0];
};
