/**
 * A page of this service and no other, whatever a link says: `next` of a sign-in is written by anybody. A path that begins with two slashes, as
 * `/.//elsewhere.example` becomes one, is the name of another host to a browser.
 */
export const ownPath = (asked: string | null, here: string): string | undefined => {
  if (asked === null || !URL.canParse(asked, here)) return undefined;
  const { origin, pathname, search } = new URL(asked, here);
  return origin === here && !pathname.startsWith('//') ? `${pathname}${search}` : undefined;
};
