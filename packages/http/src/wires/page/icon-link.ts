/** The icon of every page of a plane, as its root serves it. Policies of pages need `img-src 'self'`. */
export const ICON_LINK = '<link rel="icon" href="/favicon.svg" type="image/svg+xml">';
