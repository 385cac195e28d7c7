export const PRODUCT = 'Agent Governance Service';

/** The title of a browser tab. */
export const titleOf = (page: string): string => `${page} · ${PRODUCT}`;
