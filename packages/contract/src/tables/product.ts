/** The product's name in documents and in events sent to other systems. */
export const PRODUCT_NAME = 'Agent Governance Service';

/** The name of the project that makes it, as security event systems list vendors. */
export const VENDOR_NAME = 'Agent Governance project';
