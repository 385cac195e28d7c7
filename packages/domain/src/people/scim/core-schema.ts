const CORE = /^urn:ietf:params:scim:schemas:core:2\.0:(?:user|group)$/i;
const CORE_PREFIX = /^urn:ietf:params:scim:schemas:core:2\.0:(?:user|group):/i;

/** True if a path is the URN of the schema of users or groups, whose members are attributes. */
export const isCoreSchema = (path: string): boolean => CORE.test(path);

/** The name of an attribute without the URN of the core schema, in lower case. */
export const getShortName = (name: string): string => name.replace(CORE_PREFIX, '').toLowerCase();
