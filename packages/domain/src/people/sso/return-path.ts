/**
 * Returns a path of this service, or undefined if the text leads elsewhere: browsers treat some variants of a path as another host (open
 * redirect).
 */
export const returnPath = (text: string | undefined): string | undefined => {
  if (text === undefined || !/^\/(?![/\\])[!-[\]-~]*$/.test(text)) return undefined;
  const url = URL.parse(text, 'http://here.invalid');
  if (url?.origin !== 'http://here.invalid' || url.pathname.startsWith('//')) return undefined;
  return `${url.pathname}${url.search}${url.hash}`;
};
