const FIELDS = /^(?:api_?key|app_?key|auth_?token|access_?token|api_?token|access_?key)$/i;

/** Whether a field of a body is there for whoever calls to say who they are, and not for what the call is about. */
export const isCredentialField = (name: string): boolean => FIELDS.test(name);
