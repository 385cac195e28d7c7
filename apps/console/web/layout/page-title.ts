export const PRODUCT = 'Agent Governance Service';

/** The title of a browser tab. */
export const formatPageTitle = (page: string): string => `${page} · ${PRODUCT}`;
