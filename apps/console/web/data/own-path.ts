/**
 * Returns a path of this service only, for any link: anyone can write the `next` of a sign-in. A path that begins with two
 * slashes, which `/.//elsewhere.example` becomes, is another host for a browser.
 */
export const buildOwnPath = (asked: string | null, here: string): string | undefined => {
  if (asked === null || !URL.canParse(asked, here)) return undefined;
  const { origin, pathname, search } = new URL(asked, here);
  return origin === here && !pathname.startsWith('//') ? `${pathname}${search}` : undefined;
};
