/** A path of this service, or undefined where the text leads anywhere else: a browser takes some spellings of a path for another host. */
export const returnPath = (text: string | undefined): string | undefined => {
  if (text === undefined || !/^\/(?![/\\])[!-[\]-~]*$/.test(text)) return undefined;
  const url = URL.parse(text, 'http://here.invalid');
  if (url?.origin !== 'http://here.invalid' || url.pathname.startsWith('//')) return undefined;
  return `${url.pathname}${url.search}${url.hash}`;
};
