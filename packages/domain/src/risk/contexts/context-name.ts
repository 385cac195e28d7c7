import { RISK_LIMITS } from '@svc/contract/tables/limits/risk-limits.ts';

export const CONTEXT_NAME_CHARS_MAX = RISK_LIMITS.contextNameCharsMax;

const CHARACTERS = /^[A-Za-z0-9._:-]+$/;

/** True for a name that an agent can give a flow context in its assertion. */
export const isContextName = (text: string): boolean => text.length <= CONTEXT_NAME_CHARS_MAX && CHARACTERS.test(text);

/** Key of the context of requests that name none. */
export const UNNAMED = '';

/** Key of the context whose labels count in all contexts of its agent. No assertion can name it. */
export const ALL_CONTEXTS = '*';
