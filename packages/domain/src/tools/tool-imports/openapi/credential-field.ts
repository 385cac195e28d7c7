const FIELDS = /^(?:api_?key|app_?key|auth_?token|access_?token|api_?token|access_?key)$/i;

/** Returns true for a body field that authenticates the caller. */
export const isCredentialField = (name: string): boolean => FIELDS.test(name);
